import { countRoundTrips, measureRoundTrips, type RoundTripCounter } from '@clarion/testing';
import { type Clarion, eventually, startClarion } from './harness';

/** Design section 3: what one email may cost on its own, and what each of many may cost, in round trips. */
const LONE = { postgres: 8, redis: 14 };
const BULK = 1.0;

const RUNS = 20;
const CALLS = 10;
const EVENTS = 100;
/** Longer than any pause inside one delivery. */
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
    await clarion.must('POST', '/v1/integrations', {
      name: 'SendGrid',
      providerId: 'sendgrid',
      channel: 'email',
      active: true,
      credentials: { apiKey: 'SG.secret', from: 'hello@example.com', senderName: 'Clarion' },
    });
    await clarion.must('POST', '/v2/workflows', {
      name: 'Order',
      workflowId: 'order',
      active: true,
      steps: [{ name: 'Email', type: 'email', controlValues: { subject: 'Order', body: 'Hello {{payload.name}}' } }],
    });
    // Statements are prepared, caches filled and connections opened by the first ones.
    await deliver(EVENTS, () => bulk(EVENTS));
    for (let run = 0; run < 3; run += 1) await deliver(1, one);
  });

  afterAll(async () => {
    counter?.stop();
    await clarion?.close();
  });

  /** Done when the provider has them all and nothing more is written about them. */
  const deliver = async (count: number, send: () => Promise<unknown>): Promise<void> => {
    const before = clarion.provider.count;
    await send();
    expect(await eventually(() => clarion.provider.count === before + count, 30_000)).toBe(true);
    await counter.quiet(QUIET_MS);
  };

  const event = (number: number): object => ({
    name: 'order',
    to: { subscriberId: `customer-${number}`, email: `customer-${number}@example.com` },
    payload: { name: `Customer ${number}` },
  });
  const one = (): Promise<unknown> => clarion.must('POST', '/v1/events/trigger', event(0));
  const bulk = (count: number): Promise<unknown> =>
    clarion.must('POST', '/v1/events/trigger/bulk', { events: Array.from({ length: count }, (_, at) => event(at)) });

  it(`takes ${LONE.postgres} statements and ${LONE.redis} commands for a lone trigger with one email`, async () => {
    const { postgres, redis, sent } = await measureRoundTrips(counter, async () => {
      for (let run = 0; run < RUNS; run += 1) await deliver(1, one);
    });
    const taken = { postgres: Math.round(postgres / RUNS), redis: Math.round(redis / RUNS) };
    const isWithin = taken.postgres <= LONE.postgres && taken.redis <= LONE.redis;
    const last = [...sent.postgres.slice(-10), ...sent.redis.slice(-18)].map((text) =>
      text.replace(/\s+/g, ' ').slice(0, 60),
    );
    expect(isWithin ? 'within the budget' : `${JSON.stringify(taken)}, lately:\n${last.join('\n')}`).toBe(
      'within the budget',
    );
    // The counting itself works: no email goes out without these.
    expect(taken.postgres).toBeGreaterThanOrEqual(4);
  });

  it(`takes at most ${BULK} of both for each of many`, async () => {
    const { postgres, redis } = await measureRoundTrips(counter, () =>
      deliver(CALLS * EVENTS, () => Promise.all(Array.from({ length: CALLS }, () => bulk(EVENTS)))),
    );
    expect((postgres + redis) / (CALLS * EVENTS)).toBeLessThanOrEqual(BULK);
    expect(postgres).toBeGreaterThan(0);
  });
});
