import { placeOf } from '@clarion/contracts/core';
import { type RateStore, SendRates } from './send-rates';

describe('SendRates', () => {
  let now: number;
  let wakes: { at: number; resolve(): void }[];
  let endsAt: Map<string, number>;
  let statements: number;
  let fault: Error | undefined;

  beforeEach(() => {
    now = 1_000;
    wakes = [];
    endsAt = new Map();
    statements = 0;
    fault = undefined;
  });

  /** What the repository does, with the time of the test. */
  const store: RateStore = {
    reserve: (requests) => {
      statements += 1;
      if (fault) return Promise.reject(fault);
      return Promise.resolve(
        requests.map(({ integrationId, count, perSecond }) => {
          const start = Math.max(endsAt.get(integrationId) ?? 0, now);
          endsAt.set(integrationId, start + (count * 1_000) / perSecond);
          return start - now;
        }),
      );
    },
  };
  const worker = (): SendRates =>
    new SendRates({
      store,
      now: () => now,
      pause: (milliseconds) => new Promise<void>((resolve) => wakes.push({ at: now + milliseconds, resolve })),
    });
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
  };
  /** Lets the time pass until nothing waits for it. */
  const pass = async (): Promise<void> => {
    await settle();
    while (wakes.length > 0) {
      wakes.sort((a, b) => a.at - b.at);
      const next = wakes.shift()!;
      now = Math.max(now, next.at);
      next.resolve();
      await settle();
    }
  };
  /** The times of the calls of so many messages. */
  const send = (rates: SendRates, messages: number, perSecond: number, accountId = 'account'): number[] => {
    const times: number[] = [];
    for (let sent = 0; sent < messages; sent += 1)
      void rates.enter(accountId, perSecond, 0).then(() => times.push(Math.round(now)));
    return times;
  };

  it('keeps the calls of two workers at even intervals of the limit, and lets both take turns', async () => {
    const [first, second] = [send(worker(), 60, 100), send(worker(), 60, 100)];
    await pass();
    const all = [...first, ...second].sort((a, b) => a - b);
    expect(all).toEqual(Array.from({ length: 120 }, (_, index) => 1_000 + index * 10));
    const early = first.filter((at) => at < 1_600).length;
    expect([early > 20, early < 40]).toEqual([true, true]);
    expect(statements).toBeLessThan(30);
  });

  it('sends the first message after a pause at once, and gives each account a separate rate', async () => {
    const rates = worker();
    const [first, other] = [send(rates, 3, 2), send(rates, 2, 1, 'other')];
    await pass();
    expect([first, other]).toEqual([
      [1_000, 1_500, 2_000],
      [1_000, 2_000],
    ]);
    now = 60_000;
    const later = send(rates, 1, 2);
    await pass();
    expect(later).toEqual([60_000]);
  });

  it('applies a changed limit from the next reservation on', async () => {
    const rates = worker();
    const times = send(rates, 2, 1);
    await settle();
    const later = send(rates, 2, 10);
    await pass();
    // The second reservation was made with the old limit, and lasts a second.
    expect([...times, ...later]).toEqual([1_000, 2_000, 3_000, 3_100]);
  });

  it('calls the account for critical messages before those that wait already', async () => {
    const rates = worker();
    const order: number[] = [];
    for (const lane of [3, 3, 2, 1] as const)
      void rates.enter('account', 1, placeOf(lane)).then(() => order.push(lane));
    await pass();
    expect(order).toEqual([1, 2, 3, 3]);
  });

  it('rejects the messages that wait when the database refuses the reservation, and serves later ones', async () => {
    const rates = worker();
    fault = new Error('no such integration');
    const refused = Promise.allSettled([rates.enter('account', 1, 0), rates.enter('account', 1, 0)]);
    await settle();
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    fault = undefined;
    const times = send(rates, 1, 1);
    await pass();
    expect(times).toEqual([1_000]);
  });
});
