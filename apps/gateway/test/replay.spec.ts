import {
  newId,
  type NotificationDto,
  type ReplayResultDto,
  type SubscriberRowId,
  toNotificationId,
} from '@clarion/contracts';
import type { ExecutionDetail, LaterStep, Step, WorkProgress } from '@clarion/persistence';
import { openQueue, type StepsJob } from '@clarion/queue';
import {
  type BuiltNotification,
  type BuiltStep,
  type GivenStep,
  insertExecutionDetails,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type WorkflowRow,
  until,
} from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

describe('POST /v1/notifications/replay', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let subscriberId: SubscriberRowId;

  beforeAll(async () => {
    gateway = await startGateway();
    workflow = await insertWorkflow(gateway.database, { environmentId: gateway.environmentId });
    const { body } = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ann', email: 'ann@x.test' });
    subscriberId = body['_id'] as SubscriberRowId;
  });
  afterAll(() => gateway.close());
  // Every test inserts the notifications that it needs.
  beforeEach(() => gateway.database.query('DELETE FROM notification'));
  beforeEach(() => gateway.database.query('DELETE FROM step'));
  beforeEach(() => gateway.database.query('DELETE FROM work'));

  const replay = (body: object, headers?: Record<string, string>) =>
    gateway.call<ReplayResultDto>('POST', '/v1/notifications/replay', body, headers);

  /** Inserts a notification with these steps. A failed step has the columns that a worker writes. */
  async function notify(
    states: (Step['state'] | GivenStep)[],
    more: Partial<BuiltNotification> = {},
  ): Promise<{ notification: BuiltNotification; steps: BuiltStep[] }> {
    const [notification] = await insertNotifications(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId, workflowId: workflow.id, ...more },
    ]);
    const rows = states.map((given): GivenStep => {
      const step = typeof given === 'string' ? { state: given } : given;
      if (step.state !== 'failed') return step;
      return { error: { message: 'no' }, integrationId: newId(), scheduleExtensionsCount: 2, ...step };
    });
    return { notification: notification!, steps: await insertSteps(gateway.database, notification!, rows) };
  }

  /** The open steps among these. */
  const work = (ids: string[]) =>
    gateway.database.rows<{
      id: string;
      inSeconds: number;
      offeredAt: Date | null;
      laterSteps: LaterStep[] | null;
      progress: WorkProgress | null;
    }>(
      `SELECT *, round(extract(epoch FROM due_at - updated_at))::int AS in_seconds FROM work WHERE id = ANY ($1)
        ORDER BY id`,
      [ids],
    );
  /** The states that the activity shows, in the order of the ids. */
  const states = async (ids: string[]) => {
    const shown = await Promise.all(
      [...new Set(ids.map(toNotificationId))].map((id) =>
        gateway.call<NotificationDto>('GET', `/v1/notifications/${id}`),
      ),
    );
    const stateOf = new Map(shown.flatMap(({ body }) => body.jobs!.map((job) => [job._id, job.status])));
    return ids.map((id) => stateOf.get(id));
  };
  const details = (stepId: string) =>
    gateway.database.rows<ExecutionDetail>('SELECT * FROM execution_detail WHERE step_id = $1 ORDER BY id', [stepId]);
  const addDetail = (step: BuiltStep, detail: string) =>
    insertExecutionDetails(gateway.database, [
      { environmentId: gateway.environmentId, notificationId: step.notificationId, stepId: step.id, detail },
    ]);
  const idsOf = (...made: { steps: BuiltStep[] }[]) => made.flatMap(({ steps: own }) => own.map(({ id }) => id)).sort();

  it('counts the matching steps and changes nothing unless dryRun is false', async () => {
    const first = await notify(['failed', 'failed', 'completed']);
    const second = await notify(['failed', 'canceled']);
    const { status, body } = await replay({ perSecond: 2 });
    expect(status).toBe(200);
    expect(body).toEqual({ dryRun: true, matched: 3, notifications: 2, replayed: 0, hasMore: false, seconds: 2 });
    expect(await states(idsOf(first))).toEqual(['failed', 'failed', 'completed']);
    expect(await details(second.steps[0]!.id)).toEqual([]);
  });

  it('queues failed steps again under the same id with reset attempts, and records it', async () => {
    const { notification, steps: made } = await notify(['completed', 'failed', 'completed']);
    const { body } = await replay({ dryRun: false });
    expect(body).toEqual({ dryRun: false, matched: 1, notifications: 1, replayed: 1, hasMore: false, seconds: 1 });
    const [before, failed, after] = made;
    expect(await work([failed!.id])).toEqual([
      expect.objectContaining({
        environmentId: gateway.environmentId,
        triggerId: notification.triggerId,
        notificationId: notification.id,
        subscriberId,
        type: 'email',
        stepKey: failed!.stepKey,
        attempt: 0,
        crashCount: 0,
        claimId: null,
        sendingSince: null,
        queuedAt: null,
        laterSteps: null,
        progress: { hadFailed: true },
        inSeconds: 0,
      }),
    ]);
    expect(await states([before!.id, after!.id])).toEqual(['completed', 'completed']);
    expect(await details(failed!.id)).toEqual([
      expect.objectContaining({ status: 'Pending', detail: 'Step queued', isRetry: true, source: 'Internal' }),
    ]);
    expect(await details(before!.id)).toEqual([]);
  });

  it('gives a step a higher fence than any row that it had before', async () => {
    const { steps: made } = await notify(['failed']);
    await replay({ dryRun: false });
    const [row] = await gateway.database.query<{ fence: number }>('SELECT fence FROM work WHERE id = $1', [
      made[0]!.id,
    ]);
    expect(row!.fence).toBeGreaterThan(1_000_000);
  });

  it('keeps the execution details of the outcome, with their ids, times and order', async () => {
    const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
    const outcome = { queuedAt: at(1), endedAt: at(2) };
    const { notification, steps: made } = await notify([
      {
        ...outcome,
        state: 'failed',
        details: [
          { d: 'Message created', s: 'Pending', m: true, p: 'sendgrid' },
          { d: 'Unexpected provider error', s: 'Failed', o: 'Credentials', r: '{"code":1}', t: true },
        ],
      },
      {
        ...outcome,
        state: 'canceled',
        queuedAt: null,
        details: [{ d: 'Step was canceled because a previous step failed', s: 'Failed' }],
      },
    ]);
    const shown = async () => {
      const { body } = await gateway.call<NotificationDto>('GET', `/v1/notifications/${notification.id}`);
      return body.jobs!.map(({ status, executionDetails }) => ({ status, executionDetails }));
    };
    const [failed, canceled] = await shown();
    expect(failed!.executionDetails.map(({ detail, createdAt }) => [detail, createdAt])).toEqual([
      ['Step queued', at(1).toISOString()],
      ['Message created', at(2).toISOString()],
      ['Unexpected provider error', at(2).toISOString()],
    ]);
    expect((await replay({ dryRun: false })).body).toMatchObject({ replayed: 1 });
    const retry = expect.objectContaining({ detail: 'Step queued', isRetry: true });
    expect(await shown()).toEqual([
      { status: 'queued', executionDetails: [...failed!.executionDetails, retry] },
      { status: 'pending', executionDetails: canceled!.executionDetails },
    ]);
    const [created] = await details(made[0]!.id).then((rows) => rows.filter(({ detail }) => /created/.test(detail)));
    expect(created).toMatchObject({ messageId: made[0]!.id, providerId: 'sendgrid' });
  });

  it('queues a failed step once when the replay is repeated', async () => {
    const { steps: made } = await notify(['failed']);
    expect((await replay({ dryRun: false })).body).toMatchObject({ replayed: 1 });
    expect((await replay({ dryRun: false })).body).toMatchObject({ matched: 0, replayed: 0, seconds: 0 });
    expect(await details(made[0]!.id)).toHaveLength(1);
  });

  it('queues each step once under concurrent replays', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => notify(['failed'])));
    const answers = await Promise.all(Array.from({ length: 5 }, () => replay({ dryRun: false })));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    expect(answers.reduce((sum, { body }) => sum + body.replayed, 0)).toBe(20);
    for (const { steps: own } of made) expect(await details(own[0]!.id)).toHaveLength(1);
  });

  it('replays once under one idempotency key', async () => {
    const { steps: made } = await notify(['failed']);
    const headers = { 'idempotency-key': 'replay-1' };
    const first = await replay({ dryRun: false }, headers);
    const other = await notify(['failed']);
    const second = await replay({ dryRun: false }, headers);
    expect(second.headers.get('idempotency-replay')).toBe('true');
    expect(second.text).toBe(first.text);
    expect(await states([...idsOf({ steps: made }), ...idsOf(other)])).toEqual(['queued', 'failed']);
    expect((await replay({ dryRun: true }, headers)).status).toBe(422);
  });

  it('sets steps that were canceled because of the failure back to pending', async () => {
    const { steps: made } = await notify(['failed', 'failed', 'canceled', 'canceled']);
    const other = await notify(['failed', 'canceled']);
    await addDetail(made[2]!, 'Step was canceled because a previous step failed');
    await addDetail(made[3]!, 'Step filtered by subscriber global preferences');
    await addDetail(other.steps[1]!, 'Step was canceled because a previous step failed');
    await addDetail(other.steps[1]!, 'Step was canceled by request');
    expect((await replay({ dryRun: false })).body).toMatchObject({ replayed: 3 });
    expect(await states(idsOf({ steps: made }))).toEqual(['queued', 'queued', 'pending', 'canceled']);
    expect(await states(idsOf(other))).toEqual(['queued', 'canceled']);
  });

  it('leaves later steps canceled when the step that failed is not replayed', async () => {
    const { steps: made } = await notify(['canceled', 'failed', 'canceled']);
    await addDetail(made[0]!, 'Subscriber missing email address');
    await addDetail(made[2]!, 'Step was canceled because a previous step failed');
    expect((await replay({ dryRun: false, statuses: ['canceled'] })).body).toMatchObject({ replayed: 1 });
    expect(await states(idsOf({ steps: made }))).toEqual(['queued', 'failed', 'canceled']);
  });

  it('replays canceled steps on request, except those canceled by request or by an earlier failure', async () => {
    const reasons = [
      'Subscriber missing email address',
      'Step was canceled by request',
      'Step was canceled because a previous step failed',
    ];
    const made = await Promise.all(reasons.map(() => notify(['canceled'])));
    for (const [index, reason] of reasons.entries()) await addDetail(made[index]!.steps[0]!, reason);
    const failed = await notify(['failed']);
    expect((await replay({ statuses: ['canceled'] })).body).toMatchObject({ matched: 1 });
    expect((await replay({ statuses: ['failed', 'canceled'] })).body).toMatchObject({ matched: 2 });
    expect((await replay({ statuses: ['canceled'], dryRun: false })).body).toMatchObject({ replayed: 1 });
    expect(await Promise.all(made.map(({ steps: own }) => states([own[0]!.id])))).toEqual([
      ['queued'],
      ['canceled'],
      ['canceled'],
    ]);
    expect(await states(idsOf(failed))).toEqual(['failed']);
  });

  it('spreads the steps over time and queues a job for those that are due first', async () => {
    const made = [];
    for (let index = 0; index < 5; index += 1) made.push(await notify(['failed']));
    const options = { prefix: gateway.queuePrefix, onError: () => undefined };
    const { queue, close } = openQueue(gateway.queueBackend, 'deliver.email', options);
    await queue.waitUntilReady();
    try {
      await queue.obliterate({ force: true });
      expect((await replay({ dryRun: false, perSecond: 2 })).body).toMatchObject({ replayed: 5, seconds: 3 });
      const rows = await work(idsOf(...made));
      expect(rows.map(({ inSeconds }) => inSeconds)).toEqual([0, 0, 1, 1, 2]);
      expect(rows.map(({ offeredAt }) => offeredAt !== null)).toEqual([true, true, false, false, false]);
      await until(async () => (await queue.getJobs(['prioritized'])).length > 0);
      const jobs = await queue.getJobs(['prioritized']);
      expect(jobs.map(({ data }) => data as StepsJob)).toEqual([
        { v: 1, stepIds: rows.slice(0, 2).map(({ id }) => id) },
      ]);
    } finally {
      await close();
    }
  });

  it('replays at most 10,000 steps per call and reports that there are more', async () => {
    const { notification } = await notify(['completed'], { transactionId: 'many' });
    const copied = `environment_id, trigger_id, workflow_id, subscriber_id`;
    await gateway.database.query(
      `WITH made AS (
         INSERT INTO notification (id, ${copied})
         SELECT notification_of(uuid_v7()), ${copied} FROM notification, generate_series(1, 10001) WHERE id = $1
         RETURNING *)
       INSERT INTO step (id, environment_id, step_key, type, state)
       SELECT step_id(id, 0), environment_id, 'email', 'email', 'failed' FROM made`,
      [notification.id],
    );
    const body = { transactionId: ['many'], perSecond: 10_000 };
    expect((await replay(body)).body).toMatchObject({ matched: 10_000, notifications: 10_000, hasMore: true });
    expect((await replay({ ...body, dryRun: false })).body).toMatchObject({
      replayed: 10_000,
      hasMore: true,
      seconds: 1,
    });
    expect((await replay({ ...body, dryRun: false })).body).toMatchObject({ replayed: 1, hasMore: false });
  });

  describe('filters of a replay', () => {
    const DAY = 86_400_000;
    let wanted: { notification: BuiltNotification; steps: BuiltStep[] };
    let other: { notification: BuiltNotification; steps: BuiltStep[] };
    let secondWorkflow: WorkflowRow;
    let ben: SubscriberRowId;

    beforeAll(async () => {
      secondWorkflow = await insertWorkflow(gateway.database, {
        environmentId: gateway.environmentId,
        steps: [{ type: 'sms' }],
      });
      const { body } = await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ben', email: 'ben@x.test' });
      ben = body['_id'] as SubscriberRowId;
    });
    beforeEach(async () => {
      const now = Date.now();
      wanted = await notify([{ state: 'failed', type: 'sms' }], {
        transactionId: 'wanted',
        workflowId: secondWorkflow.id,
        subscriberId: ben,
        channels: ['sms'],
        severity: 'high',
        topicKeys: ['news'],
        contextKeys: ['team:red'],
      });
      other = await notify(['failed'], { createdAt: new Date(now - DAY / 2), contextKeys: ['team:blue'] });
    });

    it.each([
      ['ids', () => [wanted.notification.id]],
      ['channels', () => ['sms']],
      ['templates', () => [secondWorkflow.id]],
      ['emails', () => ['ben@x.test']],
      ['subscriberIds', () => ['ben']],
      ['severity', () => ['high']],
      ['transactionId', () => ['wanted']],
      ['topicKey', () => 'news'],
      ['contextKeys', () => ['team:red']],
      ['after', () => new Date(Date.now() - DAY / 4).toISOString()],
    ])('replays only the steps that match %s', async (name, value) => {
      expect((await replay({ [name]: value() })).body).toMatchObject({ matched: 1 });
      expect((await replay({ [name]: value(), dryRun: false })).body).toMatchObject({ replayed: 1 });
      expect(await states([wanted.steps[0]!.id])).toEqual(['queued']);
      expect(await states([other.steps[0]!.id])).toEqual(['failed']);
    });

    it('replays only the steps that match before', async () => {
      const before = new Date(Date.now() - DAY / 4).toISOString();
      expect((await replay({ before, dryRun: false })).body).toMatchObject({ replayed: 1 });
      expect(await states([other.steps[0]!.id])).toEqual(['queued']);
    });
  });

  it('never replays steps of another environment', async () => {
    const { notification, steps: made } = await notify(['failed']);
    const key = await gateway.secondKey();
    const body = { ids: [notification.id], dryRun: false };
    const answer = await callGateway<ReplayResultDto>(gateway.url, key, 'POST', '/v1/notifications/replay', body);
    expect(answer.body).toMatchObject({ matched: 0, replayed: 0 });
    expect(await states(idsOf({ steps: made }))).toEqual(['failed']);
  });

  it.each([
    ['ids', ['x']],
    ['ids', []],
    ['channels', ['fax']],
    ['channels', []],
    ['templates', ['welcome']],
    ['emails', []],
    ['subscriberIds', []],
    ['transactionId', []],
    ['severity', ['loud']],
    ['statuses', ['completed']],
    ['statuses', []],
    ['dryRun', 'no'],
    ['dryRun', null],
    ['perSecond', 0],
    ['perSecond', 1.5],
    ['after', 'yesterday'],
  ])('rejects %s: %j with an error that names the field', async (name, value) => {
    const { steps: made } = await notify(['failed']);
    const { status, body } = await replay({ dryRun: false, [name]: value });
    expect([400, 422]).toContain(status);
    expect(Object.keys((body as unknown as { errors: object }).errors)).toEqual([name]);
    expect(await states(idsOf({ steps: made }))).toEqual(['failed']);
  });
});
