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

  it('keeps a limited amount of names and layouts for an environment, and what others use', async () => {
    const environmentId = 'e' as EnvironmentId;
    await directory.find('other' as EnvironmentId, '1', new Set(['a']));
    const long = 'x'.repeat(2 * 1024 * 1024);
    for (let at = 0; at < 5; at += 1) await directory.find(environmentId, '1', new Set([`${at}${long}`]));
    asked = [];
    await directory.find(environmentId, '1', new Set([`4${long}`]));
    await directory.find('other' as EnvironmentId, '1', new Set(['a']));
    expect(asked).toEqual([]);
    await directory.find(environmentId, '1', new Set([`0${long}`]));
    expect(asked).toEqual([`e: 0${long}`]);

    stored = Array.from({ length: 5 }, (_, at) => ({
      ...layout(`large${at}`),
      controlValues: { email: { body: long, editorType: 'html' as const } },
    }));
    for (const { layoutId } of stored) await directory.find(environmentId, '1', new Set([layoutId]));
    asked = [];
    await directory.find(environmentId, '1', new Set(['large4']));
    await directory.find(environmentId, '1', new Set(['large0']));
    expect(asked).toEqual(['e: large0']);
  });
});
