import type { Priority } from '@clarion/contracts';
import { until } from '@clarion/testing';
import { type Clarion, startClarion } from './harness';

const EMAIL = { type: 'email', controlValues: { subject: 'S', body: '<p>B</p>' } } as const;

describe('lanes', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine'] });
    await clarion.workflow('mail', [EMAIL]);
    await clarion.integration('sendgrid', 'email');
  });
  afterAll(() => clarion.close());
  beforeEach(() => clarion.provider.reset());
  afterEach(() => clarion.stop('email'));

  /** Posts events in calls of a hundred, and waits until all steps of the environment are queued. */
  const queue = async (name: string, count: number, priority?: Priority) => {
    for (let first = 0; first < count; first += 100) {
      const events = Array.from({ length: Math.min(100, count - first) }, (_, at) => {
        const to = { subscriberId: `${name}-${first + at}`, email: `${name}-${first + at}@x.test` };
        return { name: 'mail', to, ...(priority && { priority }) };
      });
      await clarion.callOk('POST', '/v1/events/trigger/bulk', { events });
    }
    await until(async () => {
      const [row] = await clarion.database.rows<{ left: number }>(
        `SELECT count(*)::int AS left FROM work WHERE type = 'trigger'`,
      );
      return row!.left === 0;
    });
  };
  /** The names in the order in which the provider got their messages. */
  const sent = async (count: number): Promise<string[]> => {
    await clarion.start('email');
    await until(() => clarion.provider.calls.length >= count);
    return clarion.provider.calls.map(({ body }) => /"(bulk|normal|critical)-/.exec(body)![1]!);
  };

  it('sends a critical message before the backlog of its environment, and a normal one before bulk', async () => {
    await queue('bulk', 400, 'bulk');
    await queue('normal', 600);
    await queue('critical', 1, 'critical');
    const order = await sent(1_001);
    expect(order.indexOf('critical')).toBeLessThan(200);
    // Nearly all normal messages: bulk has its tenth meanwhile.
    expect(order.slice(0, 500).filter((name) => name === 'bulk').length).toBeLessThan(200);
  });

  it('sends bulk messages also during a flood of critical ones', async () => {
    await queue('critical', 600, 'critical');
    await queue('bulk', 100, 'bulk');
    const order = await sent(700);
    expect(order.indexOf('bulk')).toBeLessThan(order.lastIndexOf('critical'));
    expect(order.slice(0, 300).filter((name) => name === 'critical').length).toBeGreaterThan(150);
  });
});
