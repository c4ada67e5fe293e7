import {
  type EnvironmentDto,
  type EnvironmentId,
  type InboxListDto,
  type InboxSessionDto,
  type IntegrationDto,
  newId,
  type SubscriberDto,
  type SubscriberRowId,
} from '@clarion/contracts';
import { insertMessages, until } from '@clarion/testing';
import { InboxTokens } from '../src/edge/auth/inbox-tokens';
import {
  type Answer,
  callGateway,
  expectFieldErrors,
  inboxToken,
  type Refusal,
  signatureOf,
  startGateway,
  type TestGateway,
} from './harness';

const ORIGIN = 'https://app.example.com';
const HOUR = 3600 * 1000;

type Session = { data: InboxSessionDto };

describe('inbox sessions', () => {
  let gateway: TestGateway;
  let applicationIdentifier: string;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS: '1000', CLARION_RATE_LIMIT_INBOX: '1000' });
    applicationIdentifier = await identifierOf(gateway.key);
  });
  afterAll(() => gateway.close());

  const identifierOf = async (key: string): Promise<string> =>
    (await callGateway<EnvironmentDto>(gateway.url, key, 'GET', '/v1/environments/me')).body.identifier;

  /** Sends a request as a page does: without an API key. */
  const ask = async <T = Refusal>(
    method: string,
    path: string,
    { body, ...headers }: { body?: unknown; origin?: string; authorization?: string } & Record<string, unknown> = {},
  ): Promise<Answer<T>> => {
    const response = await fetch(gateway.url + path, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(headers as Record<string, string>),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (text === '' ? undefined : JSON.parse(text)) as T,
    };
  };

  const open = <T = Session>(subscriberId: string, rest: object = {}, headers: Record<string, string> = {}) =>
    ask<T>('POST', '/v1/inbox/session', {
      body: { applicationIdentifier, subscriber: { subscriberId }, ...rest },
      ...headers,
    });
  const tokenOf = async (subscriberId: string, rest: object = {}): Promise<string> => {
    const { status, body, text } = await open(subscriberId, rest);
    if (status !== 201) throw new Error(text);
    return body.data.token;
  };
  const asPage = <T = Refusal>(token: string, method: string, path: string, body?: unknown) =>
    ask<T>(method, path, { authorization: `Bearer ${token}`, ...(body !== undefined && { body }) });
  const profileOf = async (subscriberId: string) =>
    (await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${subscriberId}`)).body;
  const sign = (text: string) => signatureOf(text, gateway.key);

  describe('POST /v1/inbox/session', () => {
    it('creates a missing subscriber and returns a token with the state of the inbox', async () => {
      const subscriber = { subscriberId: 'ada', firstName: 'Ada' };
      const { status, body } = await open('ada', { subscriber, subscriberHash: sign('ada') });
      expect(status).toBe(201);
      const { token, ...rest } = body.data;
      expect(rest).toEqual({
        applicationIdentifier,
        totalUnreadCount: 0,
        unreadCount: { total: 0, severity: { high: 0, medium: 0, low: 0, none: 0 } },
        removeNovuBranding: true,
        maxSnoozeDurationHours: 4320,
        isDevelopmentMode: true,
        contextKeys: [],
      });
      const ada = await profileOf('ada');
      expect(ada.firstName).toBe('Ada');
      const claims = new InboxTokens(gateway.secrets).verify(token);
      expect(claims).toMatchObject({ environmentId: gateway.environmentId, subscriberRowId: ada._id });
      expect(claims.expiresAt - Date.now()).toBeLessThanOrEqual(24 * HOUR);
    });

    it('costs three statements for a known subscriber, five with a signature, one for an unknown application', async () => {
      const stop = gateway.watchStatements();
      await open('ada');
      expect(stop()).toHaveLength(3);
      const stopSigned = gateway.watchStatements();
      await open('ada', { subscriberHash: sign('ada') });
      expect(stopSigned()).toHaveLength(5);
      const stopUnknown = gateway.watchStatements();
      await open('ada', { applicationIdentifier: 'env_none' });
      expect(stopUnknown()).toHaveLength(1);
    });

    it('counts unread messages by severity, without snoozed ones and those of other contexts', async () => {
      const { _id } = await profileOf('ada');
      const own = { environmentId: gateway.environmentId, subscriberId: _id! };
      await insertMessages(gateway.database, [
        { ...own, severity: 'high' },
        { ...own, severity: 'none' },
        { ...own, severity: 'none', read: true },
        { ...own, severity: 'high', snoozedUntil: new Date(Date.now() + HOUR) },
        { ...own, severity: 'low', contextKeys: ['workspace:acme'] },
      ]);
      const unread = async (rest: object) => (await open('ada', rest)).body.data.unreadCount;
      expect(await unread({})).toEqual({ total: 2, severity: { high: 1, medium: 0, low: 0, none: 1 } });
      expect(await unread({ context: { workspace: 'acme' } })).toEqual({
        total: 1,
        severity: { high: 0, medium: 0, low: 1, none: 0 },
      });
    });

    it('opens messages of exactly the contexts of the session', async () => {
      const token = await tokenOf('ada', { context: { workspace: 'acme' } });
      const list = await asPage<InboxListDto>(token, 'GET', '/v1/inbox/notifications?contextKeys=other:1');
      expect(list.body.data.map(({ severity }) => severity)).toEqual(['low']);
      const without = await asPage<InboxListDto>(await tokenOf('ada'), 'GET', '/v1/inbox/notifications');
      expect(without.body.data).toHaveLength(4);
      const id = list.body.data[0]!.id;
      expect((await asPage(await tokenOf('ada'), 'PATCH', `/v1/inbox/notifications/${id}/read`)).status).toBe(404);
      expect((await open('ada', { context: {} })).body.data.contextKeys).toEqual([]);
      expectFieldErrors(await open<Refusal>('ada', { context: { a: 'x'.repeat(257) } }), ['context.a']);
    });

    it('creates missing contexts with their data if the session is signed', async () => {
      const dataOf = async (id: string) => (await gateway.call('GET', `/v2/contexts/team/${id}`)).body['data'];
      const contextOf = (id: string) => ({ team: { id, data: { plan: 'gold' } } });
      const contextHash = sign('{"team":{"data":{"plan":"gold"},"id":"signed"}}');
      await tokenOf('ada', { context: contextOf('signed'), subscriberHash: sign('ada'), contextHash });
      expect(await dataOf('signed')).toEqual({ plan: 'gold' });
    });

    it('stores the default schedule once', async () => {
      const weeklySchedule = { monday: { isEnabled: true, hours: [{ start: '09:00 AM', end: '05:00 PM' }] } };
      const subscriberHash = sign('timed');
      const first = await open('timed', { subscriberHash, defaultSchedule: { isEnabled: true, weeklySchedule } });
      expect(first.body.data.schedule).toEqual({ isEnabled: true, weeklySchedule });
      const second = await open('timed', { subscriberHash, defaultSchedule: { isEnabled: false } });
      expect(second.body.data.schedule).toEqual({ isEnabled: true, weeklySchedule });
      expect((await open('timed', { subscriberHash })).body.data.schedule).toEqual({ isEnabled: true, weeklySchedule });
    });

    it('changes the profile of an existing subscriber only with a valid hash', async () => {
      const profile = { subscriberId: 'ada', firstName: 'Eve', data: { plan: 'gold' } };
      expect((await open('ada', { subscriber: profile })).status).toBe(201);
      expect((await open('ada', { subscriber: profile, subscriberHash: sign('bob') })).status).toBe(201);
      const before = await profileOf('ada');
      expect(before.firstName).toBe('Ada');
      expect((await open('ada', { subscriber: profile, subscriberHash: sign('ada') })).status).toBe(201);
      const after = await profileOf('ada');
      expect(after).toMatchObject({ firstName: 'Eve', data: { plan: 'gold' } });
      await open('ada', { subscriber: profile, subscriberHash: sign('ada') });
      expect((await profileOf('ada')).updatedAt).toBe(after.updatedAt);
    });

    it('refuses unknown applications, invalid bodies and environments without an in-app integration', async () => {
      const unknown = await open<Refusal>('ada', { applicationIdentifier: 'env_unknown' });
      expectFieldErrors(unknown, ['applicationIdentifier'], 400);
      expectFieldErrors(
        await open<Refusal>('ada', { applicationIdentifier: gateway.environmentId }),
        ['applicationIdentifier'],
        400,
      );
      expectFieldErrors(await open<Refusal>(''), ['subscriber.subscriberId']);
      expectFieldErrors(await ask('POST', '/v1/inbox/session', { body: {} }), ['applicationIdentifier', 'subscriber']);
      expectFieldErrors(await open<Refusal>('ada', { subscriberHash: 7 }), ['subscriberHash']);
      const large = await open<Refusal>('ada', { subscriber: { subscriberId: 'a', data: { x: 'x'.repeat(70_000) } } });
      expect(large.status).toBe(413);

      const { _id: id } = (await gateway.call<IntegrationDto[]>('GET', '/v1/integrations')).body.find(
        ({ channel }) => channel === 'in_app',
      )!;
      await gateway.call('PUT', `/v1/integrations/${id}`, { active: false });
      const inactive = await open<Refusal>('ada');
      await gateway.call('PUT', `/v1/integrations/${id}`, { active: true });
      expect([inactive.status, inactive.body.message]).toEqual([
        404,
        'The environment has no active in-app integration',
      ]);
    });
  });

  let second: string | undefined;
  const secondKey = async (): Promise<string> => (second ??= await gateway.secondKey());

  describe('the token', () => {
    const PATH = '/v1/inbox/notifications';

    it('is required, and an API key does not take its place', async () => {
      for (const authorization of [
        undefined,
        `ApiKey ${gateway.key}`,
        `Bearer ${gateway.key}`,
        'Bearer',
        'Bearer a b',
      ]) {
        const { status, headers, body } = await ask('GET', PATH, authorization === undefined ? {} : { authorization });
        expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer realm="clarion"']);
        expect(body.message).toMatch(/token/);
      }
    });

    it('is refused when it is expired, forged or of a deleted subscriber', async () => {
      const tokens = new InboxTokens(gateway.secrets);
      const { _id } = await profileOf('ada');
      const claims = {
        environmentId: gateway.environmentId,
        subscriberRowId: _id as SubscriberRowId,
        subscriberId: 'ada',
        contextKeys: [],
      };
      expect((await asPage(tokens.issue(claims), 'GET', PATH)).status).toBe(200);
      const expired = await asPage(tokens.issue(claims, Date.now() - 25 * HOUR), 'GET', PATH);
      expect([expired.status, expired.body.message]).toEqual([
        401,
        'The inbox session has ended: open a new one with POST /v1/inbox/session',
      ]);
      const forged = await asPage(`${tokens.issue(claims).slice(0, -2)}AA`, 'GET', PATH);
      expect([forged.status, forged.body.message]).toEqual([401, 'The inbox token is not valid']);
      const lost = await asPage(tokens.issue({ ...claims, environmentId: newId<EnvironmentId>() }), 'GET', PATH);
      expect(lost.status).toBe(401);

      const token = await tokenOf('leaving');
      await gateway.call('DELETE', '/v2/subscribers/leaving');
      expect((await asPage(token, 'GET', PATH)).body.message).toBe('The subscriber of this inbox session was deleted');
      await tokenOf('leaving');
      expect((await asPage(token, 'GET', PATH)).status).toBe(401);
    });

    it('opens no route outside the inbox', async () => {
      const token = await tokenOf('ada');
      for (const path of [
        '/v2/subscribers',
        '/v2/subscribers/ada/notifications',
        '/v1/environments/me',
        '/v1/messages',
      ]) {
        expect((await asPage(token, 'GET', path)).status).toBe(401);
      }
    });

    it('does not reach messages of another subscriber or another environment', async () => {
      await tokenOf('ada');
      const [foreign] = await insertMessages(gateway.database, [
        { environmentId: gateway.environmentId, subscriberId: (await profileOf('ada'))._id! },
      ]);
      const key = await secondKey();
      const other = await ask<Session>('POST', '/v1/inbox/session', {
        body: {
          applicationIdentifier: await identifierOf(key),
          subscriber: { subscriberId: 'ada' },
          subscriberHash: signatureOf('ada', key),
        },
      });
      for (const token of [await tokenOf('bob', { subscriberHash: sign('bob') }), other.body.data.token]) {
        for (const change of ['read', 'unread', 'archive', 'unarchive', 'unsnooze']) {
          expect((await asPage(token, 'PATCH', `${PATH}/${foreign!.id}/${change}`)).status).toBe(404);
        }
        const snooze = { snoozeUntil: new Date(Date.now() + HOUR).toISOString() };
        expect((await asPage(token, 'PATCH', `${PATH}/${foreign!.id}/snooze`, snooze)).status).toBe(404);
        const complete = { actionType: 'primary' };
        expect((await asPage(token, 'PATCH', `${PATH}/${foreign!.id}/complete`, complete)).status).toBe(404);
        expect((await asPage(token, 'DELETE', `${PATH}/${foreign!.id}/delete`)).status).toBe(404);
        expect((await asPage(token, 'POST', `${PATH}/seen`, { notificationIds: [foreign!.id] })).status).toBe(204);
        expect((await asPage(token, 'POST', `${PATH}/delete`, {})).status).toBe(204);
        expect((await asPage<InboxListDto>(token, 'GET', PATH)).body.data).toEqual([]);
      }
      const [row] = await gateway.database.query<{ seen: boolean }>(`SELECT seen FROM message WHERE id = $1`, [
        foreign!.id,
      ]);
      expect(row).toEqual({ seen: false });
    });
  });

  describe('pages of other origins', () => {
    const allow = async (allowedOrigins: unknown) =>
      gateway.call<EnvironmentDto>('PUT', `/v1/environments/${gateway.environmentId}`, { allowedOrigins });
    afterEach(() => allow(null));

    it('gives a browser permission without a token when it asks before a request', async () => {
      for (const path of ['session', 'notifications', `notifications/${newId()}/read`, 'preferences/global']) {
        const { status, headers } = await ask('OPTIONS', `/v1/inbox/${path}`, {
          origin: ORIGIN,
          'access-control-request-method': 'PATCH',
          'access-control-request-headers': 'authorization,content-type,novu-api-version,novu-client-version',
        });
        expect([status, headers.get('access-control-allow-origin'), headers.get('vary')]).toEqual([
          204,
          ORIGIN,
          'Origin',
        ]);
        expect(headers.get('access-control-allow-methods')).toContain('PATCH');
        const allowed = headers.get('access-control-allow-headers')!.toLowerCase().split(', ');
        expect(allowed).toEqual(
          expect.arrayContaining(['authorization', 'content-type', 'novu-api-version', 'novu-client-version']),
        );
        expect(Number(headers.get('access-control-max-age'))).toBeGreaterThan(0);
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    });

    it('lets pages read responses and errors, unless the environment allows other origins only', async () => {
      const readable = ({ headers }: Answer<unknown>) => headers.get('access-control-allow-origin');
      expect(readable(await open('ada', {}, { origin: ORIGIN }))).toBe(ORIGIN);
      const failed = await open('ada', { applicationIdentifier: 'unknown' }, { origin: ORIGIN });
      expect([failed.status, readable(failed)]).toEqual([400, ORIGIN]);
      const anonymous = await ask('GET', '/v1/inbox/notifications', { origin: ORIGIN });
      expect([anonymous.status, readable(anonymous)]).toEqual([401, ORIGIN]);
      const token = await tokenOf('ada');
      const list = (origin?: string) =>
        ask('GET', '/v1/inbox/notifications', { authorization: `Bearer ${token}`, ...(origin && { origin }) });
      expect(readable(await list(ORIGIN))).toBe(ORIGIN);
      expect(readable(await list())).toBeNull();

      expect((await allow([ORIGIN])).body.allowedOrigins).toEqual([ORIGIN]);
      expect(readable(await list(ORIGIN))).toBe(ORIGIN);
      expect((await list()).status).toBe(200);
      const refused = await list('https://evil.example');
      expect([refused.status, readable(refused)]).toEqual([403, null]);
      expect(refused.body.message).toContain('allowedOrigins');
      const session = await open<Refusal>('fresh', {}, { origin: 'https://evil.example' });
      expect([session.status, readable(session), session.body.message]).toEqual([
        403,
        null,
        'The origin https://evil.example is not among the allowedOrigins of the environment',
      ]);
      expect((await gateway.call('GET', '/v2/subscribers/fresh')).status).toBe(404);
      expect((await list('null')).status).toBe(403);
    });

    it('validates the allowed origins when they are stored', async () => {
      for (const wrong of [
        'app.example.com',
        'https://app.example.com/',
        'https://a.example/x',
        'ftp://a.example',
        '*',
      ]) {
        expectFieldErrors(await allow([wrong]), ['allowedOrigins']);
      }
      expectFieldErrors(await allow('https://a.example'), ['allowedOrigins']);
      const created = await gateway.call<EnvironmentDto>('POST', '/v1/environments', {
        name: 'With origins',
        allowedOrigins: ['http://localhost:3000'],
      });
      expect(created.body.allowedOrigins).toEqual(['http://localhost:3000']);
      expectFieldErrors(await gateway.call('POST', '/v1/environments', { name: 'x', allowedOrigins: ['x'] }), [
        'allowedOrigins',
      ]);
    });

    it('gives no permission for the rest of the interface', async () => {
      const answer = await ask('GET', '/v2/subscribers', { origin: ORIGIN, authorization: `ApiKey ${gateway.key}` });
      expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([200, null]);
      expect((await ask('OPTIONS', '/v2/subscribers', { origin: ORIGIN })).status).toBe(401);
    });
  });
});

describe('limits of the inbox', () => {
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startGateway({ CLARION_RATE_LIMIT_INBOX: '4', CLARION_RATE_LIMIT_INBOX_SUBSCRIBERS: '1' });
  });
  afterAll(() => gateway.close());

  it('counts the requests of unsigned sessions apart from those of the signed ones of the same subscriber', async () => {
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' });
    const token = await inboxToken(gateway, 'ada');
    const tokens = new InboxTokens(gateway.secrets);
    const stranger = tokens.issue({ ...tokens.verify(token), signer: null });
    const list = async (of: string) =>
      (
        await callGateway(gateway.url, '', 'GET', '/v1/inbox/notifications', undefined, {
          authorization: `Bearer ${of}`,
        })
      ).status;
    // A slow machine stays below the rate with one burst.
    await until(async () => (await Promise.all(Array.from({ length: 40 }, () => list(stranger)))).includes(429));
    expect(await list(token)).toBe(200);
  });

  it('refuses unsigned sessions that create many subscribers, and then every session of the address', async () => {
    const { body } = await gateway.call<EnvironmentDto>('GET', '/v1/environments/me');
    const open = (subscriberId: string, hash?: string) =>
      callGateway<Refusal>(gateway.url, '', 'POST', '/v1/inbox/session', {
        applicationIdentifier: body.identifier,
        subscriber: { subscriberId },
        subscriberHash: hash,
      });
    // A slow machine stays below the rate with one burst.
    let flood = 0;
    let refused: Answer<Refusal> | undefined;
    await until(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => open(`flood-${(flood += 1)}`)));
      return (refused = answers.find(({ status }) => status === 429)) !== undefined;
    });
    expect(refused!.body.message).toContain('subscriberHash');
    expect(Number(refused!.headers.get('retry-after'))).toBeGreaterThan(0);

    const hash = signatureOf('signed', gateway.key);
    expect((await open('signed', hash)).status).toBe(201);
    const signed = async () => (await open('signed', hash)).status;
    await until(async () => (await Promise.all(Array.from({ length: 50 }, signed))).includes(429));
  });
});
