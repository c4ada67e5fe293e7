import { countRoundTrips, measureRoundTrips, type RoundTripCounter } from '@clarion/testing';
import { type Clarion, eventually, startClarion } from './harness';

/** The most round trips for a single email, and for each of many emails in bulk. */
const SINGLE = { postgres: 8, redis: 14 };
const BULK = 1.0;

const RUNS = 20;
const CALLS = 10;
const EVENTS = 100;
/** Longer than any pause within a delivery. */
const QUIET_MS = 150;

describe('round trips', () => {
  let clarion: Clarion;
  let counter: RoundTripCounter;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email'] });
    const { queueBackend, config } = clarion.context;
    counter = await countRoundTrips({
      prefix: config.CLARION_QUEUE_PREFIX,
      redisUrl: queueBackend.kind === 'redis' ? queueBackend.url : undefined,
    });
    await clarion.integration('sendgrid', 'email');
    await clarion.workflow('order', [
      { type: 'email', controlValues: { subject: 'Order', body: 'Hello {{payload.name}}' } },
    ]);
    // The first deliveries prepare statements, fill caches and open connections.
    await deliver(EVENTS, () => bulk(EVENTS));
    for (let run = 0; run < 3; run += 1) await deliver(1, one);
  });

  afterAll(async () => {
    counter?.stop();
    await clarion?.close();
  });

  /** Resolves when the provider has received all messages and no more round trips follow. */
  const deliver = async (count: number, send: () => Promise<unknown>): Promise<void> => {
    const before = clarion.provider.count;
    await send();
    expect(await eventually(() => clarion.provider.count === before + count)).toBe(true);
    await counter.quiet(QUIET_MS);
  };

  const event = (number: number): object => ({
    name: 'order',
    to: { subscriberId: `customer-${number}`, email: `customer-${number}@example.com` },
    payload: { name: `Customer ${number}` },
  });
  const one = (): Promise<unknown> => clarion.callOk('POST', '/v1/events/trigger', event(0));
  const bulk = (count: number): Promise<unknown> =>
    clarion.callOk('POST', '/v1/events/trigger/bulk', { events: Array.from({ length: count }, (_, at) => event(at)) });

  it(`takes at most ${SINGLE.postgres} statements and ${SINGLE.redis} commands for a single email`, async () => {
    const { postgres, redis, sent } = await measureRoundTrips(counter, async () => {
      for (let run = 0; run < RUNS; run += 1) await deliver(1, one);
    });
    const taken = { postgres: Math.round(postgres / RUNS), redis: Math.round(redis / RUNS) };
    const isWithin = taken.postgres <= SINGLE.postgres && taken.redis <= SINGLE.redis;
    const last = [...sent.postgres.slice(-10), ...sent.redis.slice(-18)].map((text) =>
      text.replace(/\s+/g, ' ').slice(0, 60),
    );
    expect(isWithin ? 'within the budget' : `${JSON.stringify(taken)}, last round trips:\n${last.join('\n')}`).toBe(
      'within the budget',
    );
    // Guards the counter: no email is possible with fewer statements.
    expect(taken.postgres).toBeGreaterThanOrEqual(4);
  });

  it(`takes at most ${BULK} statement or command per email in bulk`, async () => {
    const { postgres, redis } = await measureRoundTrips(counter, () =>
      deliver(CALLS * EVENTS, () => Promise.all(Array.from({ length: CALLS }, () => bulk(EVENTS)))),
    );
    expect((postgres + redis) / (CALLS * EVENTS)).toBeLessThanOrEqual(BULK);
    expect(postgres).toBeGreaterThan(0);
  });
});
