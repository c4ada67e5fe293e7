import {
  type EnvironmentId,
  LIMITS,
  newId,
  type NotificationId,
  stepIdOf,
  type SubscriberRowId,
} from '@clarion/contracts/core';
import {
  type ActivityFilter,
  ActivityRepository,
  MessageRepository,
  NotificationRepository,
} from '@clarion/persistence';
import {
  type BuiltNotification,
  createTestDatabase,
  type GivenStep,
  insertEnvironment,
  insertExecutionDetails,
  insertMessages,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type TestDatabase,
} from '@clarion/testing';

const PAGE = { offset: 0, limit: 10 };
const at = (second: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, second));

describe('the activity of steps that are open and of steps that have ended', () => {
  let test: TestDatabase;
  let notifications: NotificationRepository;
  let environmentId: EnvironmentId;

  beforeAll(async () => {
    test = await createTestDatabase();
    notifications = new NotificationRepository(test.database);
  });
  beforeEach(async () => {
    environmentId = await insertEnvironment(test.database);
  });
  afterAll(() => test.drop());

  const notify = async (steps: GivenStep[], more: Partial<BuiltNotification> = {}): Promise<BuiltNotification> => {
    const { id: workflowId } = await insertWorkflow(test.database, { environmentId });
    const [row] = await insertNotifications(test.database, [
      { environmentId, workflowId, subscriberId: newId<SubscriberRowId>(), ...more },
    ]);
    await insertSteps(test.database, row!, steps);
    return row!;
  };
  const shown = async ({ id }: BuiltNotification) => (await notifications.find(environmentId, id))!.record;
  const statesOf = async (row: BuiltNotification) => (await shown(row)).steps.map(({ state }) => state);

  const FILTERS: ActivityFilter[] = [
    {},
    { outcomes: ['failed'] },
    { outcomes: ['failed'], topicKey: 'news', after: at(0), before: new Date(Date.UTC(2100)) },
    { outcomes: ['failed', 'delivered'], channels: ['email'], reason: 'bounced' },
    { channels: ['email'], workflowIds: ['welcome'], severity: ['high'] },
    { topicKey: 'news' },
    { transactionIds: ['order-1'], outcomes: ['failed'] },
    { subscriber: 'ada@example.com' },
    { payload: { path: ['order', 'id'], value: '1' } },
  ];
  it.each(FILTERS)('lists environments together as it lists each: %j', async (filter) => {
    const ids = [environmentId, await insertEnvironment(test.database), await insertEnvironment(test.database)];
    for (const own of ids.slice(0, 2)) {
      const subscriberId = newId<SubscriberRowId>();
      await test.database.execute(
        `INSERT INTO subscriber (id, environment_id, subscriber_id, email) VALUES ($1, $2, 'ada', 'ada@example.com')`,
        [subscriberId, own],
      );
      const steps = [{ type: 'email' as const }];
      const workflow = await insertWorkflow(test.database, { environmentId: own, workflowId: 'welcome', steps });
      const shared = {
        transactionId: 'order-1',
        payload: { order: { id: 1 } },
        topicKeys: ['news'],
        severity: 'high' as const,
      };
      const [row] = await insertNotifications(test.database, [
        { ...shared, environmentId: own, workflowId: workflow.id, subscriberId },
      ]);
      await insertSteps(test.database, row!, [{ state: 'failed', error: { message: 'bounced' } }]);
    }
    const activity = new ActivityRepository(test.database);
    const each = await Promise.all(ids.map((id) => activity.list(id, filter, { limit: 10 })));
    expect(each.map(({ rows }) => rows.length)).toEqual([1, 1, 0]);
    expect(await activity.lists(ids, filter, { limit: 10 })).toEqual(each);
  });

  describe('rows with long reasons', () => {
    const REASON = 'x'.repeat(100_000);
    const ROWS = 60;
    const PAGE_LENGTH = LIMITS.pageBytes / REASON.length;
    let activity: ActivityRepository;
    let ids: NotificationId[];

    beforeEach(async () => {
      activity = new ActivityRepository(test.database);
      const { id: workflowId } = await insertWorkflow(test.database, { environmentId });
      const subscriberId = newId<SubscriberRowId>();
      const given = Array.from({ length: ROWS }, () => ({ environmentId, workflowId, subscriberId }));
      const rows = await insertNotifications(test.database, given);
      for (const row of rows) {
        await insertSteps(test.database, row, [{ state: 'failed', error: { message: REASON } }]);
      }
      ids = rows.map(({ id }) => id).toReversed();
    });

    it('limits a page of the list in bytes, and goes on behind it', async () => {
      const found: NotificationId[] = [];
      for (let cursor: NotificationId | undefined; ;) {
        const { rows, next } = await activity.list(environmentId, {}, { limit: 50, cursor });
        expect(rows.length).toBeLessThan(PAGE_LENGTH);
        found.push(...rows.map(({ id }) => id));
        if (next === null) break;
        cursor = next;
      }
      expect(found).toEqual(ids);
    });

    it('cuts the reasons in lists and news of several environments', async () => {
      const [list] = await activity.lists([environmentId, await insertEnvironment(test.database)], {}, { limit: 60 });
      const [news] = await activity.news([{ environmentId, since: newId(), watched: ids }]);
      for (const rows of [list!.rows, news!.rows]) {
        expect(rows.map(({ id }) => id)).toEqual(ids);
        expect(new Set(rows.map(({ steps }) => steps![0]!.reason!.length))).toEqual(new Set([301]));
      }
    });

    it('shares the bytes of a page between the environments of a list or of news', async () => {
      await test.database.execute(`UPDATE notification SET topic_keys = $2 WHERE environment_id = $1`, [
        environmentId,
        [REASON],
      ]);
      const other = await insertEnvironment(test.database);
      const [list] = await activity.lists([environmentId, other], {}, { limit: ROWS });
      const [news] = await activity.news(
        [environmentId, other].map((id) => ({ environmentId: id, since: newId(), watched: ids })),
      );
      for (const rows of [list!.rows, news!.rows]) {
        expect(rows.length).toBeGreaterThan(0);
        expect(rows.length).toBeLessThan(PAGE_LENGTH / 2);
        expect(rows.map(({ id }) => id)).toEqual(ids.slice(0, rows.length));
      }
      expect(list!.next).toBe(list!.rows.at(-1)!.id);
    });

    it('ends the search for all ids when it had to look at too many notifications', async () => {
      const [searched, total] = [
        jest.replaceProperty(LIMITS as { searchedHistory: number }, 'searchedHistory', 10),
        jest.replaceProperty(LIMITS as { bulkActionSearch: number }, 'bulkActionSearch', 30),
      ];
      try {
        expect(await activity.ids(environmentId, { reason: 'none' }, 100)).toBeUndefined();
        expect(await activity.ids(environmentId, { reason: 'xx' }, 15)).toEqual({
          ids: ids.slice(0, 15),
          hasMore: true,
        });
        total.replaceValue(80);
        expect(await activity.ids(environmentId, { reason: 'none' }, 100)).toEqual({ ids: [], hasMore: false });
      } finally {
        searched.restore();
        total.restore();
      }
    });
  });

  it('shows ended, open and later steps in the order of the workflow', async () => {
    const row = await notify([
      { state: 'completed' },
      { state: 'skipped' },
      { state: 'running', type: 'sms', providerId: 'twilio' },
      { state: 'pending', type: 'push', stepKey: 'third' },
      { state: 'pending', type: 'email' },
    ]);
    expect(await statesOf(row)).toEqual(['completed', 'skipped', 'running', 'pending', 'pending']);
    const { steps } = await shown(row);
    expect(steps[2]).toMatchObject({ type: 'sms', providerId: 'twilio', notificationId: row.id });
    expect(steps[3]).toMatchObject({ id: stepIdOf(row.id, 3), type: 'push', stepKey: 'third', digest: null });
  });

  it('shows a claimed step as queued when its lease has ended or its fence has moved on', async () => {
    const row = await notify([{ state: 'running' }]);
    expect(await statesOf(row)).toEqual(['running']);
    await test.database.query(`UPDATE work SET fence = fence + 1 WHERE notification_id = $1`, [row.id]);
    expect(await statesOf(row)).toEqual(['queued']);
    await test.database.query(
      `UPDATE work SET claim_id = (SELECT id FROM claim WHERE first_id = work.id) WHERE notification_id = $1`,
      [row.id],
    );
    expect(await statesOf(row)).toEqual(['running']);
    await test.database.query(`UPDATE claim SET lease_until = now()`);
    expect(await statesOf(row)).toEqual(['queued']);
  });

  it('shows a delayed step as delayed with its digest, also while it is claimed', async () => {
    const digest = { type: 'regular', amount: 5 };
    const row = await notify([{ state: 'delayed', type: 'digest', digest, scheduleExtensionsCount: 2 }]);
    expect((await shown(row)).steps).toMatchObject([{ state: 'delayed', digest, scheduleExtensionsCount: 2 }]);
  });

  it('shows a step that runs again as open, with the details of its first run', async () => {
    const details = [{ d: 'Unexpected provider error', s: 'Failed' as const }];
    const row = await notify([
      { state: 'failed', details },
      { state: 'canceled', details },
    ]);
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, notification_id, type, step_key, later_steps)
       VALUES ($1, $2, $3, $4, 'email', 'email-0', '[[1, "email-1", "email"]]')`,
      [stepIdOf(row.id, 0), environmentId, row.triggerId, row.id],
    );
    expect(await statesOf(row)).toEqual(['queued', 'pending']);
    expect((await shown(row)).details).toHaveLength(2);
    const failed = await notifications.list(environmentId, { statuses: ['failed', 'canceled'] }, PAGE);
    expect(failed.rows).toEqual([]);
  });

  it('lists implied, stored and packed details with stable ids, in the order of their times', async () => {
    const row = await notify([
      {
        state: 'completed',
        queuedAt: at(1),
        endedAt: at(3),
        details: [
          { d: 'Provider was selected', s: 'Pending', p: 'sendgrid' },
          { d: 'Message sent', m: true, t: true, o: 'Webhook', r: '{}' },
        ],
      },
      { state: 'queued', queuedAt: at(4) },
    ]);
    const [first, second] = [stepIdOf(row.id, 0), stepIdOf(row.id, 1)];
    const about = { environmentId, notificationId: row.id, stepId: first };
    await insertExecutionDetails(test.database, [
      { ...about, detail: 'late', id: newId(), createdAt: at(5) },
      { ...about, detail: 'wait', id: newId(), createdAt: at(2) },
    ]);
    const { details } = await shown(row);
    expect(details.map(({ detail, stepId, createdAt }) => [detail, stepId, createdAt])).toEqual([
      ['Step queued', first, at(1)],
      ['wait', first, at(2)],
      ['Provider was selected', first, at(3)],
      ['Message sent', first, at(3)],
      ['Step queued', second, at(4)],
      ['late', first, at(5)],
    ]);
    expect(details[0]).toMatchObject({ status: 'Pending', source: 'Internal', isRetry: false, messageId: null });
    expect(details[2]).toMatchObject({ status: 'Pending', providerId: 'sendgrid', messageId: null, raw: null });
    expect(details[3]).toMatchObject({
      status: 'Success',
      source: 'Webhook',
      isRetry: true,
      messageId: first,
      raw: '{}',
    });
    expect(details.map(({ id }) => id)).toEqual((await shown(row)).details.map(({ id }) => id));
    expect(new Set(details.map(({ id }) => id)).size).toBe(6);
  });

  it('filters by the state of open and later steps, and by implied and packed details', async () => {
    const open = await notify([
      { state: 'delayed', queuedAt: at(1) },
      { state: 'pending', type: 'sms' },
    ]);
    const ended = await notify([{ state: 'failed', details: [{ d: 'Layout not found', s: 'Failed' }] }]);
    const idsOf = async (filter: object) =>
      (await notifications.list(environmentId, filter, PAGE)).rows.map(({ id }) => id);
    expect(await idsOf({ statuses: ['delayed'] })).toEqual([open.id]);
    expect(await idsOf({ statuses: ['pending'] })).toEqual([open.id]);
    expect(await idsOf({ statuses: ['queued', 'running'] })).toEqual([]);
    expect(await idsOf({ detail: 'step QUEUED' })).toEqual([open.id]);
    expect(await idsOf({ detail: 'layout' })).toEqual([ended.id]);
    expect(await idsOf({ detail: 'layout', statuses: ['delayed'] })).toEqual([]);
  });

  it('counts open and later steps in the summary, and shows the state of the trigger', async () => {
    const row = await notify([
      { state: 'completed' },
      { state: 'running', type: 'sms' },
      { state: 'pending', type: 'push' },
    ]);
    const summary = () => notifications.summary(environmentId, row.transactionId);
    const lines = [
      { type: 'email', state: 'completed', reason: null, count: 1 },
      { type: 'push', state: 'pending', reason: null, count: 1 },
      { type: 'sms', state: 'running', reason: null, count: 1 },
    ];
    expect(await summary()).toMatchObject({ state: 'done', notifications: 1, recipients: 1, lines });
    await test.database.query(
      `INSERT INTO work (id, environment_id, trigger_id, type) VALUES ($1, $2, $1, 'trigger')`,
      [row.triggerId, environmentId],
    );
    expect(await summary()).toMatchObject({ state: 'accepted', lines });
    await test.database.query(`UPDATE work SET progress = '{"cursor": {}}' WHERE id = $1`, [row.triggerId]);
    expect(await summary()).toMatchObject({ state: 'running' });
    await test.database.query(`DELETE FROM work WHERE id = $1`, [row.triggerId]);
    await test.database.query(`UPDATE trigger SET outcome = 'canceled' WHERE id = $1`, [row.triggerId]);
    expect(await summary()).toMatchObject({ state: 'canceled' });
  });

  describe('transactions by id', () => {
    const found = async (transactionId: string) =>
      (await notifications.list(environmentId, { transactionIds: [transactionId] }, PAGE)).rows.map(({ id }) => id);

    it('finds the transaction of an id that the gateway made, and of one that a caller chose', async () => {
      const [ours, theirs] = [await notify([]), await notify([], { transactionId: 'chosen' })];
      expect(ours.transactionId).toBe(`txn_${ours.triggerId}`);
      expect(await found(ours.transactionId)).toEqual([ours.id]);
      expect(await found('chosen')).toEqual([theirs.id]);
      expect(await found(`txn_${theirs.triggerId}`)).toEqual([]);
      expect(await found('txn_nonsense')).toEqual([]);
    });

    it('finds the event of a caller who chose an id of the form that the gateway makes', async () => {
      const transactionId = `txn_${newId()}`;
      const triggerId = newId() as never;
      const row = await notify([], { transactionId, triggerId });
      expect(row.triggerId).toBe(triggerId);
      expect(await found(transactionId)).toEqual([row.id]);
    });

    it('finds no transaction of another environment', async () => {
      const row = await notify([]);
      const elsewhere = await insertEnvironment(test.database);
      const { rows } = await notifications.list(elsewhere, { transactionIds: [row.transactionId] }, PAGE);
      expect(rows).toEqual([]);
      expect(await notifications.summary(elsewhere, row.transactionId)).toBeUndefined();
    });

    it('deletes the messages of a transaction that the gateway made', async () => {
      const messages = new MessageRepository(test.database);
      const [one, two] = await insertMessages(test.database, [
        { environmentId, subscriberId: newId() },
        { environmentId, subscriberId: newId() },
      ]);
      expect(await messages.deleteTransaction(environmentId, one!.transactionId)).toHaveLength(1);
      const { rows } = await messages.list(environmentId, {}, PAGE);
      expect(rows.map(({ id }) => id)).toEqual([two!.id]);
    });
  });

  it('reads the messages of one notification only', async () => {
    const row = await notify([{ state: 'completed' }, { state: 'completed' }]);
    const about = { environmentId, subscriberId: row.subscriberId, channel: 'email' as const };
    const [, mine] = await insertMessages(test.database, [
      about,
      { ...about, stepId: stepIdOf(row.id as NotificationId, 1), createdAt: new Date(row.createdAt.getTime() + 5) },
    ]);
    const { notification } = (await notifications.find(environmentId, row.id))!;
    expect((await notifications.messages(environmentId, notification)).map(({ id }) => id)).toEqual([mine!.id]);
  });
});
