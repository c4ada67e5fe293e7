import { type EnvironmentId, type NotificationId, type StepId, USAGE_GROUPS } from '@clarion/contracts';
import { createTestDatabase, insertEnvironment, insertWorkflow, runs, type TestDatabase } from '@clarion/testing';
import {
  type ActivityFilter,
  ActivityRepository,
  AuditRepository,
  BulkActionRepository,
  ensurePartitions,
  HoldRepository,
  LagRepository,
  LookupRepository,
  NotificationRepository,
  OverviewRepository,
  PARTITIONED_TABLES,
  ReplayRepository,
  StepClaimRepository,
  StuckRepository,
  SweepRepository,
  TriggerRepository,
  UsageRepository,
  WEEK,
} from '../src';
import { type Explained, ExplainingDatabase, type Plan, rowsOf, rowsOfLoop } from './explaining-database';

const WEEKS = 10;
const NOTIFICATIONS = runs(100_000, 20_000);
/**
 * The first and the last week have few rows at the end and at the start of a week. To read a page or two as a whole is
 * the best plan then.
 */
const FEW = NOTIFICATIONS / WEEKS / 2;
/** Ids that a case names. */
const NAMED = 500;

const HISTORY = new RegExp(`^(?:${PARTITIONED_TABLES.join('|')})_w(\\d{8})$`);

/** A bitmap names its index only. */
const isOfWork = (node: Plan): boolean => node['Relation Name'] === 'work' || /^work_/.test(node['Index Name'] ?? '');

/** Whether the node scans a table with open work or history. */
const isRead = (node: Plan): boolean =>
  (isOfWork(node) || HISTORY.test(node['Relation Name'] ?? '')) &&
  node['Node Type'] !== 'ModifyTable' &&
  rowsOf(node) > 0;

/*
 * Plans at many open rows in several weeks. A plan that is good for ten rows may read the whole table for a hundred
 * thousand, and the statement timeout then ends it.
 */
describe('plans of statements on open work and on history', () => {
  let test: TestDatabase;
  let database: ExplainingDatabase;
  let environmentId: EnvironmentId;
  /** Another environment, without any work. */
  let idle: EnvironmentId;
  /** Notifications of the newest week: their first step has ended, and their second one is open. */
  let ids: NotificationId[];

  beforeAll(async () => {
    test = await createTestDatabase();
    environmentId = await insertEnvironment(test.database);
    idle = await insertEnvironment(test.database);
    const { id: workflowId } = await insertWorkflow(test.database, { environmentId });
    const now = Date.now();
    await ensurePartitions(test.database, { from: now - WEEKS * WEEK });
    await test.database.query('ALTER TABLE work SET (autovacuum_enabled = false)');
    // Each notification has its own trigger, an ended step and an open one.
    await test.database.query(
      `WITH made AS MATERIALIZED (
         SELECT n, lpad(to_hex(($1::float8 - n * ($2::float8 / $3::int))::bigint), 12, '0') || '7'
                     || left(md5(n::text), 3) || '8' || right(md5(n::text), 13) AS stem
           FROM generate_series(0, $3::int - 1) AS n
       ), rows AS MATERIALIZED (
         SELECT n, (stem || '00')::uuid AS id, (stem || 'ff')::uuid AS trigger_id, md5(n || 's')::uuid AS subscriber_id,
                (stem || '01')::uuid AS ended, (stem || '02')::uuid AS opened FROM made
       ), triggers AS (
         INSERT INTO trigger (id, environment_id, workflow_id, workflow_version, transaction_id, fingerprint,
                              recipients, payload)
         SELECT trigger_id, $4, $5, 1, 'txn_' || trigger_id, '\\x', '[]', jsonb_build_object('n', n) FROM rows
       ), notifications AS (
         INSERT INTO notification (id, environment_id, trigger_id, workflow_id, subscriber_id, channels)
         SELECT id, $4, trigger_id, $5, subscriber_id, '{email}' FROM rows
       ), steps AS (
         INSERT INTO step (id, environment_id, state, type, step_key)
         SELECT ended, $4, CASE n % 50 WHEN 0 THEN 'failed' ELSE 'completed' END, 'email', 'first' FROM rows
       )
       INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, workflow_id, type, step_key,
                         is_delayed, due_at, waits_for)
       SELECT opened, $4, trigger_id, id, subscriber_id, $5, CASE n % 2 WHEN 0 THEN 'email' ELSE 'delay' END, 'second',
              n % 2 = 1, now() + CASE n % 2 WHEN 0 THEN -1 ELSE 30 END * interval '1 day', CASE n % 2 WHEN 1 THEN $5::uuid END
         FROM rows`,
      [now, WEEKS * WEEK, NOTIFICATIONS, environmentId, workflowId],
    );
    await test.database.query('ANALYZE work, trigger, notification, step');
    const rows = await test.database.rows<{ id: NotificationId }>(
      `SELECT id FROM notification ORDER BY id DESC LIMIT ${NAMED}`,
    );
    ids = rows.map(({ id }) => id);
    database = new ExplainingDatabase(test.dataSource);
  });
  afterAll(() => test.drop());

  type Case = [
    title: string,
    by: 'tenant' | 'idle' | 'service',
    bound: { work: number; weeks: number },
    use: () => Promise<unknown>,
  ];

  /** Runs the work and rolls it back; returns the plans of its statements. */
  async function explain(by: Case[1], use: () => Promise<unknown>): Promise<Explained[]> {
    database.explained.length = 0;
    const done = new Error('done');
    const inTransaction = () =>
      database.transaction(async () => {
        await use();
        throw done;
      });
    const tenant = by === 'idle' ? idle : environmentId;
    const running = by === 'service' ? inTransaction() : database.asTenant(tenant, inTransaction);
    await running.catch((error: unknown) => {
      if (error !== done) throw error;
    });
    expect(database.explained.length).toBeGreaterThan(0);
    return database.explained;
  }

  /** What the plans read: rows of open work, weeks with rows of the history, and whole tables. */
  function readBy(explained: Explained[]): { workRows: number; weeks: number; wholeTables: string[] } {
    const read = explained.flatMap(({ nodes }) => nodes).filter(isRead);
    const ofHistory = read.flatMap((node) => HISTORY.exec(node['Relation Name'] ?? '')?.[1] ?? []);
    return {
      workRows: read.filter(isOfWork).reduce((sum, node) => sum + rowsOf(node), 0),
      weeks: new Set(ofHistory).size,
      wholeTables: read
        .filter((node) => node['Node Type'] === 'Seq Scan' && rowsOfLoop(node) > FEW)
        .map((node) => node['Relation Name']!),
    };
  }

  const stepsOf = (named: NotificationId[]) => named.map((id) => id.replace(/00$/, '02') as StepId);
  const transactionOf = (id: NotificationId) => `txn_${id.replace(/00$/, 'ff')}`;
  const failed = { statuses: ['failed' as const] };
  const plan = (action: 'cancel' | 'replay') =>
    new BulkActionRepository(database).create(environmentId, {
      action,
      ids,
      ...failed,
      perSecond: 1_000,
      hasMore: false,
    });
  const run = async (action: 'cancel' | 'replay', before: () => Promise<unknown> = async () => undefined) => {
    const { id } = await plan(action);
    await before();
    const repository = new BulkActionRepository(database);
    await repository.run(environmentId, id);
    await repository.runNextBatch('steady');
  };
  const activity = (filter: ActivityFilter) =>
    new ActivityRepository(database).list(environmentId, filter, { limit: 20 });
  const day = () => ({ after: new Date(Date.now() - 24 * 3600_000), before: new Date() });
  const notifications = () => new NotificationRepository(database);
  const replays = () => new ReplayRepository(database);
  const stuck = () => new StuckRepository(database);
  const usage = () => new UsageRepository(database);
  const overview = () => new OverviewRepository(database);

  /** Rows of `work` for each of the ids, at most: a statement may read them, lock them and write them. */
  const EACH = 4;
  /** Each open row is read once, and a few are found by skipping. */
  const ONCE = NOTIFICATIONS + 10;
  const ALL = WEEKS + 1;
  const CASES: Case[] = [
    ['plans a cancellation', 'tenant', { work: EACH * NAMED, weeks: 2 }, () => plan('cancel')],
    ['plans a replay', 'tenant', { work: EACH * NAMED, weeks: 2 }, () => plan('replay')],
    [
      'says why the steps of a replay failed',
      'tenant',
      { work: EACH * NAMED, weeks: 2 },
      async () => new BulkActionRepository(database).reasons(environmentId, (await plan('replay')).id),
    ],
    [
      'looks for a channel among the steps of a replay',
      'tenant',
      { work: EACH * NAMED, weeks: 2 },
      async () => new BulkActionRepository(database).hasChannel(environmentId, (await plan('replay')).id, 'push'),
    ],
    ['runs a cancellation', 'service', { work: 2 * EACH * NAMED, weeks: 2 }, () => run('cancel')],
    [
      'says why a cancellation changed nothing',
      'service',
      { work: 2 * EACH * NAMED, weeks: 2 },
      () => run('cancel', () => database.execute(`DELETE FROM work WHERE id = ANY ($1::uuid[])`, [stepsOf(ids)])),
    ],
    ['runs a replay', 'service', { work: 2 * EACH * NAMED, weeks: 2 }, () => run('replay')],
    [
      'cancels a transaction',
      'tenant',
      { work: EACH, weeks: 2 },
      () => new TriggerRepository(database).cancel(environmentId, transactionOf(ids[0]!)),
    ],
    [
      'counts a replay',
      'tenant',
      { work: NAMED, weeks: 2 },
      () => replays().count(environmentId, { ids, ...failed }, 50),
    ],
    [
      'replays',
      'tenant',
      { work: NAMED, weeks: 2 },
      () => replays().replay(environmentId, { ids, ...failed }, { limit: 50, perSecond: 10, offset: 0 }),
    ],
    ['finds a notification', 'tenant', { work: EACH, weeks: 2 }, () => notifications().find(environmentId, ids[0]!)],
    [
      'lists notifications',
      'tenant',
      { work: 21 * EACH, weeks: 2 },
      () => notifications().list(environmentId, {}, { offset: 0, limit: 20 }),
    ],
    [
      'sums a transaction up',
      'tenant',
      { work: EACH, weeks: 2 },
      () => notifications().summary(environmentId, transactionOf(ids[0]!)),
    ],
    ['lists the activity', 'tenant', { work: 21 * EACH, weeks: 2 }, () => activity({})],
    ['lists what is in flight', 'tenant', { work: 100 * EACH, weeks: 2 }, () => activity({ outcomes: ['in_flight'] })],
    ['lists failures', 'tenant', { work: EACH * NOTIFICATIONS, weeks: ALL }, () => activity({ outcomes: ['failed'] })],
    [
      'lists by a value of the payload',
      'tenant',
      { work: 100, weeks: 2 },
      () => activity({ payload: { path: ['n'], value: '7' }, after: new Date(Date.now() - 24 * 3600_000) }),
    ],
    [
      'groups errors',
      'tenant',
      { work: EACH * NOTIFICATIONS, weeks: 2 },
      () => new ActivityRepository(database).groups(environmentId, { after: new Date(Date.now() - 24 * 3600_000) }),
    ],
    [
      'finds by an id',
      'tenant',
      { work: EACH, weeks: 2 },
      () => new LookupRepository(database).find(environmentId, ids[0]!),
    ],
    [
      'claims steps',
      'service',
      { work: NAMED, weeks: 2 },
      () => new StepClaimRepository(database).claimChannel('email', stepsOf(ids)),
    ],
    [
      'claims timers',
      'service',
      { work: NAMED, weeks: 2 },
      () => new StepClaimRepository(database).claimTimers(stepsOf(ids)),
    ],
    ...(['rollups', 'rows'] as const).map((by): Case => [
      `audits a day by ${by}`,
      'service',
      { work: EACH * (NOTIFICATIONS / WEEKS), weeks: 2 },
      () => new AuditRepository(database).range([environmentId], day(), 5, by),
    ]),
    ['releases what was held', 'service', { work: 0, weeks: 0 }, () => new HoldRepository(database).release()],
    // Half of the rows wait for the account. A lane of it has its next thousand released.
    [
      'releases steps that wait for an account',
      'service',
      { work: EACH * 1_000, weeks: 0 },
      () => new SweepRepository(database).releaseWaiting(),
    ],
    ...(['steps', 'environments', 'triggers', 'held', 'webhooks', 'mirrors'] as const).map((figure): Case => [
      `measures the backlog (${figure})`,
      'service',
      { work: ONCE, weeks: 0 },
      () => new LagRepository(database)[figure](),
    ]),
    [
      'sees whether work is on offer',
      'service',
      { work: ONCE, weeks: 0 },
      async () => {
        await new LagRepository(database).hasStepsOnOffer(['email']);
        await new LagRepository(database).hasTriggersOnOffer();
      },
    ],
    // The rows that are shown are read again, as a whole.
    ['lists what is stuck', 'service', { work: ONCE + 20, weeks: 2 }, () => stuck().read(undefined, 60, 20)],
    [
      'says what a notification waits for',
      'service',
      { work: EACH, weeks: 2 },
      () => stuck().ofNotification(environmentId, ids[0]!),
    ],
    ['groups what is tried again', 'service', { work: ONCE, weeks: 0 }, () => stuck().retried(undefined)],
    ...USAGE_GROUPS.map((by): Case => [
      `counts the use by ${by}`,
      'service',
      { work: ONCE, weeks: 2 },
      () => usage().read(by, undefined, 20),
    ]),
    [
      'finds the environments with failures and with use',
      'service',
      { work: 0, weeks: 0 },
      async () => {
        await usage().withFailures(undefined, day().after);
        await usage().active(undefined, day().after);
      },
    ],
    // The rows of another environment.
    [
      'looks at the work of an environment that has none',
      'service',
      { work: 2 * EACH * (USAGE_GROUPS.length + 2), weeks: 2 },
      async () => {
        await stuck().read([idle], 60, 20);
        await stuck().retried([idle]);
        for (const by of USAGE_GROUPS) await usage().read(by, [idle], 20);
      },
    ],
    ['reads the figures of a day', 'idle', { work: EACH, weeks: 0 }, () => overview().figures(idle, day(), 60)],
    [
      'reads what integrations did in a day',
      'tenant',
      { work: 0, weeks: 2 },
      () => overview().integrations(environmentId, day().after, day().after),
    ],
    [
      'reads replayed failures and workflows of a day',
      'tenant',
      { work: 0, weeks: 2 },
      async () => {
        await overview().replayedFailures(environmentId, day());
        await overview().workflows(environmentId, day());
      },
    ],
  ];

  it.each(CASES)('%s without reading more than it needs', async (_title, by, { work, weeks }, use) => {
    const { workRows, ...read } = readBy(await explain(by, use));
    expect({ ...read, isBounded: workRows <= work, workRows }).toEqual({
      isBounded: true,
      workRows,
      weeks: Math.min(read.weeks, weeks),
      wholeTables: [],
    });
  });
});
