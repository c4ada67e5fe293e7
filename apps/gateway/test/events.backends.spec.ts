import type { TriggerId, TriggerResultDto } from '@clarion/contracts';
import { openQueue, type TriggerJob } from '@clarion/queue';
import { type Answer, startGateway, type TestGateway } from './harness';

type Row = Record<string, unknown>;

describe('events', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
    const workflow = (body: object) => gateway.call('POST', '/v2/workflows', { name: 'W', steps: [inApp], ...body });
    await workflow({ workflowId: 'welcome' });
    await workflow({ workflowId: 'off', active: false });
    await workflow({ workflowId: 'empty', steps: [] });
    await workflow({ workflowId: 'sleeping', steps: [{ ...inApp, active: false }] });
    await workflow({
      workflowId: 'strict',
      validatePayload: true,
      payloadSchema: {
        type: 'object',
        required: ['count'],
        properties: { count: { type: 'integer' }, color: { type: 'string', default: 'red' } },
      },
    });
    await gateway.database.query(
      `INSERT INTO tenant (id, environment_id, identifier) VALUES (gen_random_uuid(), $1, 'acme')`,
      [gateway.environmentId],
    );
  });
  afterAll(() => gateway.close());

  const inApp = { name: 'In-app', type: 'in_app', controlValues: { body: 'Hi' } };
  const bulk = (...events: unknown[]) =>
    gateway.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', { events });
  const trigger = (event: unknown) => gateway.call<TriggerResultDto & Row>('POST', '/v1/events/trigger', event);
  const rowsOf = (transactionId: string) =>
    gateway.database.query<Row>(
      `SELECT * FROM trigger WHERE transaction_id LIKE $1
          AND environment_id IN (SELECT id FROM environment WHERE organization_id = $2)`,
      [transactionId, gateway.organizationId],
    );
  const statuses = ({ body }: Answer<TriggerResultDto[]>) => body.map(({ status }) => status);

  describe('POST /v1/events/trigger/bulk', () => {
    it('stores every field of an accepted event', async () => {
      const answer = await bulk({
        name: 'welcome',
        to: [
          'plain',
          {
            subscriberId: 'rich',
            email: 'rich@example.com',
            data: { a: '1' },
            channels: [{ providerId: 'slack', credentials: { webhookUrl: 'https://x.example' } }],
          },
          { type: 'Topic', topicKey: 'news', exclude: ['plain'] },
        ],
        payload: { order: { id: 7 } },
        overrides: { email: { subject: 'S' } },
        transactionId: 'tx-full',
        actor: { subscriberId: 'boss', firstName: 'B' },
        tenant: 'acme',
        context: { team: 'red', project: { id: 'p1', data: { x: 1 } } },
      });

      expect(answer.status).toBe(201);
      const error = ['to: the topic "news" does not exist'];
      expect(answer.body).toEqual([{ acknowledged: true, status: 'processed', error, transactionId: 'tx-full' }]);
      const [workflow] = await gateway.database.query<Row>(
        `SELECT id FROM workflow WHERE environment_id = $1 AND workflow_id = 'welcome'`,
        [gateway.environmentId],
      );
      expect(await rowsOf('tx-full')).toEqual([
        expect.objectContaining({
          environment_id: gateway.environmentId,
          workflow_id: workflow!['id'],
          workflow_version: 1,
          recipients: [
            { subscriberId: 'plain' },
            {
              subscriberId: 'rich',
              email: 'rich@example.com',
              data: { a: '1' },
              channels: [{ providerId: 'slack', credentials: expect.stringMatching(/^v1\.k1\./) }],
            },
            { type: 'Topic', topicKey: 'news', exclude: ['plain'] },
          ],
          payload: { order: { id: 7 } },
          overrides: { email: { subject: 'S' } },
          actor: { subscriberId: 'boss', firstName: 'B' },
          tenant: 'acme',
          context: { team: 'red', project: { id: 'p1', data: { x: 1 } } },
          outcome: null,
        }),
      ]);
      const [open] = await gateway.database.query<Row>(
        `SELECT w.type, w.progress FROM work w JOIN trigger t ON t.id = w.id WHERE t.transaction_id = 'tx-full'`,
      );
      expect(open).toEqual({ type: 'trigger', progress: null });
    });

    it('says that the only topic of an event does not exist, and that a template does not compile', async () => {
      const steps = [
        { name: 'Good', type: 'in_app', controlValues: { body: '{{payload.name}}' } },
        { name: 'Bad', type: 'in_app', controlValues: { body: '{% if payload.name %}' } },
      ];
      await gateway.call('POST', '/v2/workflows', { name: 'Broken', workflowId: 'broken', active: true, steps });
      await gateway.call('POST', '/v2/topics', { key: 'readers', name: 'Readers' });
      const to = (topicKey: string) => ({ type: 'Topic', topicKey });
      const { body } = await bulk(
        { name: 'welcome', to: to('readers') },
        { name: 'welcome', to: to('missing') },
        { name: 'broken', to: 'a' },
        { name: 'zzz', to: 'a' },
      );
      expect((body as TriggerResultDto[]).map(({ status, error }) => [status, error])).toEqual([
        ['processed', undefined],
        ['processed', ['to: the topic "missing" does not exist']],
        ['processed', [expect.stringMatching(/^step "bad", body: .*if/)]],
        ['error', ['workflow_not_found', 'no workflow has the workflowId "zzz"']],
      ]);
    });

    const bringing = (subscriberId: string, count: number) => ({
      subscriberId,
      channels: Array.from({ length: count }, () => ({ providerId: 'slack', credentials: {} })),
    });

    it('answers with one status per event in order and stores the valid events', async () => {
      const answer = await bulk(
        { name: 'welcome', to: 'a', transactionId: 'mixed-ok' },
        { name: 'welcom', to: 'a', transactionId: 'mixed-1' },
        { name: 'off', to: 'a' },
        { name: 'empty', to: 'a' },
        { name: 'sleeping', to: 'a' },
        { name: 'welcome', to: 'a', tenant: 'missing' },
        { name: 'welcome', to: [''] },
        { name: 'strict', to: 'a', payload: { count: 'x' } },
        { to: 'a' },
        { name: 'welcome' },
        'nonsense',
        { name: 'welcome', to: Array.from({ length: 101 }, (_, index) => `s${index}`) },
        { name: 'welcome', to: Array.from({ length: 21 }, (_, index) => bringing(`s${index}`, index < 20 ? 100 : 1)) },
        { name: 'strict', to: { subscriberId: 'b' }, payload: { count: 1 }, transactionId: 'mixed-last' },
      );

      expect(answer.status).toBe(201);
      expect(answer.body).toEqual([
        { acknowledged: true, status: 'processed', transactionId: 'mixed-ok' },
        {
          acknowledged: true,
          status: 'error',
          error: ['workflow_not_found', 'no workflow has the workflowId "welcom"; the nearest one is "welcome"'],
          transactionId: 'mixed-1',
        },
        { acknowledged: true, status: 'trigger_not_active', transactionId: expect.any(String) },
        { acknowledged: true, status: 'no_workflow_steps_defined', transactionId: expect.any(String) },
        { acknowledged: true, status: 'no_workflow_active_steps_defined', transactionId: expect.any(String) },
        { acknowledged: true, status: 'no_tenant_found', transactionId: expect.any(String) },
        {
          acknowledged: true,
          status: 'invalid_recipients',
          error: ['to.0: subscriberId must not be empty'],
          transactionId: expect.any(String),
        },
        {
          acknowledged: true,
          status: 'error',
          error: [expect.stringContaining('count')],
          transactionId: expect.any(String),
        },
        {
          acknowledged: true,
          status: 'error',
          error: expect.arrayContaining([expect.stringContaining('name')]),
          transactionId: expect.any(String),
        },
        { acknowledged: true, status: 'error', error: ['to is required'], transactionId: expect.any(String) },
        {
          acknowledged: true,
          status: 'error',
          error: ['the event must be an object'],
          transactionId: expect.any(String),
        },
        {
          acknowledged: true,
          status: 'error',
          error: ['to must contain no more than 100 elements'],
          transactionId: expect.any(String),
        },
        {
          acknowledged: true,
          status: 'error',
          error: ['to must contain no more than 2000 channels in all recipients together'],
          transactionId: expect.any(String),
        },
        { acknowledged: true, status: 'processed', transactionId: 'mixed-last' },
      ]);
      expect(await rowsOf('mixed-ok')).toHaveLength(1);
      expect(await rowsOf('mixed-last')).toEqual([expect.objectContaining({ payload: { count: 1, color: 'red' } })]);
      expect(await rowsOf('mixed-1')).toHaveLength(0);
    });

    it('accepts 1 to 100 events', async () => {
      const one = { name: 'welcome', to: 'a' };
      for (const events of [[], Array.from({ length: 101 }, () => one), undefined, {}]) {
        const answer = await gateway.call<{ errors: Row }>('POST', '/v1/events/trigger/bulk', { events });
        expect(answer.status).toBe(422);
        expect(Object.keys(answer.body.errors)).toEqual(['events']);
      }
      const full = await bulk(...Array.from({ length: 100 }, () => one));
      expect(full.body).toHaveLength(100);
      expect(new Set(statuses(full))).toEqual(new Set(['processed']));
      expect(new Set(full.body.map(({ transactionId }) => transactionId)).size).toBe(100);
    });

    it('adds one job with the ids of all accepted events to the queue', async () => {
      const { body } = await bulk(
        ...Array.from({ length: 10 }, (_, index) => ({ name: 'welcome', to: 'a', transactionId: `queued-${index}` })),
      );
      expect(body).toHaveLength(10);
      const rows = await rowsOf('queued-%');
      const { queue, close } = openQueue(gateway.queueBackend, 'trigger', {
        prefix: gateway.queuePrefix,
        onError: () => undefined,
      });
      await queue.waitUntilReady();
      const jobWith = async (id: TriggerId) =>
        (await queue.getJobs(['prioritized'])).find((job) => (job.data as TriggerJob).triggerIds.includes(id));
      let job = await jobWith(rows[0]!['id'] as TriggerId);
      while (!job) job = await jobWith(rows[0]!['id'] as TriggerId);
      expect(Object.keys(job.data as object).sort()).toEqual(['triggerIds', 'v']);
      expect((job.data as TriggerJob).triggerIds.toSorted()).toEqual(rows.map(({ id }) => id as string).toSorted());
      await close();
    });

    it('merges duplicate recipients, accepts any subscriberId that can be created, reports invalid ones', async () => {
      const { body } = await bulk({
        name: 'welcome',
        to: ['a', { subscriberId: 'a', firstName: 'A' }, 'auth0|7', 'b! d', 5, { subscriberId: 'c', email: 'nope' }],
        transactionId: 'odd-ids',
      });
      expect(body).toEqual([
        {
          acknowledged: true,
          status: 'processed',
          transactionId: 'odd-ids',
          error: ['to.4: must be a subscriberId, a subscriber or a topic', 'to.5: email must be an email'],
        },
      ]);
      expect((await rowsOf('odd-ids'))[0]!['recipients']).toEqual([
        { subscriberId: 'a', firstName: 'A' },
        { subscriberId: 'auth0|7' },
        { subscriberId: 'b! d' },
      ]);
    });

    it('rejects only the event that exceeds 512 KiB without its attachments', async () => {
      const large = { name: 'welcome', to: 'a', payload: { text: 'x'.repeat(600 * 1024) } };
      const attached = {
        name: 'welcome',
        to: 'a',
        payload: { attachments: [{ name: 'a.txt', file: 'A'.repeat(700 * 1024) }] },
      };
      const answer = await bulk({ name: 'welcome', to: 'a' }, large, attached);
      expect(statuses(answer)).toEqual(['processed', 'error', 'processed']);
      expect(answer.body[1]!.error![0]).toMatch(/bytes without attachments, at most 524288/);
      expect((await trigger(large)).status).toBe(413);
      expect((await trigger(attached)).status).toBe(201);
      const heavy = Array.from({ length: 18 }, () => ({ ...large, payload: { text: 'x'.repeat(500 * 1024) } }));
      expect((await bulk(...heavy)).status).toBe(413);
    });
  });

  describe('transactionId', () => {
    const event = { name: 'welcome', to: ['a'], payload: { n: 1 }, transactionId: 'same' };

    it('stores a repeated event once and answers it the same, also with another order of keys', async () => {
      const first = await bulk(event);
      const again = await bulk({ transactionId: 'same', payload: { n: 1 }, to: ['a'], name: 'welcome' });
      expect(again.body).toEqual(first.body);
      expect(await rowsOf('same')).toHaveLength(1);
    });

    it('answers with an error when a different event reuses a transactionId', async () => {
      const { body } = await bulk({ ...event, payload: { n: 2 } });
      expect(body).toEqual([
        {
          acknowledged: true,
          status: 'error',
          error: ['transactionId "same" was used before with a different event'],
          transactionId: 'same',
        },
      ]);
    });

    it('stores an event once when one bulk call repeats it', async () => {
      const twin = { ...event, transactionId: 'twin' };
      const { body } = await bulk(twin, twin, { ...twin, to: 'b' });
      expect(body.map(({ status }) => status)).toEqual(['processed', 'processed', 'error']);
      expect(await rowsOf('twin')).toHaveLength(1);
    });

    it('answers a repeated event with processed although its workflow is no longer active', async () => {
      await gateway.call('POST', '/v2/workflows', { name: 'T', workflowId: 'toggled', steps: [inApp] });
      const toggled = { name: 'toggled', to: 'a', transactionId: 'toggled' };
      await bulk(toggled);
      await gateway.call('PATCH', '/v2/workflows/toggled', { active: false });
      expect(statuses(await bulk(toggled, { ...toggled, transactionId: 'fresh' }))).toEqual([
        'processed',
        'trigger_not_active',
      ]);
    });

    it('lets two environments use the same transactionId', async () => {
      const key = await gateway.secondKey();
      await gateway.call(
        'POST',
        '/v2/workflows',
        { name: 'W', workflowId: 'welcome', steps: [inApp] },
        { authorization: `ApiKey ${key}` },
      );
      const foreign = await gateway.call<TriggerResultDto[]>(
        'POST',
        '/v1/events/trigger/bulk',
        { events: [{ ...event, payload: { n: 3 } }] },
        { authorization: `ApiKey ${key}` },
      );
      expect(foreign.body[0]!.status).toBe('processed');
      expect(await rowsOf('same')).toHaveLength(2);
    });

    it('stores each of 20 events once when 200 concurrent calls send them', async () => {
      const events = Array.from({ length: 20 }, (_, index) => ({ ...event, transactionId: `race-${index}` }));
      const answers = await Promise.all(
        Array.from({ length: 200 }, (_, index) => bulk(...(index % 2 ? events : events.toReversed()))),
      );
      for (const answer of answers) expect(statuses(answer)).toEqual(Array.from({ length: 20 }, () => 'processed'));
      expect(await rowsOf('race-%')).toHaveLength(20);
    });
  });

  describe('POST /v1/events/trigger', () => {
    it('answers a single event with 201 and one result', async () => {
      const answer = await trigger({ name: 'welcome', to: { subscriberId: 'solo' } });
      expect(answer).toMatchObject({
        status: 201,
        body: { acknowledged: true, status: 'processed', transactionId: expect.stringMatching(/^txn_/) },
      });
      expect(await rowsOf(answer.body.transactionId!)).toHaveLength(1);
      expect((await trigger({ name: 'off', to: 'a' })).body).toMatchObject({ status: 'trigger_not_active' });
    });

    it.each([
      [{ to: 'a' }, 422, 'name'],
      [{ name: 'welcome' }, 422, 'to'],
      [{ name: 'nowhere', to: 'a' }, 422, 'name'],
      [{ name: 'welcome', to: 'a', payload: [] }, 422, 'payload'],
      [{ name: 'welcome', to: 'a', overrides: 'x' }, 422, 'overrides'],
      [{ name: 'welcome', to: 'a', transactionId: 5 }, 422, 'transactionId'],
      [{ name: 'welcome', to: 'a', actor: 5 }, 422, 'actor'],
      [{ name: 'welcome', to: 'a', tenant: {} }, 422, 'tenant'],
      [{ name: 'welcome', to: 'a', context: { a: '' } }, 422, 'context.a'],
      [{ name: 'welcome', to: 'a', context: { a: 'x'.repeat(257) } }, 422, 'context.a'],
      [
        {
          name: 'welcome',
          to: 'a',
          context: { a: 'é'.repeat(256), b: '€'.repeat(256), c: '🦊'.repeat(128), d: '🦊'.repeat(128) },
        },
        422,
        'context',
      ],
      [{ name: 'welcome', to: 'a', context: { a: '1', b: '1', c: '1', d: '1', e: '1', f: '1' } }, 422, 'context'],
    ])('rejects the event %j with a %i that names %s', async (event, status, field) => {
      const answer = await gateway.call<{ errors: Row }>('POST', '/v1/events/trigger', event);
      expect(answer.status).toBe(status);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    });

    it.each([{}, { region: 'eu west, 1' }, { 'a:b %': 'https://x.test/?y=z', é: { id: '🦊' } }])(
      'accepts the context %j',
      async (context) => {
        expect(await trigger({ name: 'welcome', to: 'a', context })).toMatchObject({
          status: 201,
          body: { status: 'processed' },
        });
      },
    );

    it('answers 400 with a type and a list of errors to a payload that breaks the schema', async () => {
      const answer = await trigger({ name: 'strict', to: 'a', payload: { count: 'x' } });
      expect(answer.status).toBe(400);
      expect(answer.body).toMatchObject({
        type: 'PAYLOAD_VALIDATION_ERROR',
        errors: [expect.objectContaining({ field: expect.stringContaining('count'), message: expect.any(String) })],
        message: expect.stringMatching(/^Payload validation failed: /),
      });
      const malformed = await gateway.call<Row>('POST', '/v1/events/trigger', '{');
      expect(malformed).toMatchObject({ status: 400, body: { type: expect.any(String), errors: expect.any(Array) } });
    });

    it('accepts an event once when it is repeated with the same idempotency key', async () => {
      const send = () =>
        gateway.call<TriggerResultDto>(
          'POST',
          '/v1/events/trigger',
          { name: 'welcome', to: 'idem' },
          { 'idempotency-key': 'trigger-1' },
        );
      const [first, second] = [await send(), await send()];
      expect(second.text).toBe(first.text);
      expect(second.headers.get('idempotency-replay')).toBe('true');
      expect(await rowsOf(first.body.transactionId!)).toHaveLength(1);
    });
  });

  it('stores one trigger for a broadcast', async () => {
    const answer = await gateway.call<TriggerResultDto>('POST', '/v1/events/trigger/broadcast', {
      name: 'welcome',
      payload: { a: 1 },
    });
    expect(answer).toMatchObject({ status: 201, body: { status: 'processed' } });
    expect((await rowsOf(answer.body.transactionId!))[0]).toMatchObject({
      recipients: [{ type: 'Broadcast' }],
      payload: { a: 1 },
    });
    expect((await gateway.call('POST', '/v1/events/trigger/broadcast', { name: 'welcome' })).status).toBe(422);
  });

  it('cancels a trigger that has not started and answers false otherwise', async () => {
    await bulk({ name: 'welcome', to: 'a', transactionId: 'cancel-me' });
    const cancel = (id: string, headers = {}) =>
      gateway.call<boolean>('DELETE', `/v1/events/trigger/${id}`, undefined, headers);
    const stranger = {
      authorization: `ApiKey ${(await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Third' })).key}`,
    };
    expect((await cancel('cancel-me', stranger)).body).toBe(false);
    expect(await cancel('cancel-me')).toMatchObject({ status: 200, body: true });
    expect((await rowsOf('cancel-me'))[0]).toMatchObject({ outcome: 'canceled' });
    expect(await cancel('cancel-me')).toMatchObject({ status: 200, body: false });
    expect((await cancel('never-was')).body).toBe(false);
  });

  it('accepts events while the queue is not available', async () => {
    const withoutQueue = await startGateway({}, { kind: 'redis', url: 'redis://127.0.0.1:1' });
    try {
      await withoutQueue.call('POST', '/v2/workflows', { name: 'W', workflowId: 'welcome', steps: [inApp] });
      const answer = await withoutQueue.call<TriggerResultDto[]>('POST', '/v1/events/trigger/bulk', {
        events: [{ name: 'welcome', to: 'a' }],
      });
      expect(statuses(answer)).toEqual(['processed']);
      const ready = await withoutQueue.call<{ queue: { failedAdds: number } }>('GET', '/health/ready');
      expect(ready).toMatchObject({ status: 200, body: { queue: { engine: 'redis', failedAdds: 1 } } });
    } finally {
      await withoutQueue.close();
    }
  });

  it('stores 100 events of a bulk call in one statement', async () => {
    // The first call caches the workflow.
    await bulk({ name: 'welcome', to: 'a' });
    const statementsSince = gateway.watchStatements();
    await bulk(
      ...Array.from({ length: 100 }, (_, index) => ({ name: 'welcome', to: [`s${index}`], payload: { index } })),
    );
    const statements = statementsSince();
    expect(statements.filter((sql) => /INSERT INTO trigger/.test(sql))).toHaveLength(1);
    expect(statements).toHaveLength(1);
  });
});
