import { stat } from 'node:fs/promises';
import { mapInSlices, TimeSlices } from './time-slices';

const spend = (ms: number): void => {
  for (const end = performance.now() + ms; performance.now() < end;);
};

describe('TimeSlices', () => {
  it('lets other events be handled after a slice of time, and not before', async () => {
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => now);
    let turns = 0;
    const onTurn = (): void => {
      turns += 1;
      turn = setImmediate(onTurn);
    };
    let turn = setImmediate(onTurn);
    const slices = new TimeSlices();
    for (let n = 0; n < 100; n += 1) await slices.rest();
    expect(turns).toBe(0);
    for (let n = 0; n < 5; n += 1) {
      now += 25;
      await slices.rest();
    }
    expect(turns).toBeGreaterThanOrEqual(5);
    clearImmediate(turn);
    clock.mockRestore();
  });

  it('handles other events after the slice of one of several callers, not of all', async () => {
    let sinceTurn = 0;
    let most = 0;
    const onTurn = (): void => {
      sinceTurn = 0;
      turn = setImmediate(onTurn);
    };
    let turn = setImmediate(onTurn);
    const loop = async (): Promise<void> => {
      const slices = new TimeSlices();
      await slices.pause();
      for (let n = 0; n < 3; n += 1) {
        spend(25);
        sinceTurn += 1;
        most = Math.max(most, sinceTurn);
        await slices.rest();
      }
    };
    await Promise.all([loop(), loop(), loop(), loop()]);
    clearImmediate(turn);
    expect(most).toBe(1);
  });

  it('handles other events also after work in the answer of a read, which immediates follow in the same turn', async () => {
    let isDue = false;
    await stat('/');
    setTimeout(() => (isDue = true), 1);
    spend(25);
    await new TimeSlices().pause();
    expect(isDue).toBe(true);
  });

  it('maps in slices and in order', async () => {
    expect(await mapInSlices(['a', 'b'], (text, at) => `${text}${at}`)).toEqual(['a0', 'b1']);
  });
});
