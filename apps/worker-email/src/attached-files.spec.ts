import { type EnvironmentId, LIMITS, type TriggerId } from '@clarion/contracts/core';
import type { Attachment } from '@clarion/persistence';
import { AttachedFiles } from './attached-files';

describe('AttachedFiles', () => {
  const read: string[] = [];
  const store = {
    findByTrigger: (_: string, [triggerId]: string[]) => {
      read.push(triggerId!);
      return Promise.resolve([{ name: triggerId } as Attachment]);
    },
  };
  /** The first letter of an environment names its organization. */
  const files = new AttachedFiles(store, { organizations: { of: (environmentId) => environmentId[0]! } });
  const step = (environmentId: string, triggerId: string, attachments?: unknown) => ({
    environmentId: environmentId as EnvironmentId,
    notification: { triggerId: triggerId as TriggerId, payload: { attachments } as never },
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const LARGEST = [{ size: LIMITS.attachmentBytes }];

  beforeEach(() => read.splice(0));

  /** Sends a message with these files, which are in memory until `end` is called. */
  function send(environmentId: string, triggerId: string, attachments: unknown) {
    let end = (): void => undefined;
    const sent = files.with(step(environmentId, triggerId, attachments), async ([file]) => {
      await new Promise<void>((resolve) => (end = resolve));
      return file?.name;
    });
    return { sent, end: () => end() };
  }

  it('reads nothing for an event without files', async () => {
    expect(await files.with(step('a', 't1'), (found) => Promise.resolve(found))).toEqual([]);
    expect(read).toEqual([]);
  });

  it.each([
    ['the largest files', LARGEST],
    ['sizes that are no numbers', [{ size: 'many' }, 7]],
    ['negative sizes', [{ size: -1 }]],
  ])(
    'has one event of an organization in memory at a time if it has %s, and those of others beside it',
    async (_, attachments) => {
      const first = send('a', 'a1', attachments);
      const second = send('a-other', 'a2', attachments);
      const others = ['b', 'c', 'd'].map((environmentId) => send(environmentId, `${environmentId}1`, LARGEST));
      await turn();
      expect(read).toEqual(['a1', 'b1', 'c1']);
      first.end();
      expect(await first.sent).toBe('a1');
      await turn();
      expect(read).toEqual(['a1', 'b1', 'c1', 'a2']);
      for (const one of [...others, second]) one.end();
      await turn();
      expect(read).toEqual(['a1', 'b1', 'c1', 'a2', 'd1']);
      for (const one of others) one.end();
      expect(await Promise.all([second, ...others].map(({ sent }) => sent))).toEqual(['a2', 'b1', 'c1', 'd1']);
    },
  );

  it('has many events with small files in memory at a time, and goes on after a failed call', async () => {
    const all = Array.from({ length: 50 }, (_, at) => send('a', `t${at}`, [{ size: 10_000 }]));
    const failing = files.with(step('a', 'failing', LARGEST), () => Promise.reject(new Error('refused')));
    await turn();
    expect(read).toHaveLength(50);
    for (const { end } of all) end();
    await expect(failing).rejects.toThrow('refused');
    expect(await files.with(step('a', 'last', LARGEST), ([file]) => Promise.resolve(file!.name))).toBe('last');
  });
});
