import {
  type ActivityGroupsDto,
  type ActivityListDto,
  EXECUTION_DETAILS,
  LIMITS,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { ActivityRepository } from '@clarion/persistence';
import {
  type BuiltNotification,
  type GivenStep,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  type WorkflowRow,
} from '@clarion/testing';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

const HOUR = 3_600_000;
const { detail: HELD } = EXECUTION_DETAILS.sendingInterruptedHeld;

describe('activity', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let ada: SubscriberDto;
  let bob: SubscriberDto;

  beforeAll(async () => {
    gateway = await startGateway();
    workflow = await insertWorkflow(gateway.database, {
      environmentId: gateway.environmentId,
      workflowId: 'orders',
      name: 'Orders',
      steps: [{ type: 'email' }, { type: 'sms' }, { type: 'in_app' }],
    });
    ada = await subscriber({ subscriberId: 'ada', firstName: 'Ada', email: 'ada@x.test', phone: '+4411111' });
    bob = await subscriber({ subscriberId: 'bob', email: 'bob@x.test' });
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM notification; DELETE FROM step; DELETE FROM work`));

  const subscriber = async (body: object) => (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', body)).body;

  let clock = Date.now() - 3_600_000;
  /** One notification with these steps; each is newer than the one before. */
  async function notify(steps: GivenStep[], fields: Partial<BuiltNotification> = {}): Promise<BuiltNotification> {
    clock += 1_000;
    const [row] = await insertNotifications(gateway.database, [
      {
        environmentId: gateway.environmentId,
        subscriberId: ada._id! as SubscriberRowId,
        workflowId: workflow.id,
        channels: steps.map(({ type }) => type ?? 'email'),
        createdAt: new Date(clock),
        ...fields,
      },
    ]);
    await insertSteps(gateway.database, row!, steps);
    return row!;
  }
  const list = (query = '') => gateway.call<ActivityListDto>('GET', `/v1/activity?${query}`);
  const ids = async (query = '') => (await list(query)).body.data.map(({ _id }) => _id);
  const groups = async (query = '') =>
    (await gateway.call<ActivityGroupsDto>('GET', `/v1/activity/groups?${query}`)).body;

  const sent: GivenStep = { type: 'email', state: 'completed', providerId: 'sendgrid' };
  const failed: GivenStep = {
    type: 'email',
    state: 'failed',
    providerId: 'sendgrid',
    error: { message: 'Mailbox is full' },
    details: [{ d: 'Unexpected provider error', s: 'Failed' }],
  };
  const skipped: GivenStep = { type: 'sms', state: 'skipped', details: [{ d: 'Step filtered by user preferences' }] };
  const held: GivenStep = { type: 'email', state: 'failed', error: { message: HELD } };

  it('shows a light row with the outcome of each channel step', async () => {
    const details = [{ d: 'Unexpected provider error', r: '{"kind":"quota","message":"Mailbox is full"}' }];
    const steps: GivenStep[] = [{ type: 'delay', state: 'completed' }, { ...failed, details }, skipped];
    const row = await notify([...steps, { type: 'in_app' }], {
      transactionId: 'tx-1',
      topicKeys: ['staff'],
      severity: 'high',
      payload: { secret: 'not in the list' },
    });
    const { status, body } = await list();
    expect(status).toBe(200);
    expect(body).toEqual({ data: [expect.any(Object)], hasMore: false, next: null, searched: null, isBounded: false });
    expect(body.data[0]).toEqual({
      _id: row.id,
      createdAt: row.createdAt.toISOString(),
      transactionId: 'tx-1',
      severity: 'high',
      outcome: 'failed',
      workflow: { _id: workflow.id, workflowId: 'orders', name: 'Orders' },
      subscriber: { _id: ada._id, subscriberId: 'ada', name: 'Ada', email: 'ada@x.test' },
      topicKeys: ['staff'],
      steps: [
        expect.objectContaining({
          stepId: 'email-1',
          type: 'email',
          outcome: 'failed',
          status: 'failed',
          providerId: 'sendgrid',
          reason: 'Mailbox is full',
          code: 'quota',
          endedAt: row.createdAt.toISOString(),
        }),
        expect.objectContaining({
          type: 'sms',
          outcome: 'skipped',
          providerId: null,
          reason: 'Step filtered by user preferences',
        }),
        expect.objectContaining({ type: 'in_app', outcome: 'delivered', reason: null }),
      ],
    });
  });

  it.each<[string, string, () => GivenStep[]]>([
    ['in_flight', 'a step is open', () => [failed, { type: 'sms', state: 'queued' }]],
    [
      'in_flight',
      'a step was not reached',
      () => [
        { type: 'delay', state: 'delayed' },
        { ...sent, state: 'pending' },
      ],
    ],
    ['in_doubt', 'a step is held', () => [failed, held, sent]],
    ['failed', 'a step failed', () => [failed, sent, skipped]],
    ['delivered', 'a step was delivered', () => [skipped, sent]],
    ['skipped', 'every step was skipped, canceled or merged', () => [skipped, { ...skipped, state: 'canceled' }]],
  ])('gives a notification the outcome %s when %s', async (outcome, _, steps) => {
    const row = await notify(steps());
    expect((await list()).body.data[0]!.outcome).toBe(outcome);
    expect(await ids(`status=${outcome}`)).toEqual([row.id]);
  });

  it('reads each page with one statement, by a cursor that is the id of the last row', async () => {
    const rows = [];
    for (let index = 0; index < 5; index += 1) rows.unshift((await notify([sent])).id);
    const stop = gateway.watchStatements();
    expect((await list('limit=2')).body.next).toBe(rows[1]);
    expect(stop()).toHaveLength(1);
    expect(await ids(`limit=2&cursor=${rows[1]}`)).toEqual([rows[2], rows[3]]);
    expect((await list(`limit=2&cursor=${rows[3]}`)).body).toMatchObject({ hasMore: false, next: null });
  });

  it('filters by step, workflow, recipient, topic, transaction, severity and time', async () => {
    const plain = await notify([sent]);
    const special = await notify([failed, { type: 'sms', state: 'completed', providerId: 'twilio' }], {
      transactionId: 'tx-special',
      subscriberId: bob._id! as SubscriberRowId,
      topicKeys: ['staff'],
      severity: 'high',
      payload: { order: { id: 42, open: true, 'a.b': 1, items: [{ sku: 'A-1' }] } },
    });
    const after = special.createdAt.toISOString();
    for (const query of [
      'status=failed&status=in_doubt',
      'channel=sms',
      'channel=email&status=failed',
      'channel=sms&status=delivered',
      'providerId=twilio',
      'providerId=sendgrid&reason=mailbox',
      'reason=mailbox%20IS',
      'subscriber=bob',
      'subscriber=bob@x.test',
      'topicKey=staff',
      'transactionId=tx-special',
      'severity=high',
      `after=${after}`,
      'payload=order.id%3D42',
      'payload=order.id%3D42.0',
      'payload=order.open%3Dtrue',
      'payload=order.items.0.sku%3DA-1',
      'payload=42',
      'payload=true',
      'payload=%20A-1%20',
      'workflowId=orders&status=failed',
      'topicKey=staff&status=failed',
    ]) {
      expect({ query, ids: await ids(query) }).toEqual({ query, ids: [special.id] });
    }
    for (const query of [
      'channel=sms&status=failed',
      'payload=order.id%3D43',
      'payload=A',
      'subscriber=bo',
      'workflowId=other',
    ]) {
      expect({ query, ids: await ids(query) }).toEqual({ query, ids: [] });
    }
    expect(await ids('subscriber=%2B4411111')).toEqual([plain.id]);
    expect(await ids('status=delivered')).toEqual([plain.id]);
  });

  it('names the invalid filter', async () => {
    for (const [query, field] of [
      ['payload=order..id%3D1', 'payload'],
      ['payload=%3D1', 'payload'],
      ['cursor=x', 'cursor'],
      ['limit=101', 'limit'],
      ['status=done', 'status'],
    ]) {
      expectFieldErrors(await list(query), [field!]);
    }
  });

  it('says how far a search went, and goes on with it', async () => {
    const old = await notify([failed]);
    const newer = await notify([sent]);
    const limits = LIMITS as { searchedHistory: number };
    const { searchedHistory } = limits;
    try {
      limits.searchedHistory = 1;
      const { body } = await list('reason=mailbox');
      expect(body).toEqual({ data: [], hasMore: true, next: newer.id, searched: 1, isBounded: true });
      expect(await ids(`reason=mailbox&cursor=${body.next}`)).toEqual([old.id]);
      const activity = new ActivityRepository(gateway.database);
      expect(await activity.ids(gateway.environmentId, { reason: 'mailbox' }, 10)).toEqual({
        ids: [old.id],
        hasMore: false,
      });
    } finally {
      limits.searchedHistory = searchedHistory;
    }
  });

  it('groups steps by reason with the people they touch and those reached otherwise', async () => {
    const details = [{ d: 'Unexpected provider error', r: '{"kind":"quota","message":"Mailbox is full"}' }];
    const first = await notify([{ ...failed, details }, { type: 'in_app' }]);
    // A second email is not another channel.
    await notify([{ ...failed, details }, sent], { subscriberId: bob._id! as SubscriberRowId });
    const last = await notify([{ ...failed, details }, skipped]);
    const { data, searched, isBounded } = await groups();
    expect({ searched, isBounded }).toEqual({ searched: 3, isBounded: false });
    expect(data).toEqual([
      {
        errorGroup: expect.stringMatching(/^[0-9a-f]{32}$/),
        reason: 'Mailbox is full',
        code: 'quota',
        outcome: 'failed',
        providerId: 'sendgrid',
        channel: 'email',
        count: 3,
        people: 2,
        reachedOtherwise: 1,
        firstAt: first.createdAt.toISOString(),
        lastAt: last.createdAt.toISOString(),
        sampleNotificationId: last.id,
        isReplayed: false,
        recovered: 0,
        bars: {
          from: first.createdAt.toISOString(),
          until: expect.any(String),
          counts: expect.any(Array),
        },
      },
      expect.objectContaining({ reason: 'Step filtered by user preferences', channel: 'sms', count: 1 }),
    ]);
    expect((await groups('status=failed')).data).toHaveLength(1);
    expect((await groups('status=delivered')).data).toEqual([]);
  });

  it('counts the steps of each part of the range by when they ended', async () => {
    const start = Date.now() - 24 * HOUR;
    const at = (hours: number) => ({ ...failed, endedAt: new Date(start + hours * HOUR) });
    await notify([at(0.5)]);
    await notify([at(0.7)]);
    await notify([at(22.5)]);
    // What ended after the range counts in its last part.
    await notify([at(23.9)]);
    const range = [start, start + 23.5 * HOUR].map((time) => new Date(time).toISOString());
    const { data } = await groups(`after=${range[0]}&before=${range[1]}`);
    expect(data).toHaveLength(1);
    const { from, until, counts } = data[0]!.bars;
    expect([from, until]).toEqual(range);
    expect(counts).toEqual([2, ...Array.from({ length: 21 }, () => 0), 1, 1]);
  });

  it('shows nothing of another environment', async () => {
    await notify([failed]);
    const { key } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
    for (const path of ['', '?status=failed', '/groups']) {
      const { body } = await callGateway<ActivityListDto>(gateway.url, key, 'GET', `/v1/activity${path}`);
      expect(body.data).toEqual([]);
    }
  });
});
