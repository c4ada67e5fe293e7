import { type EnvironmentDto, LIMITS } from '@clarion/contracts';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

type Key = { _id: string; key: string; expiresAt?: string; allowedAddresses?: string[] };

describe('limits of API keys', () => {
  let gateway: TestGateway;
  let path: string;

  beforeAll(async () => {
    gateway = await startGateway();
    path = `/v1/environments/${gateway.environmentId}/api-keys`;
  });
  afterAll(() => gateway.close());

  const create = (body: object) => gateway.call<Key>('POST', path, body);
  const as = (key: string, method: string, to: string, body?: unknown, headers?: Record<string, string>) =>
    callGateway<Record<string, unknown>>(gateway.url, key, method, to, body, headers);
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  it('shows the limits of a key when it is created and listed', async () => {
    const expiresAt = inAnHour();
    const { status, body } = await create({ expiresAt, allowedAddresses: ['127.0.0.1', '2001:db8::/32'] });
    expect(status).toBe(201);
    expect(body).toMatchObject({ expiresAt, allowedAddresses: ['127.0.0.1', '2001:db8::/32'] });
    const listed = (await gateway.call<Key[]>('GET', path)).body.find(({ _id }) => _id === body._id);
    expect(listed).toMatchObject({ expiresAt, allowedAddresses: ['127.0.0.1', '2001:db8::/32'] });
    expect((await create({})).body).not.toHaveProperty('expiresAt');
  });

  it('rejects a key as soon as it expires, although its owner is cached', async () => {
    const { key } = (await create({ expiresAt: inAnHour() })).body;
    expect((await as(key, 'GET', '/v2/subscribers')).status).toBe(200);
    const statements = gateway.watchStatements();
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_001);
    try {
      const answer = await as(key, 'GET', '/v2/subscribers');
      expect(answer).toMatchObject({ status: 401, body: { message: 'API Key expired' } });
    } finally {
      clock.mockRestore();
    }
    expect(statements().filter((text) => text.includes('api_key'))).toEqual([]);
  });

  it('rejects a key from an address that is not listed and accepts it from a listed one', async () => {
    const { key: elsewhere } = (await create({ allowedAddresses: ['203.0.113.0/24', '2001:db8::1'] })).body;
    expect(await as(elsewhere, 'GET', '/v2/subscribers')).toMatchObject({
      status: 403,
      body: { message: 'This API key may not be used from the address 127.0.0.1' },
    });
    for (const allowed of ['127.0.0.1', '127.0.0.0/8', '::ffff:127.0.0.1', '::ffff:127.0.0.0/104']) {
      const { key } = (await create({ allowedAddresses: [allowed] })).body;
      expect((await as(key, 'GET', '/v2/subscribers')).status).toBe(200);
    }
  });

  it('trusts X-Forwarded-For only from proxies in CLARION_TRUST_PROXY', async () => {
    const behindProxy = await startGateway({ CLARION_TRUST_PROXY: '127.0.0.0/8, ::1' });
    try {
      const forwarded = { 'x-forwarded-for': '203.0.113.7' };
      const limits = { allowedAddresses: ['203.0.113.7'] };
      const { key } = (await create(limits)).body;
      expect((await as(key, 'GET', '/v2/subscribers', undefined, forwarded)).status).toBe(403);
      const made = await behindProxy.call<Key>(
        'POST',
        `/v1/environments/${behindProxy.environmentId}/api-keys`,
        limits,
      );
      const status = async (headers: Record<string, string>) =>
        (await callGateway(behindProxy.url, made.body.key, 'GET', '/v2/subscribers', undefined, headers)).status;
      expect(await status(forwarded)).toBe(200);
      expect(await status({ 'x-forwarded-for': '203.0.113.8' })).toBe(403);
      // The caller wrote the first address; the proxy appended the address that it saw.
      expect(await status({ 'x-forwarded-for': '203.0.113.7, 198.51.100.1' })).toBe(403);
    } finally {
      await behindProxy.close();
    }
  });

  it('applies the limits of a key to the keys that it creates', async () => {
    const expiresAt = inAnHour();
    const { key } = (await create({ expiresAt, allowedAddresses: ['127.0.0.0/8'] })).body;
    expect((await as(key, 'POST', path, {})).status).toBe(403);
    expect((await as(key, 'POST', path, { expiresAt: '2099-01-01T00:00:00Z' })).status).toBe(403);
    expect((await as(key, 'POST', path, { expiresAt, allowedAddresses: ['0.0.0.0/0'] })).status).toBe(403);
    expect((await as(key, 'POST', path, { expiresAt })).body).toMatchObject({ allowedAddresses: ['127.0.0.0/8'] });
    const narrower = await as(key, 'POST', path, { expiresAt, allowedAddresses: ['127.0.0.1'] });
    expect(narrower).toMatchObject({ status: 201, body: { allowedAddresses: ['127.0.0.1'] } });
  });

  describe('in number', () => {
    let full: EnvironmentDto;
    let ofFull: string;
    const insert = (count: number, column: 'revoked_at' | 'expires_at' | undefined) =>
      gateway.database.execute(
        `INSERT INTO api_key (id, environment_id, name, prefix, hash, encrypted_key, scope, revoked_at, expires_at)
         SELECT uuid_v7(), $1, 'k', 'k', uuid_send(uuid_v7()), 'v1.sealed', 'full',
                CASE WHEN $3 = 'revoked_at' THEN now() END, CASE WHEN $3 = 'expires_at' THEN now() END
           FROM generate_series(1, $2::int)`,
        [full._id, count, column ?? ''],
      );
    const another = () => gateway.call<Key & { message: string }>('POST', ofFull, {});

    beforeAll(async () => {
      full = (await gateway.call<EnvironmentDto>('POST', '/v1/environments', { name: 'Full' })).body;
      ofFull = `/v1/environments/${full._id}/api-keys`;
      await insert(LIMITS.apiKeys, 'revoked_at');
      await insert(LIMITS.apiKeys, 'expires_at');
    });

    it('counts the keys that can be used, also those that are created at the same time', async () => {
      await insert(LIMITS.apiKeys - 2, undefined);
      const answers = await Promise.all([another(), another(), another()]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409]);
      expect(answers.find(({ status }) => status === 409)!.body.message).toBe(
        `The environment "Full" has ${LIMITS.apiKeys} API keys that can be used, and may have no more: revoke one ` +
          'that is no longer needed, or wait until one expires',
      );
      const { _id } = answers.find(({ status }) => status === 201)!.body;
      await gateway.call('DELETE', `${ofFull}/${_id}`);
      expect((await another()).status).toBe(201);
      expect((await create({})).status).toBe(201);
    });

    it('lists all that can be used, and the newest of the others', async () => {
      await insert(LIMITS.listedKeys, 'revoked_at');
      const { body } = await gateway.call<(Key & { name: string; revokedAt?: string })[]>('GET', ofFull);
      expect(body).toHaveLength(LIMITS.listedKeys);
      const usable = body.filter(({ revokedAt, expiresAt }) => !revokedAt && !expiresAt);
      expect([usable.length, usable[0]!.name]).toEqual([LIMITS.apiKeys, 'default']);
      const ids = body.map(({ _id }) => _id);
      expect(ids).toEqual([...ids].sort());
    });
  });

  it.each([
    ['expiresAt', { expiresAt: 'soon' }],
    ['expiresAt', { expiresAt: '2099-01-01T00:00:00' }],
    ['expiresAt', { expiresAt: '2001-01-01T00:00:00Z' }],
    ['allowedAddresses', { allowedAddresses: [] }],
    ['allowedAddresses', { allowedAddresses: ['example.com'] }],
    ['allowedAddresses', { allowedAddresses: ['10.0.0.0/33'] }],
    ['allowedAddresses', { allowedAddresses: Array.from({ length: 51 }, (_, n) => `10.0.0.${n}`) }],
    ['allowedAddresses', { allowedAddresses: '10.0.0.1' }],
  ])('answers 422 that names %s for %j', async (field, body) => {
    expectFieldErrors(await create(body), [field]);
  });
});
