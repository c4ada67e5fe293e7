import { type EnvironmentId, idAtTime, newId, type TriggerId } from '@clarion/contracts';
import {
  Database,
  ensurePartitions,
  inspectDatabase,
  isDatabaseUnavailable,
  LagRepository,
  listPartitions,
  Maintenance,
  openDataSource,
  PARTITIONED_TABLES,
  TriggerRepository,
  WEEK,
} from '@clarion/persistence';
import { createTestDatabase, type TestDatabase, until } from '@clarion/testing';

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

    expect(report!.partitionsDropped.length).toBeGreaterThanOrEqual(4 * PARTITIONED_TABLES.length);
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

  const ensureOldWeeks = () =>
    ensurePartitions(test.database, { from: Date.now() - 9 * WEEK, to: Date.now() - 8 * WEEK });

  /** A notification of the time with a step, a message, a detail and a file; its trigger is in the week before. */
  async function insertHistory(weeks: number) {
    const id = idWeeksAgo(weeks).replace(/..$/, '00');
    const triggerId = idWeeksAgo(weeks + 1);
    const stepId = id.replace(/00$/, '01');
    const values = [id, triggerId, stepId, environmentId, newId()];
    const insert = (table: string, columns: string, selected: string) =>
      test.database.query(
        `WITH given AS (SELECT $1::uuid AS id, $2::uuid AS trigger_id, $3::uuid AS step_id, $4::uuid AS environment_id,
                               $5::uuid AS other_id)
         INSERT INTO ${table} (environment_id, ${columns}) SELECT environment_id, ${selected} FROM given`,
        values,
      );
    await new TriggerRepository(test.database).insertMany(environmentId, [trigger(triggerId as TriggerId)]);
    await test.database.query('DELETE FROM work WHERE id = $1', [triggerId]);
    await insert(
      'attachment',
      'id, trigger_id, position, name, mime, content',
      `trigger_id, trigger_id, 0, '', '', ''`,
    );
    await insert('notification', 'id, trigger_id, workflow_id, subscriber_id', 'id, trigger_id, other_id, other_id');
    await insert('step', 'id, state, type, step_key', `step_id, 'completed', 'in_app', 'first'`);
    await insert(
      'message',
      'id, trigger_id, step_id, subscriber_id, channel',
      `step_id, trigger_id, step_id, other_id, 'in_app'`,
    );
    await insert('execution_detail', 'id, notification_id, step_id, status, detail', `step_id, id, step_id, '', ''`);
    return { id, triggerId, stepId };
  }
  type History = Awaited<ReturnType<typeof insertHistory>>;
  const open = ({ id, triggerId }: History) =>
    test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, notification_id, type) VALUES ($1, $2, $3, $4, 'delay')`,
      [id.replace(/00$/, '02'), environmentId, triggerId, id],
    );
  const HISTORY = ['trigger', 'attachment', 'notification', 'step', 'message', 'execution_detail'] as const;
  const countRows = async () =>
    Promise.all(
      HISTORY.map(async (table) => {
        const [row] = await test.database.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${table}`);
        return row!.count;
      }),
    );
  const kept = async () => (await listPartitions(test.database)).filter(({ isRemainder }) => isRemainder);

  it('keeps the rows that open work needs, and drops the rest of their week', async () => {
    await ensureOldWeeks();
    const [waiting, ended, master] = [await insertHistory(8), await insertHistory(8), await insertHistory(0)];
    // A step that joined an open digest of this week.
    const joined = await insertHistory(8);
    await test.database.query(`UPDATE step SET state = 'merged', digest_master_id = $2 WHERE id = $1`, [
      joined.stepId,
      master.id.replace(/00$/, '02'),
    ]);
    await open(waiting);
    await open(master);

    const report = await new Maintenance(test.database, 30).run();

    expect(report).toMatchObject({ retentionObstacles: [] });
    expect(report!.partitionsDropped).toContain((await kept())[0]!.name.replace('_kept', ''));
    expect(await countRows()).toEqual([3, 3, 3, 3, 3, 3]);
    const found = await test.database.query<{ id: string }>('SELECT id FROM notification ORDER BY id');
    expect(found.map(({ id }) => id).sort()).toEqual([waiting.id, joined.id, master.id].sort());
    const triggers = new TriggerRepository(test.database);
    const transactions = [waiting, ended].map(({ triggerId }) => `tx-${triggerId}`);
    expect([...(await triggers.findTransactions(environmentId, transactions)).keys()]).toEqual([transactions[0]]);

    // A second run leaves the remainder; when the work has ended, it goes as well.
    expect(await new Maintenance(test.database, 30).run()).toMatchObject({ partitionsDropped: [] });
    await test.database.query('DELETE FROM work');
    await new Maintenance(test.database, 30).run();
    expect(await kept()).toEqual([]);
    expect(await countRows()).toEqual([1, 1, 1, 1, 1, 1]);
  });

  /** Runs maintenance with the short waits of a process; those of specs are longer. */
  async function maintainSoon(waitFactor = 1) {
    const url = test.url.replace('wait_factor=20', `wait_factor=${waitFactor}`);
    const dataSource = await openDataSource({ url, poolSize: 2 });
    try {
      return (await new Maintenance(new Database(dataSource), 30).run())!;
    } finally {
      await dataSource.destroy();
    }
  }

  /** A transaction of another program that has read the table and is still open. */
  async function reading(table: string, work: () => Promise<void>) {
    const reader = test.dataSource.createQueryRunner();
    await reader.startTransaction();
    try {
      await reader.query(`SELECT count(*) FROM "${table}"`);
      await work();
    } finally {
      await reader.rollbackTransaction();
      await reader.release();
    }
  }

  it.each([
    ['nothing needs the week', false],
    ['open work needs the week', true],
  ])('accepts events while a reader keeps retention waiting, and says which: %s', async (_title, isNeeded) => {
    await ensureOldWeeks();
    const history = await insertHistory(8);
    if (isNeeded) await open(history);
    const triggers = new TriggerRepository(test.database);
    await reading('trigger', async () => {
      let isRunning = true;
      // The retention waits for 12 s.
      const running = maintainSoon(4).finally(() => (isRunning = false));
      let accepted = 0;
      const accept = async () => {
        await test.database.transaction(async () => {
          // An accept that waits for the lock of the retention fails.
          await test.database.query(`SET LOCAL lock_timeout = '10s'`);
          await triggers.insertMany(environmentId, [trigger()]);
        });
        accepted += 1;
        return !isRunning;
      };
      await until(accept);
      const report = await running;
      expect(accepted).toBeGreaterThan(0);
      expect(report.retentionObstacles).toEqual([
        {
          partition: expect.stringMatching(/^trigger_w\d{8}$/),
          reason: expect.stringMatching(/^It waits for process \d+ \(.+\), whose transaction has lasted \d+ s$/),
        },
      ]);
    });
    const report = await new Maintenance(test.database, 30).run();
    expect(report).toMatchObject({ retentionObstacles: [] });
    expect(report!.partitionsDropped).toContainEqual(expect.stringContaining('trigger_w'));
    expect((await listPartitions(test.database)).filter(({ isPending }) => isPending)).toEqual([]);
  });

  it('drops a table that it detached before it ended, and none that an operator detached', async () => {
    await ensureOldWeeks();
    const [own, kept] = (await listPartitions(test.database)).filter(({ table }) => table === 'step');
    await test.database.query(`COMMENT ON TABLE ${own!.name} IS 'Past the retention: Clarion drops it'`);
    for (const { name } of [own!, kept!]) await test.database.query(`ALTER TABLE step DETACH PARTITION ${name}`);
    const report = await new Maintenance(test.database, 30).run();
    expect(report!.partitionsDropped).toContain(own!.name);
    expect(await test.database.query(`SELECT to_regclass('${kept!.name}') AS name`)).toEqual([{ name: kept!.name }]);
  });

  it('creates partitions of a day by setting, beside the weeks that exist, and inserts go on with them', async () => {
    const day = WEEK / 7;
    const ends = Math.max(...(await listPartitions(test.database)).map(({ to }) => to));
    expect(await ensurePartitions(test.database, { length: 'day' })).toBe(0);
    const of = async () =>
      (await listPartitions(test.database)).filter(({ table, from }) => table === 'step' && from >= ends);
    await ensurePartitions(test.database, { length: 'day', from: ends - day, to: ends + day });
    expect((await of()).map(({ from, to }) => [from - ends, to - ends])).toEqual([
      [0, day],
      [day, 2 * day],
    ]);
    // Without a setting, the length of the newest partition goes on; with weeks again, the week gets its other days.
    await ensurePartitions(test.database, { from: ends + 2 * day, to: ends + 2 * day });
    expect((await of()).map(({ to }) => to - ends)).toEqual([day, 2 * day, 3 * day]);
    await ensurePartitions(test.database, { length: 'week', from: ends, to: ends + WEEK });
    expect((await of()).map(({ from, to }) => to - from)).toEqual([...Array.from({ length: 7 }, () => day), WEEK]);
  });

  it('gathers the statistics of partitioned tables once a day, unless they are almost empty', async () => {
    const run = async () => (await new Maintenance(test.database, undefined).run())!.tablesAnalyzed;
    expect(await run()).toEqual([]);
    await test.database.query(
      `INSERT INTO step (id, environment_id, state, type, step_key)
       SELECT uuid_v7(), $1, 'completed', 'email', '' FROM generate_series(1, 10001)`,
      [environmentId],
    );
    // The statistics about the rows of a transaction come soon after it.
    let analyzed: string[] = [];
    await until(async () => (analyzed = await run()).length > 0);
    expect(analyzed).toEqual(['step']);
    expect(await run()).toEqual([]);
  });

  it('records when maintenance ended and what it could not do', async () => {
    await ensureOldWeeks();
    expect((await inspectDatabase(test.dataSource)).maintenance).toBeNull();
    await reading('step', async () => void (await maintainSoon()));
    expect((await inspectDatabase(test.dataSource)).maintenance).toEqual({
      seconds: expect.any(Number),
      obstacles: [{ partition: expect.stringMatching(/^step_w/), reason: expect.stringContaining('waits for') }],
    });
    const { maintenanceSeconds, retentionObstacles } = await new LagRepository(test.database).postgres();
    expect([typeof maintenanceSeconds, retentionObstacles]).toEqual(['number', 1]);
  });

  it('keeps all partitions without a retention', async () => {
    await ensureOldWeeks();
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
