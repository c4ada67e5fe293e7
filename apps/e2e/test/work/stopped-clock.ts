import type * as promises from 'node:timers/promises';

/** Longer than any spec runs; the longest time that a timer can have. */
const NEVER_MS = 2 ** 31 - 1;

/**
 * From now on no time passes for what a role does from time to time. Timers of this time or longer do not fire: no
 * sweep, no renewal, no heartbeat, no maintenance, and no limit that a busy machine would exceed. `performance.now()`
 * stands still: no cache expires, and no loop rests because of what it took. Returns the function that ends it.
 */
export function stopClock(leastMs: number): () => void {
  const { setTimeout, setInterval, performance } = globalThis;
  const promised = jest.requireActual<typeof promises>('node:timers/promises');
  const pause = promised.setTimeout;
  const isLong = (milliseconds = 0): boolean => milliseconds >= leastMs;
  const held =
    (start: typeof setTimeout | typeof setInterval) =>
    (callback: () => void, milliseconds?: number, ...args: []): NodeJS.Timeout =>
      isLong(milliseconds) ? start(callback, NEVER_MS, ...args).unref() : start(callback, milliseconds, ...args);
  const stoppedAt = performance.now();
  Object.assign(performance, { now: () => stoppedAt });
  Object.assign(globalThis, { setTimeout: held(setTimeout), setInterval: held(setInterval) });
  Object.assign(promised, {
    setTimeout: <T>(milliseconds?: number, value?: T, options?: Parameters<typeof pause>[2]) =>
      isLong(milliseconds) ? pause(NEVER_MS, value, { ...options, ref: false }) : pause(milliseconds, value, options),
  });
  return () => {
    // The method of the prototype is visible again.
    Reflect.deleteProperty(performance, 'now');
    Object.assign(globalThis, { setTimeout, setInterval });
    Object.assign(promised, { setTimeout: pause });
  };
}
