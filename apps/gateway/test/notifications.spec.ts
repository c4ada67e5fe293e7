import {
  AUTHORED_STEP_TYPES,
  type EnvironmentId,
  newId,
  type NotificationDto,
  type NotificationId,
  type NotificationListDto,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { ensurePartitions } from '@clarion/persistence';
import {
  type BuiltNotification,
  insertExecutionDetails,
  insertNotifications,
  insertSteps,
  insertWorkflow,
  newIdAt,
  type WorkflowRow,
} from '@clarion/testing';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

const LAST_WEEKS = new Date(Date.now() - 21 * 24 * 3600 * 1000);
const FILTERS = [
  {
    isNegated: false,
    type: 'GROUP',
    value: 'AND',
    children: [{ field: 'plan', value: 'gold', operator: 'EQUAL', on: 'payload' }],
  },
] as const;

/** Of a step that waits for nothing, and whose record has one time. */
const ENDED = { waitingFor: null, spans: [] };

describe('notifications', () => {
  let gateway: TestGateway;
  let workflow: WorkflowRow;
  let ada: SubscriberDto;
  let bob: SubscriberDto;
  let stranger: { key: string; environmentId: EnvironmentId };

  beforeAll(async () => {
    gateway = await startGateway();
    await ensurePartitions(gateway.database, { from: LAST_WEEKS.getTime() });
    const { environmentId } = gateway;
    workflow = await insertWorkflow(gateway.database, {
      environmentId,
      workflowId: 'welcome',
      name: 'Welcome',
      steps: AUTHORED_STEP_TYPES.map((type) => ({ type })),
    });
    ada = await subscriber({ subscriberId: 'ada', firstName: 'Ada', email: 'Ada@example.com', phone: '+44' });
    bob = await subscriber({ subscriberId: 'bob', email: 'bob@example.com' });
    const other = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
    stranger = { key: other.key, environmentId: other.environment.id };
  });
  afterAll(() => gateway.close());
  afterEach(() => gateway.database.execute(`DELETE FROM notification`));

  const subscriber = async (body: object) => (await gateway.call<SubscriberDto>('POST', '/v2/subscribers', body)).body;
  const insert = (...rows: Partial<BuiltNotification>[]) =>
    insertNotifications(
      gateway.database,
      rows.map((row) => ({
        environmentId: gateway.environmentId,
        subscriberId: ada._id! as SubscriberRowId,
        workflowId: workflow.id,
        ...row,
      })),
    );
  const list = (query = '') => gateway.call<NotificationListDto>('GET', `/v1/notifications?${query}`);
  const retrieve = (id: string) => gateway.call<NotificationDto>('GET', `/v1/notifications/${id}`);
  const asStranger = <T>(path: string) => callGateway<T>(gateway.url, stranger.key, 'GET', path);
  const transactions = ({ data }: NotificationListDto) => data.map(({ transactionId }) => transactionId);
  const at = (minute: number) => new Date(Date.now() - 3600 * 1000 + minute * 60 * 1000);

  describe('GET /v1/notifications/{notificationId}', () => {
    it('shows every field, the jobs in order and their execution details, alone and in the list', async () => {
      const authored = await insertWorkflow(gateway.database, {
        environmentId: gateway.environmentId,
        workflowId: 'orders',
        name: 'Orders',
        origin: 'external',
        steps: [
          {
            id: 'digest-id',
            stepId: 'collect',
            name: 'Collect',
            type: 'digest',
            controlValues: { amount: 5, unit: 'minutes' },
          },
          {
            id: 'email-id',
            stepId: 'mail',
            name: 'Mail',
            type: 'email',
            active: false,
            filters: [...FILTERS].map((filter) => ({ ...filter, children: [...filter.children] })),
            controlValues: { subject: 'Hi' },
            issues: { controls: { body: [{ issueType: 'MISSING_VALUE', message: 'missing' }] } },
            variants: [
              { id: 'variant-id', name: 'Gold', active: true, filters: [], controlValues: { subject: 'Dear' } },
            ],
          },
        ],
      });
      const digestedNotificationId = newId<NotificationId>();
      const [row] = await insert({
        workflowId: authored.id,
        transactionId: 'tx-full',
        channels: ['digest', 'email'],
        to: { subscriberId: 'ada' },
        payload: { order: { id: 7 } },
        overrides: { email: { from: 'x@example.com' } },
        controls: { steps: {} },
        tags: ['billing'],
        topics: [{ _topicId: 'topic-id', topicKey: 'admins' }],
        topicKeys: ['admins'],
        severity: 'high',
        critical: true,
        contextKeys: ['tenant:acme'],
        digestedNotificationId,
        updatedAt: new Date('2030-01-01T00:00:00.000Z'),
      });
      const [email, digest] = await insertSteps(gateway.database, row!, [
        {
          type: 'email',
          stepKey: 'mail',
          position: 1,
          providerId: 'sendgrid',
          state: 'failed',
          endedAt: new Date('2030-01-02T00:00:00.000Z'),
        },
        {
          type: 'digest',
          stepKey: 'collect',
          position: 0,
          state: 'completed',
          digest: { type: 'regular', amount: 5, unit: 'minutes', events: [{ id: 1 }] },
          scheduleExtensionsCount: 2,
        },
      ]);
      const of = (step: { id: string } | undefined) => ({
        environmentId: gateway.environmentId,
        notificationId: row!.id,
        stepId: step!.id,
      });
      const [second, first, finished] = await insertExecutionDetails(gateway.database, [
        {
          ...of(email),
          createdAt: at(2),
          status: 'Failed',
          detail: 'Unexpected provider error',
          source: 'Webhook',
          isRetry: true,
          isTest: true,
          providerId: 'sendgrid',
          raw: '{"code":1}',
        },
        { ...of(email), createdAt: at(1), status: 'Pending', detail: 'Step queued' },
        { ...of(digest), createdAt: at(0), detail: 'Digest triggered events' },
      ]);

      const { status, body } = await retrieve(row!.id.toUpperCase());

      expect(status).toBe(200);
      expect(body).toEqual({
        _id: row!.id,
        _environmentId: gateway.environmentId,
        _organizationId: gateway.organizationId,
        _subscriberId: ada._id,
        transactionId: 'tx-full',
        _templateId: authored.id,
        _digestedNotificationId: digestedNotificationId,
        createdAt: row!.createdAt.toISOString(),
        updatedAt: '2030-01-02T00:00:00.000Z',
        channels: ['digest', 'email'],
        subscriber: { _id: ada._id, subscriberId: 'ada', firstName: 'Ada', email: 'Ada@example.com', phone: '+44' },
        template: {
          _id: authored.id,
          name: 'Orders',
          origin: 'external',
          triggers: [{ type: 'event', identifier: 'orders', variables: [], subscriberVariables: [] }],
        },
        jobs: [
          {
            _id: digest!.id,
            type: 'digest',
            digest: { type: 'regular', amount: 5, unit: 'minutes', events: [{ id: 1 }] },
            executionDetails: [
              {
                _id: finished!.id,
                createdAt: finished!.createdAt.toISOString(),
                status: 'Success',
                detail: 'Digest triggered events',
                isRetry: false,
                isTest: false,
                raw: null,
                source: 'Internal',
              },
            ],
            step: {
              _id: 'digest-id',
              _templateId: 'digest-id',
              name: 'Collect',
              active: true,
              filters: [],
              controlVariables: { amount: 5, unit: 'minutes' },
              metadata: { type: 'regular', amount: 5, unit: 'minutes' },
              replyCallback: { active: false },
              template: { _id: 'digest-id', type: 'digest', name: 'Collect' },
              _parentId: null,
            },
            overrides: { email: { from: 'x@example.com' } },
            payload: { order: { id: 7 } },
            providerId: 'platform',
            status: 'completed',
            updatedAt: digest!.endedAt.toISOString(),
            scheduleExtensionsCount: 2,
            ...ENDED,
          },
          {
            _id: email!.id,
            type: 'email',
            digest: { type: 'regular', amount: 5, unit: 'minutes', events: [{ id: 1 }] },
            executionDetails: [
              {
                _id: first!.id,
                createdAt: first!.createdAt.toISOString(),
                status: 'Pending',
                detail: 'Step queued',
                isRetry: false,
                isTest: false,
                raw: null,
                source: 'Internal',
              },
              {
                _id: second!.id,
                createdAt: second!.createdAt.toISOString(),
                status: 'Failed',
                detail: 'Unexpected provider error',
                isRetry: true,
                isTest: true,
                providerId: 'sendgrid',
                raw: '{"code":1}',
                source: 'Webhook',
              },
            ],
            step: {
              _id: 'email-id',
              _templateId: 'email-id',
              name: 'Mail',
              active: false,
              filters: FILTERS,
              controlVariables: { subject: 'Hi' },
              replyCallback: { active: false },
              template: { _id: 'email-id', type: 'email', name: 'Mail' },
              _parentId: 'digest-id',
              issues: { controls: { body: [{ issueType: 'MISSING_VALUE', message: 'missing' }] } },
              variants: [
                {
                  _id: 'variant-id',
                  _templateId: 'variant-id',
                  name: 'Gold',
                  active: true,
                  filters: [],
                  controlVariables: { subject: 'Dear' },
                  replyCallback: { active: false },
                },
              ],
            },
            overrides: { email: { from: 'x@example.com' } },
            payload: { order: { id: 7 } },
            providerId: 'sendgrid',
            status: 'failed',
            updatedAt: '2030-01-02T00:00:00.000Z',
            ...ENDED,
          },
        ],
        payload: { order: { id: 7 } },
        controls: { steps: {} },
        to: { subscriberId: 'ada' },
        tags: ['billing'],
        topics: [{ _topicId: 'topic-id', topicKey: 'admins' }],
        severity: 'high',
        critical: true,
        contextKeys: ['tenant:acme'],
      });
      const jobs = body.jobs!.map(({ waitingFor: _, spans: __, ...job }) => job);
      expect((await list()).body).toEqual({ data: [{ ...body, jobs }], hasMore: false, pageSize: 10, page: 0 });
    });

    it('says Queued of a step in the queue until something else has happened to it', async () => {
      const [row] = await insert({ transactionId: 'tx-queued' });
      const [step] = await insertSteps(gateway.database, row!, [{ stepKey: 'mail', state: 'queued' }]);
      const of = { environmentId: gateway.environmentId, notificationId: row!.id, stepId: step!.id };
      const statuses = async () =>
        (await retrieve(row!.id)).body.jobs![0]!.executionDetails.map(({ status }) => status);
      await insertExecutionDetails(gateway.database, [
        { ...of, createdAt: at(1), detail: 'Step queued', status: 'Pending' },
      ]);
      expect(await statuses()).toEqual(['Queued']);
      await insertExecutionDetails(gateway.database, [{ ...of, createdAt: at(2), detail: 'Held', status: 'Pending' }]);
      expect(await statuses()).toEqual(['Pending', 'Pending']);
    });

    it('shows a notification whose workflow and subscriber were deleted', async () => {
      const gone = await insertWorkflow(gateway.database, { environmentId: gateway.environmentId });
      const carl = await subscriber({ subscriberId: 'carl' });
      const [row] = await insert({ workflowId: gone.id, subscriberId: carl._id! as SubscriberRowId });
      const [step] = await insertSteps(gateway.database, row!, [{ stepKey: 'mail', digest: { odd: true } }]);
      await gateway.database.execute(`DELETE FROM workflow WHERE id = $1`, [gone.id]);
      await gateway.call('DELETE', '/v2/subscribers/carl');

      const { status, body } = await retrieve(row!.id);

      expect(status).toBe(200);
      expect(body).toEqual({
        _id: row!.id,
        _environmentId: gateway.environmentId,
        _organizationId: gateway.organizationId,
        _subscriberId: carl._id,
        transactionId: row!.transactionId,
        _templateId: gone.id,
        createdAt: row!.createdAt.toISOString(),
        updatedAt: step!.endedAt.toISOString(),
        channels: ['email'],
        jobs: [
          {
            _id: step!.id,
            type: 'email',
            executionDetails: [],
            step: { _id: 'mail', _templateId: 'mail', name: 'mail', active: true, filters: [] },
            providerId: 'platform',
            status: 'completed',
            payload: {},
            updatedAt: step!.endedAt.toISOString(),
            ...ENDED,
          },
        ],
        payload: {},
        tags: [],
        severity: 'none',
        critical: false,
      });
    });

    it('names the provider that is meant for steps for which none was called', async () => {
      const credentials = { accountSid: 'AC1', token: 'token', from: '+15550000000' };
      const sms = { providerId: 'twilio', channel: 'sms', active: true, credentials, check: false };
      const one = await gateway.call<{ _id: string }>('POST', '/v1/integrations', sms);
      const child = { on: 'payload', field: 'plan', operator: 'EQUAL', value: 'gold' };
      const conditions = [{ isNegated: false, type: 'GROUP', value: 'AND', children: [child] }];
      const nexmo = { apiKey: 'k', secretKey: 's', from: '+15550000001' };
      const golden = { ...sms, providerId: 'nexmo', credentials: nexmo, conditions };
      const other = await gateway.call<{ _id: string }>('POST', '/v1/integrations', golden);
      expect([one.status, other.status]).toEqual([201, 201]);
      const rows = await insert({}, { payload: { plan: 'gold' } });
      for (const row of rows) {
        await insertSteps(gateway.database, row, [
          { type: 'sms', state: 'canceled' },
          { type: 'in_app', state: 'canceled' },
          { type: 'sms', state: 'running' },
          { type: 'sms', state: 'pending' },
        ]);
      }
      const providersOf = async (id: string) => (await retrieve(id)).body.jobs!.map(({ providerId }) => providerId);
      expect(await providersOf(rows[0]!.id)).toEqual(['twilio', 'platform', 'twilio', 'twilio']);
      expect(await providersOf(rows[1]!.id)).toEqual(['nexmo', 'platform', 'nexmo', 'nexmo']);
      for (const { body } of [one, other]) await gateway.call('DELETE', `/v1/integrations/${body._id}`);
    });

    it('shows the steps of the workflow version that the notification started with', async () => {
      const [row] = await insert({ workflowVersion: 1 });
      await insertSteps(gateway.database, row!, [{ stepKey: workflow.steps[0]!.stepId }]);
      await gateway.database.execute(
        `INSERT INTO workflow_version (id, environment_id, workflow_id, version, steps)
         SELECT $2, environment_id, workflow_id, 2, '[]' FROM workflow_version WHERE workflow_id = $1`,
        [workflow.id, newId()],
      );
      expect((await retrieve(row!.id)).body.jobs![0]!.step).toMatchObject({ _id: workflow.steps[0]!.id });
    });

    it('leaves a large payload out of the jobs', async () => {
      const payload = { text: 'x'.repeat(20_000) };
      const [row] = await insert({ payload, overrides: payload });
      await insertSteps(gateway.database, row!, [{}]);
      const { body } = await retrieve(row!.id);
      expect(body.payload).toEqual(payload);
      expect(body.jobs![0]).not.toHaveProperty('payload');
      expect(body.jobs![0]).not.toHaveProperty('overrides');
    });

    it('finds a notification of an older week with details written later or by a clock that runs behind', async () => {
      const [row] = await insert({ createdAt: LAST_WEEKS });
      const [step] = await insertSteps(gateway.database, row!, [{}]);
      const line = { environmentId: gateway.environmentId, notificationId: row!.id, stepId: step!.id };
      await insertExecutionDetails(gateway.database, [
        { ...line, detail: 'now' },
        { ...line, detail: 'behind', id: newIdAt(new Date(LAST_WEEKS.getTime() - 60_000)) },
      ]);
      const details = (await retrieve(row!.id)).body.jobs![0]!.executionDetails;
      expect(details.map(({ detail }) => detail)).toEqual(['behind', 'now']);
    });

    it('answers 422 for a malformed id and 404 for an unknown or foreign one', async () => {
      const [row] = await insert({});
      expect(await retrieve('nope')).toMatchObject({
        status: 422,
        body: { errors: { notificationId: { value: 'nope' } } },
      });
      const unknown = await retrieve(newId());
      expect(unknown).toMatchObject({ status: 404, body: { message: 'Notification not found' } });
      const foreign = await asStranger<{ message: string }>(`/v1/notifications/${row!.id}`);
      expect(foreign).toMatchObject({ status: 404, body: { message: 'Notification not found' } });
      expect(Object.keys(foreign.body)).toEqual(Object.keys(unknown.body));
    });
  });

  describe('GET /v1/notifications', () => {
    it('pages through notifications of two weeks, newest first, with an exact end', async () => {
      const old = Array.from({ length: 7 }, (_, index) => new Date(LAST_WEEKS.getTime() + index * 1000));
      const fresh = Array.from({ length: 8 }, (_, index) => at(index));
      const rows = await insert(
        ...[...fresh, ...old].map((createdAt, index) => ({ createdAt, transactionId: `t${index}` })),
      );
      for (const row of rows) await insertSteps(gateway.database, row, [{ type: 'sms' }]);
      const expected = [...rows]
        .sort((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
        .map((row) => row.transactionId);

      const walked: string[] = [];
      for (let page = 0; page < 3; page += 1) {
        const { body } = await list(`limit=5&page=${page}`);
        expect(body).toMatchObject({ page, pageSize: 5, hasMore: page < 2 });
        expect(body.data.map(({ jobs }) => jobs!.map(({ type }) => type))).toEqual(Array(5).fill(['sms']));
        walked.push(...transactions(body));
      }
      expect(walked).toEqual(expected);
      expect((await list('limit=5&page=3')).body).toEqual({ data: [], hasMore: false, page: 3, pageSize: 5 });
    });

    it.each([
      ['', ['5', '4', '3', '2', '1']],
      ['channels=sms', ['3', '1']],
      ['channels=sms&channels=digest', ['3', '2', '1']],
      ['channels=push', []],
      ['emails=bob@example.com', ['4', '3']],
      ['emails=ada@example.com', []],
      ['emails=bob@example.com&emails=Ada@example.com', ['5', '4', '3', '2', '1']],
      ['emails=', ['5', '4', '3', '2', '1']],
      ['subscriberIds=ada', ['5', '2', '1']],
      ['subscriberIds=ada&limit=1', ['5']],
      ['subscriberIds=ada&limit=1&page=2', ['1']],
      ['subscriberIds=ada&subscriberIds=bob&limit=2&page=1', ['3', '2']],
      ['subscriberIds=ada&emails=bob@example.com', ['5', '4', '3', '2', '1']],
      ['subscriberIds=missing', []],
      ['search=ADA@', ['5', '2', '1']],
      ['search=bob', ['4', '3']],
      ['search=example', ['5', '4', '3', '2', '1']],
      ['search=exam_le', []],
      ['search=ad&channels=digest', ['2']],
      ['search=Bob@Example.com&subscriberIds=ada', ['5', '4', '3', '2', '1']],
      ['severity=high', ['2']],
      ['severity=none', ['4', '3', '1']],
      ['severity=high&severity=low', ['5', '2']],
      ['transactionId=3', ['3']],
      ['transactionId=3&transactionId=1&transactionId=0', ['3', '1']],
      ['transactionId=3&subscriberIds=ada', []],
      ['transactionId=3&transactionId=1&subscriberIds=ada', ['1']],
      ['topicKey=admins', ['4', '2']],
      ['topicKey=admin', []],
      ['topicKey=', ['5', '4', '3', '2', '1']],
      ['contextKeys=tenant:acme', ['3']],
      ['contextKeys=tenant:acme&contextKeys=region:eu', ['4']],
      ['contextKeys=region:eu', []],
      ['contextKeys=', ['5', '2', '1']],
      ['subscriberIds=bob&severity=none&channels=sms', ['3']],
    ])('filters notifications by %s', async (query, expected) => {
      await insert(
        { transactionId: '1', createdAt: at(1), channels: ['sms'] },
        {
          transactionId: '2',
          createdAt: at(2),
          channels: ['digest', 'email'],
          severity: 'high',
          topicKeys: ['admins', 'all'],
        },
        {
          transactionId: '3',
          createdAt: at(3),
          channels: ['email', 'sms'],
          subscriberId: bob._id! as SubscriberRowId,
          contextKeys: ['tenant:acme'],
        },
        {
          transactionId: '4',
          createdAt: at(4),
          subscriberId: bob._id! as SubscriberRowId,
          topicKeys: ['admins'],
          contextKeys: ['region:eu', 'tenant:acme'],
        },
        { transactionId: '5', createdAt: at(5), severity: 'low', contextKeys: [] },
      );
      const { status, body } = await list(query);
      expect(status).toBe(200);
      expect(transactions(body)).toEqual(expected);
    });

    it('pages through the notifications of a topic among newer ones of another topic', async () => {
      await insert(
        ...[1, 2, 3, 4, 5].map((minute) => ({
          transactionId: String(minute),
          createdAt: at(minute),
          topicKeys: minute < 4 ? ['admins'] : ['all'],
        })),
      );
      const pages = await Promise.all([0, 1, 2, 3].map((page) => list(`topicKey=admins&limit=1&page=${page}`)));
      expect(pages.map(({ body }) => transactions(body))).toEqual([['3'], ['2'], ['1'], []]);
      expect(pages.map(({ body }) => body.hasMore)).toEqual([true, true, false, false]);
    });

    it('filters by step type, also for a workflow that was deleted or no longer has such steps', async () => {
      const { environmentId, database } = gateway;
      const edited = await insertWorkflow(database, { environmentId, steps: [{ type: 'push' }] });
      await database.execute(
        `INSERT INTO workflow_version (id, environment_id, workflow_id, version, steps) VALUES ($1, $2, $3, 2, '[]')`,
        [newId(), environmentId, edited.id],
      );
      await database.execute(`UPDATE workflow SET current_version = 2, deleted_at = now() WHERE id = $1`, [edited.id]);
      await insert(
        { transactionId: '1', createdAt: at(1), workflowId: edited.id, channels: ['push'] },
        { transactionId: '2', createdAt: at(2), workflowId: edited.id, workflowVersion: 2, channels: [] },
        { transactionId: '3', createdAt: at(3), channels: ['push', 'email'] },
      );
      expect(transactions((await list('channels=push')).body)).toEqual(['3', '1']);
      expect(transactions((await list(`channels=push&templates=${edited.id}`)).body)).toEqual(['1']);
    });

    it('filters notifications by workflow', async () => {
      const { environmentId } = gateway;
      const [second, third] = [
        await insertWorkflow(gateway.database, { environmentId }),
        await insertWorkflow(gateway.database, { environmentId }),
      ];
      await insert(
        { transactionId: '1', createdAt: at(1) },
        { transactionId: '2', createdAt: at(2), workflowId: second.id },
        { transactionId: '3', createdAt: at(3), workflowId: third.id },
      );
      expect(transactions((await list(`templates=${second.id.toUpperCase()}`)).body)).toEqual(['2']);
      const several = `templates=${workflow.id}&templates=${third.id}`;
      expect(transactions((await list(several)).body)).toEqual(['3', '1']);
      expect((await list(`${several}&limit=1`)).body).toMatchObject({ hasMore: true });
      expect((await list(`${several}&limit=1&page=1`)).body).toMatchObject({
        hasMore: false,
        data: [{ transactionId: '1' }],
      });
      expect(transactions((await list(`${several}&subscriberIds=ada&transactionId=1`)).body)).toEqual(['1']);
    });

    it('filters by creation time, both ends included, when the ids come from other clocks', async () => {
      const first = new Date(Math.floor(Date.now() / 1000) * 1000 - 60_000);
      const later = (milliseconds: number) => new Date(first.getTime() + milliseconds).toISOString();
      const minutes = (minute: number) => new Date(first.getTime() + minute * 60_000);
      await insert(
        { transactionId: 'ahead', createdAt: first, id: newIdAt(minutes(50)) as NotificationId },
        { transactionId: 'behind', createdAt: new Date(later(1)), id: newIdAt(minutes(-50)) as NotificationId },
        { transactionId: 'old', createdAt: LAST_WEEKS },
      );
      const between = async (after: string, before: string) =>
        transactions((await list(`after=${after}&before=${before}`)).body).sort();

      expect(await between(later(0), later(1))).toEqual(['ahead', 'behind']);
      expect(await between(later(0), later(0))).toEqual(['ahead']);
      expect(await between(later(1), later(1))).toEqual(['behind']);
      expect(await between(later(2), later(3))).toEqual([]);
      expect(transactions((await list(`before=${later(-1)}`)).body)).toEqual(['old']);
      expect(transactions((await list(`after=${LAST_WEEKS.toISOString()}`)).body).sort()).toEqual([
        'ahead',
        'behind',
        'old',
      ]);
    });

    it('answers page 0 when no subscriber matches, and the requested page otherwise', async () => {
      await insert({});
      const empty = { data: [], hasMore: false, page: 0, pageSize: 10 };
      expect((await list('subscriberIds=missing&page=4')).body).toEqual(empty);
      expect((await list('emails=no@example.com&search=zzz&page=4')).body).toEqual(empty);
      expect((await list('subscriberIds=ada&page=4')).body).toEqual({ ...empty, page: 4 });
      expect((await list('page=4')).body).toEqual({ ...empty, page: 4 });
      const foreign = await asStranger<NotificationListDto>('/v1/notifications?subscriberIds=ada&page=4');
      expect(foreign.body).toEqual(empty);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=51', 'limit'],
      ['limit=x', 'limit'],
      ['page=-1', 'page'],
      ['page=1000001&limit=10', 'page'],
      ['page=999999999999999', 'page'],
      ['channels=pigeon', 'channels'],
      ['severity=urgent', 'severity'],
      ['templates=welcome', 'templates'],
      [`templates=${newId()}&templates=x`, 'templates'],
      ['search=a&search=b', 'search'],
      ['topicKey=a&topicKey=b', 'topicKey'],
      [`subscriberIds=${'x'.repeat(513)}`, 'subscriberIds'],
      [Array.from({ length: 101 }, (_, index) => `emails=e${index}`).join('&'), 'emails'],
    ])('answers the notification query %s with a 422 that names %s', async (query, field) => {
      expectFieldErrors(await gateway.call('GET', `/v1/notifications?${query}`), [field]);
    });

    it.each([
      ['after=yesterday', 'after must be a time in ISO 8601', 'after'],
      ['before=2026-02-30', 'before must be a time in ISO 8601', 'before'],
      ['after=2026-01-02&before=2026-01-01', 'after must not be later than before', 'after'],
    ])('answers the notification query %s with a 400', async (query, message, field) => {
      expect(await list(query)).toMatchObject({
        status: 400,
        body: { message, errors: { [field]: { messages: [message] } } },
      });
    });

    it('accepts times from the year 1000 to 9999', async () => {
      await insert({ transactionId: 'one' });
      expect(transactions((await list('after=1000-01-01&before=9999-12-31T23:59:59Z')).body)).toEqual(['one']);
    });

    it('never shows notifications of another environment, by any filter', async () => {
      const [row] = await insert({
        transactionId: 'shared',
        topicKeys: ['admins'],
        contextKeys: ['tenant:acme'],
        severity: 'high',
      });
      for (const query of [
        '',
        'transactionId=shared',
        'transactionId=shared&transactionId=x',
        'subscriberIds=ada',
        'emails=Ada@example.com',
        'search=example',
        `templates=${workflow.id}`,
        `templates=${workflow.id}&templates=${newId()}`,
        'topicKey=admins',
        'contextKeys=tenant:acme',
        'severity=high',
        'channels=email',
      ]) {
        const own = (await list(query)).body;
        expect([query, own.data.map(({ _id }) => _id)]).toEqual([query, [row!.id]]);
        const foreign = (await asStranger<NotificationListDto>(`/v1/notifications?${query}`)).body;
        expect([query, foreign.data]).toEqual([query, []]);
      }
    });

    it.each(['', 'transactionId=shared'])(
      'fills a page with rows of its environment only, filtered by "%s"',
      async (query) => {
        await insert({ transactionId: 'shared', tags: ['own'], createdAt: at(1) });
        const theirs = { transactionId: 'shared', environmentId: stranger.environmentId, createdAt: at(2) };
        await insert(theirs, theirs);
        expect((await list(`${query}&limit=1`)).body).toMatchObject({ data: [{ tags: ['own'] }], hasMore: false });
      },
    );

    it('shows no steps, details, subscriber or workflow of another environment in a notification', async () => {
      const [mine] = await insert({ environmentId: stranger.environmentId });
      await insertSteps(gateway.database, { ...mine!, environmentId: gateway.environmentId }, [{ position: 1 }]);
      const [own] = await insertSteps(gateway.database, mine!, [{ stepKey: workflow.steps[0]!.stepId }]);
      await insertExecutionDetails(gateway.database, [
        { environmentId: gateway.environmentId, notificationId: mine!.id, stepId: own!.id },
      ]);

      const [item] = (await asStranger<NotificationListDto>('/v1/notifications')).body.data;

      expect(item).not.toHaveProperty('subscriber');
      expect(item).not.toHaveProperty('template');
      expect(item!.jobs).toMatchObject([
        { _id: own!.id, executionDetails: [], step: { _id: workflow.steps[0]!.stepId, filters: [] } },
      ]);
    });

    it('reads a page of notifications with two statements when several filters are combined', async () => {
      await insert({}, { subscriberId: bob._id! as SubscriberRowId });
      const stop = gateway.watchStatements();
      await list('subscriberIds=ada&emails=bob@example.com&search=a&channels=email');
      expect(stop()).toHaveLength(2);
    });

    it('translates names for a @novu/ client but not in the payload or digest events of callers', async () => {
      const [row] = await insert({ payload: { providerId: 'platform' } });
      await insertSteps(gateway.database, row!, [
        { digest: { type: 'regular', events: [{ providerId: 'platform' }] } },
      ]);
      const answer = await gateway.call<NotificationListDto>('GET', '/v1/notifications', undefined, {
        'user-agent': '@novu/api',
      });
      expect(answer.body.data[0]).toMatchObject({
        template: { origin: 'novu-cloud' },
        payload: { providerId: 'platform' },
        jobs: [
          {
            providerId: 'novu',
            payload: { providerId: 'platform' },
            digest: { events: [{ providerId: 'platform' }] },
          },
        ],
      });
    });
  });
});
