import { type EnvironmentId, executionDetail, newId, type StepId } from '@clarion/contracts';
import { createTestDatabase, insertEnvironment, type TestDatabase, until } from '@clarion/testing';
import { HoldRepository, ReplayRepository, StepClaimRepository, SweepRepository } from '../src';
import { packDetails } from '../src/history/packed-details';
import { ExplainingDatabase, type Plan, rowsOf } from './explaining-database';

const ROWS = 2_000;
const OF_CLAIM = 100;
/** For each row that a statement changes. A join of each with each handles ten times as many. */
const MOST_ROWS = 200;

/** An index scan with a list of ids sorts the list each time that it runs. */
function handledBy(node: Plan): number {
  const sorted = node['Index Cond']?.includes('= ANY') ? ROWS : 0;
  return rowsOf(node) + ((node['Rows Removed by Join Filter'] ?? 0) + sorted) * node['Actual Loops'];
}

/*
 * Postgres gathers statistics from time to time. Those of a quiet night have hardly an open row, so it expects a few
 * rows where there are thousands, and a join may then compare each with each. Engines and workers plan without
 * sequential scans, gateways with them.
 */
describe.each(['on', 'off'])('open work, old statistics, sequential scans %s', (scans) => {
  let test: TestDatabase;
  let database: ExplainingDatabase;
  let environmentId: EnvironmentId;

  beforeAll(async () => {
    test = await createTestDatabase();
    environmentId = await insertEnvironment(test.database);
    for (const table of ['work', 'claim', 'hold']) {
      await test.database.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`);
    }
    await insertClaims(await insertDue(1));
    await insertHolds([newId()]);
    await insertFailed(1);
    await test.database.query('ANALYZE work, claim, hold, notification, step');
    database = new ExplainingDatabase(test.dataSource);
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query('DELETE FROM work; DELETE FROM claim; DELETE FROM hold'));

  /** With `holds`, the steps wait for them. */
  async function insertDue(count: number, holds: string[] = []): Promise<StepId[]> {
    const rows = await test.database.rows<{ id: StepId }>(
      `INSERT INTO work (id, environment_id, trigger_id, type, due_at, offered_at, hold_id)
       SELECT uuid_v7(), $1::uuid, $1::uuid, 'email', now() - interval '1 hour', now() - interval '1 hour',
              ($2::uuid[])[n % $3 + 1]
         FROM generate_series(1, ${count}) n RETURNING id`,
      [environmentId, holds, Math.max(1, holds.length)],
    );
    return rows.map(({ id }) => id);
  }

  const insertHolds = (ids: string[]) =>
    test.database.query(
      `INSERT INTO hold (id, environment_id, target, target_id, target_name, reason, held_by, resumed_at)
       SELECT id, $1, 'workflow', id, id, 'r', 'key', now() FROM unnest($2::uuid[]) id`,
      [environmentId, ids],
    );

  /** Claims of the steps whose leases have ended. */
  const insertClaims = (ids: StepId[]) =>
    test.database.query(
      `INSERT INTO claim (id, lease_until, first_id, last_id, work_ids, fences)
       SELECT uuid_v7(), now() - interval '1 minute', ids[1], ids[$2], ids[n + 1:n + ${OF_CLAIM}],
              array_fill(1, '{${OF_CLAIM}}')
         FROM (SELECT $1::uuid[] AS ids) given, generate_series(0, $2 - 1, ${OF_CLAIM}) n`,
      [ids, ids.length],
    );

  /** Notifications with a failed step and a later one that was canceled for it. */
  const insertFailed = (count: number) =>
    test.database.query(
      `WITH made AS (SELECT notification_of(uuid_v7()) AS id, n FROM generate_series(1, ${count}) n), stored AS (
         INSERT INTO notification (id, environment_id, trigger_id, workflow_id, subscriber_id)
         SELECT id, $1::uuid, id, id, id FROM made
       )
       INSERT INTO step (id, environment_id, state, type, step_key, details)
       SELECT step_id(id, place), $1::uuid, state, 'email', state, details
         FROM made, (VALUES (1, 'failed', NULL), (2, 'canceled', $2::json)) steps (place, state, details)`,
      [environmentId, packDetails('', [executionDetail('previousStepFailed')])],
    );

  /** Leases end at once only if there was a sweep lately. */
  const sweepNow = () =>
    test.database.query(
      `INSERT INTO sweep (id, swept_at, grace_until) VALUES (1, now() + interval '1 minute', 'epoch')
       ON CONFLICT (id) DO UPDATE SET swept_at = excluded.swept_at, grace_until = 'epoch'`,
    );

  /** The rows that the plans of the work have handled. */
  async function handledIn(work: () => Promise<unknown>): Promise<number> {
    database.explained.length = 0;
    await database.transaction(async () => {
      await database.execute(`SET LOCAL enable_seqscan = ${scans}`);
      await work();
    });
    expect(database.explained.length).toBeGreaterThan(0);
    return database.explained.flatMap(({ nodes }) => nodes).reduce((sum, node) => sum + handledBy(node), 0);
  }

  it('releases what was held', async () => {
    const holds = Array.from({ length: 4 }, () => newId());
    await insertHolds(holds);
    await insertDue(ROWS, holds);
    const release = async () => expect(await new HoldRepository(database).release()).toBe(ROWS);
    expect(await handledIn(release)).toBeLessThan(ROWS * MOST_ROWS);
  });

  it('ends the claims of crashed workers', async () => {
    await insertClaims(await insertDue(ROWS));
    await sweepNow();
    expect(await handledIn(() => new SweepRepository(database).overdueTypes())).toBeLessThan(ROWS * MOST_ROWS);
    expect(await test.database.query('SELECT id FROM work WHERE crash_count = 1')).toHaveLength(ROWS);
  });

  it('offers what is due', async () => {
    await insertDue(ROWS);
    const offer = async () => expect(await new SweepRepository(database).offerSteps(ROWS, ROWS)).toHaveLength(ROWS);
    expect(await handledIn(offer)).toBeLessThan(ROWS * MOST_ROWS);
  });

  it('marks and releases what a worker holds', async () => {
    const ids = await insertDue(ROWS);
    await insertClaims(ids);
    const claims = new StepClaimRepository(database);
    const steps = ids.map((id) => ({ id, fence: 1, claimId: newId(), inDoubt: false }));
    expect(await handledIn(() => claims.markSending(steps))).toBeLessThan(ROWS * MOST_ROWS);
    expect(await handledIn(() => claims.release(steps))).toBeLessThan(ROWS * MOST_ROWS);
  });

  it('replays failed steps', async () => {
    await insertFailed(ROWS);
    const replayed = { limit: ROWS, perSecond: ROWS, offset: 0 };
    const replay = async () => {
      const filter = { statuses: ['failed' as const] };
      expect(await new ReplayRepository(database).replay(environmentId, filter, replayed)).toHaveLength(ROWS);
    };
    expect(await handledIn(() => database.asTenant(environmentId, replay))).toBeLessThan(ROWS * MOST_ROWS);
  });

  it('ends the claims of workers that settle their steps at the same time', async () => {
    const [settled, other] = await insertDue(2);
    await insertClaims([settled!, other!]);
    await sweepNow();
    // Postgres judges a row again that has changed while the statement waited for it.
    const worker = test.dataSource.createQueryRunner();
    await worker.startTransaction();
    await worker.query('UPDATE work SET fence = fence + 1 WHERE id = $1', [settled]);
    const ending = new SweepRepository(test.database).overdueTypes();
    await until(async () => (await test.database.query(`SELECT 1 FROM pg_locks WHERE NOT granted`)).length > 0);
    await worker.commitTransaction();
    await worker.release();
    await ending;
    expect(await test.database.query('SELECT id FROM work WHERE crash_count = 1')).toEqual([{ id: other }]);
  });
});
