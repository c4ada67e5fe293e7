import { until } from '@clarion/testing';
import { allEnded, type Clarion, startClarion } from './harness';

/** `npm test` runs a few rounds. Set CLARION_DIGEST_ROUNDS=100 for a thorough run. */
const ROUNDS = Number(process.env['CLARION_DIGEST_ROUNDS'] ?? 5);
const EVENTS = 200;
const CALLS = 20;

describe('concurrent events for one digest', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'engine', 'engine', 'in_app'] });
    await clarion.callOk('POST', '/v2/subscribers', { subscriberId: 'ann' });
    await clarion.workflow('digest', [
      {
        type: 'digest',
        stepId: 'batch',
        controlValues: { type: 'regular', amount: 1, unit: 'hours', digestKey: 'round' },
      },
      { type: 'in_app', controlValues: { body: '{{steps.batch.eventCount}}' } },
    ]);
  });
  afterAll(() => clarion.close());

  it(
    `merges ${EVENTS} concurrent events into one digest, ${ROUNDS} times`,
    async () => {
      for (let round = 1; round <= ROUNDS; round += 1) await race(`round-${round}`);
    },
    20_000 + ROUNDS * 10_000,
  );

  async function race(round: string): Promise<void> {
    const events = Array.from({ length: EVENTS }, (_, n) => ({
      name: 'digest',
      to: 'ann',
      payload: { round, n },
      transactionId: `${round}-${n}`,
    }));
    const size = EVENTS / CALLS;
    const calls = Array.from({ length: CALLS }, (_, call) => events.slice(call * size, (call + 1) * size));
    await Promise.all(calls.map((own) => clarion.callOk('POST', '/v1/events/trigger/bulk', { events: own })));
    const states = async () =>
      Object.fromEntries(
        (
          await clarion.database.query<{ state: string; count: number }>(
            `SELECT state, count(*)::int AS count
               FROM trigger t JOIN notification n ON n.trigger_id = t.id
               JOIN (SELECT notification_of(id) AS notification_id, state FROM step WHERE type = 'digest'
                     UNION ALL
                     SELECT notification_id, 'delayed' FROM work WHERE type = 'digest' AND is_delayed) s
                 ON s.notification_id = n.id
              WHERE t.transaction_id LIKE $1 GROUP BY state`,
            [`${round}-%`],
          )
        ).map(({ state, count }) => [state, count]),
      );
    await until(async () => (await states())['merged'] === EVENTS - 1);
    expect(await states()).toEqual({ delayed: 1, merged: EVENTS - 1 });
    const [master] = await clarion.database.query<{ transaction_id: string }>(
      `SELECT t.transaction_id FROM work w JOIN trigger t ON t.id = w.trigger_id
        WHERE t.transaction_id LIKE $1 AND w.is_delayed`,
      [`${round}-%`],
    );
    await clarion.makeDue(master!.transaction_id);
    const [done] = await clarion.activity(master!.transaction_id, allEnded());
    const collected = done!.jobs![0]!.digest!.events!.map((event) => (event as { n: number }).n);
    expect(collected.toSorted((one, other) => one - other)).toEqual(events.map(({ payload }) => payload.n));
    // Events of one call stay in the order of that call.
    for (const own of calls) {
      const numbers = own.map(({ payload }) => payload.n);
      expect(collected.filter((n) => numbers.includes(n))).toEqual(numbers);
    }
    const messages = await clarion.database.query<{ content: string }>(
      `SELECT m.content #>> '{}' AS content FROM message m JOIN trigger t ON t.id = m.trigger_id
        WHERE t.transaction_id LIKE $1`,
      [`${round}-%`],
    );
    expect(messages).toEqual([{ content: String(EVENTS) }]);
  }
});
