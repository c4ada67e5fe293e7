import { callGateway, startOwnGateway, type TestGateway } from './harness';

type Entry = {
  _id: string;
  _environmentId: string;
  action: string;
  actor: { type: string; keyId?: string; keyPrefix?: string; keyName?: string };
  resource: { type: string; id: string; name?: string };
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
  requestId?: string;
  createdAt: string;
};
type List = { data: Entry[]; next: string | null; previous: string | null; totalCount: number };
type Named = { _id: string };

describe('audit log', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startOwnGateway();
  });
  afterAll(() => gateway.close());

  const list = async (query = '', key = gateway.key) =>
    (await callGateway<List>(gateway.url, key, 'GET', `/v1/audit-log?${query}`)).body;
  const newest = async (): Promise<Entry> => (await list('limit=1')).data[0]!;
  const make = async <T = Named>(method: string, path: string, body?: unknown): Promise<T> => {
    const answer = await gateway.call<T>(method, path, body);
    if (answer.status > 299) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };

  it('begins with the organization, environment and key that the first start created', async () => {
    expect((await list('actor=setup')).data.map(({ action, actor }) => [action, actor])).toEqual([
      ['organization.created', { type: 'setup' }],
      ['api_key.created', { type: 'setup' }],
      ['environment.created', { type: 'setup' }],
    ]);
  });

  it('lists the actor, the change and the request id of each change, newest first', async () => {
    const headers = { 'x-request-id': 'my-request' };
    const created = await gateway.call<Named>('POST', '/v1/tenants', { identifier: 'acme', name: 'Acme' }, headers);
    await make('PATCH', '/v1/tenants/acme', { name: 'Acme Ltd' });
    const { data } = await list('resourceType=tenant');
    const [key] = (await gateway.call<Named[]>('GET', `/v1/environments/${gateway.environmentId}/api-keys`)).body;
    expect(data.map(({ action }) => action)).toEqual(['tenant.updated', 'tenant.created']);
    expect(data[0]).toMatchObject({ before: { name: 'Acme' }, after: { name: 'Acme Ltd' } });
    expect(data[1]).toMatchObject({
      _environmentId: gateway.environmentId,
      actor: { type: 'key', keyId: key!._id, keyPrefix: gateway.key.slice(0, 12) },
      resource: { type: 'tenant', id: created.body._id },
      after: { identifier: 'acme', name: 'Acme' },
      requestId: 'my-request',
    });
    expect(data[1]).not.toHaveProperty('before');
  });

  it('stores which credential fields changed but no secret', async () => {
    const credentials = { apiKey: 'SG.very-secret-value', from: 'a@example.com', senderName: 'A' };
    const { _id } = await make('POST', '/v1/integrations', { providerId: 'sendgrid', channel: 'email', credentials });
    const created = await newest();
    expect(created.after).toMatchObject({ credentials: { apiKey: 'set', from: 'set', senderName: 'set' } });
    await make('PUT', `/v1/integrations/${_id}`, { credentials: { ...credentials, apiKey: 'SG.other-secret-value' } });
    expect(await newest()).toMatchObject({
      action: 'integration.updated',
      resource: { type: 'integration', id: _id },
      before: { credentials: { apiKey: 'set' } },
      after: { credentials: { apiKey: 'changed' } },
    });
    await make('PUT', `/v1/integrations/${_id}`, { name: 'Renamed', credentials: { ...credentials, apiKey: 'third' } });
    expect((await newest()).after).toEqual({ name: 'Renamed', credentials: { apiKey: 'changed' } });
    const { key } = await make<{ key: string }>('POST', `/v1/environments/${gateway.environmentId}/api-keys`, {});
    await make('DELETE', `/v1/integrations/${_id}`);
    const rows = JSON.stringify(await gateway.database.query('SELECT * FROM audit_log'));
    for (const secret of ['very-secret', 'other-secret', 'third', key, 'encrypted_key', 'v1.k1.']) {
      expect(rows).not.toContain(secret);
    }
  });

  it('names keys and resources as they are called now', async () => {
    const made = await make<Named>('POST', '/v2/workflows', { name: 'Parcel', workflowId: 'parcel', steps: [] });
    const texts = { resourceId: 'parcel', resourceType: 'workflow', locale: 'de_DE', content: { hello: 'Hallo' } };
    await make('POST', '/v2/translations', texts);
    expect((await newest()).resource.name).toBe('Parcel, de_DE');
    await make('PUT', `/v2/workflows/parcel`, { name: 'Parcel sent', steps: [] });
    const named = (await list(`resourceId=${made._id}`)).data;
    expect(named.map(({ resource }) => resource.name)).toEqual(['Parcel sent', 'Parcel sent']);
    const keys = `/v1/environments/${gateway.environmentId}/api-keys`;
    const [own] = (await gateway.call<(Named & { name: string })[]>('GET', keys)).body;
    expect(named[0]!.actor).toMatchObject({ keyId: own!._id, keyName: own!.name });
    await make('POST', '/v1/environment-variables', { key: 'HOST', value: 'x' });
    expect((await newest()).resource.name).toBe('HOST');
    await make('POST', '/v1/webhook-endpoints', { url: 'https://hooks.example.com/a?token=secret' });
    expect((await newest()).resource.name).toBe('https://hooks.example.com/a?token=••••');
    await make('POST', '/v1/suppressions', { channel: 'sms', address: '+4411111' });
    expect((await newest()).resource).not.toHaveProperty('name');
  });

  it('records no entry for an update that changes nothing', async () => {
    const { _id } = await make('POST', '/v1/integrations', { providerId: 'slack', channel: 'chat', name: 'Slack' });
    const before = await newest();
    await make('PUT', `/v1/integrations/${_id}`, { name: 'Slack' });
    expect(await newest()).toEqual(before);
  });

  it('records changes of every kind of configuration', async () => {
    const environment = `/v1/environments/${gateway.environmentId}`;
    const key = await make('POST', `${environment}/api-keys`, {});
    await make('DELETE', `${environment}/api-keys/${key._id}`);
    await make('PUT', environment, { dialect: 'spec' });
    await make('PUT', environment, { dialect: null });
    await make('POST', '/v1/organizations', { name: 'Other' });
    await make('POST', '/v2/workflows', { name: 'W', workflowId: 'w', steps: [] });
    await make('PATCH', '/v2/workflows/w', { active: false });
    expect(await newest()).toMatchObject({ before: { active: true }, after: { active: false } });
    await make('PUT', '/v2/workflows/w', {
      name: 'W',
      preferences: { user: null, workflow: { all: { enabled: false, readOnly: true } } },
      steps: [{ name: 'In', type: 'in_app', controlValues: { body: 'Hello' } }],
    });
    expect((await newest()).after).toMatchObject({ preferences: expect.any(Object), steps: [expect.any(Object)] });
    await make('DELETE', '/v2/workflows/w');
    await make('POST', '/v2/layouts', { layoutId: 'l', name: 'L' });
    await make('PUT', '/v2/layouts/l', { name: 'L2' });
    await make('POST', '/v2/layouts/l/duplicate', { name: 'Copy', layoutId: 'copy' });
    await make('DELETE', '/v2/layouts/copy');
    await make('POST', '/v2/contexts', { type: 'team', id: 'red', data: { lead: 'Ada' } });
    await make('PATCH', '/v2/contexts/team/red', { data: { lead: 'Bob' } });
    await make('DELETE', '/v2/contexts/team/red');
    await make('POST', '/v1/suppressions', { channel: 'email', address: 'gone@example.com' });
    await make('DELETE', '/v1/suppressions/email/gone@example.com');
    await make('DELETE', '/v1/tenants/acme');
    const actions = (await list('limit=100')).data.map(({ action }) => action);
    for (const action of [
      'api_key.created',
      'api_key.revoked',
      'environment.updated',
      'organization.created',
      'workflow.created',
      'workflow.updated',
      'workflow.deleted',
      'layout.created',
      'layout.updated',
      'layout.deleted',
      'context.created',
      'context.updated',
      'context.deleted',
      'suppression.created',
      'suppression.deleted',
      'integration.created',
      'integration.deleted',
      'tenant.deleted',
    ]) {
      expect(actions).toContain(action);
    }
  });

  it('records a preference that a page of the dashboard changed, and none that a backend passes on', async () => {
    await make('POST', '/v2/subscribers', { subscriberId: 'dora' });
    await make('PATCH', '/v2/subscribers/dora/preferences', { channels: { sms: false } });
    expect((await list('resourceId=dora')).data).toEqual([]);
    const browser = (path: string, method: string, body: object, cookie = '') =>
      fetch(gateway.url + path, {
        method,
        headers: { 'content-type': 'application/json', 'clarion-dashboard': '1', cookie },
        body: JSON.stringify(body),
      });
    const session = await browser('/v1/sessions', 'POST', { apiKey: gateway.key });
    const cookie = session.headers.get('set-cookie')!.split(';')[0];
    const path = '/v2/subscribers/dora/preferences';
    expect((await browser(path, 'PATCH', { channels: { email: false } }, cookie)).status).toBe(200);
    const { data } = await list('resourceId=dora');
    expect(data).toMatchObject([
      {
        action: 'subscriber.updated',
        actor: { type: 'key', keyPrefix: gateway.key.slice(0, 12) },
        resource: { type: 'subscriber', id: expect.stringMatching(/^[0-9a-f]{64}$/) },
        before: { preferences: { channels: { email: true, sms: false } } },
        after: { preferences: { channels: { email: false, sms: false } } },
      },
    ]);
  });

  it('names no person, and finds the entries about one by what the caller knows', async () => {
    await make('POST', '/v1/suppressions', { channel: 'email', address: 'Ada@example.com' });
    const entries = await list('resourceId=email/ada@example.com');
    expect(entries.data).toMatchObject([
      { action: 'suppression.created', resource: { id: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    ]);
    expect(entries.data[0]!.after).toMatchObject({ channel: 'email', reason: 'manual' });
    expect(JSON.stringify(entries)).not.toContain('ada@');
    expect((await list(`resourceId=${entries.data[0]!.resource.id}`)).data).toEqual(entries.data);
  });

  it('commits a change and its record together or not at all', async () => {
    await make('POST', '/v1/tenants', { identifier: 'one' });
    await make('POST', '/v1/tenants', { identifier: 'two' });
    const before = await newest();
    expect((await gateway.call('PATCH', '/v1/tenants/one', { identifier: 'two' })).status).toBe(409);
    expect(await newest()).toEqual(before);
    await gateway.database.query(
      `ALTER TABLE audit_log ADD CONSTRAINT broken CHECK (action <> 'tenant.deleted') NOT VALID`,
    );
    try {
      expect((await gateway.call('DELETE', '/v1/tenants/one')).status).toBe(500);
      expect((await gateway.call('GET', '/v1/tenants/one')).status).toBe(200);
    } finally {
      await gateway.database.query(`ALTER TABLE audit_log DROP CONSTRAINT broken`);
    }
  });

  it.each(['UPDATE audit_log SET action = action', 'DELETE FROM audit_log', 'TRUNCATE audit_log'])(
    'rejects the statement %s',
    async (statement) => {
      await expect(gateway.database.query(statement)).rejects.toThrow('append-only');
    },
  );

  describe('GET /v1/audit-log', () => {
    it('pages through the audit log forward and backward by cursor', async () => {
      const whole = await list('limit=100');
      const first = await list('limit=2');
      const second = await list(`limit=2&after=${first.next}`);
      expect([...first.data, ...second.data]).toEqual(whole.data.slice(0, 4));
      expect(first).toMatchObject({ previous: null, totalCount: whole.data.length });
      expect((await list(`limit=2&before=${second.previous}`)).data).toEqual(first.data);
    });

    it('filters the audit log by action, resource, actor and time and ignores empty filters', async () => {
      const total = (await list()).totalCount;
      const entry = await newest();
      expect((await list('action=tenant.created')).data.every(({ action }) => action === 'tenant.created')).toBe(true);
      expect((await list(`resourceType=tenant&resourceId=${entry.resource.id}`)).data).toContainEqual(entry);
      expect((await list(`actor=${entry.actor.keyId}`)).data[0]).toEqual(entry);
      expect((await list('actor=cli')).totalCount).toBe(0);
      expect((await list('createdAfter=2099-01-01')).totalCount).toBe(0);
      expect((await list(`createdBefore=${entry.createdAt}&createdAfter=2020-01-01`)).totalCount).toBe(total);
      expect((await list('action=&resourceType=&resourceId=&actor=&createdAfter=&createdBefore=')).totalCount).toBe(
        total,
      );
    });

    it.each(['actor=x', 'after=x', 'environmentId=x', 'format=xml'])('answers 422 to the query %s', async (query) => {
      expect((await gateway.call('GET', `/v1/audit-log?${query}`)).status).toBe(422);
    });

    it('requires a key of the scope full, and of the scope admin to read another environment', async () => {
      const { environment, key } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Other' });
      const full = await list('', key);
      expect(full.data.map(({ action, actor }) => [action, actor.type])).toEqual([
        ['api_key.created', 'cli'],
        ['environment.created', 'cli'],
      ]);
      expect(await list(`environmentId=${environment.id}`)).toEqual(full);
      const status = async (withKey: string, query = '') =>
        (await callGateway(gateway.url, withKey, 'GET', `/v1/audit-log?${query}`)).status;
      expect(await status(key, `environmentId=${gateway.environmentId}`)).toBe(404);
      expect(await status(gateway.key, 'environmentId=0190c0de-0000-7000-8000-000000000000')).toBe(404);
      for (const scope of ['read', 'trigger'] as const) {
        expect(await status((await gateway.admin.createKey(environment, { scope })).key)).toBe(403);
      }
    });
  });

  describe('export of the audit log', () => {
    const download = async (query: string, headers: Record<string, string> = {}) => {
      const response = await fetch(`${gateway.url}/v1/audit-log?${query}`, {
        headers: { authorization: `ApiKey ${gateway.key}`, ...headers },
      });
      return { response, text: await response.text() };
    };

    beforeAll(async () => {
      for (let n = 0; n < 120; n += 1) await make('POST', '/v1/tenants', { identifier: `t${n}`, name: '=1+1' });
    });

    it('exports all entries as one JSON object per line, also in the novu dialect', async () => {
      const { response, text } = await download('format=ndjson&resourceType=tenant&limit=1', {
        'user-agent': '@novu/api',
      });
      expect(response.headers.get('content-type')).toBe('application/x-ndjson; charset=utf-8');
      const entries = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Entry);
      expect(entries.length).toBe((await list('resourceType=tenant')).totalCount);
      expect(entries.length).toBeGreaterThan(120);
      expect(entries.slice(0, 10)).toEqual((await list('resourceType=tenant')).data);
    });

    it('exports all entries as CSV in which no cell can be read as a formula', async () => {
      await make('POST', '/v1/tenants', { identifier: 'sheet', name: '=1+1;+2,@a' });
      const { response, text } = await download('format=csv');
      expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
      expect(response.headers.get('content-disposition')).toBe('attachment; filename="audit-log.csv"');
      const lines = text.trimEnd().split('\r\n');
      const names =
        'id createdAt environmentId actorType keyId keyPrefix action resourceType resourceId before after requestId';
      expect(lines[0]).toBe(`"${names.replaceAll(' ', '","')}"`);
      expect(lines.length - 1).toBe((await list()).totalCount);
      expect(text).toContain(`'=1+1;'+2,'@a`);
      expect(lines.filter((line) => /(?:^|[,;])"*[=+@-]/.test(line))).toEqual([]);
    });

    it('answers 422 to an export with an invalid cursor', async () => {
      expect((await download('format=csv&after=x')).response.status).toBe(422);
      expect((await download(`format=csv&before=${(await newest())._id}`)).response.status).toBe(422);
    });
  });
});
