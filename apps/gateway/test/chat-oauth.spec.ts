import type {
  ChannelConnectionListDto,
  ChannelEndpointListDto,
  ChatOAuthUrlResponseDto,
  IntegrationDto,
  LinkChannelEndpointResponseDto,
  MobileLinkResponseDto,
} from '@clarion/contracts';
import { SetupLinkRepository } from '@clarion/persistence';
import type { FakeCall, FakeProvider } from '@clarion/testing';
import { callGateway, type Refusal, startGateway, type TestGateway } from './harness';

const TENANT = '11111111-2222-4333-8444-555555555555';
const CALLBACK = '/v1/integrations/chat/oauth/callback';

let gateway: TestGateway;
let fake: FakeProvider;
/** The key of another environment. */
let foreignKey: string;

beforeAll(async () => {
  gateway = await startGateway();
  fake = gateway.provider;
  await integration('slack', { applicationId: 'A', clientId: 'C1', secretKey: 'slack-secret' });
  await integration(
    'slack',
    { applicationId: 'A', clientId: 'C1', secretKey: 's', redirectUrl: 'https://app.example/done?x=1' },
    'away',
  );
  await integration('msteams', { clientId: 'bot-1', secretKey: 'teams-secret' });
  await integration('telegram', { apiToken: '123456:a-token-of-a-telegram-bot' });
  await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' });
  foreignKey = await gateway.secondKey();
});
beforeEach(() => {
  fake.reset();
  fake.always('/api/oauth.v2.access', {
    json: {
      ok: true,
      access_token: 'xoxb-1',
      refresh_token: 'xoxe-1',
      expires_in: 43_200,
      bot_user_id: 'B1',
      team: { id: 'T1', name: 'Acme' },
      authed_user: { id: 'U1' },
    },
  });
});
afterAll(async () => {
  await gateway.close();
});

const integration = (providerId: string, credentials: object, identifier = providerId) =>
  gateway.call<IntegrationDto>('POST', '/v1/integrations', {
    providerId,
    channel: 'chat',
    identifier,
    active: true,
    credentials,
  });

type Browser = { cookie?: string };
/** The browser of all visits that name no other one. */
const BROWSER: Browser = {};

const go = async (url: string, browser = BROWSER) => {
  const headers: Record<string, string> = browser.cookie === undefined ? {} : { cookie: `other=1; ${browser.cookie}` };
  const response = await fetch(url, { redirect: 'manual', headers });
  const written = response.headers.get('set-cookie');
  if (written !== null) browser.cookie = written.split(';', 1)[0]!;
  return { status: response.status, location: response.headers.get('location'), text: await response.text(), written };
};
const linkOf = async (path: string, body: object): Promise<string> => {
  const answer = await gateway.call<ChatOAuthUrlResponseDto>('POST', `/v1/integrations/${path}`, body);
  expect(answer.status).toBeLessThan(300);
  return answer.body.url;
};
/** The page of the provider to which the link leads the browser. */
const linkTo = async (path: string, body: object): Promise<URL> => {
  const started = await go(await linkOf(path, body));
  expect(started.status).toBe(302);
  return new URL(started.location!);
};
const visit = (query: Record<string, string>, browser = BROWSER) =>
  go(`${gateway.url}${CALLBACK}?${new URLSearchParams(query)}`, browser);
const stateOf = (url: URL): string => url.searchParams.get('state')!;
const connections = async () =>
  (await gateway.call<ChannelConnectionListDto>('GET', '/v1/channel-connections?limit=100')).body.data;
const endpoints = async () =>
  (await gateway.call<ChannelEndpointListDto>('GET', '/v1/channel-endpoints?limit=100')).body.data;
const formOf = ({ body }: FakeCall) => Object.fromEntries(new URLSearchParams(body));
const jwt = (claims: object): string => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`;

describe('Slack', () => {
  it('connects a workspace, links the person who connects it, and stores encrypted tokens', async () => {
    const url = await linkTo('channel-connections/oauth', {
      integrationIdentifier: 'slack',
      subscriberId: 'ada',
      connectionIdentifier: 'acme',
      context: { team: 'red' },
    });
    expect(url.origin + url.pathname).toBe(`${fake.url}/oauth/v2/authorize`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'C1',
      redirect_uri: gateway.url + CALLBACK,
      scope: expect.stringContaining('chat:write') as string,
    });
    expect(await visit({ state: stateOf(url), code: 'code-1' })).toMatchObject({
      status: 200,
      text: expect.stringContaining('Connected') as string,
    });
    expect(formOf(fake.calls[0]!)).toEqual({
      client_id: 'C1',
      client_secret: 'slack-secret',
      code: 'code-1',
      redirect_uri: gateway.url + CALLBACK,
    });
    expect(await connections()).toMatchObject([
      {
        identifier: 'acme',
        subscriberId: 'ada',
        contextKeys: ['team:red'],
        workspace: { id: 'T1', name: 'Acme', botUserId: 'B1' },
        auth: { accessToken: 'xoxb-1', refreshToken: 'xoxe-1', expiresAt: expect.any(String) as string },
      },
    ]);
    expect(await endpoints()).toMatchObject([
      {
        type: 'slack_user',
        endpoint: { userId: 'U1' },
        connectionIdentifier: 'acme',
        subscriberId: 'ada',
        contextKeys: ['team:red'],
      },
    ]);
    const log = await gateway.call<{ data: { actor: { type: string }; action: string }[] }>(
      'GET',
      '/v1/audit-log?resourceType=channel_connection',
    );
    expect(log.body.data[0]).toMatchObject({ actor: { type: 'person' }, action: 'channel_connection.created' });
  });

  it('renews the token of the same workspace instead of connecting it twice', async () => {
    const body = { integrationIdentifier: 'slack', subscriberId: 'ada', context: { team: 'red' } };
    const url = await linkTo('chat/oauth', body);
    fake.next('/api/oauth.v2.access', {
      json: { ok: true, access_token: 'xoxb-2', team: { id: 'T1' }, authed_user: { id: 'U1' } },
    });
    await visit({ state: stateOf(url), code: 'code-2' });
    expect(await connections()).toMatchObject([{ identifier: 'acme', auth: { accessToken: 'xoxb-2' } }]);
    expect(await endpoints()).toHaveLength(1);
  });

  it('links a person to the connection of their workspace, once', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'bob' });
    for (const path of ['channel-endpoints/oauth', 'channel-endpoints/link']) {
      const url = await linkTo(path, { integrationIdentifier: 'slack', subscriberId: 'bob' });
      expect(url.searchParams.get('user_scope')).toBe('identity.basic');
      fake.next('/api/oauth.v2.access', { json: { ok: true, team: { id: 'T1' }, authed_user: { id: 'U2' } } });
      expect((await visit({ state: stateOf(url), code: 'c' })).status).toBe(200);
    }
    expect((await endpoints()).filter(({ subscriberId }) => subscriberId === 'bob')).toMatchObject([
      { endpoint: { userId: 'U2' }, connectionIdentifier: 'acme' },
    ]);
  });

  it('redirects only to the URL of the integration', async () => {
    const url = await linkTo('chat/oauth', { integrationIdentifier: 'away', connectionMode: 'shared' });
    const done = await visit({ state: stateOf(url), code: 'c', redirect_uri: 'https://evil.example', next: '//evil' });
    expect(done).toMatchObject({ status: 302, location: 'https://app.example/done?x=1' });
  });

  it('keeps the answer of the provider and of the person who declines, and stores nothing', async () => {
    const before = await connections();
    const refusals: [Record<string, string>, string][] = [
      [{ error: 'access_denied' }, 'access_denied'],
      [{}, 'no code'],
      [{ code: 'bad' }, 'invalid_code'],
    ];
    fake.always('/api/oauth.v2.access', { json: { ok: false, error: 'invalid_code' } });
    for (const [query, text] of refusals) {
      const url = await linkTo('chat/oauth', { integrationIdentifier: 'slack' });
      const answer = await visit({ state: stateOf(url), ...query });
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(text)]);
    }
    expect(await connections()).toEqual(before);
  });
});

describe('state of a link', () => {
  const refused = async (state: string): Promise<void> => {
    const before = fake.count;
    expect(await visit({ state, code: 'c' })).toMatchObject({
      status: 400,
      text: expect.stringContaining('This link is not valid') as string,
    });
    expect(fake.count).toBe(before);
  };

  it('rejects a forged, a changed, an expired and a repeated state without a call', async () => {
    await refused('');
    await refused('x'.repeat(54));
    await refused('x'.repeat(97));
    const state = stateOf(await linkTo('chat/oauth', { integrationIdentifier: 'slack', subscriberId: 'ada' }));
    const other = stateOf(await linkTo('chat/oauth', { integrationIdentifier: 'slack' }));
    await refused(state.slice(0, 22) + other.slice(22));
    await refused(`${state.slice(0, 53)}${state[53] === 'A' ? 'B' : 'A'}${state.slice(54)}`);
    await gateway.database.query(`UPDATE setup_link SET expires_at = now()`);
    await refused(state);
    const used = stateOf(await linkTo('chat/oauth', { integrationIdentifier: 'slack' }));
    const twice = await Promise.all([visit({ state: used, code: 'c' }), visit({ state: used, code: 'c' })]);
    expect(twice.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(fake.count).toBe(1);
  });

  it('looks links up with one statement at a time, because anyone can invent codes', async () => {
    const find = SetupLinkRepository.prototype.findMany;
    let [running, most] = [0, 0];
    const lookup = jest.spyOn(SetupLinkRepository.prototype, 'findMany').mockImplementation(function (
      this: SetupLinkRepository,
      ids,
    ) {
      running += 1;
      most = Math.max(most, running);
      return find.call(this, ids).finally(() => (running -= 1));
    });
    const link = await linkOf('chat/oauth', { integrationIdentifier: 'slack', subscriberId: 'ada' });
    const invented = Array.from({ length: 20 }, (_, at) => `${link.slice(0, -54)}${String(at).padStart(54, 'x')}`);
    const answers = await Promise.all([link, ...invented].map((url) => go(url)));
    expect(answers.map(({ status }) => status)).toEqual([302, ...invented.map(() => 400)]);
    expect(most).toBe(1);
    lookup.mockRestore();
  });

  it('completes a link only in a browser that has opened it, and leaves it usable there', async () => {
    const link = await linkOf('chat/oauth', { integrationIdentifier: 'slack', subscriberId: 'ada' });
    const [own, other, none]: Browser[] = [{}, {}, {}];
    const started = await go(link, own);
    expect(started.written).toMatch(/^clarion_connect=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const state = stateOf(new URL(started.location!));
    // The other browser has opened a link too, and then gets the address of the first one's way back.
    await go(await linkOf('chat/oauth', { integrationIdentifier: 'slack' }), other);
    for (const browser of [none, other, { cookie: 'clarion_connect=x' }]) {
      for (const changed of [state, state.slice(0, 54)]) {
        expect(await visit({ state: changed, code: 'c' }, browser)).toMatchObject({
          status: 400,
          text: expect.stringContaining('opened in another browser') as string,
        });
      }
    }
    expect(fake.count).toBe(0);
    // A second link in the same browser does not end the first.
    await go(await linkOf('chat/oauth', { integrationIdentifier: 'slack' }), own);
    expect((await visit({ state, code: 'c' }, own)).status).toBe(200);
    expect((await go(link, own)).status).toBe(400);
  });

  it('rejects a state whose row was moved to another environment, subscriber or purpose', async () => {
    const changes = [
      `environment_id = (SELECT id FROM environment WHERE id <> '${gateway.environmentId}' LIMIT 1)`,
      `details = jsonb_set(details, '{subscriberId}', '"bob"')`,
      `purpose = 'link_user'`,
    ];
    for (const change of changes) {
      const state = stateOf(await linkTo('chat/oauth', { integrationIdentifier: 'slack', subscriberId: 'ada' }));
      await gateway.database.query(`UPDATE setup_link SET ${change}`);
      await refused(state);
      await gateway.database.query(`DELETE FROM setup_link`);
    }
  });

  it('makes no link for a foreign integration, without credentials or without an OAuth flow', async () => {
    const body = { integrationIdentifier: 'slack' };
    const foreign = await callGateway(gateway.url, foreignKey, 'POST', '/v1/integrations/chat/oauth', body);
    expect(foreign.status).toBe(404);
    await integration('msteams', {}, 'bare');
    const bare = await gateway.call<Refusal>('POST', '/v1/integrations/chat/oauth', { integrationIdentifier: 'bare' });
    expect([bare.status, bare.body.message]).toEqual([400, expect.stringContaining('clientId and secretKey')]);
    const bot = await gateway.call('POST', '/v1/integrations/chat/oauth', { integrationIdentifier: 'telegram' });
    expect(bot.status).toBe(400);
  });
});

describe('Microsoft Teams', () => {
  const signIn = (claims: object): void => {
    fake.always(/\/oauth2\/v2\.0\/token$/, ({ body }) =>
      body.includes('client_credentials')
        ? { json: { access_token: 'bot-token', expires_in: 3_600 } }
        : { json: { id_token: jwt(claims) } },
    );
  };

  it('connects a tenant after the consent and a sign-in that proves the tenant', async () => {
    signIn({ tid: TENANT, oid: 'user-1', aud: 'bot-1' });
    const body = { integrationIdentifier: 'msteams', subscriberId: 'ada' };
    const consent = await linkTo('channel-connections/oauth', body);
    expect(consent.pathname).toBe('/organizations/adminconsent');
    const second = await visit({ state: stateOf(consent), admin_consent: 'True', tenant: TENANT });
    expect(second.status).toBe(302);
    const login = new URL(second.location!);
    expect(login.pathname).toBe(`/${TENANT}/oauth2/v2.0/authorize`);
    expect((await visit({ state: stateOf(login), code: 'c' })).status).toBe(200);
    expect((await connections()).find(({ providerId }) => providerId === 'msteams')).toMatchObject({
      workspace: { id: TENANT },
      auth: { accessToken: 'bot-token' },
    });
    expect((await endpoints()).find(({ providerId }) => providerId === 'msteams')).toMatchObject({
      type: 'ms_teams_user',
      endpoint: { userId: 'user-1' },
    });
  });

  it('rejects a tenant that the visitor does not belong to', async () => {
    signIn({ tid: '99999999-2222-4333-8444-555555555555', oid: 'thief', aud: 'bot-1' });
    const consent = await linkTo('chat/oauth', { integrationIdentifier: 'msteams', connectionIdentifier: 'stolen' });
    expect((await visit({ state: stateOf(consent), admin_consent: 'True', tenant: '../x' })).status).toBe(400);
    const again = await linkTo('chat/oauth', { integrationIdentifier: 'msteams', connectionIdentifier: 'stolen' });
    const second = await visit({ state: stateOf(again), admin_consent: 'True', tenant: TENANT });
    const end = await visit({ state: stateOf(new URL(second.location!)), code: 'c' });
    expect([end.status, end.text]).toEqual([400, expect.stringContaining('does not belong to the tenant')]);
    expect((await gateway.call('GET', '/v1/channel-connections/stolen')).status).toBe(404);
  });
});

describe('Telegram', () => {
  const hooks = (): Record<string, string>[] =>
    fake.calls
      .filter(({ path }) => path.endsWith('/setWebhook'))
      .map(({ body }) => JSON.parse(body) as Record<string, string>);

  beforeEach(() => {
    fake.always(/\/getMe$/, { json: { ok: true, result: { username: 'acme_bot' } } });
    fake.always(/\/setWebhook$/, { json: { ok: true, result: true } });
  });

  it('links a person who opens the bot with a link, and answers in the chat', async () => {
    const configured = await gateway.call('POST', '/v1/integrations/telegram/webhook/configure');
    expect(configured).toMatchObject({ status: 200, body: { botUsername: 'acme_bot' } });
    const [{ url, secret_token: secret }] = hooks() as [{ url: string; secret_token: string }];
    const link = await gateway.call<LinkChannelEndpointResponseDto>('POST', '/v1/integrations/channel-endpoints/link', {
      integrationIdentifier: 'telegram',
      subscriberId: 'ada',
    });
    const code = new URL(link.body.url).searchParams.get('start')!;
    expect(link.body.url).toMatch(/^https:\/\/t\.me\/acme_bot\?start=[\w-]{1,64}$/);
    const write = async (text: string, key = secret): Promise<[number, string]> => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': key },
        body: JSON.stringify({ update_id: 1, message: { text, chat: { id: 4711 } } }),
      });
      return [response.status, await response.text()];
    };
    expect((await write(`/start ${code}`, 'wrong'))[0]).toBe(401);
    expect(await write('hello')).toEqual([200, '{}']);
    // Longer than a message that opens a link: it is not parsed.
    expect(await write(`/start ${code}${' '.repeat(64 * 1024)}`)).toEqual([200, '{}']);
    expect(await write(`/start ${code}`)).toEqual([200, expect.stringContaining('You will get your messages here')]);
    expect(await write(`/start ${code}`)).toEqual([200, expect.stringContaining('not valid any more')]);
    expect((await endpoints()).find(({ type }) => type === 'telegram_chat')).toMatchObject({
      subscriberId: 'ada',
      endpoint: { chatId: '4711' },
    });
  });

  it('sets up a bot on the page of a mobile link, which works once', async () => {
    await gateway.call('POST', '/v1/integrations', { providerId: 'telegram', channel: 'chat', identifier: 'phone' });
    const link = await gateway.call<MobileLinkResponseDto>('POST', '/v1/integrations/phone/mobile-link', {
      subscriberId: 'ada',
    });
    expect(link.status).toBe(200);
    expect(await (await fetch(link.body.url)).text()).toContain('Token of the bot');
    const enter = async (token: string): Promise<[number, string]> => {
      const response = await fetch(link.body.url, { method: 'POST', body: new URLSearchParams({ token }) });
      return [response.status, await response.text()];
    };
    expect(await enter('not a token')).toEqual([400, expect.stringContaining('not the token of a bot')]);
    fake.next(/\/getMe$/, { status: 401, json: { ok: false, description: 'Unauthorized' } });
    expect((await enter('123456:a-token-that-telegram-rejects'))[0]).toBe(400);
    const [status, page] = await enter('123456:a-token-that-telegram-knows');
    expect([status, page]).toEqual([200, expect.stringContaining('https://t.me/acme_bot?start=')]);
    const { body } = await gateway.call<IntegrationDto[]>('GET', '/v1/integrations');
    expect(body.find(({ identifier }) => identifier === 'phone')).toMatchObject({
      active: true,
      credentials: { apiToken: '123456:a-token-that-telegram-knows' },
    });
    expect((await enter('123456:a-token-that-telegram-knows'))[0]).toBe(400);
    expect((await fetch(link.body.url)).status).toBe(400);
    expect((await gateway.call('POST', '/v1/integrations/slack/mobile-link', {})).status).toBe(400);
  });
});
