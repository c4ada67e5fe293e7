import {
  type EnvironmentId,
  LIMITS,
  newId,
  type NotificationId,
  type StepId,
  type SubscriberRowId,
} from '@clarion/contracts/core';
import { type Database, DigestRepository, NotificationRepository, StepClaimRepository } from '@clarion/persistence';
import {
  createTestDatabase,
  insertEnvironment,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';

describe('NotificationRepository', () => {
  let test: TestDatabase;
  let environmentId: EnvironmentId;

  beforeAll(async () => {
    test = await createTestDatabase();
  });
  beforeEach(async () => {
    environmentId = await insertEnvironment(test.database);
  });
  afterAll(() => test.drop());

  /** An open digest window and a second notification whose digest step is about to join it. */
  async function aboutToJoin(): Promise<{ opened: NotificationId; joining: NotificationId; join(): Promise<void> }> {
    const { database } = test;
    const subscriberId = newId<SubscriberRowId>();
    const workflow = await insertWorkflow(database, { environmentId, steps: [{ type: 'digest' }, { type: 'email' }] });
    const claims = new StepClaimRepository(database);
    const digests = new DigestRepository(database);
    const begin = async () => {
      const [row] = await insertNotifications(database, [{ environmentId, subscriberId, workflowId: workflow.id }]);
      const [digest] = await insertSteps(database, row!, [
        { type: 'digest', state: 'queued', dueAt: new Date(Date.now() - 1_000) },
        { type: 'email', state: 'pending' },
      ]);
      return { id: row!.id as NotificationId, stepId: digest!.id as StepId };
    };
    const join = async ({ id, stepId }: { id: NotificationId; stepId: StepId }): Promise<void> => {
      const [step] = await claims.claimTimers([stepId]);
      await digests.join([
        {
          id: stepId,
          fence: step!.fence,
          environmentId,
          workflowId: workflow.id,
          stepKey: 'digest-0',
          subscriberId,
          notificationId: id,
          digestKey: '',
          dueAt: new Date(Date.now() + 60_000).toISOString(),
          digest: {},
        },
      ]);
    };
    const opened = await begin();
    await join(opened);
    const joining = await begin();
    return { opened: opened.id, joining: joining.id, join: () => join(joining) };
  }

  /** A repository whose first statement is followed by a commit of another process. */
  function committingAfterFirstStatement(commit: () => Promise<void>): NotificationRepository {
    let committed = false;
    const database = Object.create(test.database) as Database;
    database.query = async <Row>(sql: string, parameters?: unknown[]): Promise<Row[]> => {
      const rows = await test.database.query<Row>(sql, parameters);
      if (!committed) await commit();
      committed = true;
      return rows;
    };
    return new NotificationRepository(database);
  }

  it('lists notifications, steps and details of one snapshot when a digest is joined during the read', async () => {
    const { joining, join } = await aboutToJoin();
    const notifications = committingAfterFirstStatement(join);
    const { rows, record } = await notifications.list(environmentId, {}, { offset: 0, limit: 10 });
    const row = rows.find(({ id }) => id === joining)!;
    const steps = record.steps.filter(({ notificationId }) => notificationId === joining);
    const details = record.details.filter(({ notificationId }) => notificationId === joining);
    expect({
      digestedInto: row.digestedNotificationId,
      states: steps.map(({ state }) => state),
      details: details.map(({ detail }) => detail),
    }).toEqual({ digestedInto: null, states: ['queued', 'pending'], details: [] });
  });

  it('finds a notification, its steps and details in one snapshot when a digest is joined during the read', async () => {
    const { joining, join } = await aboutToJoin();
    const found = await committingAfterFirstStatement(join).find(environmentId, joining);
    expect(found!.notification.digestedNotificationId).toBeNull();
    expect(found!.record.steps.map(({ state }) => state)).toEqual(['queued', 'pending']);
    expect(found!.record.details).toEqual([]);
  });

  it('shows the notification that a merged step went into, with the step and its detail', async () => {
    const { opened, joining, join } = await aboutToJoin();
    await join();
    const found = await new NotificationRepository(test.database).find(environmentId, joining);
    expect(found!.notification.digestedNotificationId).toBe(opened);
    expect(found!.record.steps).toMatchObject([
      { stepKey: 'digest-0', state: 'merged', updatedAt: expect.any(Date) },
      { stepKey: 'email-1', state: 'merged' },
    ]);
    expect(found!.record.details).toMatchObject([
      { detail: 'Digest was merged with other digest', isRetry: false, createdAt: expect.any(Date) },
    ]);
  });

  it('lists details in the order in which they were written', async () => {
    const { opened } = await aboutToJoin();
    const { record } = await new NotificationRepository(test.database).list(environmentId, {}, { offset: 0, limit: 1 });
    expect(record.details).toEqual([]);
    const older = await new NotificationRepository(test.database).list(environmentId, {}, { offset: 1, limit: 1 });
    expect(older.rows.map(({ id }) => id)).toEqual([opened]);
    expect(older.record.details.map(({ detail }) => detail)).toEqual(['Step digested']);
  });

  it('leaves out what details were about when that is larger than a page', async () => {
    const { opened } = await aboutToJoin();
    const [details, bytes] = [10, Math.floor(LIMITS.pageBytes / 5.5)];
    await test.database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, source, raw)
       SELECT uuid_v7(), $1, $2, $2, 'Pending', 'Large', 'Internal', repeat('x', $4) FROM generate_series(1, $3)`,
      [environmentId, opened, details, bytes],
    );
    const found = await new NotificationRepository(test.database).find(environmentId, opened);
    const raws = found!.record.details.filter(({ detail }) => detail === 'Large').map(({ raw }) => raw!);
    expect(raws.map(({ length }) => length === bytes)).toEqual(Array.from({ length: details }, (_, at) => at < 5));
    expect(raws.at(-1)).toBe('{"leftOut":true}');
  });
});
