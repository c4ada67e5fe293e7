import type { EnvironmentId } from '@clarion/contracts/core';
import { type Receiver, type ReceiverCall, ReceiverCalls, type ReceiverHealth } from './receiver-calls';

const ENVIRONMENT = '01890000-0000-7000-8000-000000000001' as EnvironmentId;
const FAILED = { hasSucceeded: false, error: 'HTTP 503' };
const SKIPPED = { hasSucceeded: true, isSkipped: true };

describe('ReceiverCalls', () => {
  /** The health that is recorded after a round with these results. */
  async function healthAfter(
    failures: number,
    results: ReceiverCall[],
    call: (result: ReceiverCall) => Promise<ReceiverCall> = (result) => Promise.resolve(result),
  ): Promise<ReceiverHealth> {
    const receiver = { id: 'one', environmentId: ENVIRONMENT, failures };
    const rounds = [results, []];
    let isClaimed = false;
    return new Promise((resolve) => {
      const calls: ReceiverCalls<Receiver, ReceiverCall, ReceiverCall> = new ReceiverCalls(
        {
          look: () => Promise.resolve(!isClaimed),
          claim: () => Promise.resolve(isClaimed ? [] : ((isClaimed = true), [receiver])),
          fill: () => Promise.resolve({ receiver, hasMore: false }),
          roundSize: 200,
          due: () => Promise.resolve(rounds.shift() ?? []),
          call: (_, result) => call(result),
          record: (_, __, health) => Promise.resolve(false).finally(() => resolve(health)),
          disable: () => Promise.resolve(),
          release: () => calls.stop(0),
        },
        { failed: 'failed', works: 'works', disabled: 'disabled' },
        { warn: () => undefined, info: () => undefined, error: () => undefined } as never,
        () => 0.5,
      );
      calls.start();
    });
  }

  it('learns nothing about a receiver from an item for which it was not called', async () => {
    expect(await healthAfter(3, [SKIPPED])).toEqual({ hasSucceeded: false, failures: 3 });
    expect(await healthAfter(3, [SKIPPED, FAILED])).toMatchObject({ hasSucceeded: false, failures: 4 });
    expect(await healthAfter(0, [SKIPPED])).toEqual({ hasSucceeded: true, failures: 0 });
    // A receiver that is called rarely after many failures gets the next item at once.
    expect(await healthAfter(50, [SKIPPED])).toEqual({ hasSucceeded: false, failures: 50 });
    expect(await healthAfter(50, [FAILED])).toMatchObject({ failures: 51, pauseMs: expect.any(Number) as number });
    expect(await healthAfter(50, [SKIPPED, { hasSucceeded: true }])).toEqual({ hasSucceeded: true, failures: 0 });
  });

  it('makes the calls of a round a few at a time, and no more after failures in a row', async () => {
    let [running, most, made] = [0, 0, 0];
    const call = async (result: ReceiverCall): Promise<ReceiverCall> => {
      most = Math.max(most, (running += 1));
      made += 1;
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return result;
    };
    const all = Array.from({ length: 100 }, (): ReceiverCall => ({ hasSucceeded: true }));
    expect(await healthAfter(0, all, call)).toEqual({ hasSucceeded: true, failures: 0 });
    expect({ most, made }).toEqual({ most: 20, made: 100 });

    made = 0;
    await healthAfter(0, [...all.slice(0, 30), ...all.map(() => FAILED)], call);
    expect(made).toBeLessThan(30 + 5 + 20);
  });
});
