import { Apart } from './apart';

type Item = { environmentId: string; weight?: number };
const of = (environmentId: string, count = 1): Item[] => Array.from({ length: count }, () => ({ environmentId }));
const weightOf = ({ weight = 1 }: Item): number => weight;
const environmentOf = ({ environmentId }: Item): string => environmentId;

/** Work that ends when it is told to, and a pause that is over when it is told to be. */
function stage() {
  let now = 0;
  const pauses: (() => void)[] = [];
  const pause = (): Promise<void> => new Promise((resolve) => pauses.push(resolve));
  const apart = new Apart(pause, () => now);
  const open = new Map<string, (() => void)[]>();
  const comeBacks: number[] = [];
  const work = (items: Item[], comeBackMs: number): Promise<void> => {
    comeBacks.push(comeBackMs);
    if (comeBackMs > 0) return Promise.resolve();
    return new Promise((resolve) => {
      const { environmentId } = items[0]!;
      open.set(environmentId, [...(open.get(environmentId) ?? []), resolve]);
    });
  };
  const run = (items: Item[]): Promise<void> => apart.run(items, environmentOf, weightOf, work);
  return {
    apart,
    run,
    /** In how many milliseconds items that come now should come back. */
    comeBackMs: (environmentId: string, items = 1): number => {
      void run(of(environmentId, items));
      return comeBacks.at(-1)!;
    },
    /** The first part of the environment is done. */
    finish: (environmentId: string) => open.get(environmentId)!.shift()!(),
    isRunning: (environmentId: string) => (open.get(environmentId) ?? []).length > 0,
    /** The time after which work is slow has passed. */
    becomeSlow: async () => {
      for (const over of pauses.splice(0)) over();
      await new Promise((resolve) => setImmediate(resolve));
    },
    pass: (milliseconds: number) => (now += milliseconds),
  };
}

describe('Apart', () => {
  it('runs the items of each environment in one part and waits for all parts', async () => {
    const parts: string[][] = [];
    const items = [...of('a'), ...of('b'), ...of('a')];
    await new Apart(() => new Promise(() => undefined)).run(items, environmentOf, weightOf, async (own) => {
      parts.push(own.map(environmentOf));
      await Promise.resolve();
    });
    expect(parts).toEqual([['a', 'a'], ['b']]);
  });

  it('counts an item that takes much memory as several', async () => {
    const { run, comeBackMs, becomeSlow } = stage();
    void run([{ environmentId: 'heavy', weight: 600 }]);
    await becomeSlow();
    expect(comeBackMs('heavy')).toBeGreaterThan(0);
  });

  it('does not wait for the work of a slow environment, which goes on', async () => {
    const { apart, run, finish, isRunning, becomeSlow } = stage();
    const ran = run([...of('heavy'), ...of('light')]);
    finish('light');
    await becomeSlow();
    await ran;
    expect(isRunning('heavy')).toBe(true);
    let isSettled = false;
    const settled = apart.settled().then(() => (isSettled = true));
    await Promise.resolve();
    expect(isSettled).toBe(false);
    finish('heavy');
    await settled;
  });

  it('lets items come back only while their environment is slow and has its share in work', async () => {
    const { apart, run, finish, becomeSlow, comeBackMs } = stage();
    void run(of('heavy', 300));
    expect(comeBackMs('heavy', 300)).toBe(0);
    await becomeSlow();
    expect(comeBackMs('heavy')).toBeGreaterThan(0);
    expect(comeBackMs('light')).toBe(0);
    for (const environmentId of ['heavy', 'heavy', 'light']) finish(environmentId);
    await apart.settled();
    expect(comeBackMs('heavy')).toBe(0);
  });

  it('divides the items in work among the slow environments', async () => {
    const { run, becomeSlow, comeBackMs } = stage();
    void run([...of('a', 300), ...of('b', 10)]);
    await becomeSlow();
    expect(comeBackMs('a')).toBeGreaterThan(0);
    expect(comeBackMs('b')).toBe(0);
  });

  it('lets items come back at the rate at which items are done, within 30 s', async () => {
    const { run, finish, becomeSlow, pass, comeBackMs } = stage();
    void run(of('heavy', 100));
    void run(of('heavy', 600));
    pass(10_000);
    finish('heavy');
    await becomeSlow();
    // 100 items were done in 10 s.
    expect([1, 1, 10].map((items) => comeBackMs('heavy', items))).toEqual([1_100, 1_200, 2_200]);
    expect(comeBackMs('heavy', 1_000)).toBe(30_000);
  });
});
