import type { EnvironmentId } from '@clarion/contracts';
import { EnvironmentRepository, Maintenance, SessionRepository } from '@clarion/persistence';
import { sha256 } from '@clarion/platform';
import { KeyDirectory } from '../src/edge/auth/key-directory';
import { SessionDirectory } from '../src/edge/auth/session-directory';
import { type Answer, callGateway, type Refusal, startGateway, type TestGateway } from './harness';

type Session = {
  _id: string;
  environmentId: string;
  organizationId: string;
  scope: string;
  keyName: string;
  expiresAt: string;
  environments: { _id: string; name: string; identifier: string }[];
};

const PROOF = { 'clarion-dashboard': '1' };
const HOUR = 3600 * 1000;

describe('sessions', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway({ LOG_LEVEL: 'trace', CLARION_DIALECT: 'novu' });
  });
  afterAll(() => gateway.close());

  /** Sends a request without an API key. */
  async function send<T = Record<string, unknown>>(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    body?: unknown,
  ): Promise<Answer<T & Partial<Refusal>>> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(gateway.url + path, {
      method,
      headers: { ...(json !== undefined && { 'content-type': 'application/json' }), ...headers },
      body: json,
    });
    const text = await response.text();
    const parsed = (text === '' ? undefined : JSON.parse(text)) as T & Partial<Refusal>;
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  const signIn = (credentials: object, headers?: Record<string, string>) =>
    send<Session>('POST', '/v1/sessions', headers, credentials);

  const secretOf = ({ headers }: { headers: Headers }): string =>
    /^clarion_session=([\w-]{43});/.exec(headers.get('set-cookie') ?? '')![1]!;

  /** Signs in and returns the header that a browser would send. */
  async function cookieOf(apiKey = gateway.key): Promise<{ cookie: string }> {
    return { cookie: `theme=dark; clarion_session=${secretOf(await signIn({ apiKey }))}` };
  }

  async function createKey(body: object, environmentId: string = gateway.environmentId) {
    const path = `/v1/environments/${environmentId}/api-keys`;
    const { body: made } = await gateway.call<{ data: { _id: string; key: string } }>('POST', path, body);
    return made.data;
  }

  const environmentOf = async (name: string): Promise<EnvironmentId> =>
    (await gateway.admin.createEnvironment(gateway.organizationId, { name })).environment.id;

  describe('signing in', () => {
    it('exchanges a key for a cookie that scripts cannot read and other sites cannot use', async () => {
      const answer = await signIn({ apiKey: ` ${gateway.key}\n` }, { 'user-agent': 'Browser @novu/api' });
      expect(answer).toMatchObject({
        status: 201,
        body: {
          environmentId: gateway.environmentId,
          organizationId: gateway.organizationId,
          scope: 'admin',
          keyName: 'default',
          environments: expect.arrayContaining([expect.objectContaining({ _id: gateway.environmentId })]),
        },
      });
      const lifetime = Date.parse(answer.body.expiresAt) - Date.now();
      expect(lifetime).toBeGreaterThan(11.9 * HOUR);
      expect(lifetime).toBeLessThanOrEqual(12.1 * HOUR);
      expect(answer.headers.get('set-cookie')).toMatch(
        /^clarion_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=4\d{4}$/,
      );
      const current = await send<Session>('GET', '/v1/sessions/current', {
        cookie: `clarion_session=${secretOf(answer)}`,
      });
      expect([current.status, current.body]).toEqual([200, answer.body]);
    });

    it('answers a wrong key like every other request with it', async () => {
      const answer = await signIn({ apiKey: 'wrong' });
      expect([answer.status, answer.body.message]).toEqual([401, 'API Key not found']);
      expect(answer.headers.get('set-cookie')).toBeNull();
    });

    it('asks for exactly one of key and token', async () => {
      for (const body of [
        {},
        { apiKey: 'a', token: 'b' },
        { apiKey: '' },
        { apiKey: 5 },
        { apiKey: 'k'.repeat(600) },
      ]) {
        expect(await signIn(body)).toMatchObject({ status: 422, body: { errors: { apiKey: expect.anything() } } });
      }
    });

    it('refuses a key of the scope trigger and says why', async () => {
      const { key } = await createKey({ scope: 'trigger' });
      const answer = await signIn({ apiKey: key });
      expect([answer.status, answer.body.message]).toEqual([403, expect.stringContaining('can only send events')]);
    });

    it('ends a session no later than its key', async () => {
      const expiresAt = new Date(Date.now() + HOUR).toISOString();
      const { key } = await createKey({ expiresAt });
      expect((await signIn({ apiKey: key })).body.expiresAt).toBe(expiresAt);
    });

    it('keeps at most 50 sessions of a key', async () => {
      const { key, _id } = await createKey({});
      const oldest = await cookieOf(key);
      await Promise.all(Array.from({ length: 52 }, () => signIn({ apiKey: key })));
      await signIn({ apiKey: key });
      const [row] = await gateway.database.query(`SELECT count(*)::int AS n FROM session WHERE key_id = $1`, [_id]);
      expect(row).toEqual({ n: 50 });
      expect((await send('GET', '/v1/sessions/current', oldest)).status).toBe(401);
    });

    it('refuses a request that a browser says another site has caused', async () => {
      const answer = await signIn({ apiKey: gateway.key }, { 'sec-fetch-site': 'cross-site' });
      expect(answer.status).toBe(403);
    });

    it('makes an address wait that guesses keys, accepts its valid key, and marks a cookie for https', async () => {
      const guesser = await startGateway({ CLARION_PUBLIC_URL: 'https://clarion.example.com' });
      try {
        const guess = (apiKey: string) =>
          fetch(`${guesser.url}/v1/sessions`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ apiKey }),
          });
        // All at once and some more than are free: the count falls while a slow machine takes its time.
        const answers = await Promise.all(Array.from({ length: 30 }, (_, index) => guess(`guess-${index}`)));
        const statuses = answers.map(({ status }) => status);
        expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(20);
        expect(statuses).toContain(429);
        // Both ways to present a key share the count.
        expect((await callGateway(guesser.url, 'wrong', 'GET', '/v2/subscribers')).status).toBe(429);
        const { status, headers } = await guess(guesser.key);
        expect([status, headers.get('set-cookie')]).toEqual([201, expect.stringMatching(/; Secure$/)]);
      } finally {
        await guesser.close();
      }
    });
  });

  describe('a sign-in link', () => {
    const store = async (token: string, hours = 24): Promise<void> => {
      const keys = await new EnvironmentRepository(gateway.database).listKeys(gateway.environmentId);
      const { id } = keys.find(({ scope }) => scope === 'admin')!;
      await new SessionRepository(gateway.database).replaceToken(id, sha256(token), hours);
    };

    it('opens one session, once, also when two browsers use it at the same moment', async () => {
      await store('first-token');
      const answers = await Promise.all([signIn({ token: 'first-token' }), signIn({ token: 'first-token' })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401]);
      const again = await signIn({ token: 'first-token' });
      expect([again.status, again.body.message]).toEqual([401, expect.stringContaining('was used before')]);
    });

    it('ends when it expires or a newer one of the key is made', async () => {
      await store('replaced-token');
      await store('expired-token', 0);
      expect((await signIn({ token: 'replaced-token' })).status).toBe(401);
      expect((await signIn({ token: 'expired-token' })).status).toBe(401);
    });
  });

  describe('a request with the cookie', () => {
    it('acts with the scope and in the environment of the key, in the spec dialect', async () => {
      const { key, _id } = await createKey({ scope: 'read', name: 'Reader' });
      const reader = await cookieOf(key);
      const list = await send('GET', '/v1/environments/me', { ...reader, 'user-agent': '@novu/api' });
      expect(list).toMatchObject({ status: 200, body: { _id: gateway.environmentId } });
      const refused = await send('POST', '/v2/subscribers', { ...reader, ...PROOF }, { subscriberId: 'ada' });
      expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('scope "read"')]);
      const { body } = await send<Session>('GET', '/v1/sessions/current', reader);
      expect(body).toMatchObject({ scope: 'read', keyName: 'Reader', environments: [{ _id: gateway.environmentId }] });
      expect((await send('GET', '/v1/sessions', reader)).status).toBe(403);
      await gateway.keys.flushUses();
      const [row] = await gateway.database.query(`SELECT last_used_at FROM api_key WHERE id = $1`, [_id]);
      expect(row).toEqual({ last_used_at: expect.any(Date) });
    });

    it('needs the header Clarion-Dashboard to change something', async () => {
      const browser = await cookieOf();
      const body = { subscriberId: 'ada' };
      const forged = await send('POST', '/v2/subscribers', browser, body);
      expect([forged.status, forged.body.message]).toEqual([403, expect.stringContaining('Clarion-Dashboard: 1')]);
      for (const method of ['PUT', 'PATCH', 'DELETE']) {
        expect([method, (await send(method, '/v2/subscribers/ada', browser)).status]).toEqual([method, 403]);
      }
      expect((await send('POST', '/v2/subscribers', { ...browser, ...PROOF }, body)).status).toBe(201);
    });

    it('is refused when another site or another origin sends it', async () => {
      const browser = await cookieOf();
      const read = (headers: Record<string, string>) => send('GET', '/v2/subscribers', { ...browser, ...headers });
      expect((await read({})).status).toBe(200);
      expect((await read({ origin: gateway.url })).status).toBe(200);
      expect((await read({ origin: 'https://evil.example.com' })).status).toBe(403);
      expect((await read({ origin: 'null' })).status).toBe(403);
      expect((await read({ 'sec-fetch-site': 'same-origin' })).status).toBe(200);
      expect((await read({ 'sec-fetch-site': 'cross-site', ...PROOF })).status).toBe(403);
    });

    it('is refused with an unknown or malformed cookie, and uses a key if there is one', async () => {
      const unknown = { cookie: `clarion_session=${'x'.repeat(43)}` };
      const answer = await send('GET', '/v2/subscribers', unknown);
      expect([answer.status, answer.body.message]).toEqual([401, 'The session has ended: sign in again']);
      expect((await send('GET', '/v2/subscribers', { cookie: "clarion_session=' OR 1=1" })).status).toBe(401);
      expect((await gateway.call('GET', '/v2/subscribers', undefined, unknown)).status).toBe(200);
    });

    it('obeys the address list of the key', async () => {
      const { key, _id } = await createKey({ allowedAddresses: ['127.0.0.1'] });
      const browser = await cookieOf(key);
      await gateway.database.query(`UPDATE api_key SET allowed_addresses = '{10.0.0.0/8}' WHERE id = $1`, [_id]);
      gateway.keys.forget();
      expect((await send('GET', '/v2/subscribers', browser)).status).toBe(403);
      expect((await signIn({ apiKey: key })).status).toBe(403);
    });

    it('records its changes under the key', async () => {
      const browser = { ...(await cookieOf()), ...PROOF };
      const created = await send('POST', '/v2/layouts', browser, { layoutId: 'framed', name: 'Framed' });
      expect(created.status).toBe(201);
      const log = await send<{ data: object[] }>('GET', '/v1/audit-log?resourceType=layout', browser);
      expect(log.body.data[0]).toMatchObject({
        action: 'layout.created',
        actor: { type: 'key', keyPrefix: expect.stringMatching(/^clr_/) },
      });
    });

    it('has one effect with an idempotency-key', async () => {
      const browser = { ...(await cookieOf()), ...PROOF, 'idempotency-key': 'once' };
      const create = () => send('POST', '/v1/tenants', browser, { identifier: 'acme' });
      const [first, second] = [await create(), await create()];
      expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    });
  });

  describe('the header Clarion-Environment', () => {
    const inEnvironment = (environmentId: string) => ({ 'clarion-environment': environmentId });

    it('lets a session of an admin key act in another environment of its organization, and only there', async () => {
      const other = await environmentOf('Other');
      const browser = { ...(await cookieOf()), ...PROOF };
      const there = { ...browser, ...inEnvironment(other.toUpperCase()) };
      expect((await send('POST', '/v2/topics', there, { key: 'over-there' })).status).toBe(201);
      expect((await send('GET', '/v2/topics/over-there', there)).status).toBe(200);
      expect((await send('GET', '/v2/topics/over-there', browser)).status).toBe(404);
      expect((await send('GET', '/v1/environments/me', there)).body).toMatchObject({ _id: other });
      const current = await send<Session>('GET', '/v1/sessions/current', there);
      expect(current.body).toMatchObject({ environmentId: gateway.environmentId });
      expect(current.body.environments.map(({ name }) => name)).toEqual(expect.arrayContaining(['Other']));
    });

    it('answers like a missing environment for those of other organizations, unknown ids and other scopes', async () => {
      const foreign = await gateway.admin.createOrganization('Foreign', { name: 'Theirs' });
      const other = await environmentOf('Not of this key');
      const { key } = await createKey({ scope: 'full' });
      const [admin, full] = [await cookieOf(), await cookieOf(key)];
      const status = async (browser: object, environmentId: string) =>
        (await send('GET', '/v2/topics', { ...browser, ...inEnvironment(environmentId) })).status;
      expect(await status(admin, foreign.environment.id)).toBe(404);
      expect(await status(admin, '0190c0de-0000-7000-8000-000000000000')).toBe(404);
      expect(await status(admin, 'not-an-id')).toBe(422);
      expect(await status(full, other)).toBe(404);
      expect(await status(full, gateway.environmentId)).toBe(200);
    });

    it('is refused with an API key of another environment', async () => {
      const call = (environmentId: string) =>
        gateway.call('GET', '/v2/topics', undefined, inEnvironment(environmentId));
      expect((await call(await environmentOf('Beyond'))).status).toBe(403);
      expect((await call(gateway.environmentId)).status).toBe(200);
    });
  });

  describe('ending', () => {
    it('signs out: the session is refused at once and the cookie deleted', async () => {
      const browser = await cookieOf();
      const ended = await send('DELETE', '/v1/sessions/current', { ...browser, ...PROOF });
      expect([ended.status, ended.headers.get('set-cookie')]).toEqual([
        204,
        'clarion_session=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
      ]);
      expect((await send('GET', '/v1/sessions/current', browser)).status).toBe(401);
      expect((await gateway.call('DELETE', '/v1/sessions/current')).status).toBe(404);
    });

    it('lists the sessions of the environment and revokes them', async () => {
      const { key, _id: keyId } = await createKey({ name: 'Support' });
      const browser = await cookieOf(key);
      const mine = { ...(await cookieOf(key)), ...PROOF };
      type Listed = { data: { _id: string; keyId: string; scope: string; current: boolean }[] };
      const { data } = (await send<Listed>('GET', '/v1/sessions', mine)).body;
      const own = data.filter((session) => session.keyId === keyId);
      expect(own).toEqual([
        expect.objectContaining({ keyName: 'Support', scope: 'full', address: '127.0.0.1', current: true }),
        expect.objectContaining({ keyName: 'Support', current: false, lastUsedAt: expect.any(String) }),
      ]);
      expect((await send('DELETE', `/v1/sessions/${own[1]!._id}`, mine)).status).toBe(204);
      expect((await send('GET', '/v2/topics', browser)).status).toBe(401);
      expect((await send('DELETE', `/v1/sessions/${own[1]!._id}`, mine)).status).toBe(404);
      expect((await send('DELETE', '/v1/sessions/nonsense', mine)).status).toBe(422);

      const admin = data.find((session) => session.scope === 'admin')!;
      expect((await send('DELETE', `/v1/sessions/${admin._id}`, mine)).status).toBe(403);
    });

    it('hides the sessions of other environments', async () => {
      const { key } = await createKey({}, await environmentOf('Elsewhere'));
      const browser = { ...(await cookieOf(key)), ...PROOF };
      const { _id } = (await signIn({ apiKey: gateway.key })).body;
      expect((await send<{ data: object[] }>('GET', '/v1/sessions', browser)).body.data).toHaveLength(1);
      expect((await send('DELETE', `/v1/sessions/${_id}`, browser)).status).toBe(404);
    });

    it('follows the revocation of the key, in another process after its cache is out of date', async () => {
      const { key, _id } = await createKey({});
      const browser = await cookieOf(key);
      const secret = browser.cookie.split('=').at(-1)!;
      const sessions = new SessionRepository(gateway.database);
      const otherProcess = () =>
        new SessionDirectory(new KeyDirectory(new EnvironmentRepository(gateway.database)), sessions);
      expect((await otherProcess().find(secret, undefined))?.owner?.keyId).toBe(_id);
      const path = `/v1/environments/${gateway.environmentId}/api-keys/${_id}`;
      expect((await gateway.call('DELETE', path)).status).toBe(204);
      expect((await send('GET', '/v2/topics', browser)).status).toBe(401);
      expect(await otherProcess().find(secret, undefined)).toBeUndefined();
      expect((await signIn({ apiKey: key })).status).toBe(401);
    });

    it('comes with the time: an expired session is refused and then removed', async () => {
      const answer = await signIn({ apiKey: gateway.key });
      const browser = { cookie: `clarion_session=${secretOf(answer)}` };
      const query = (sql: string) => gateway.database.query(sql, [answer.body._id]);
      await query(`UPDATE session SET expires_at = now() WHERE id = $1`);
      expect((await send('GET', '/v2/topics', browser)).status).toBe(401);
      const report = await new Maintenance(gateway.database, undefined).run();
      expect(report!.sessionsDeleted).toBeGreaterThan(0);
      expect(await query(`SELECT id FROM session WHERE id = $1`)).toEqual([]);
      const used = `SELECT 1 FROM sign_in_token WHERE used_at IS NOT NULL OR expires_at < now()`;
      expect(await gateway.database.query(used)).toEqual([]);
    });
  });

  it('writes neither keys nor cookies to the log or the database', async () => {
    const answer = await signIn({ apiKey: gateway.key });
    const secret = secretOf(answer);
    await send('GET', '/v2/topics', { cookie: `clarion_session=${secret}` });
    const rows = JSON.stringify(await gateway.database.query(`SELECT s::text FROM session s`));
    expect(rows).toContain(answer.body._id);
    expect(rows).toContain(sha256(secret).toString('hex'));
    const logs = gateway.logged.join('');
    expect(logs).toContain('/v1/sessions');
    for (const hidden of [secret, gateway.key]) {
      expect(logs).not.toContain(hidden);
      expect(rows).not.toContain(hidden);
      expect(rows).not.toContain(Buffer.from(hidden).toString('hex'));
    }
  });
});
