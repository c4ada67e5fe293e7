import type { LimitWait, StepId } from '@clarion/contracts/core';
import { type ClaimedStep, RENEW_MS } from '@clarion/persistence';
import { NO_TRACING, type Span } from '@clarion/platform';
import { HeldSteps } from './held-steps';

describe('HeldSteps', () => {
  let released: { ids: string[]; delayMs: number; limit?: LimitWait }[];
  let renewed: string[][];
  let abandoned: string[][];
  let ended: string[];
  let warnings: string[];
  let failure: Error | undefined;
  let endedSpans: string[];
  let held: HeldSteps;

  const step = (id: string, fence = 1, claimId = `claim-${fence}`): ClaimedStep =>
    ({ id, fence, claimId }) as ClaimedStep;
  const steps = (count: number): ClaimedStep[] => Array.from({ length: count }, (_, index) => step(`s${index}`));
  const idsOf = (rows: { id: string }[]): string[] => rows.map(({ id }) => id);
  const settled = async (promise: Promise<unknown>): Promise<boolean> => {
    let isSettled = false;
    void promise.then(() => (isSettled = true));
    await jest.advanceTimersByTimeAsync(0);
    return isSettled;
  };

  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['performance'] });
    released = [];
    renewed = [];
    abandoned = [];
    ended = [];
    warnings = [];
    failure = undefined;
    endedSpans = [];
    held = new HeldSteps({
      claims: {
        renew: (claimIds) => {
          renewed.push(claimIds);
          return failure ? Promise.reject(failure) : Promise.resolve(new Set(claimIds));
        },
        release: (rows, delayMs = 0, limit) => {
          released.push({ ids: idsOf(rows), delayMs, ...(limit && { limit }) });
          return failure ? Promise.reject(failure) : Promise.resolve();
        },
        abandon: (rows) => {
          abandoned.push(idsOf(rows));
          return failure ? Promise.reject(failure) : Promise.resolve();
        },
        end: (claimId) => void ended.push(claimId),
      },
      organizationOf: (environmentId) => environmentId,
      tracing: {
        ...NO_TRACING,
        steps: (rows) =>
          new Map(rows.map(({ id }) => [id, { end: () => void endedSpans.push(id) } as unknown as Span] as const)),
      },
      log: { warn: (_, text) => void warnings.push(text), info: () => undefined },
    });
  });

  afterEach(async () => {
    await held.close();
    jest.useRealTimers();
  });

  it('holds steps until they are forgotten, and ends their spans then', async () => {
    await held.hold([step('a'), step('b')]);
    expect(held.size).toBe(2);
    expect(held.spanOf('a' as StepId)).toBeDefined();
    held.forget(step('a'));
    expect(held.size).toBe(1);
    expect(held.spanOf('a' as StepId)).toBeUndefined();
    expect(endedSpans).toEqual(['a']);
  });

  it('keeps a step that was claimed again when the older claim is forgotten', async () => {
    await held.hold([step('a', 1)]);
    expect(idsOf(await held.hold([step('a', 2)]))).toEqual(['a']);
    expect(ended).toEqual(['claim-1']);
    held.forget(step('a', 1));
    expect(held.size).toBe(1);
    held.forget(step('a', 2));
    expect(held.size).toBe(0);
  });

  it('goes on with the first of two claims of the same step that were made at the same time', async () => {
    const first = step('a', 1, 'first');
    await held.hold([first]);
    expect(idsOf(await held.hold([step('a', 1, 'second'), step('b', 1, 'second')]))).toEqual(['b']);
    first.fence = 2;
    expect(await held.hold([step('a', 1, 'third')])).toEqual([]);
    expect(ended).toEqual(['third']);
    held.forget(first);
    held.forget(step('b', 1, 'second'));
    expect(ended).toEqual(['third', 'first', 'second']);
    expect(held.size).toBe(0);
  });

  it('ends a claim with the last of its steps', async () => {
    await held.hold([step('a'), step('b'), step('c')]);
    held.forget(step('a'));
    held.forget(step('a'));
    await held.postponeIdle([step('b')]);
    expect(ended).toEqual([]);
    held.forget(step('c'));
    expect(ended).toEqual(['claim-1']);
  });

  it('keeps the claim of a withdrawn step until its release is written', async () => {
    await held.hold([step('a')]);
    const stopped = held.stopBeginning();
    held.withdraw(step('a'));
    expect(ended).toEqual([]);
    await stopped;
    expect(ended).toEqual(['claim-1']);
  });

  it('forgets a withdrawn step that is not being released', async () => {
    await held.hold([step('a')]);
    held.withdraw(step('a'));
    expect(ended).toEqual(['claim-1']);
  });

  it('finds a step again whose mark has changed its fence', async () => {
    const marked = step('a');
    await held.hold([marked]);
    marked.fence = 2;
    held.begin(marked);
    await held.stopBeginning();
    expect(released).toEqual([{ ids: [], delayMs: 0 }]);
    held.forget(marked);
    expect(held.size).toBe(0);
  });

  describe('steps without an outcome', () => {
    it('gives them up with the next renewal, and ends their claim then', async () => {
      await held.hold([step('a'), step('b')]);
      held.forget(step('b'));
      held.abandon(step('a'));
      expect(held.size).toBe(0);
      expect(ended).toEqual([]);
      await jest.advanceTimersByTimeAsync(RENEW_MS);
      expect(abandoned).toEqual([['a']]);
      expect(ended).toEqual(['claim-1']);
      expect(renewed).toEqual([['claim-1']]);
    });

    it('tries again with the next renewal after a failure, with the steps that were added since', async () => {
      await held.hold([step('a'), step('b')]);
      held.abandon(step('a'));
      failure = new Error('no database');
      await jest.advanceTimersByTimeAsync(RENEW_MS);
      expect(warnings).toHaveLength(1);
      expect(ended).toEqual([]);
      failure = undefined;
      held.abandon(step('b'));
      await jest.advanceTimersByTimeAsync(RENEW_MS);
      expect(abandoned).toEqual([['a', 'b']]);
      expect(ended).toEqual(['claim-1']);
    });
  });

  describe('capacity', () => {
    it('takes any number of steps while it holds none', async () => {
      expect(await settled(held.reserve(5_000))).toBe(true);
    });

    it('waits at 1,000 steps until enough are released', async () => {
      const all = steps(1_000);
      await held.hold(all);
      const waiting = held.reserve(2);
      expect(await settled(waiting)).toBe(false);
      held.forget(all[0]!);
      expect(await settled(waiting)).toBe(false);
      held.forget(all[1]!);
      expect(await settled(waiting)).toBe(true);
    });

    it('counts a step with much JSON as several', async () => {
      const large = { ...step('large'), bytes: 16 * 1024 * 1024 };
      await held.hold([large]);
      const waiting = held.reserve(1);
      expect(await settled(waiting)).toBe(false);
      held.forget(large);
      expect(await settled(waiting)).toBe(true);
    });

    it('counts steps that are being claimed', async () => {
      await held.reserve(600);
      const waiting = held.reserve(600);
      expect(await settled(waiting)).toBe(false);
      held.unreserve(600);
      expect(await settled(waiting)).toBe(true);
    });

    it('takes more, up to 3,000 steps, after a second in which too few are released', async () => {
      const all = steps(1_000);
      await held.hold(all);
      const waiting = [held.reserve(1_000), held.reserve(1_000)];
      for (const one of all.slice(0, 3)) {
        await jest.advanceTimersByTimeAsync(333);
        held.forget(one);
      }
      for (const one of waiting) expect(await settled(one)).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      for (const one of waiting) expect(await settled(one)).toBe(true);
    });

    it('goes on with each claim that fits, also behind one that does not', async () => {
      const all = steps(1_000);
      await held.hold(all);
      const [many, one] = [held.reserve(100), held.reserve(1)];
      held.forget(all[0]!);
      expect([await settled(many), await settled(one)]).toEqual([false, true]);
    });

    it('takes steps that overtake others at once, up to 3,000', async () => {
      const all = steps(2_999);
      await held.hold(all);
      expect(await settled(held.reserve(1, true))).toBe(true);
      expect(await settled(held.reserve(1, true))).toBe(false);
    });

    it('waits at 3,000 steps however long none is released', async () => {
      const all = steps(3_000);
      await held.hold(all);
      const waiting = held.reserve(1);
      await jest.advanceTimersByTimeAsync(10_000);
      expect(await settled(waiting)).toBe(false);
      held.forget(all[0]!);
      expect(await settled(waiting)).toBe(true);
    });
  });

  describe('stopping', () => {
    it('releases the steps that have not begun, and keeps the others', async () => {
      const [begun, idle] = [step('begun'), step('idle')];
      await held.hold([begun, idle]);
      held.begin(begun);
      await held.stopBeginning();
      expect(released).toEqual([{ ids: ['idle'], delayMs: 0 }]);
      expect(held.size).toBe(1);
      expect(held.mayBegin(begun)).toBe(true);
      expect(held.mayBegin(idle)).toBe(false);
    });

    it('releases steps that are claimed after the stop, without holding them', async () => {
      await held.stopBeginning();
      released = [];
      expect(await held.hold([step('late')])).toEqual([]);
      expect(released).toEqual([{ ids: ['late'], delayMs: 0 }]);
      await jest.advanceTimersByTimeAsync(RENEW_MS);
      expect(renewed).toEqual([]);
      expect(held.size).toBe(0);
    });

    it('is drained when the last step that has begun is forgotten', async () => {
      await held.hold([step('a'), step('b')]);
      held.begin(step('a'));
      await held.stopBeginning();
      const drained = held.untilEmpty();
      expect(await settled(drained)).toBe(false);
      held.forget(step('a'));
      expect(await settled(drained)).toBe(true);
    });

    it('gives up steps that could not be released', async () => {
      await held.hold([step('a')]);
      failure = new Error('no database');
      await held.stopBeginning();
      expect(held.size).toBe(0);
      expect(warnings).toEqual(['Steps could not be released. They run again as after a crash.']);
      failure = undefined;
      await jest.advanceTimersByTimeAsync(RENEW_MS);
      expect(abandoned).toEqual([['a']]);
    });
  });

  it('postpones steps of the same turn in one statement for each second of their waits', async () => {
    await held.hold([step('a'), step('b'), step('c')]);
    const waits = { a: 1_000, c: 5_400, b: 1_300 };
    const postponed = Promise.all(Object.entries(waits).map(([id, waitMs]) => held.postpone(step(id), waitMs)));
    await jest.advanceTimersByTimeAsync(0);
    await postponed;
    expect(released).toEqual([
      { ids: ['a', 'b'], delayMs: 1_000 },
      { ids: ['c'], delayMs: 5_000 },
    ]);
    expect(held.size).toBe(0);
  });

  it('names the limit that steps wait for, also when they are released after an outage of the database', async () => {
    await held.hold([step('a'), step('b'), step('c')]);
    const limit = { limit: 'render_time', figure: 5 } as const;
    failure = Object.assign(new Error('gone'), { code: '57P01' });
    const postponed = [held.postpone(step('a'), 1_000, limit), held.postpone(step('b'), 1_000)];
    await jest.advanceTimersByTimeAsync(0);
    await Promise.all(postponed);
    failure = undefined;
    released = [];
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect(released).toEqual([
      { ids: ['a'], delayMs: 1_000, limit },
      { ids: ['b'], delayMs: 1_000 },
    ]);
  });

  it('postpones of a failed batch only the steps that have not begun', async () => {
    await held.hold([step('a'), step('b')]);
    held.begin(step('a'));
    await held.postponeIdle([step('a'), step('b')]);
    expect(released).toEqual([{ ids: ['b'], delayMs: 1_000 }]);
    expect(held.size).toBe(1);
  });

  it('resolves untilReleased when that step is released, and not before', async () => {
    await held.hold([step('a'), step('b')]);
    const waiting = held.untilReleased([step('a')]);
    held.forget(step('b'));
    expect(await settled(waiting)).toBe(false);
    held.forget(step('a'));
    expect(await settled(waiting)).toBe(true);
  });

  it('releases steps without a crash when the database is back', async () => {
    await held.hold([step('a')]);
    failure = Object.assign(new Error('no database'), { code: 'ECONNREFUSED' });
    await held.stopBeginning();
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect(held.size).toBe(0);
    failure = undefined;
    released.length = 0;
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect([released, abandoned, ended]).toEqual([[{ ids: ['a'], delayMs: 0 }], [], ['claim-1']]);
  });

  it('renews the claims of held steps regularly, also after a failure', async () => {
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect(renewed).toEqual([]);
    await held.hold([step('a')]);
    failure = new Error('no database');
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect(warnings).toHaveLength(1);
    failure = undefined;
    await jest.advanceTimersByTimeAsync(RENEW_MS);
    expect(renewed).toEqual([['claim-1'], ['claim-1']]);
    await held.close();
    await jest.advanceTimersByTimeAsync(20_000);
    expect(renewed).toHaveLength(2);
  });
});
