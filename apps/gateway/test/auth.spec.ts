import { callGateway, startGateway, type TestGateway } from './harness';

type KeyAnswer = { _id: string; key: string; scope: string; prefix: string; lastUsedAt?: string; revokedAt?: string };

describe('authentication', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const ask = (headers: Record<string, string>) => fetch(`${gateway.url}/v2/subscribers`, { headers });

  it.each([
    [{}, 'Missing authorization header'],
    [{ authorization: 'Bearer abc' }, 'Invalid authentication scheme'],
    [{ authorization: 'apikey abc' }, 'Invalid authentication scheme'],
    [{ authorization: 'clr_deve_a-key-without-its-scheme' }, 'Invalid authentication scheme'],
    [{ authorization: 'ApiKey' }, 'API Key not found'],
    [{ authorization: 'ApiKey an-unknown-key' }, 'API Key not found'],
  ])('answers 401 to a request with the headers %j', async (headers, message) => {
    const response = await ask(headers as Record<string, string>);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      statusCode: 401,
      timestamp: expect.any(String),
      path: '/v2/subscribers',
      message,
      error: 'Unauthorized',
      ctx: { error: 'Unauthorized' },
    });
  });

  it('answers 401 without a key before it parses the body', async () => {
    const response = await fetch(`${gateway.url}/v2/subscribers`, {
      method: 'POST',
      body: '{',
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(401);
  });

  describe('many wrong keys from one address', () => {
    const attempts = 300;

    it('answers 429 with a growing Retry-After, batches the lookups and still accepts valid keys', async () => {
      const guessed = await startGateway({});
      try {
        const unused = await guessed.secondKey();
        const statements = guessed.watchStatements();
        const answers: { status: number; wait: number }[] = [];
        let next = 0;
        const guess = async (): Promise<void> => {
          while (next < attempts) {
            const answer = await callGateway(guessed.url, `wrong-key-number-${next++}`, 'GET', '/v2/subscribers');
            answers.push({ status: answer.status, wait: Number(answer.headers.get('retry-after') ?? 0) });
          }
        };
        await Promise.all(Array.from({ length: 60 }, guess));
        const lookups = statements().filter((text) => text.includes('FROM api_key'));
        expect(answers.filter(({ status }) => status === 401).length).toBeGreaterThanOrEqual(20);
        expect(answers.filter(({ status }) => status === 429).length).toBeGreaterThan(attempts / 2);
        expect(Math.max(...answers.map(({ wait }) => wait))).toBe(60);
        expect(lookups.length).toBeLessThan(attempts / 4);
        // A valid key that is not cached, and one that is.
        expect((await callGateway(guessed.url, unused, 'GET', '/v2/subscribers')).status).toBe(200);
        expect((await guessed.call('GET', '/v2/subscribers')).status).toBe(200);
        expect((await callGateway(guessed.url, 'wrong-again', 'GET', '/v2/subscribers')).status).toBe(429);
      } finally {
        await guessed.close();
      }
    });
  });

  it('stores only the hash and the ciphertext of a key', async () => {
    const rows = await gateway.database.query<Record<string, unknown>>(
      'SELECT * FROM api_key WHERE environment_id = $1',
      [gateway.environmentId],
    );
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(gateway.key);
    expect(rows[0]!['encrypted_key']).toMatch(/^v1\.k1\./);
  });

  describe('API keys', () => {
    const createKey = (body: object) =>
      gateway.call<KeyAnswer>('POST', `/v1/environments/${gateway.environmentId}/api-keys`, body);
    const status = async (key: string, method: string, path: string, body?: unknown) =>
      (await callGateway(gateway.url, key, method, path, body)).status;

    it('gives several keys access to one environment', async () => {
      const { status: created, body } = await createKey({ name: 'second' });
      expect(created).toBe(201);
      expect(body).toMatchObject({ scope: 'full', name: 'second', key: expect.stringMatching(/^clr_deve_[\w-]{43}$/) });
      await gateway.call('POST', '/v2/subscribers', { subscriberId: 'shared' });
      expect(await status(body.key, 'GET', '/v2/subscribers/shared')).toBe(200);
    });

    it('allows only reads with a key of the scope read', async () => {
      const { key } = (await createKey({ scope: 'read' })).body;
      expect(await status(key, 'GET', '/v2/subscribers')).toBe(200);
      expect(await status(key, 'POST', '/v2/subscribers', { subscriberId: 'x' })).toBe(403);
      expect(await status(key, 'DELETE', '/v2/subscribers/x')).toBe(403);
    });

    it('allows only event triggers with a key of the scope trigger', async () => {
      const { key } = (await createKey({ scope: 'trigger' })).body;
      expect(await status(key, 'GET', '/v2/subscribers')).toBe(403);
      expect(await status(key, 'POST', '/v1/events/trigger/bulk', { events: [] })).toBe(422);
    });

    it('refuses a revoked key at once and lists it without its text', async () => {
      const { key, _id } = (await createKey({})).body;
      expect(await status(key, 'GET', '/v2/subscribers')).toBe(200);
      const path = `/v1/environments/${gateway.environmentId}/api-keys`;
      const revoked = await gateway.call('DELETE', `${path}/${_id}`, undefined, { 'idempotency-key': 'revoke' });
      expect(revoked).toMatchObject({ status: 204, text: '' });
      expect(await status(key, 'GET', '/v2/subscribers')).toBe(401);
      expect((await gateway.call('DELETE', `${path}/${_id}`)).status).toBe(404);

      const { body } = await gateway.call<KeyAnswer[]>('GET', path);
      expect(JSON.stringify(body)).not.toContain(key);
      expect(body.find((row) => row._id === _id)).toMatchObject({
        prefix: key.slice(0, 12),
        revokedAt: expect.any(String),
      });
    });

    it('records when a key was last used', async () => {
      const { key, _id } = (await createKey({})).body;
      await callGateway(gateway.url, key, 'GET', '/v2/subscribers');
      await gateway.keys.flushUses();
      const { body } = await gateway.call<KeyAnswer[]>('GET', `/v1/environments/${gateway.environmentId}/api-keys`);
      expect(Date.now() - Date.parse(body.find((row) => row._id === _id)!.lastUsedAt!)).toBeLessThan(60_000);
    });

    it.each([
      [{ scope: 'root' }, 'scope'],
      [{ name: '' }, 'name'],
    ])('rejects a new key %j with a 422 that names %s', async (body, field) => {
      const answer = await gateway.call<{ errors: object }>(
        'POST',
        `/v1/environments/${gateway.environmentId}/api-keys`,
        body,
      );
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors)).toEqual([field]);
    });
  });

  describe('environments', () => {
    it('creates an environment with a key that is shown once', async () => {
      const created = await gateway.call<{ _id: string; identifier: string; apiKeys: { key: string }[] }>(
        'POST',
        '/v1/environments',
        {
          name: 'Staging',
          parentId: gateway.environmentId,
          color: '#ff0000',
        },
      );
      expect(created.status).toBe(201);
      expect(created.body).toMatchObject({
        name: 'Staging',
        type: 'prod',
        kind: 'production',
        eventLog: true,
        withoutIntegration: 'fail',
        color: '#ff0000',
        _parentId: gateway.environmentId,
        _organizationId: gateway.organizationId,
        identifier: expect.stringMatching(/^env_/),
      });
      const [{ key }] = created.body.apiKeys as [{ key: string }];
      const own = await callGateway<{ _id: string }>(gateway.url, key, 'GET', '/v1/environments/me');
      expect(own.body._id).toBe(created.body._id);
      const integrations = await gateway.database.query(
        `SELECT 1 FROM integration WHERE environment_id = $1 AND channel = 'in_app' AND active`,
        [created.body._id],
      );
      expect(integrations).toHaveLength(1);

      const list = await gateway.call<{ name: string; apiKeys?: unknown }[]>('GET', '/v1/environments');
      expect(list.body.map(({ name }) => name)).toEqual(['Development', 'Staging']);
      expect(list.text).not.toContain(key);
    });

    it('answers 409 to a name that is taken, 422 to an invalid name and 404 to an unknown parent', async () => {
      const create = (body: object) => gateway.call('POST', '/v1/environments', body);
      expect((await create({ name: 'Development' })).status).toBe(409);
      expect((await create({ name: ' ' })).status).toBe(422);
      expect((await create({ name: 'Orphan', parentId: '0190c0de-0000-7000-8000-000000000000' })).status).toBe(404);
      expect((await create({ name: 'Orphan', parentId: 'x' })).status).toBe(422);
    });
  });
});
