import {
  type AuditLogListDto,
  type CreatedApiKeyDto,
  type EnvironmentDto,
  type InboxSecretDto,
  type InboxSessionDto,
  type IntegrationDto,
  newId,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { insertMessages } from '@clarion/testing';
import { InboxTokens } from '../src/edge/auth/inbox-tokens';
import { callGateway, expectFieldErrors, type Refusal, signatureOf, startGateway, type TestGateway } from './harness';

const EMAIL = 'ada@example.com';
const HOUR = 3600 * 1000;

let gateway: TestGateway;
let own: EnvironmentDto;

beforeAll(async () => {
  gateway = await startGateway({ CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS: '1000', CLARION_RATE_LIMIT_INBOX: '1000' });
  own = (await gateway.call<EnvironmentDto>('GET', '/v1/environments/me')).body;
  await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada', firstName: 'Ada', email: EMAIL });
});
afterAll(() => gateway.close());

const as = <T = Record<string, unknown>>(key: string, method: string, path: string, body?: unknown) =>
  callGateway<T>(gateway.url, key, method, path, body);
const open = <T = { data: InboxSessionDto }>(subscriberId: string, rest: object = {}) =>
  as<T>('', 'POST', '/v1/inbox/session', {
    applicationIdentifier: own.identifier,
    subscriber: { subscriberId },
    ...rest,
  });
const tokenOf = async (subscriberId: string, rest: object = {}): Promise<string> => {
  const { status, body, text } = await open(subscriberId, rest);
  if (status !== 201) throw new Error(text);
  return body.data.token;
};
const asPage = <T = Refusal>(token: string, method: string, path: string, body?: unknown) =>
  callGateway<T>(gateway.url, '', method, path, body, { authorization: `Bearer ${token}` });
const createKey = async (rest: object): Promise<CreatedApiKeyDto> =>
  (await gateway.call<CreatedApiKeyDto>('POST', `/v1/environments/${own._id}/api-keys`, rest)).body;
/** The rows of a table in the environments of this file. */
const rowsOf = <Row>(statement: string, condition = ''): Promise<Row[]> =>
  gateway.database.query<Row>(
    `${statement} WHERE environment_id IN (SELECT id FROM environment WHERE organization_id = $1) ${condition}`,
    [gateway.organizationId],
  );
const sign = (text: string, key = gateway.key): string => signatureOf(text, key);
const profileOf = async (subscriberId: string) =>
  (await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${subscriberId}`)).body;
const configure = (input: object, environmentId = own._id) =>
  gateway.call<EnvironmentDto>('PUT', `/v1/environments/${environmentId}`, input);
const isSigned = async (key: string, subscriberId = 'ada'): Promise<boolean> => {
  const token = await tokenOf(subscriberId, { subscriberHash: sign(subscriberId, key) });
  return (await asPage(token, 'GET', '/v1/inbox/preferences')).status === 200;
};

describe('the secret of an environment', () => {
  const path = (environmentId: string = own._id) => `/v1/environments/${environmentId}/inbox-secret`;
  const read = async () => (await gateway.call<InboxSecretDto>('GET', path())).body.secret;
  const rotate = (body?: object) => gateway.call<InboxSecretDto>('POST', `${path()}/rotate`, body);

  it('is made when it is first read, stays the same, and is encrypted in the database', async () => {
    const { status, body } = await gateway.call<InboxSecretDto>('GET', path());
    expect([status, body]).toEqual([
      200,
      { secret: expect.stringMatching(/^clr_inbox_[\w-]{43}$/) as string, createdAt: expect.any(String) as string },
    ]);
    const both = await Promise.all([read(), read()]);
    expect(both).toEqual([body.secret, body.secret]);
    const rows = await rowsOf<{ secret: string }>(`SELECT secret FROM inbox_secret`);
    expect(rows).toEqual([{ secret: expect.stringMatching(/^v1\./) as string }]);
  });

  it('signs sessions', async () => {
    expect(await isSigned(await read())).toBe(true);
    expect(await isSigned(`${await read()}x`)).toBe(false);
  });

  it('replaces the secret: the old one and the sessions that it signed end at once', async () => {
    const before = await read();
    const token = await tokenOf('ada', { subscriberHash: sign('ada', before) });
    const { status, body } = await rotate();
    expect(status).toBe(200);
    expect(body.secret).not.toBe(before);
    expect(await read()).toBe(body.secret);
    expect([await isSigned(before), await isSigned(body.secret)]).toEqual([false, true]);
    const ended = await asPage(token, 'GET', '/v1/inbox/notifications');
    expect([ended.status, ended.body.message]).toEqual([
      401,
      'The inbox session has ended: open a new one with a valid subscriberHash',
    ]);
  });

  it('keeps the old secret for the hours of overlap, and not beyond a later rotation without one', async () => {
    const before = await read();
    const first = (await rotate({ overlapHours: 2 })).body.secret;
    expect([await isSigned(before), await isSigned(first)]).toEqual([true, true]);
    const [{ hours }] = (await rowsOf<{ hours: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 3600)::int AS hours FROM inbox_secret`,
      'AND expires_at IS NOT NULL',
    )) as [{ hours: number }];
    expect(hours).toBe(2);
    await rowsOf(`UPDATE inbox_secret SET expires_at = now() - interval '1 second'`, 'AND expires_at IS NOT NULL');
    expect(await isSigned(before)).toBe(false);
    const second = (await rotate({ overlapHours: 24 })).body.secret;
    await rotate({});
    expect([await isSigned(first), await isSigned(second)]).toEqual([false, false]);
    expect(await rowsOf(`SELECT 1 FROM inbox_secret`)).toHaveLength(1);
    expectFieldErrors(await rotate({ overlapHours: 25 }), ['overlapHours']);
    expectFieldErrors(await rotate({ overlapHors: 1 }), ['overlapHors']);
  });

  it('is for keys of the scope full of the environment, or admin of its organization, without limits', async () => {
    const other = (await gateway.call<EnvironmentDto>('POST', '/v1/environments', { name: 'Other' })).body;
    const full = other.apiKeys![0]!.key;
    const ways: [method: string, path: (id: string) => string][] = [
      ['GET', (id) => path(id)],
      ['POST', (id) => `${path(id)}/rotate`],
    ];
    const limited = [
      { scope: 'read' },
      { scope: 'trigger' },
      { scope: 'full', expiresAt: new Date(Date.now() + HOUR).toISOString() },
      { scope: 'full', allowedAddresses: ['127.0.0.1'] },
    ];
    const stranger = await gateway.admin.createOrganization('Stranger', { name: 'Elsewhere' });
    for (const [method, to] of ways) {
      const status = async (key: string, id: string) => (await as(key, method, to(id))).status;
      expect(await status(full, other._id)).toBe(200);
      expect(await status(gateway.key, other._id)).toBe(200);
      expect(await status(full, own._id)).toBe(404);
      expect(await status(stranger.key, own._id)).toBe(404);
      expect(await status('', own._id)).toBe(401);
      for (const limits of limited)
        expect([limits, await status((await createKey(limits)).key, own._id)]).toEqual([limits, 403]);
    }
    const secret = (await as<InboxSecretDto>(full, 'GET', path(other._id))).body.secret;
    expect(await isSigned(secret)).toBe(false);
  });

  it('shows a mask to a session of the dashboard', async () => {
    const answer = await fetch(`${gateway.url}/v1/sessions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: gateway.url },
      body: JSON.stringify({ apiKey: gateway.key }),
    });
    expect(answer.status).toBe(201);
    const cookie = answer.headers.get('set-cookie')!.split(';')[0]!;
    const shown = (await (await fetch(gateway.url + path(), { headers: { cookie } })).json()) as InboxSecretDto;
    expect(shown.secret).toBe(`••••${(await read()).slice(-4)}`);
  });

  it('records in the audit log who read and who rotated it, without the secret', async () => {
    const secret = await read();
    const after = (await rotate({ overlapHours: 1 })).body.secret;
    const { body } = await gateway.call<AuditLogListDto>('GET', '/v1/audit-log?resourceType=inbox_secret&limit=2');
    expect(body.data.map(({ action, after: recorded }) => [action, recorded])).toEqual([
      ['inbox_secret.rotated', { overlapHours: 1 }],
      ['inbox_secret.read', {}],
    ]);
    for (const each of [secret, after]) expect(JSON.stringify(body)).not.toContain(each);
  });
});

describe('API keys that sign', () => {
  it.each([
    ['admin', {}, true],
    ['full', {}, true],
    ['full', { expiresAt: new Date(Date.now() + HOUR).toISOString() }, true],
    ['full', { allowedAddresses: ['127.0.0.1'] }, false],
    ['full', { allowedAddresses: ['203.0.113.7'] }, false],
    ['read', {}, false],
    ['trigger', {}, false],
  ])('a key of the scope %s with the limits %j: %s', async (scope, limits, may) => {
    const { key } = await createKey({ scope, ...limits });
    const subscriber = { subscriberId: 'ada', firstName: `By ${scope}` };
    const before = await profileOf('ada');
    expect((await open('ada', { subscriber, subscriberHash: sign('ada', key) })).status).toBe(201);
    expect((await profileOf('ada')).firstName).toBe(may ? `By ${scope}` : before.firstName);
    expect(await isSigned(key)).toBe(may);
    await configure({ inboxSignatures: 'required' });
    expect((await open('ada', { subscriberHash: sign('ada', key) })).status).toBe(may ? 201 : 400);
    await configure({ inboxSignatures: null });
  });

  it('ends sessions with the key that signed them', async () => {
    const { key, _id } = await createKey({});
    const token = await tokenOf('ada', { subscriberHash: sign('ada', key) });
    const status = async () => (await asPage(token, 'GET', '/v1/inbox/notifications')).status;
    expect(await status()).toBe(200);
    await gateway.call('DELETE', `/v1/environments/${own._id}/api-keys/${_id}`);
    expect(await status()).toBe(401);
    expect(await isSigned(key)).toBe(false);
  });

  it('keeps the sessions of a key, however many newer keys sign', async () => {
    const { identifier, _id, apiKeys } = (
      await gateway.call<EnvironmentDto>('POST', '/v1/environments', { name: 'Many keys' })
    ).body;
    const given = { applicationIdentifier: identifier, subscriberHash: sign('ada', apiKeys![0]!.key) };
    const token = await tokenOf('ada', given);
    await gateway.database.execute(
      `INSERT INTO api_key (id, environment_id, name, prefix, hash, encrypted_key, scope, expires_at)
       SELECT uuid_v7(), $1, 'New', 'new', uuid_send(uuid_v7()), 'v1.sealed', 'full',
              CASE WHEN n > 50 THEN now() + interval '1 hour' END FROM generate_series(1, 150) n`,
      [_id],
    );
    gateway.keys.forget();
    expect((await open('ada', given)).status).toBe(201);
    expect((await asPage(token, 'GET', '/v1/inbox/preferences')).status).toBe(200);
  });

  it('accepts a session that another gateway opened with a key that is newer than the cache', async () => {
    await isSigned(gateway.key);
    const id = newId();
    await gateway.database.execute(
      `INSERT INTO api_key (id, environment_id, name, prefix, hash, encrypted_key, scope)
       SELECT $1, environment_id, 'New', 'new', $2, 'v1.sealed', 'full' FROM api_key WHERE environment_id = $3 LIMIT 1`,
      [id, Buffer.from(id), own._id],
    );
    const token = gateway.app.get(InboxTokens).issue({
      environmentId: gateway.environmentId,
      subscriberRowId: (await profileOf('ada'))._id as SubscriberRowId,
      subscriberId: 'ada',
      contextKeys: [],
      signer: id,
    });
    expect((await asPage(token, 'GET', '/v1/inbox/preferences')).status).toBe(200);
  });
});

describe('where signatures are required', () => {
  beforeAll(() => configure({ inboxSignatures: 'required' }));
  afterAll(() => configure({ inboxSignatures: null }));

  it('requires the hash of the subscriberId under a secret or a key of the environment', async () => {
    const statusWith = async (subscriberHash?: string) => (await open('ada', { subscriberHash })).status;
    expect(await statusWith(sign('ada'))).toBe(201);
    expect(await statusWith(sign('ada').toUpperCase())).toBe(201);
    expect(await statusWith(sign('bob'))).toBe(400);
    expect(await statusWith(sign('ada', await gateway.secondKey()))).toBe(400);
    expect(await statusWith('')).toBe(400);
    const without = await open<Refusal>('ada');
    expectFieldErrors(without, ['subscriberHash'], 400);
    expect(without.body.message).toContain('HMAC-SHA256 of the subscriberId');
    const widget = { applicationIdentifier: own.identifier, subscriberId: 'ada' };
    expect((await as('', 'POST', '/v1/widgets/session/initialize', widget)).status).toBe(400);
    const signed = { ...widget, hmacHash: sign('ada') };
    expect(await as('', 'POST', '/v1/widgets/session/initialize', signed)).toMatchObject({
      status: 201,
      body: { data: { profile: { subscriberId: 'ada', email: EMAIL } } },
    });
  });

  it('creates no subscriber for a wrong hash', async () => {
    expect((await open('stranger', { subscriberHash: sign('ada') })).status).toBe(400);
    expect((await gateway.call('GET', '/v2/subscribers/stranger')).status).toBe(404);
    expect((await open('stranger', { subscriberHash: sign('stranger') })).status).toBe(201);
  });

  it('requires the hash of the context as JSON with sorted keys, under the same key', async () => {
    const context = { workspace: { id: 'acme' }, region: 'eu' };
    const canonical = '{"region":"eu","workspace":{"id":"acme"}}';
    const subscriberHash = sign('ada');
    const signed = await open('ada', { context, subscriberHash, contextHash: sign(canonical) });
    expect(signed.body.data.contextKeys).toEqual(['region:eu', 'workspace:acme']);
    expectFieldErrors(await open<Refusal>('ada', { context, subscriberHash }), ['contextHash'], 400);
    // Otherwise who may choose its subscriberId gets the signature of a context.
    const posing = await open<Refusal>(canonical, {
      context,
      subscriberHash: sign(canonical),
      contextHash: sign(canonical),
    });
    expectFieldErrors(posing, ['subscriberHash'], 400);
    expect((await open('{6b29fc40}', { subscriberHash: sign('{6b29fc40}') })).status).toBe(201);
    const { key } = await createKey({});
    for (const contextHash of [sign('{"region":"us"}'), sign(canonical, key)]) {
      expectFieldErrors(await open<Refusal>('ada', { context, subscriberHash, contextHash }), ['contextHash'], 400);
    }
  });

  it('ends the unsigned sessions that were opened before, but not those that an older release opened', async () => {
    await configure({ inboxSignatures: 'optional' });
    const token = await tokenOf('ada');
    const claims = gateway.app.get(InboxTokens).verify(token);
    const older = gateway.app.get(InboxTokens).issue({ ...claims, signer: undefined });
    const statusOf = async (of: string, path = 'notifications') =>
      (await asPage(of, 'GET', `/v1/inbox/${path}`)).status;
    expect([await statusOf(token), await statusOf(older)]).toEqual([200, 200]);
    await configure({ inboxSignatures: 'required' });
    expect([await statusOf(token), await statusOf(older), await statusOf(older, 'preferences')]).toEqual([
      401, 200, 403,
    ]);
  });

  it('is the default of production, also of an environment that becomes it, and a choice elsewhere', async () => {
    const create = async (input: object) =>
      (await gateway.call<EnvironmentDto>('POST', '/v1/environments', { name: newId(), ...input })).body;
    const statusIn = async ({ identifier }: EnvironmentDto) =>
      (await open('ada', { applicationIdentifier: identifier })).status;
    for (const [input, expected, status] of [
      [{}, 'required', 400],
      [{ kind: 'production' }, 'required', 400],
      [{ kind: 'production', inboxSignatures: 'optional' }, 'optional', 201],
      [{ kind: 'development' }, 'optional', 201],
      [{ kind: 'sandbox' }, 'optional', 201],
      [{ kind: 'development', inboxSignatures: 'required' }, 'required', 400],
    ] as const) {
      const made = await create(input);
      expect([input, made.inboxSignatures, await statusIn(made)]).toEqual([input, expected, status]);
    }
    const grown = await create({ kind: 'development' });
    expect((await configure({ kind: 'production' }, grown._id)).body.inboxSignatures).toBe('required');
    expect(await statusIn(grown)).toBe(400);
    const chosen = await create({ kind: 'development', inboxSignatures: 'optional' });
    expect((await configure({ kind: 'production' }, chosen._id)).body.inboxSignatures).toBe('optional');
    expect((await configure({ inboxSignatures: null }, chosen._id)).body.inboxSignatures).toBe('required');
    expectFieldErrors(await configure({ inboxSignatures: 'sometimes' }), ['inboxSignatures']);
  });
});

describe('with hmac in the in-app integration', () => {
  it('requires signatures, also in an environment where they are optional', async () => {
    const { body } = await gateway.call<IntegrationDto[]>('GET', '/v1/integrations');
    const { _id } = body.find(({ channel }) => channel === 'in_app')!;
    const setHmac = (hmac: boolean) => gateway.call('PUT', `/v1/integrations/${_id}`, { credentials: { hmac } });
    const [unsigned, signed] = [await tokenOf('ada'), await tokenOf('ada', { subscriberHash: sign('ada') })];
    const statusOf = async (token: string) => (await asPage(token, 'GET', '/v1/inbox/notifications')).status;
    expect([await statusOf(unsigned), await statusOf(signed)]).toEqual([200, 200]);
    await setHmac(true);
    expectFieldErrors(await open<Refusal>('ada'), ['subscriberHash'], 400);
    expect([await statusOf(unsigned), await statusOf(signed)]).toEqual([401, 200]);
    expect((await open('ada', { subscriberHash: sign('ada') })).status).toBe(201);
    await setHmac(false);
    expect((await open('ada')).status).toBe(201);
  });
});

describe('an unsigned session', () => {
  const message = async () => {
    const { _id } = await profileOf('ada');
    const [row] = await insertMessages(gateway.database, [
      { environmentId: gateway.environmentId, subscriberId: _id!, content: `Hi, see ${LINK}`, payload, overrides },
    ]);
    return row!.id;
  };
  const LINK = `https://x.test/u/${'t'.repeat(80)}`;
  const payload = { code: 'code-482913' };
  const overrides = { chat: { webhookUrl: 'https://hooks.example.com/override' } };
  const feed = '/v1/widgets/notifications/feed';

  it.each([
    ['without a hash', undefined],
    ['with a wrong hash', signatureOf('ada', 'wrong')],
  ])(
    'reads and marks its inbox %s, and sees nothing of profile, payload and signed links',
    async (_, subscriberHash) => {
      const id = await message();
      const token = await tokenOf('ada', { subscriberHash });
      const answers = [
        await asPage(token, 'GET', '/v1/inbox/notifications'),
        await asPage(token, 'PATCH', `/v1/inbox/notifications/${id}/read`),
        await asPage(token, 'PATCH', `/v1/inbox/notifications/${id}/archive`),
        await asPage(token, 'GET', feed),
        await asPage(token, 'POST', '/v1/widgets/messages/markAs', { messageId: id, mark: { read: false } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 201]);
      for (const { text } of answers) {
        expect(text).toContain(id);
        expect(text).not.toMatch(/Ada|By |@|code-|override|\/u\/ttt/);
      }
      const widget = { applicationIdentifier: own.identifier, subscriberId: 'ada', hmacHash: subscriberHash };
      const { body } = await as<{ data: { profile: object } }>('', 'POST', '/v1/widgets/session/initialize', widget);
      expect(Object.keys(body.data.profile)).toEqual(['_id', 'subscriberId', 'organizationId', 'environmentId']);
    },
  );

  it('does not search payloads, which a signed one does; neither sees overrides', async () => {
    const id = await message();
    const search = `${feed}?payload=${Buffer.from(JSON.stringify(payload)).toString('base64url')}`;
    expect((await asPage(await tokenOf('ada'), 'GET', search)).status).toBe(403);
    const { status, text } = await asPage(await tokenOf('ada', { subscriberHash: sign('ada') }), 'GET', search);
    expect([status, text]).toEqual([200, expect.stringContaining(id)]);
    expect(text).toContain(LINK);
    expect(text).toContain(payload.code);
    expect(text).not.toContain('overrides');
  });

  it('opens only routes that declare it, without the profile, and a signed one opens all of them', async () => {
    const profile = { firstName: 'secret', lastName: 'secret', avatar: 'https://secret.example', phone: '+1secret' };
    await gateway.call('PATCH', '/v2/subscribers/ada', { ...profile, data: { plan: 'secret' } });
    const routes = gateway.routes.filter(({ method, policy }) => policy.access === 'inbox' && method !== 'HEAD');
    expect(routes.length).toBeGreaterThan(50);
    const messageId = await message();
    const answersOf = async (token: string) => {
      const answers: Record<string, { isRefused: boolean; text: string }> = {};
      for (const { method, url } of routes) {
        const path = url.replace(':messageId', messageId).replace(/:\w+/g, newId());
        const { status, text } = await asPage(token, method, path, method === 'GET' ? undefined : {});
        answers[`${method} ${url}`] = { isRefused: status === 401 || status === 403, text };
      }
      return answers;
    };
    const refusedOf = (answers: Awaited<ReturnType<typeof answersOf>>) =>
      Object.entries(answers).flatMap(([name, { isRefused }]) => (isRefused ? name : []));
    const needSignature = routes.filter(({ policy }) => policy.allowsUnsigned !== true);
    const unsigned = await answersOf(await tokenOf('ada'));
    expect(refusedOf(unsigned)).toEqual(needSignature.map(({ method, url }) => `${method} ${url}`));
    expect(JSON.stringify(unsigned)).not.toContain('secret');
    const signed = await answersOf(await tokenOf('ada', { subscriberHash: sign('ada') }));
    expect(refusedOf(signed)).toEqual([]);
    expect(JSON.stringify(signed)).toContain('secret');
  });

  it('says what is missing when it is refused', async () => {
    const refused = await asPage(await tokenOf('ada'), 'POST', '/v1/inbox/topics/news/subscriptions', {});
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'This inbox session is unsigned and may not POST this resource: open one with a subscriberHash',
    ]);
    expect((await gateway.call('GET', '/v2/topics/news')).status).toBe(404);
  });

  it('leaves the profile, the schedule and the contexts as they are, and creates subscribers without a profile', async () => {
    const preferences = () => rowsOf(`SELECT * FROM preference`);
    const [before, chosen] = [await profileOf('ada'), await preferences()];
    const rest = { email: 'eve@example.com', phone: '+15550001111', data: { plan: 'gold' }, locale: 'de_DE' };
    const context = { team: { id: 'unsigned', data: { plan: 'gold' } } };
    const defaultSchedule = { isEnabled: true };
    for (const subscriberId of ['ada', 'later']) {
      const opened = await open(subscriberId, { subscriber: { subscriberId, ...rest }, context, defaultSchedule });
      expect(opened.body.data).not.toHaveProperty('schedule');
    }
    expect(await profileOf('ada')).toEqual(before);
    expect(await profileOf('later')).toMatchObject({ email: null, phone: null, data: null, locale: null });
    expect((await gateway.call('GET', '/v2/contexts/team/unsigned')).status).toBe(404);
    expect(await preferences()).toEqual(chosen);
  });

  it('is one with a valid subscriberHash too if its contexts are not signed', async () => {
    const context = { workspace: 'acme' };
    const given = { context, subscriberHash: sign('ada') };
    const status = async (rest: object) =>
      (await asPage(await tokenOf('ada', rest), 'GET', '/v1/inbox/channel-connections')).status;
    expect(await status(given)).toBe(403);
    expect(await status({ ...given, contextHash: sign('{"workspace":"acme"}') })).toBe(200);
  });
});
