import type { EnvironmentId } from '@clarion/contracts/core';
import type { Layout } from '@clarion/persistence';
import { LayoutDirectory } from './layout-directory';

describe('LayoutDirectory', () => {
  const layout = (layoutId: string): Layout => ({ layoutId }) as Layout;
  let asked: string[];
  let stored: Layout[];
  let standard: Layout | undefined;
  let directory: LayoutDirectory;

  beforeEach(() => {
    asked = [];
    stored = [layout('a'), layout('b')];
    standard = layout('a');
    directory = new LayoutDirectory({
      findMany: (environmentId, ids) => {
        asked.push(`${environmentId}: ${ids.join()}`);
        return Promise.resolve(stored.filter(({ layoutId }) => ids.includes(layoutId)));
      },
      findDefault: (environmentId) => {
        asked.push(`${environmentId}: default`);
        return Promise.resolve(standard);
      },
    });
  });

  it('reads each layout once', async () => {
    const first = await directory.find('e' as EnvironmentId, '1', new Set(['a', 'gone', undefined]));
    expect([...first].map(([id, found]) => [id, found?.layoutId])).toEqual([
      ['a', 'a'],
      ['gone', undefined],
      [undefined, 'a'],
    ]);
    await directory.find('e' as EnvironmentId, '1', new Set(['a', 'gone', undefined]));
    await directory.find('e' as EnvironmentId, '1', new Set(['b']));
    expect(asked).toEqual(['e: a,gone', 'e: default', 'e: b']);
  });

  it('reads a layout again when the stamp has changed, and for each environment', async () => {
    await directory.find('e' as EnvironmentId, '1', new Set([undefined]));
    standard = undefined;
    expect([...(await directory.find('e' as EnvironmentId, '2', new Set([undefined]))).values()]).toEqual([undefined]);
    await directory.find('other' as EnvironmentId, '2', new Set([undefined]));
    expect(asked).toEqual(['e: default', 'e: default', 'other: default']);
  });
});
