import type { EnvironmentId } from '@clarion/contracts/core';
import type { ReadyStep } from './channel';
import type { Suppressions } from '../ports';
import { withSuppressions } from './suppressions';

type Wanted = { environmentId: EnvironmentId; address: string };

describe('withSuppressions', () => {
  const since = new Date('2026-01-01');
  let asked: Wanted[][];
  const store: Suppressions = {
    find: (_, wanted) => {
      asked.push(wanted);
      const found = wanted.filter(({ environmentId, address }) => environmentId === 'e1' && address === 'a@x.test');
      return Promise.resolve(found.map((one) => ({ ...one, reason: 'bounce' as const, createdAt: since })));
    },
  };
  const step = (environmentId: EnvironmentId, email: string, hasSuppressions = true): ReadyStep =>
    ({
      item: {
        step: {
          environmentId,
          hasSuppressions,
          stepKey: 's',
          notification: { overrides: null },
          subscriber: { email, phone: null },
        },
      },
      accounts: [{ providerId: 'sendgrid' }, { providerId: 'resend' }],
      suppressed: new Map(),
    }) as unknown as ReadyStep;

  beforeEach(() => {
    asked = [];
  });

  it('makes no query for environments without suppressions, and for channels that have none', async () => {
    const steps = [step('e1' as EnvironmentId, 'a@x.test', false), step('e2' as EnvironmentId, 'a@x.test', false)];
    expect(await withSuppressions(store, { channel: 'email' }, steps)).toEqual(steps);
    expect(await withSuppressions(store, { channel: 'push' }, [step('e1' as EnvironmentId, 'a@x.test')])).toHaveLength(
      1,
    );
    expect(
      await withSuppressions(store, { channel: 'in_app' }, [step('e1' as EnvironmentId, 'a@x.test')]),
    ).toHaveLength(1);
    expect(asked).toEqual([]);
  });

  it('makes one query with each address once, and gives each step the suppressions of its environment', async () => {
    const steps = [
      step('e1' as EnvironmentId, 'A@x.test'),
      step('e1' as EnvironmentId, 'a@x.test'),
      step('e1' as EnvironmentId, 'b@x.test'),
      step('e2' as EnvironmentId, 'a@x.test'),
      step('e3' as EnvironmentId, 'a@x.test', false),
    ];
    const ready = await withSuppressions(store, { channel: 'email' }, steps);
    expect(asked).toEqual([
      [
        { environmentId: 'e1', address: 'a@x.test' },
        { environmentId: 'e1', address: 'b@x.test' },
        { environmentId: 'e2', address: 'a@x.test' },
      ],
    ]);
    const found = new Map([['a@x.test', { reason: 'bounce', since }]]);
    expect(ready.map(({ suppressed }) => suppressed)).toEqual([found, found, found, new Map(), new Map()]);
  });
});
