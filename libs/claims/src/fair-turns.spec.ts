import { FairTurns } from './fair-turns';

describe('FairTurns', () => {
  it('runs few at a time, the owner with the fewest first, and of one owner the lowest lane', async () => {
    const turns = new FairTurns(2);
    const events: string[] = [];
    const ends = new Map<string, () => void>();
    const run = (name: string, lane: number) =>
      turns.run(name[0]!, lane, () => {
        events.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      });
    const end = async (name: string): Promise<void> => {
      ends.get(name)!();
      await new Promise((resolve) => setImmediate(resolve));
    };
    const all = [run('a1', 2), run('a2', 2), run('a3', 2), run('a4', 1), run('b1', 2), run('b2', 2)];
    expect(events).toEqual(['a1', 'a2']);
    await end('a1');
    expect(events.at(-1)).toBe('b1');
    await end('a2');
    expect(events.at(-1)).toBe('a4');
    await end('b1');
    expect(events.at(-1)).toBe('b2');
    await end('a4');
    await end('a3');
    await end('b2');
    await Promise.all(all);
    expect(events).toEqual(['a1', 'a2', 'b1', 'a4', 'b2', 'a3']);
  });

  it('goes on after work that failed', async () => {
    const turns = new FairTurns(1);
    const failing = turns.run('a', 1, () => Promise.reject(new Error('failed')));
    const next = turns.run('a', 1, () => Promise.resolve('done'));
    await expect(failing).rejects.toThrow('failed');
    expect(await next).toBe('done');
  });
});
