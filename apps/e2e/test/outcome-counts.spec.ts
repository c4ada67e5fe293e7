import {
  CHANNELS,
  type EnvironmentId,
  EXECUTION_DETAILS,
  idAtTime,
  newId,
  type NotificationId,
  type ReplayableStatus,
  type StepId,
  type StepType,
  type SubscriberRowId,
  toNotificationId,
  type TriggerId,
} from '@clarion/contracts';
import {
  type ClaimedStep,
  mergeDeltas,
  mergeMinutes,
  MINUTES_KEPT_HOURS,
  ReplayRepository,
  type StepOutcome,
} from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';
import { Fixtures } from './simulation/contract-fixtures';
import { Random } from '@clarion/testing/memory-store';
import { postgresStore } from './simulation/store-adapters';

const SEEDS = Number(process.env['CLARION_COUNT_SEEDS'] ?? 4);
const OPERATIONS = 60;
/** Windows end seldom, so they end in both ways by turns. */
let endedDigests = 0;
const HOUR = 3600 * 1000;

const HELD: Partial<StepOutcome> = {
  state: 'failed',
  error: { message: EXECUTION_DETAILS.sendingInterruptedHeld.detail },
};
const ENDINGS: Partial<StepOutcome>[] = [
  { state: 'completed', then: 'advance' },
  { state: 'completed', then: 'advance' },
  { state: 'skipped', then: 'advance' },
  { state: 'canceled', then: 'advance' },
  { state: 'failed', then: 'advance' },
  { state: 'failed', then: 'halt', error: { message: 'Mailbox full' } },
  { state: 'completed', then: 'skip' },
  { ...HELD, then: 'advance' },
  { ...HELD, then: 'halt' },
  // Both stay open.
  { state: 'queued', then: 'wait', dueInMs: 0 },
  { state: 'delayed', then: 'wait', dueInMs: 0 },
];

/** The merged time of a row. */
const BUCKET = (at: string): string =>
  `CASE WHEN ${at} < now() - interval '${MINUTES_KEPT_HOURS} hours' THEN date_trunc('hour', ${at}, 'UTC') ELSE ${at} END`;

/** What the rows of the history and of the open work say. */
const FROM_ROWS = `
SELECT ${BUCKET('at')} AS at, channel, count(*)::int AS accepted,
       count(*) FILTER (WHERE state = 'completed')::int AS delivered,
       count(*) FILTER (WHERE state = 'failed' AND NOT held)::int AS failed,
       count(*) FILTER (WHERE state IN ('skipped', 'canceled', 'merged'))::int AS skipped,
       count(*) FILTER (WHERE state = 'failed' AND held)::int AS in_doubt,
       count(*) FILTER (WHERE state = 'open')::int AS open
  FROM (SELECT date_trunc('minute', to_timestamp(extract(epoch FROM n.made))) AS at, s.type AS channel, s.state,
               coalesce(s.error ->> 'message' = '${EXECUTION_DETAILS.sendingInterruptedHeld.detail}', false) AS held
          FROM step s JOIN made n ON n.id = notification_of(s.id)
        UNION ALL
        SELECT date_trunc('minute', n.made), steps.type, 'open', false
          FROM work w JOIN made n ON n.id = w.notification_id
         CROSS JOIN LATERAL (
           SELECT w.type UNION ALL SELECT l ->> 2 FROM jsonb_array_elements(w.later_steps) l) steps) counted
 WHERE channel = ANY ($1) GROUP BY 1, 2 ORDER BY 1, 2`;

/** What the counts say. */
const FROM_COUNTS = `
SELECT ${BUCKET('at')} AS at, channel, sum(accepted)::int AS accepted, sum(delivered)::int AS delivered,
       sum(failed)::int AS failed, sum(skipped)::int AS skipped, sum(in_doubt)::int AS in_doubt,
       sum(accepted - delivered - failed - skipped - in_doubt)::int AS open
  FROM (SELECT at, channel, accepted, delivered, failed, skipped, in_doubt FROM outcome_delta
        UNION ALL
        SELECT at, channel, accepted, delivered, failed, skipped, in_doubt FROM outcome_count) counts
 WHERE channel = ANY ($1) GROUP BY 1, 2 ORDER BY 1, 2`;

/** Failures that were replayed, and steps that were delivered after one. */
const REPLAYED_ROWS = `
SELECT count(*)::int AS replayed, count(DISTINCT f.step_id) FILTER (WHERE s.state = 'completed')::int AS recovered
  FROM replayed_failure f LEFT JOIN step s ON s.id = f.step_id`;
const REPLAYED_COUNTS = `
SELECT sum(replayed)::int AS replayed, sum(recovered)::int AS recovered
  FROM (SELECT replayed, recovered FROM outcome_delta UNION ALL SELECT replayed, recovered FROM outcome_count) counts`;

const EMPTY_COUNTS = `TRUNCATE made, outcome_delta, outcome_count, replayed_failure`;

describe('the counts of outcomes', () => {
  let test: TestDatabase;
  const fixtures = new Fixtures();
  const done: Record<string, number> = {};

  beforeAll(async () => {
    test = await createTestDatabase();
    await test.database.query(`CREATE TABLE made (id uuid PRIMARY KEY, made timestamptz NOT NULL)`);
  });
  afterAll(() => test.drop());

  const seeds = Array.from({ length: SEEDS }, (_, index) => index + 1);
  it.each(seeds)(
    'equal the rows of steps and open work by minute and channel after random work (seed %i)',
    async (seed) => {
      fixtures.store = await postgresStore(test.database);
      await test.database.query(EMPTY_COUNTS);
      const run = new Run(test, fixtures, new Random(seed));
      for (let operation = 0; operation < OPERATIONS; operation += 1) {
        const name = await run.next();
        done[name] = (done[name] ?? 0) + 1;
        if (operation % 10 === 9) await expectEqualCounts();
      }
      await mergeDeltas(test.database);
      await mergeMinutes(test.database);
      expect(await test.database.query(`SELECT 1 FROM outcome_delta`)).toEqual([]);
      const fine = await test.database.query(
        `SELECT 1 FROM outcome_count WHERE at < now() - interval '${MINUTES_KEPT_HOURS} hours'
          AND at <> date_trunc('hour', at, 'UTC')`,
      );
      expect(fine).toEqual([]);
      const counted = await expectEqualCounts();
      expect(counted).toBeGreaterThan(2);
      const workflows = await test.database.query(`SELECT DISTINCT workflow_id AS id FROM outcome_count`);
      expect(workflows).toEqual([{ id: fixtures.store.workflowId }]);
    },
  );
  afterEach(() => fixtures.store.close());

  it('counts a step as recovered that was canceled between its replayed failure and its delivery', async () => {
    fixtures.store = await postgresStore(test.database);
    await test.database.query(EMPTY_COUNTS);
    const { environmentId, claims, outcomes } = fixtures.store;
    const {
      stepIds: [id],
    } = await fixtures.begin(['sms']);
    for (const state of ['failed', 'canceled', 'completed'] as const) {
      const step = await fixtures.claimOne(id!);
      await outcomes.record([fixtures.outcome(step!, { state, then: 'advance' })]);
      claims.end(step!.claimId);
      await replay(test, environmentId, 1);
    }
    expect(await test.database.query(REPLAYED_COUNTS)).toEqual([{ replayed: 1, recovered: 1 }]);
  });

  it('covers every kind of work', () => {
    const kinds = [
      'begin',
      'record',
      'record stale',
      'join',
      'end digest',
      'pass on',
      'cancel',
      'replay',
      'crash',
      'merge',
    ];
    expect(kinds.filter((kind) => !done[kind])).toEqual([]);
  });

  async function expectEqualCounts(): Promise<number> {
    const [rows, counts] = [
      await test.database.query(FROM_ROWS, [CHANNELS]),
      await test.database.query(FROM_COUNTS, [CHANNELS]),
    ];
    expect(counts).toEqual(rows);
    expect(await test.database.query(REPLAYED_COUNTS)).toEqual(await test.database.query(REPLAYED_ROWS));
    return rows.length;
  }
});

/** Random work of gateway, engine and workers on one store. */
class Run {
  private readonly transactions: string[] = [];
  private readonly subscribers = [newId<SubscriberRowId>(), newId<SubscriberRowId>()];
  private stale: StepOutcome[] = [];

  constructor(
    private readonly test: TestDatabase,
    private readonly fixtures: Fixtures,
    private readonly random: Random,
  ) {}

  /** Does something and returns its name; work without rows to do it to is another one. */
  async next(): Promise<string> {
    const { random } = this;
    const roll = random.next();
    if (roll < 0.3 || this.transactions.length === 0) return this.begin();
    if (roll < 0.55) return this.record();
    if (roll < 0.75) return this.digest();
    if (roll < 0.83) return this.cancel();
    if (roll < 0.9) return this.replay();
    if (roll < 0.93 && this.stale.length > 0) return this.repeatStale();
    if (roll < 0.97) return this.crash();
    await mergeDeltas(this.test.database);
    if (random.chance(0.5)) await mergeMinutes(this.test.database);
    return 'merge';
  }

  private get store() {
    return this.fixtures.store;
  }

  /** Several notifications of one statement, made now, some minutes ago or days ago. */
  private async begin(): Promise<string> {
    const { random } = this;
    const types = (): StepType[] => [
      ...(random.chance(0.5) ? (['digest'] as const) : []),
      ...Array.from({ length: random.between(1, 3) }, () => random.pick(['sms', 'sms', 'email', 'in_app'] as const)),
    ];
    const triggers = await Promise.all(Array.from({ length: random.between(1, 3) }, () => this.fixtures.accept()));
    const claimed = await this.store.fanOut.claim(triggers);
    this.transactions.push(...triggers.map((id) => `txn_${id}`));
    await this.store.fanOut.commit({
      triggers: claimed.map(({ id, fence, claimId }) => {
        const steps = types().map((type, position) => ({ stepKey: `${type}-${position}`, type }));
        const channels = steps.map(({ type }) => type);
        const { workflowId } = this.store;
        return {
          id,
          fence,
          claimId,
          workflowId,
          steps,
          state: 'done',
          channels,
          tags: [],
          severity: 'none',
          critical: false,
        };
      }),
      notifications: await Promise.all(
        triggers.flatMap((triggerId) =>
          Array.from({ length: random.between(1, 3) }, () => this.notification(triggerId)),
        ),
      ),
    });
    return 'begin';
  }

  private async notification(triggerId: TriggerId) {
    const { random } = this;
    const ago = random.pick([0, 7 * 60_000, 70 * 60_000, 60 * HOUR, 60 * HOUR + 9 * 60_000]);
    const made = Date.now() - ago;
    const id: NotificationId = toNotificationId(idAtTime(made).slice(0, 14) + newId().slice(14));
    await this.test.database.query(`INSERT INTO made VALUES ($1, to_timestamp(trunc($2 / 1000.0)))`, [id, made]);
    return { id, triggerId, subscriberId: random.pick(this.subscribers), to: {} };
  }

  private async open(types: readonly StepType[]): Promise<StepId[]> {
    const rows = await this.test.database.query<{ id: StepId }>(
      `SELECT id FROM work WHERE type = ANY ($1) AND due_at <= now() AND crash_count = 0 ORDER BY id`,
      [types],
    );
    return this.random.some(rows, 0.6).map(({ id }) => id);
  }

  /** Outcomes of some due channel steps in one statement. */
  private async record(): Promise<string> {
    const ids = await this.open(['sms']);
    const others = await Promise.all(
      (['email', 'in_app'] as const).map(async (channel) =>
        this.store.claims.claimChannel(channel, await this.open([channel])),
      ),
    );
    const steps = [...(await this.store.claims.claimChannel('sms', ids)), ...others.flat()];
    const outcomes = steps.map((step) => this.fixtures.outcome(step, this.random.pick(ENDINGS)));
    await this.store.outcomes.record(outcomes);
    this.stale = outcomes;
    this.end(steps);
    return 'record';
  }

  /** An outcome that was recorded already, or whose step has been claimed again, changes nothing. */
  private async repeatStale(): Promise<string> {
    await this.store.outcomes.record(this.stale);
    return 'record stale';
  }

  private async digest(): Promise<string> {
    const claimed = await this.store.claims.claimTimers(await this.open(['digest']));
    const [first] = claimed;
    if (!first) return this.endDigest();
    const subscribers = await this.test.database.query<{ id: StepId; subscriber_id: SubscriberRowId }>(
      `SELECT id, subscriber_id FROM work WHERE id = ANY ($1)`,
      [claimed.map(({ id }) => id)],
    );
    const subscriberOf = new Map(subscribers.map((row) => [row.id, row.subscriber_id]));
    const requests = claimed.map(({ id, fence, notificationId }) =>
      this.fixtures.digestRequest({ stepIds: [id], notificationId }, fence, subscriberOf.get(id)!),
    );
    await this.store.digests.join(requests);
    this.end(claimed);
    return 'join';
  }

  /** The windows end: their steps collect, or fail and pass them on. */
  private async endDigest(): Promise<string> {
    await this.store.passTime(61_000);
    const claimed = await this.store.claims.claimTimers(await this.open(['digest']));
    const passesDigestOn = endedDigests++ % 2 === 0;
    if (!passesDigestOn) await this.store.digests.close(claimed);
    const how: Partial<StepOutcome> = passesDigestOn
      ? { state: 'failed', then: 'halt', passesDigestOn }
      : { state: 'completed', then: 'advance' };
    await this.store.outcomes.record(claimed.map((step) => this.fixtures.outcome(step, how)));
    this.end(claimed);
    return passesDigestOn ? 'pass on' : 'end digest';
  }

  /** As a tenant, as the gateway does it. */
  private async cancel(): Promise<string> {
    await this.test.database.asTenant(this.store.environmentId, () =>
      this.store.cancel(this.random.pick(this.transactions)),
    );
    return 'cancel';
  }

  private async replay(): Promise<string> {
    await replay(this.test, this.store.environmentId, this.random.between(1, 5));
    return 'replay';
  }

  /** A holder is gone: its claim lapses, and its step runs again. */
  private async crash(): Promise<string> {
    await this.store.claims.claimChannel('sms', await this.open(['sms']));
    await this.store.passTime(3_600_000);
    const ids = await this.test.database.query<{ id: StepId }>(`SELECT id FROM work WHERE type = 'sms'`);
    for (const id of await this.fixtures.suspects(ids.map((row) => row.id))) {
      const [step] = await this.store.claims.claimChannel('sms', [id], 1);
      if (!step) continue;
      await this.store.outcomes.record([
        this.fixtures.outcome(step, this.random.pick([{ ...HELD, then: 'halt' }, ENDINGS[0]!, ENDINGS[5]!])),
      ]);
      this.end([step]);
    }
    return 'crash';
  }

  private end(steps: ClaimedStep[]): void {
    for (const claimId of new Set(steps.map((step) => step.claimId))) this.store.claims.end(claimId);
  }
}

async function replay({ database }: TestDatabase, environmentId: EnvironmentId, limit: number): Promise<void> {
  const filter = { statuses: ['failed', 'canceled'] satisfies ReplayableStatus[] };
  await database.asTenant(environmentId, () =>
    new ReplayRepository(database).replay(environmentId, filter, { limit, perSecond: 1_000, offset: 0 }),
  );
}
