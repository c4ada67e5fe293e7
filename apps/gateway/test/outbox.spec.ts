import { type IntegrationDto, newId, type OutboxListDto, type OutboxMessageDto } from '@clarion/contracts';
import { type NewOutboxMessage, OutboxRepository } from '@clarion/persistence';
import { insertMessages } from '@clarion/testing';
import { callGateway, startGateway, type TestGateway } from './harness';

const POLICY = "sandbox; default-src 'none'; img-src data: https:; style-src 'unsafe-inline'";

describe('outbox', () => {
  let gateway: TestGateway;
  let outbox: OutboxRepository;

  beforeAll(async () => {
    gateway = await startGateway();
    outbox = new OutboxRepository(gateway.database);
  });
  afterEach(() => outbox.empty(gateway.environmentId));
  afterAll(() => gateway.close());

  const put = async (more: Partial<NewOutboxMessage> = {}, environmentId = gateway.environmentId): Promise<string> => {
    const messageId = newId();
    const mail = {
      messageId,
      channel: 'email',
      providerId: 'platform-email',
      to: ['ada@example.com'],
      more: {},
    } as const;
    await outbox.put(environmentId, [{ ...mail, ...more }]);
    return messageId;
  };
  const list = (query = '', headers?: Record<string, string>) =>
    gateway.call<OutboxListDto>('GET', `/v1/outbox${query}`, undefined, headers);
  const ids = async (query = '') => (await list(query)).body.data.map(({ _id }) => _id);
  /** Fetches a page or text, as a browser does. */
  const open = async (url: string, headers: Record<string, string> = {}) => {
    const response = await fetch(url, { headers });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const withKey = (key = gateway.key) => ({ authorization: `ApiKey ${key}` });
  const pageOf = (messageId: string, key?: string) =>
    open(`${gateway.url}/v1/outbox/${messageId}/preview`, withKey(key));

  it('shows a message as it would have been sent, in the list and alone', async () => {
    const html = '<p>Hi <b>Ada</b></p>';
    const id = await put({ subject: 'Hello', html, text: 'Hi Ada', more: { cc: ['bob@example.com'] } });
    const shown = {
      _id: id,
      _environmentId: gateway.environmentId,
      channel: 'email',
      providerId: 'platform-email',
      to: ['ada@example.com'],
      subject: 'Hello',
      html,
      text: 'Hi Ada',
      more: { cc: ['bob@example.com'] },
      previewUrl: expect.stringContaining(`${gateway.url}/outbox/${gateway.environmentId}/${id}?`),
      createdAt: expect.stringMatching(/Z$/),
    };
    expect(await list()).toMatchObject({ status: 200, body: { totalCount: 1, next: null, previous: null } });
    expect((await list()).body.data).toEqual([shown]);

    const whole = await gateway.call<OutboxMessageDto>('GET', `/v1/outbox/${id}`);
    expect(whole.status).toBe(200);
    expect(whole.body).toEqual(shown);
  });

  it('leaves out the fields that a message does not have', async () => {
    const id = await put({ channel: 'chat', providerId: 'platform-slack', to: [], text: 'Hi' });
    const { body } = await gateway.call('GET', `/v1/outbox/${id}`);
    expect(Object.keys(body).sort()).toEqual(
      ['_environmentId', '_id', 'channel', 'createdAt', 'more', 'previewUrl', 'providerId', 'text', 'to'].sort(),
    );
  });

  it('lists messages newest first, in pages and by filters', async () => {
    const mail = await put();
    const text = await put({ channel: 'sms', providerId: 'platform-sms', to: ['+15550001111'], text: 'Hi' });
    await insertMessages(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId: newId(), id: mail, transactionId: 'tx-1' },
    ]);
    expect(await ids()).toEqual([text, mail]);
    expect(await ids('?orderDirection=ASC')).toEqual([mail, text]);
    const first = await list('?limit=1');
    expect(await ids(`?limit=1&after=${first.body.next}`)).toEqual([mail]);
    expect(await ids('?channel=email')).toEqual([mail]);
    expect(await ids('?to=%2B15550001111')).toEqual([text]);
    expect(await ids('?transactionId=tx-1')).toEqual([mail]);
    expect(await ids('?search=ADA@')).toEqual([mail]);
    expect(await ids('?search=hi')).toEqual([text]);
    expect(await ids('?search=%25')).toEqual([]);
    expect((await list('?channel=email')).body.data[0]!._notificationId).toMatch(/00$/);
    expect(await ids('?transactionId=tx-2')).toEqual([]);
  });

  it.each([
    ['channel', '?channel=fax'],
    ['to', `?to=${'x'.repeat(257)}`],
    ['limit', '?limit=101'],
    ['after', '?after=nonsense'],
  ])('answers a bad outbox query with a 422 that names %s', async (field, query) => {
    const { status, body } = await gateway.call<{ errors: object }>('GET', `/v1/outbox${query}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  it('translates provider ids for a @novu/ client, but not inside a message', async () => {
    const id = await put({ more: { customData: { providerId: 'platform-email' } } });
    const headers = { 'user-agent': '@novu/api' };
    expect((await list('', headers)).body.data).toMatchObject([{ providerId: 'novu-email' }]);
    const whole = await gateway.call('GET', `/v1/outbox/${id}`, undefined, headers);
    expect(whole.body).toMatchObject({
      data: { providerId: 'novu-email', more: { customData: { providerId: 'platform-email' } } },
    });
    const page = await open(`${gateway.url}/v1/outbox/${await put({ html: '<p>' })}/preview`, {
      ...withKey(),
      ...headers,
    });
    expect(page.text).toBe('<p>');
  });

  it('empties the outbox of the environment only', async () => {
    const { environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Kept' });
    await put({}, environment.id);
    await put();
    expect(await gateway.call('DELETE', '/v1/outbox')).toMatchObject({ status: 204, text: '' });
    expect(await ids()).toEqual([]);
    expect((await gateway.call('DELETE', '/v1/outbox')).status).toBe(204);
    const left = await gateway.database.query(`SELECT 1 FROM outbox WHERE environment_id = $1`, [environment.id]);
    expect(left).toHaveLength(1);
  });

  it('hides messages from another environment, from requests without a key and from trigger keys', async () => {
    const id = await put({ html: '<p>Hi</p>' });
    const other = await gateway.secondKey();
    const call = (path: string) => callGateway<OutboxListDto>(gateway.url, other, 'GET', path);
    expect((await call('/v1/outbox')).body.data).toEqual([]);
    const unknown = newId();
    for (const path of ['', '/preview']) {
      const foreign = await call(`/v1/outbox/${id}${path}`);
      const missing = await call(`/v1/outbox/${unknown}${path}`);
      expect(foreign.status).toBe(404);
      expect(foreign.text.replaceAll(id, '').replace(/"timestamp":"[^"]*"/, '')).toBe(
        missing.text.replaceAll(unknown, '').replace(/"timestamp":"[^"]*"/, ''),
      );
      expect((await gateway.call('GET', `/v1/outbox/nonsense${path}`)).status).toBe(422);
      expect((await open(`${gateway.url}/v1/outbox/${id}${path}`)).status).toBe(401);
    }
    const trigger = await gateway.admin.createKey(
      (await gateway.database.rows<never>(`SELECT * FROM environment WHERE id = $1`, [gateway.environmentId]))[0]!,
      { scope: 'trigger' },
    );
    expect((await pageOf(id, trigger.key)).status).toBe(403);
  });

  describe('preview page', () => {
    it('serves the HTML of a message unchanged under a sandbox policy', async () => {
      const html = '<script>alert(1)</script><p>Grüße</p>';
      const { status, headers, text } = await pageOf(await put({ html, text: 'other' }));
      expect([status, text]).toEqual([200, html]);
      expect(Object.fromEntries(headers)).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': POLICY,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      });
    });

    it('escapes a text message in the preview page', async () => {
      const id = await put({ channel: 'sms', to: ['<+1>'], text: `<script>alert('&')</script>\n"ok"` });
      const { headers, text } = await pageOf(id);
      expect(headers.get('content-security-policy')).toBe(POLICY);
      expect(text).toContain('&lt;script&gt;alert(&#39;&amp;&#39;)&lt;/script&gt;\n&quot;ok&quot;');
      expect(text).toContain('<title>&lt;+1&gt;</title>');
      expect(text).not.toContain('<script');
    });

    const linkTo = async (messageId: string): Promise<URL> => {
      const { body } = await gateway.call<OutboxMessageDto>('GET', `/v1/outbox/${messageId}`);
      return new URL(body.previewUrl);
    };

    it('opens the preview page by its signed link for 15 minutes without a key', async () => {
      const link = await linkTo(await put({ html: '<p>Hi</p>' }));
      const { status, headers, text } = await open(link.href);
      expect([status, text]).toEqual([200, '<p>Hi</p>']);
      expect(headers.get('content-security-policy')).toBe(POLICY);
      const seconds = Number(link.searchParams.get('expires')) - Date.now() / 1000;
      expect(seconds).toBeGreaterThan(14 * 60);
      expect(seconds).toBeLessThanOrEqual(15 * 60);
      await outbox.empty(gateway.environmentId);
      expect((await open(link.href)).status).toBe(404);
    });

    it('builds the link to the preview page from CLARION_PUBLIC_URL', async () => {
      const elsewhere = await startGateway({ CLARION_PUBLIC_URL: 'https://clarion.example/notify/' });
      try {
        const messageId = newId();
        const mail = { channel: 'email', providerId: 'platform-email', to: [], html: '<p>', more: {} } as const;
        await new OutboxRepository(elsewhere.database).put(elsewhere.environmentId, [{ messageId, ...mail }]);
        const { body } = await elsewhere.call<OutboxListDto>('GET', '/v1/outbox');
        const { previewUrl } = body.data[0]!;
        expect(previewUrl).toMatch(/^https:\/\/clarion\.example\/notify\/outbox\//);
        const link = previewUrl.replace('https://clarion.example/notify', elsewhere.url);
        expect((await open(link)).status).toBe(200);
      } finally {
        await elsewhere.close();
      }
    });

    it('rejects a preview link that was changed or moved to another message or environment', async () => {
      const id = await put({ html: '<p>Hi</p>' });
      const other = await put({ html: '<p>Secret</p>' });
      const { environment } = await gateway.admin.createEnvironment(gateway.organizationId, { name: 'Elsewhere' });
      const link = (await linkTo(id)).href;
      const [, signature] = /signature=(.*)$/.exec(link)!;
      const forged = [
        link.replace(id, other),
        link.replace(gateway.environmentId, environment.id),
        link.replace(/expires=(\d+)/, (_, seconds) => `expires=${Number(seconds) + 1}`),
        link.replace(
          signature!,
          signature!.replace(/\.(.)/, (_, first) => `.${first === 'A' ? 'B' : 'A'}`),
        ),
        link.replace(signature!, ''),
        link.replace('&signature=', '&other='),
        link.replace(/\?.*/, ''),
        `${link}&signature=x`,
        link.replace(id, '%00'),
      ];
      for (const url of forged) expect([url, (await open(url)).status]).toEqual([url, 401]);
      expect((await open(link)).status).toBe(200);
    });

    it('rejects an expired preview link', async () => {
      const id = await put({ html: '<p>Hi</p>' });
      const signed = (expires: number | string) =>
        `${gateway.url}/outbox/${gateway.environmentId}/${id}?expires=${expires}&signature=` +
        gateway.secrets.sign(String(expires), [gateway.environmentId, 'outbox', id]);
      const now = Math.floor(Date.now() / 1000);
      expect((await open(signed(now + 60))).status).toBe(200);
      const late = await open(signed(now - 1));
      expect([late.status, JSON.parse(late.text)]).toMatchObject([
        401,
        { message: expect.stringContaining('expired') },
      ]);
    });
  });

  describe('demo providers', () => {
    const newEnvironment = async (kind = 'development'): Promise<{ key: string; integrations: IntegrationDto[] }> => {
      const { body } = await gateway.call<{ apiKeys: { key: string }[] }>('POST', '/v1/environments', {
        name: newId(),
        kind,
      });
      const { key } = body.apiKeys[0]!;
      return { key, integrations: await integrationsOf(key) };
    };
    const as =
      (key: string) =>
      <T = IntegrationDto>(method: string, path: string, body?: unknown) =>
        callGateway<T>(gateway.url, key, method, `/v1/integrations${path}`, body);
    const integrationsOf = async (key: string) => (await as(key)<IntegrationDto[]>('GET', '')).body;
    const SENDGRID = { apiKey: 'SG.key', from: 'me@example.com', senderName: 'Me' };
    const sendgrid = { providerId: 'sendgrid', channel: 'email', active: true, credentials: SENDGRID };

    it('creates the demo providers of a production environment inactive, and refuses to activate them', async () => {
      const { key, integrations } = await newEnvironment('production');
      expect(integrations.filter(({ active }) => active).map(({ providerId }) => providerId)).toEqual(['platform']);
      const [, demo] = integrations;
      const refused = await as(key)('PUT', `/${demo!._id}`, { active: true });
      expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('kind production') } });
      const sandbox = await newEnvironment('sandbox');
      expect(sandbox.integrations.every(({ active }) => active)).toBe(true);
    });

    it('creates the demo providers of a new environment active and not primary', async () => {
      const { key, integrations } = await newEnvironment();
      const brief = integrations.map(({ providerId, channel, name, active, primary, priority }) => ({
        providerId,
        channel,
        name,
        active,
        primary,
        priority,
      }));
      const common = { active: true, primary: false, priority: 0 };
      expect(brief).toEqual([
        { providerId: 'platform', channel: 'in_app', name: 'In-App', ...common, priority: 1 },
        { providerId: 'platform-email', channel: 'email', name: 'Clarion Email', ...common },
        { providerId: 'platform-sms', channel: 'sms', name: 'Clarion SMS', ...common },
        { providerId: 'platform-slack', channel: 'chat', name: 'Clarion Slack', ...common },
      ]);
      expect(integrations.map(({ identifier }) => identifier.replace(/\w{6}$/, ''))).toEqual([
        'in-app-',
        'clarion-email-',
        'clarion-sms-',
        'clarion-slack-',
      ]);
      const novu = await callGateway<{ data: IntegrationDto[] }>(
        gateway.url,
        key,
        'GET',
        '/v1/integrations',
        undefined,
        {
          'user-agent': '@novu/api',
        },
      );
      expect(novu.body.data.map(({ providerId }) => providerId)).toEqual([
        'novu',
        'novu-email',
        'novu-sms',
        'novu-slack',
      ]);
    });

    it('never makes a demo provider primary, so that the first real integration becomes primary', async () => {
      const { key, integrations } = await newEnvironment();
      const call = as(key);
      const demo = integrations.find(({ channel }) => channel === 'email')!;
      const refused = await call('POST', `/${demo._id}/set-primary`);
      expect(refused).toMatchObject({
        status: 400,
        body: { message: 'Clarion Email delivers into the outbox and cannot be primary' },
      });
      const { body: real } = await call('POST', '', sendgrid);
      expect(real).toMatchObject({ primary: true, priority: 1 });
      for (const active of [false, true]) {
        expect((await call('PUT', `/${demo._id}`, { active })).body).toMatchObject({
          active,
          primary: false,
          priority: 0,
        });
      }
      await call('PUT', `/${real._id}`, { active: false });
      expect((await integrationsOf(key)).filter(({ primary }) => primary)).toEqual([]);
    });

    it('does not create deleted demo providers again', async () => {
      const { key, integrations } = await newEnvironment();
      for (const { _id } of integrations.slice(1)) await as(key)('DELETE', `/${_id}`);
      await gateway.admin.ensureDefaults();
      expect((await integrationsOf(key)).map(({ providerId }) => providerId)).toEqual(['platform']);
    });
  });
});
