import type {
  AuditLogListDto,
  CreatedWebhookEndpointDto,
  EventLogDto,
  WebhookDeliveryListDto,
  WebhookEndpointDto,
  WebhookEndpointListDto,
} from '@clarion/contracts';
import { EventLogRepository } from '@clarion/persistence';
import { callGateway, createInAppWorkflow, expectFieldErrors, startGateway, type TestGateway } from './harness';

const PATH = '/v1/webhook-endpoints';
const UNKNOWN = '01980000-0000-7000-8000-000000000000';

describe('webhook endpoints', () => {
  let gateway: TestGateway;
  let second: string;

  beforeAll(async () => {
    gateway = await startGateway();
    second = await gateway.secondKey();
  });
  afterAll(() => gateway.close());
  beforeEach(() => gateway.database.query(`DELETE FROM webhook_endpoint`));

  const create = (body: object = { url: 'https://example.com/hook' }) =>
    gateway.call<CreatedWebhookEndpointDto>('POST', PATH, body);
  const patch = (id: string, body: object) => gateway.call<WebhookEndpointDto>('PATCH', `${PATH}/${id}`, body);
  const number = () => new EventLogRepository(gateway.database).number();
  const readLog = (query = '') => gateway.call<EventLogDto>('GET', `/v1/events/log${query}`);

  it('creates an endpoint, shows its secret once, and stores it encrypted', async () => {
    const { status, body } = await create({
      url: ' https://example.com/hook ',
      description: 'billing',
      events: ['message.sent', 'message.failed', 'message.sent'],
      channels: ['email'],
      workflows: null,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      _id: expect.any(String),
      _environmentId: gateway.environmentId,
      url: 'https://example.com/hook',
      description: 'billing',
      events: ['message.sent', 'message.failed'],
      channels: ['email'],
      workflows: null,
      active: true,
      failures: 0,
      waitingDeliveries: 0,
      waitingEntries: 0,
      secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{32}$/),
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { secret, ...shown } = body;
    expect((await gateway.call('GET', `${PATH}/${body._id}`)).body).toEqual(shown);
    expect((await gateway.call<WebhookEndpointListDto>('GET', PATH)).body).toEqual({ data: [shown] });
    const [row] = await gateway.database.query<{ secret: string }>(`SELECT secret FROM webhook_endpoint`);
    expect(row!.secret).toMatch(/^v1\./);
    const rotated = await gateway.call<{ secret: string; previousSecretUntil: string }>(
      'POST',
      `${PATH}/${body._id}/rotate-secret`,
    );
    expect(rotated.status).toBe(200);
    expect(rotated.body.secret).not.toBe(secret);
    expect((await gateway.call<WebhookEndpointDto>('GET', `${PATH}/${body._id}`)).body.previousSecretUntil).toBe(
      rotated.body.previousSecretUntil,
    );
    const audit = await gateway.call<AuditLogListDto>('GET', `/v1/audit-log?resourceId=${body._id}`);
    expect(audit.body.data.map(({ action }) => action)).toEqual([
      'webhook_endpoint.updated',
      'webhook_endpoint.created',
    ]);
    expect(audit.text).not.toContain('whsec_');
  });

  it.each([
    [{}, 'url'],
    [{ url: 'not a url' }, 'url'],
    [{ url: 'ftp://example.com' }, 'url'],
    [{ url: 'http://example.com/hook' }, 'url'],
    [{ url: 'https://user:word@example.com' }, 'url'],
    [{ url: 'https://10.0.0.1/hook' }, 'url'],
    [{ url: 'https://169.254.169.254/' }, 'url'],
    [{ url: 'https://example.com/\r\nx-evil: 1' }, 'url'],
    [{ url: 'https://example.com/a\tb' }, 'url'],
    [{ url: 'https://exam\u200bple.com/hook' }, 'url'],
    [{ url: 'https://example.com', events: ['message.eaten'] }, 'events'],
    [{ url: 'https://example.com', events: [] }, 'events'],
    [{ url: 'https://example.com', channels: [] }, 'channels'],
    [{ url: 'https://example.com', workflows: [] }, 'workflows'],
    [{ url: 'https://example.com', channels: ['fax'] }, 'channels'],
    [{ url: 'https://example.com', workflows: [7] }, 'workflows'],
  ])('answers the endpoint %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await create(body), [field]);
  });

  it('refuses a URL and a description that are too long', async () => {
    expectFieldErrors(await create({ url: `https://example.com/${'x'.repeat(2_000)}` }), ['url']);
    expectFieldErrors(await create({ url: 'https://example.com', description: 'x'.repeat(501) }), ['description']);
  });

  it('allows plain http to a host that the operator listed', async () => {
    expect((await create({ url: 'http://127.0.0.1:9/hook' })).status).toBe(201);
  });

  it('refuses the endpoint after the last one that an environment may have, also under concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      ...Array<number>(20).fill(201),
      ...Array<number>(5).fill(400),
    ]);
  });

  it('changes, switches off and on, and deletes an endpoint, with a record of each change', async () => {
    const { body: endpoint } = await create();
    expect((await patch(endpoint._id, { description: 'new', events: ['message.read'] })).body).toMatchObject({
      description: 'new',
      events: ['message.read'],
      url: endpoint.url,
    });
    expect((await patch(endpoint._id, { active: false })).body).toMatchObject({
      active: false,
      disabledAt: expect.any(String),
    });
    for (const action of ['test', 'replay']) {
      const answer = await gateway.call('POST', `${PATH}/${endpoint._id}/${action}`, { failedOnly: true });
      expect([answer.status, answer.body['message']]).toEqual([409, expect.stringContaining('not active')]);
    }
    const on = (await patch(endpoint._id, { active: true, events: null })).body;
    expect([on.active, on.events, on.disabledAt]).toEqual([true, null, undefined]);
    expectFieldErrors(await patch(endpoint._id, { url: 'https://127.0.0.2/' }), ['url']);
    expectFieldErrors(await patch(endpoint._id, { events: [] }), ['events']);
    expect((await gateway.call('DELETE', `${PATH}/${endpoint._id}`)).status).toBe(204);
    expect((await gateway.call('GET', `${PATH}/${endpoint._id}`)).status).toBe(404);
    const audit = await gateway.call<AuditLogListDto>('GET', `/v1/audit-log?resourceId=${endpoint._id}`);
    expect(audit.body.data.map(({ action, after }) => [action, after])).toEqual([
      ['webhook_endpoint.deleted', undefined],
      ['webhook_endpoint.updated', { active: true }],
      ['webhook_endpoint.updated', { active: false }],
      ['webhook_endpoint.updated', { description: 'new', events: ['message.read'] }],
      ['webhook_endpoint.created', { url: endpoint.url, active: true }],
    ]);
  });

  it('shows the values in the query of a URL to those who may read secrets only, and keeps them', async () => {
    const url = 'https://example.com/hook?token=s3cret&room=7';
    const shown = 'https://example.com/hook?token=••••&room=••••';
    const { _id } = (await create({ url })).body;
    const keys = `/v1/environments/${gateway.environmentId}/api-keys`;
    const { key } = (await gateway.call<{ key: string }>('POST', keys, { scope: 'read' })).body;
    const list = await callGateway<WebhookEndpointListDto>(gateway.url, key, 'GET', PATH);
    expect(list.body.data.map((endpoint) => endpoint.url)).toEqual([shown]);
    expect((await gateway.call('GET', `${PATH}/${_id}`)).body).toMatchObject({ url });
    // A page that saw the mask sends it back.
    expect((await patch(_id, { url: shown, description: 'same' })).body).toMatchObject({ url });
    expect((await patch(_id, { url: url.replace('s3cret', 'other') })).status).toBe(200);
    const audit = await gateway.call<AuditLogListDto>('GET', `/v1/audit-log?resourceId=${_id}`);
    expect(audit.body.data.map(({ after }) => after)).toEqual([
      { url: `${shown} (other values)` },
      { description: 'same' },
      { url: shown, active: true },
    ]);
  });

  it('answers 404 for the endpoint of another environment and 422 for a malformed id', async () => {
    const { body: endpoint } = await create();
    const calls: [string, string, object?][] = [
      ['GET', ''],
      ['PATCH', '', { active: false }],
      ['DELETE', ''],
      ['POST', '/rotate-secret'],
      ['POST', '/test'],
      ['POST', '/replay', { failedOnly: true }],
      ['GET', '/deliveries'],
    ];
    for (const [method, rest, body] of calls) {
      expect((await callGateway(gateway.url, second, method, `${PATH}/${endpoint._id}${rest}`, body)).status).toBe(404);
      expect((await gateway.call(method, `${PATH}/${UNKNOWN}${rest}`, body)).status).toBe(404);
      expectFieldErrors(await gateway.call(method, `${PATH}/x${rest}`, body), ['endpointId']);
    }
    expect((await callGateway<WebhookEndpointListDto>(gateway.url, second, 'GET', PATH)).body.data).toEqual([]);
  });

  it('reads the log page by page, by type, and says what is wrong with a number', async () => {
    const before = (await readLog()).body.lastSequence;
    await createInAppWorkflow(gateway, 'logged');
    await gateway.call('PATCH', '/v2/workflows/logged', { active: false });
    await gateway.call('DELETE', '/v2/workflows/logged');
    await number();
    const all = (await readLog(`?after=${before}`)).body;
    expect(all.data.map(({ sequence, type, data }) => [sequence - before, type, data['workflowId']])).toEqual([
      [1, 'workflow.created', 'logged'],
      [2, 'workflow.published', 'logged'],
      [3, 'workflow.updated', 'logged'],
      [4, 'workflow.deleted', 'logged'],
    ]);
    expect(all).toMatchObject({ next: before + 4, hasMore: false, firstSequence: 1, isRecording: true });
    const page = (await readLog(`?after=${before}&limit=1`)).body;
    expect([page.data.length, page.next, page.hasMore]).toEqual([1, before + 1, true]);
    const typed = (await readLog(`?after=${before}&type=workflow.updated&type=workflow.deleted`)).body;
    expect(typed.data.map(({ type }) => type)).toEqual(['workflow.updated', 'workflow.deleted']);

    expectFieldErrors(await readLog(`?after=${before + 5}`), ['after']);
    expectFieldErrors(await readLog('?after=-1'), ['after']);
    expectFieldErrors(await readLog('?after=x'), ['after']);
    expectFieldErrors(await readLog('?type=message.eaten'), ['type']);
    expectFieldErrors(await readLog('?limit=1001'), ['limit']);
    const other = await callGateway<EventLogDto>(gateway.url, second, 'GET', '/v1/events/log');
    expect(other.body).toMatchObject({ data: [], lastSequence: 0 });

    await gateway.database.query(`DELETE FROM event_log_entry WHERE sequence <= $1`, [before + 2]);
    const gone = await readLog(`?after=${before}`);
    expect([gone.status, gone.body.firstSequence]).toEqual([410, before + 3]);
  });

  it('records nothing in an environment without a log and without endpoints', async () => {
    const changed = await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { eventLog: false });
    expect([changed.status, changed.body['eventLog']]).toEqual([200, false]);
    const { lastSequence } = (await readLog()).body;
    await createInAppWorkflow(gateway, 'silent');
    await number();
    expect((await readLog()).body).toMatchObject({ lastSequence, isRecording: false });
    await create();
    await gateway.call('DELETE', '/v2/workflows/silent');
    await number();
    expect((await readLog()).body).toMatchObject({ lastSequence: lastSequence + 1, isRecording: true });
    await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { eventLog: true });
  });

  it('stores a test and a replay for the worker, and refuses a replay that is unclear or impossible', async () => {
    const { body: endpoint } = await create();
    const post = (action: string, body?: object) => gateway.call('POST', `${PATH}/${endpoint._id}/${action}`, body);
    const tested = await post('test');
    expect([tested.status, tested.body['state'], tested.body['type']]).toEqual([
      202,
      'waiting',
      'webhook_endpoint.test',
    ]);
    const list = await gateway.call<WebhookDeliveryListDto>('GET', `${PATH}/${endpoint._id}/deliveries`);
    expect(list.body.data).toEqual([tested.body]);
    const failed = await gateway.call<WebhookDeliveryListDto>('GET', `${PATH}/${endpoint._id}/deliveries?state=failed`);
    expect(failed.body.data).toEqual([]);

    await createInAppWorkflow(gateway, 'replayed');
    await number();
    const { lastSequence } = (await readLog()).body;
    for (const body of [{}, { failedOnly: true, after: 1 }, { after: 1, since: new Date().toISOString() }]) {
      expectFieldErrors(await post('replay', body), ['failedOnly']);
    }
    expectFieldErrors(await post('replay', { after: lastSequence, to: lastSequence - 1 }), ['after']);
    expectFieldErrors(await post('replay', { to: lastSequence + 1 }), ['to']);
    const future = new Date(Date.now() + 60_000).toISOString();
    expectFieldErrors(await post('replay', { since: future, until: new Date().toISOString() }), ['since']);
    expect((await post('replay', { failedOnly: true })).body).toEqual({ deliveries: 0 });
    const since = new Date(Date.now() - 60_000).toISOString();
    expect(await post('replay', { since })).toMatchObject({ status: 202, body: { to: lastSequence } });
    expect((await post('replay', { after: lastSequence - 1 })).status).toBe(409);
  });
});
