import type {
  AuditLogListDto,
  ChannelConnectionDto,
  ChannelConnectionListDto,
  ChannelEndpointDto,
  ChannelEndpointListDto,
  IntegrationDto,
} from '@clarion/contracts';
import { callGateway, expectFieldErrors, inboxToken, startGateway, type TestGateway } from './harness';

let gateway: TestGateway;
let slackId: string;

beforeAll(async () => {
  gateway = await startGateway();
  slackId = (await integration(gateway.key, 'slack', { applicationId: 'A', clientId: 'C', secretKey: 'S' })).body._id!;
  await integration(gateway.key, 'discord', {});
  await gateway.call('POST', '/v1/integrations', { providerId: 'twilio', channel: 'sms', identifier: 'twilio' });
  for (const subscriberId of ['ada', 'bob']) await gateway.call('POST', '/v2/subscribers', { subscriberId });
});
afterAll(() => gateway.close());

const integration = (key: string, providerId: string, credentials: object) =>
  callGateway<IntegrationDto>(gateway.url, key, 'POST', '/v1/integrations', {
    providerId,
    channel: 'chat',
    identifier: providerId,
    credentials,
    active: true,
  });

const connection = (more: object = {}) =>
  gateway.call<ChannelConnectionDto>('POST', '/v1/channel-connections', {
    integrationIdentifier: 'slack',
    workspace: { id: 'T1', name: 'Acme' },
    auth: { accessToken: 'xoxb-a-long-secret-token-1234', refreshToken: 'xoxe-a-long-refresh-token-5678' },
    ...more,
  });

const endpoint = (more: object = {}) =>
  gateway.call<ChannelEndpointDto>('POST', '/v1/channel-endpoints', {
    integrationIdentifier: 'slack',
    subscriberId: 'ada',
    type: 'slack_channel',
    endpoint: { channelId: 'C1' },
    ...more,
  });

const readKey = async (): Promise<string> =>
  (
    await gateway.call<{ key: string }>('POST', `/v1/environments/${gateway.environmentId}/api-keys`, {
      name: 'reader',
      scope: 'read',
    })
  ).body.key;

describe('channel connections', () => {
  it('creates, reads, updates and deletes a connection, and encrypts its tokens', async () => {
    const created = await connection({ identifier: 'acme', subscriberId: 'ada', context: { team: 'red' } });
    expect(created).toMatchObject({
      status: 201,
      body: {
        identifier: 'acme',
        channel: 'chat',
        providerId: 'slack',
        integrationIdentifier: 'slack',
        subscriberId: 'ada',
        contextKeys: ['team:red'],
        workspace: { id: 'T1', name: 'Acme' },
        auth: { accessToken: 'xoxb-a-long-secret-token-1234' },
      },
    });
    const [row] = await gateway.database.query<{ auth: string }>(
      `SELECT auth FROM channel_connection WHERE environment_id = $1`,
      [gateway.environmentId],
    );
    expect(row!.auth).toMatch(/^v1\./);

    const masked = await callGateway<ChannelConnectionDto>(
      gateway.url,
      await readKey(),
      'GET',
      '/v1/channel-connections/acme',
    );
    expect(masked.body.auth).toEqual({ accessToken: '••••1234', refreshToken: '••••5678' });
    const update = (auth: object) =>
      gateway.call<ChannelConnectionDto>('PATCH', '/v1/channel-connections/acme', { workspace: { id: 'T2' }, auth });
    const kept = await update({ accessToken: '••••1234' });
    expect(kept.body).toMatchObject({
      workspace: { id: 'T2' },
      auth: { accessToken: 'xoxb-a-long-secret-token-1234' },
    });
    expect((await update({ accessToken: '••••9999' })).status).toBe(422);

    expect((await connection({ identifier: 'acme' })).status).toBe(409);
    expect((await gateway.call('DELETE', '/v1/channel-connections/acme')).status).toBe(204);
    expect((await gateway.call('GET', '/v1/channel-connections/acme')).status).toBe(404);
    const log = await gateway.call<AuditLogListDto>('GET', '/v1/audit-log?resourceType=channel_connection');
    expect(log.body.data.map(({ action }) => action)).toEqual([
      'channel_connection.deleted',
      'channel_connection.updated',
      'channel_connection.created',
    ]);
    expect(log.text).not.toContain('xoxb');
  });

  it('lists connections by owner, mode, context, provider and integration, page by page', async () => {
    await connection({ identifier: 'own', subscriberId: 'ada' });
    await connection({
      identifier: 'shared',
      subscriberId: 'ada',
      connectionMode: 'shared',
      context: { team: 'blue' },
    });
    const names = async (query: string) =>
      (await gateway.call<ChannelConnectionListDto>('GET', `/v1/channel-connections?${query}`)).body.data.map(
        ({ identifier }) => identifier,
      );
    expect(await names('orderDirection=ASC')).toEqual(['own', 'shared']);
    expect(await names('subscriberId=ada')).toEqual(['own']);
    expect(await names('connectionMode=shared')).toEqual(['shared']);
    expect(await names('contextKeys=team:blue')).toEqual(['shared']);
    expect(await names('contextKeys=')).toEqual(['own']);
    expect(await names('providerId=discord')).toEqual([]);
    expect(await names('channel=chat&integrationIdentifier=slack')).toHaveLength(2);
    const first = await gateway.call<ChannelConnectionListDto>('GET', '/v1/channel-connections?limit=1');
    expect(first.body).toMatchObject({ data: [{ identifier: 'shared' }], previous: null, totalCount: 2 });
    expect(await names(`limit=1&after=${first.body.next}`)).toEqual(['own']);
  });

  it('rejects unknown parties, other channels and masked tokens, and names the field', async () => {
    expect((await connection({ integrationIdentifier: 'nothing' })).status).toBe(404);
    expectFieldErrors(await connection({ integrationIdentifier: 'twilio' }), ['integrationIdentifier']);
    expect((await connection({ subscriberId: 'missing' })).status).toBe(404);
    expectFieldErrors(await connection({ auth: { accessToken: '••••1234' } }), ['auth.accessToken']);
    expectFieldErrors(await connection({ context: { team: '' } }), ['context.team']);
  });
});

describe('channels of a subscriber in its inbox', () => {
  let token: string;
  const page = <T>(method: string, path: string, body?: unknown) =>
    gateway.call<{ data: T; message?: string }>(method, `/v1/inbox/${path}`, body, {
      authorization: `Bearer ${token}`,
    });
  const chat = { integrationIdentifier: 'slack' };

  beforeAll(async () => {
    token = await inboxToken(gateway, 'bob');
  });

  it('shows and changes only what belongs to the subscriber, with masked tokens', async () => {
    const created = await page<ChannelConnectionDto>('POST', 'channel-connections', {
      ...chat,
      identifier: 'of-page',
      workspace: { id: 'T1' },
      auth: { accessToken: 'xoxb-a-long-secret-token-1234' },
    });
    expect(created).toMatchObject({
      status: 201,
      body: { data: { subscriberId: 'bob', auth: { accessToken: '••••1234' } } },
    });
    const listed = await page<ChannelConnectionDto[]>('GET', 'channel-connections');
    expect(listed.body.data.map(({ identifier }) => identifier)).toEqual(['of-page']);
    const endpoint = { ...chat, identifier: 'on-page', type: 'slack_user', endpoint: { userId: 'U1' } };
    expect((await page('POST', 'channel-endpoints', endpoint)).status).toBe(201);
    expect((await page('GET', 'channel-connections/own')).status).toBe(404);
    expect((await page('DELETE', 'channel-connections/own')).status).toBe(404);
    expect((await page('POST', 'channel-endpoints', { ...endpoint, subscriberId: 'ada' })).status).toBe(403);
    expect((await page('POST', 'channel-endpoints', { ...endpoint, context: { team: 'red' } })).status).toBe(403);
    const viaShared = { ...endpoint, identifier: 'via-shared', connectionIdentifier: 'shared' };
    expect((await page('POST', 'channel-endpoints', viaShared)).status).toBe(403);
    expect((await page('DELETE', 'channel-endpoints/on-page')).status).toBe(204);
    expect((await page('DELETE', 'channel-connections/of-page')).status).toBe(204);
  });

  it('makes links for the subscriber, and shared connections only with a signed context', async () => {
    for (const path of [
      'channel-connections/oauth',
      'channel-endpoints/oauth',
      'channel-endpoints/link',
      'chat/oauth',
    ]) {
      const { status, body } = await page<{ url: string }>('POST', path, chat);
      expect([path, status < 300, body.data.url]).toEqual([path, true, expect.stringContaining('/oauth/start/')]);
    }
    const [{ owners }] = (await gateway.database.query<{ owners: string[] }>(
      `SELECT array_agg(DISTINCT details ->> 'subscriberId') AS owners FROM setup_link WHERE environment_id = $1`,
      [gateway.environmentId],
    )) as [{ owners: string[] }];
    expect(owners).toEqual(['bob']);
    const shared = { ...chat, connectionMode: 'shared' };
    expect((await page('POST', 'channel-connections/oauth', shared)).status).toBe(403);
    expect((await page('POST', 'chat/oauth', { ...shared, context: { a: 'b' }, contextHash: 'x' })).status).toBe(403);
    expect((await page('GET', 'channel-endpoints', undefined)).status).toBe(200);
    token = 'forged';
    expect((await page('GET', 'channel-endpoints')).status).toBe(401);
  });
});

describe('channel endpoints', () => {
  it('creates, reads, updates and deletes an endpoint, and encrypts its fields', async () => {
    const created = await endpoint({ identifier: 'general', connectionIdentifier: 'own' });
    expect(created).toMatchObject({
      status: 201,
      body: {
        identifier: 'general',
        connectionIdentifier: 'own',
        subscriberId: 'ada',
        type: 'slack_channel',
        endpoint: { channelId: 'C1' },
        contextKeys: [],
      },
    });
    const [row] = await gateway.database.query<{ endpoint: string }>(
      `SELECT endpoint FROM channel_endpoint WHERE environment_id = $1`,
      [gateway.environmentId],
    );
    expect(row!.endpoint).toMatch(/^v1\./);
    const updated = await gateway.call<ChannelEndpointDto>('PATCH', '/v1/channel-endpoints/general', {
      endpoint: { channelId: 'C2' },
    });
    expect(updated.body.endpoint).toEqual({ channelId: 'C2' });
    expect((await endpoint({ identifier: 'general' })).status).toBe(409);
    const listed = await gateway.call<ChannelEndpointListDto>('GET', '/v1/channel-endpoints?connectionIdentifier=own');
    expect(listed.body.data).toEqual([updated.body]);
    expect((await gateway.call('DELETE', '/v1/channel-endpoints/general')).status).toBe(204);
    expect((await gateway.call('GET', '/v1/channel-endpoints/general')).status).toBe(404);
  });

  it('masks webhook URLs for keys that may not change them', async () => {
    const url = 'https://hooks.slack.com/services/T1/B1/secret';
    await endpoint({ identifier: 'hook', type: 'webhook', endpoint: { url, channel: '#a' } });
    const path = '/v1/channel-endpoints/hook';
    const masked = await callGateway<ChannelEndpointDto>(gateway.url, await readKey(), 'GET', path);
    expect(masked.body.endpoint).toEqual({ url: '••••cret', channel: '#a' });
    const kept = await gateway.call<ChannelEndpointDto>('PATCH', path, { endpoint: { url: '••••cret' } });
    expect(kept.body.endpoint).toEqual({ url });
    const refused = [
      'ftp://x',
      'http://127.0.0.2/a',
      'https://[::1]/a',
      'https://169.254.169.254/',
      'https://a.test/\nb',
    ];
    for (const bad of refused) {
      expectFieldErrors(await gateway.call('PATCH', path, { endpoint: { url: bad } }), ['endpoint.url']);
    }
  });

  it('rejects fields and types that do not fit, and creates a missing subscriber only when asked', async () => {
    expectFieldErrors(await endpoint({ endpoint: { userId: 'U1' } }), ['endpoint.channelId']);
    expectFieldErrors(await endpoint({ endpoint: { channelId: 5 } }), ['endpoint.channelId']);
    expectFieldErrors(await endpoint({ type: 'line_user' }), ['type']);
    expectFieldErrors(await endpoint({ integrationIdentifier: 'discord' }), ['type']);
    expect((await endpoint({ connectionIdentifier: 'nothing' })).status).toBe(404);
    expect((await endpoint({ subscriberId: 'bob', connectionIdentifier: 'own' })).status).toBe(404);
    expect((await endpoint({ subscriberId: 'new' })).status).toBe(404);
    expect((await endpoint({ subscriberId: 'new', createSubscriberIfMissing: true })).status).toBe(201);
    expect((await gateway.call('GET', '/v2/subscribers/new')).status).toBe(200);
  });

  it('limits the endpoints of a subscriber', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'many' });
    await gateway.database.query(
      `INSERT INTO channel_endpoint (id, environment_id, identifier, integration_id, subscriber_id, type, endpoint)
       SELECT gen_random_uuid(), environment_id, 'e' || n, $1, id, 'slack_user', ''
         FROM subscriber, generate_series(1, 100) n WHERE subscriber_id = 'many' AND environment_id = $2`,
      [slackId, gateway.environmentId],
    );
    expect((await endpoint({ subscriberId: 'many' })).status).toBe(400);
  });

  it('shows nothing to another environment and deletes what belongs to a connection, subscriber or integration', async () => {
    const other = await gateway.secondKey();
    const foreign = (path: string) => callGateway<ChannelEndpointListDto>(gateway.url, other, 'GET', path);
    expect((await foreign('/v1/channel-endpoints')).body.data).toEqual([]);
    expect((await foreign('/v1/channel-endpoints/hook')).status).toBe(404);
    expect((await foreign('/v1/channel-connections/own')).status).toBe(404);

    const identifiers = async () =>
      (
        await gateway.call<ChannelEndpointListDto>('GET', '/v1/channel-endpoints?limit=100&subscriberId=bob')
      ).body.data.map(({ identifier }) => identifier);
    await connection({ identifier: 'of-bob', subscriberId: 'bob' });
    await endpoint({ subscriberId: 'bob', identifier: 'b1', connectionIdentifier: 'of-bob' });
    await endpoint({ subscriberId: 'bob', identifier: 'b2' });
    await gateway.call('DELETE', '/v1/channel-connections/of-bob');
    expect(await identifiers()).toEqual(['b2']);
    await gateway.call('DELETE', '/v2/subscribers/bob');
    expect(await identifiers()).toEqual([]);
    await gateway.call('DELETE', `/v1/integrations/${slackId}`);
    for (const table of ['channel_endpoint', 'channel_connection']) {
      const left = await gateway.database.query(`SELECT 1 FROM ${table} WHERE integration_id = $1`, [slackId]);
      expect(left).toEqual([]);
    }
  });
});
