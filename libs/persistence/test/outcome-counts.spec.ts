import { type EnvironmentId, idAtTime, newId } from '@clarion/contracts';
import {
  ensurePartitions,
  Maintenance,
  mergeDeltas,
  mergeMinutes,
  MINUTES_KEPT_HOURS,
  type OrphanedRow,
  OverviewRepository,
  StepClaimRepository,
  WEEK,
} from '@clarion/persistence';
import {
  createTestDatabase,
  type GivenStep,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';

const DAYS = 8;
const HOUR = 3600 * 1000;

describe('the counts of outcomes', () => {
  let test: TestDatabase;
  const environmentId = newId<EnvironmentId>();
  const workflowId = newId();

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  afterAll(() => test.drop());
  beforeEach(() => test.database.query(`TRUNCATE outcome_delta, outcome_count`));

  /** Two statements for each minute of some days, as a busy pipeline writes them; each counts 347 email steps. */
  const writeDeltas = (days: number) =>
    test.database.query(
      `INSERT INTO outcome_delta (environment_id, workflow_id, at, channel, accepted, delivered, failed)
       SELECT $1, $2, date_trunc('minute', now()) - n * interval '1 minute', 'email', accepted, 346 * delivered, delivered
         FROM generate_series(1, $3::int * 1440) n CROSS JOIN (VALUES (347, 0), (0, 1)) AS s (accepted, delivered)`,
      [environmentId, workflowId, days],
    );
  const count = async (table: string, where = 'true') =>
    (await test.database.query<{ n: number }>(`SELECT count(*)::int AS n FROM ${table} WHERE ${where}`))[0]!.n;
  // Both calls of a test ask for the same hours.
  const end = Math.ceil(Date.now() / HOUR) * HOUR;
  const figures = (days: number) => {
    const range = { after: new Date(end - days * 24 * HOUR), before: new Date(end) };
    return new OverviewRepository(test.database).figures(environmentId, range, 7_200);
  };

  it('keeps one row for each minute of two days and for each hour before, with the same sums', async () => {
    await writeDeltas(DAYS);
    const before = await figures(DAYS - 1);
    expect(before.points.length).toBeGreaterThan(80);

    expect(await mergeDeltas(test.database)).toBe(2 * DAYS * 1440);
    await mergeMinutes(test.database);

    expect(await count('outcome_delta')).toBe(0);
    const minutes = await count('outcome_count', `at >= now() - interval '${MINUTES_KEPT_HOURS} hours'`);
    const hours = await count('outcome_count', `at < now() - interval '${MINUTES_KEPT_HOURS} hours'`);
    // The present minute and hour are not whole.
    expect(minutes).toBeLessThanOrEqual(MINUTES_KEPT_HOURS * 60);
    expect(minutes).toBeGreaterThan(MINUTES_KEPT_HOURS * 60 - 5);
    expect(Math.abs(hours - (DAYS * 24 - MINUTES_KEPT_HOURS))).toBeLessThanOrEqual(2);
    expect({ ...(await figures(DAYS - 1)), now: 0 }).toEqual({ ...before, now: 0 });
  });

  it('reads as many rows as the range has, although the environment has a longer history', async () => {
    await writeDeltas(DAYS);
    await mergeDeltas(test.database);
    await mergeMinutes(test.database);
    await test.database.query('ANALYZE outcome_count');
    const [{ 'QUERY PLAN': plan }] = (await test.database.query(
      `EXPLAIN (ANALYZE, TIMING OFF, SUMMARY OFF, FORMAT JSON)
       SELECT sum(accepted) FROM outcome_count WHERE environment_id = $1 AND at >= now() - interval '30 minutes'`,
      [environmentId],
    )) as [{ 'QUERY PLAN': [{ Plan: { Plans: [{ 'Node Type': string; 'Actual Rows': number }] } }] }];
    const [scan] = plan[0].Plan.Plans;
    expect(scan['Node Type']).toMatch(/Index|Bitmap/);
    expect(scan['Actual Rows']).toBeLessThanOrEqual(30);
  });

  it('counts the steps of rows that end because what they belong to is gone', async () => {
    const { database } = test;
    const ours = await insertEnvironment(database);
    const workflow = await insertWorkflow(database, { environmentId: ours });
    const open = async () => {
      const given = { environmentId: ours, subscriberId: newId(), workflowId: workflow.id };
      const [notification] = await insertNotifications(database, [given]);
      const later: GivenStep[] = [
        { type: 'delay', state: 'pending' },
        { type: 'sms', state: 'pending' },
      ];
      const [step] = await insertSteps(database, notification!, [{ state: 'queued' }, ...later]);
      return { notification: notification!, id: step!.id };
    };
    const [kept, orphan] = [await open(), await open()];
    await database.query('DELETE FROM notification WHERE id = $1', [orphan.notification.id]);
    const ended: OrphanedRow[] = [];
    const claims = new StepClaimRepository(database, (rows) => void ended.push(...rows));
    expect(await claims.claimChannel('email', [kept.id, orphan.id])).toMatchObject([{ id: kept.id }]);
    expect(ended).toEqual([{ id: orphan.id, type: 'email', environmentId: ours, gone: 'notification' }]);
    expect(await database.query('SELECT id FROM work')).toEqual([{ id: kept.id }]);
    expect(
      await database.query(`SELECT channel, failed::int, skipped::int FROM outcome_delta ORDER BY channel`),
    ).toEqual([
      { channel: 'email', failed: 1, skipped: 0 },
      { channel: 'sms', failed: 0, skipped: 1 },
    ]);
  });

  it('adds up each count once when several processes do it together', async () => {
    await writeDeltas(1);
    const moved = await Promise.all(Array.from({ length: 4 }, () => mergeDeltas(test.database)));
    expect(moved.reduce((sum, rows) => sum + rows)).toBe(2 * 1440);
    expect(await count('outcome_count')).toBe(1440);
  });

  it('deletes counts with the notifications that they count', async () => {
    await ensurePartitions(test.database, { from: Date.now() - 10 * WEEK });
    const insert = (weeks: number) =>
      test.database.query(
        `INSERT INTO outcome_count (environment_id, at, workflow_id, channel, accepted)
         VALUES ($1, date_trunc('hour', now() - $2 * interval '1 week', 'UTC'), $3, 'sms', 1)`,
        [environmentId, weeks, workflowId],
      );
    for (const weeks of [9, 1]) {
      await insert(weeks);
      await test.database.query(
        `INSERT INTO replayed_failure (environment_id, step_id, failed_at, subscriber_id, channel, outcome)
         VALUES ($1, $2, now(), $2, 'sms', 'failed')`,
        [environmentId, idAtTime(Date.now() - weeks * WEEK)],
      );
    }
    expect(await new Maintenance(test.database, 30).run()).toMatchObject({ outcomeCountsDeleted: 1 });
    expect(await count('outcome_count')).toBe(1);
    expect(await count('replayed_failure')).toBe(1);
    await insert(9);
    expect(await new Maintenance(test.database, undefined).run()).toMatchObject({ outcomeCountsDeleted: 0 });
  });
});
