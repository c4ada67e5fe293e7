import { type EnvironmentId, idAtTime, newId, type TriggerId } from '@clarion/contracts';
import {
  ensurePartitions,
  isDatabaseUnavailable,
  listPartitions,
  Maintenance,
  PARTITIONED_TABLES,
  TriggerRepository,
  WEEK,
} from '@clarion/persistence';
import { createTestDatabase, type TestDatabase } from '@clarion/testing';

describe('partitions', () => {
  let test: TestDatabase;
  const environmentId = newId<EnvironmentId>();

  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const trigger = (id = newId<TriggerId>()) => ({
    id,
    transactionId: `tx-${id}`,
    fingerprint: '00',
    workflowId: newId(),
    workflowVersion: 1,
    recipients: [],
    payload: {},
  });
  const idWeeksAgo = (weeks: number) =>
    idAtTime(Date.now() - weeks * WEEK).replace(/0000-0000-000000000000$/, newId().slice(14));
  const weeks = async (table: string) =>
    (await listPartitions(test.database)).filter((partition) => partition.table === table).length;

  it('creates partitions for last week, this week and the weeks ahead of each growing table', async () => {
    for (const table of PARTITIONED_TABLES) expect(await weeks(table)).toBe(6);
    expect(await ensurePartitions(test.database)).toBe(0);
  });

  it('stores rows in partitions and prunes them by id', async () => {
    const id = newId<TriggerId>();
    await new TriggerRepository(test.database).insertMany(environmentId, [trigger(id)]);
    const plan = await test.database.query<{ 'QUERY PLAN': string }>(
      `EXPLAIN SELECT * FROM trigger WHERE id = '${id}'`,
    );
    const scans = plan.map((row) => row['QUERY PLAN']).filter((line) => /Scan/.test(line));
    expect(scans).toHaveLength(1);
  });

  it('creates a missing partition when a row needs it, also inside a transaction', async () => {
    const triggers = new TriggerRepository(test.database);
    for (const inTransaction of [false, true]) {
      for (const { name } of await listPartitions(test.database)) await test.database.query(`DROP TABLE ${name}`);
      const insert = () => triggers.insertMany(environmentId, [trigger()]);
      const stored = inTransaction ? await test.database.transaction(insert) : await insert();
      expect(stored).toEqual([expect.objectContaining({ stored: true })]);
      expect(await weeks('trigger')).toBe(6);
    }
  });

  it('reports a row of a clock that is months ahead as work for later', async () => {
    const ahead = idWeeksAgo(-10) as TriggerId;
    const insert = new TriggerRepository(test.database).insertMany(environmentId, [trigger(ahead)]);
    expect(isDatabaseUnavailable(await insert.catch((error: unknown) => error))).toBe(true);
    expect(await weeks('trigger')).toBe(6);
  });

  it('creates each partition once when several processes do it together', async () => {
    await Promise.all(
      Array.from({ length: 8 }, () => ensurePartitions(test.database, { from: Date.now() - 10 * WEEK })),
    );
    expect(await weeks('message')).toBe(15);
  });

  it('drops partitions past the retention with the transactions of their triggers, and keeps the others', async () => {
    await ensurePartitions(test.database, { from: Date.now() - 10 * WEEK });
    const triggers = new TriggerRepository(test.database);
    const [old, young] = [trigger(idWeeksAgo(9) as TriggerId), trigger(idWeeksAgo(1) as TriggerId)];
    await triggers.insertMany(environmentId, [old, young]);
    // Both have ended.
    await test.database.query('DELETE FROM work');

    const report = await new Maintenance(test.database, 30).run();

    expect(report!.partitionsDropped.length).toBeGreaterThanOrEqual(5 * PARTITIONED_TABLES.length);
    expect(report!.transactionsDeleted).toBe(1);
    const left = await test.database.query<{ id: string }>('SELECT id FROM trigger');
    expect(left.map(({ id }) => id)).toEqual([young.id]);
    expect([
      ...(await triggers.findTransactions(environmentId, [old.transactionId, young.transactionId])).keys(),
    ]).toEqual([young.transactionId]);
  });

  it('keeps the partitions of triggers and their files one week longer than those of notifications', async () => {
    await ensurePartitions(test.database, { from: Date.now() - 10 * WEEK });
    await new Maintenance(test.database, 30).run();
    for (const table of PARTITIONED_TABLES) {
      const isShared = table === 'trigger' || table === 'attachment';
      expect([table, await weeks(table)]).toEqual([table, (await weeks('step')) + (isShared ? 1 : 0)]);
    }
  });

  it.each(['id', 'trigger_id'])('keeps every week from the %s of the oldest open work on', async (column) => {
    await ensurePartitions(test.database, { from: Date.now() - 10 * WEEK });
    const values = { id: newId(), trigger_id: newId(), [column]: idWeeksAgo(8) };
    await test.database.query(`INSERT INTO work (id, environment_id, trigger_id, type) VALUES ($1, $2, $3, 'delay')`, [
      values.id,
      environmentId,
      values.trigger_id,
    ]);
    await new Maintenance(test.database, 30).run();
    // Eight weeks ago, this week, the weeks between and the four weeks ahead.
    for (const table of PARTITIONED_TABLES) expect([table, await weeks(table)]).toEqual([table, 13]);
    await test.database.query('DELETE FROM work');
    await new Maintenance(test.database, 30).run();
    expect(await weeks('step')).toBeLessThan(11);
  });

  it('keeps all partitions without a retention', async () => {
    await ensurePartitions(test.database, { from: Date.now() - 10 * WEEK });
    const report = await new Maintenance(test.database, undefined).run();
    expect(report).toMatchObject({ partitionsDropped: [], transactionsDeleted: 0 });
  });

  it('deletes old idempotency records in one process at a time', async () => {
    await test.database.query(
      `INSERT INTO idempotency_record (environment_id, key, method, path, fingerprint, status, content_type, body, created_at)
       SELECT $1, 'k' || n, 'POST', '/', '', 200, '', '', now() - n * interval '1 hour' + interval '30 minutes' FROM generate_series(1, 48) n`,
      [environmentId],
    );
    const reports = await Promise.all(Array.from({ length: 4 }, () => new Maintenance(test.database, undefined).run()));
    expect(reports.reduce((sum, report) => sum + (report?.idempotencyRecordsDeleted ?? 0), 0)).toBe(24);
  });
});
