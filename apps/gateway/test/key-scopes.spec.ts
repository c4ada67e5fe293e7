import type { EnvironmentId } from '@clarion/contracts/core';
import { type Answer, callGateway, startOwnGateway, type TestGateway } from './harness';

type Key = { _id: string; key: string; scope: string };
type Created = { _id: string; apiKeys: { key: string }[] };

const UNKNOWN_ID = '0190c0de-0000-7000-8000-000000000000' as EnvironmentId;

describe('scopes of API keys', () => {
  let gateway: TestGateway;
  let own: { id: string; key: string };
  let other: { id: string; key: string };
  let foreign: { id: string; key: string };

  /** Environments of one organization, each with a key of the scope `full`, and one of another organization. */
  beforeAll(async () => {
    gateway = await startOwnGateway({ CLARION_MAX_ORGANIZATIONS: '5', CLARION_MAX_ENVIRONMENTS: '6' });
    const create = async (name: string) => {
      const { status, body } = await gateway.call<Created>('POST', '/v1/environments', { name });
      expect(status).toBe(201);
      return { id: body._id, key: body.apiKeys[0]!.key };
    };
    own = await create('Own');
    other = await create('Other');
    const { body } = await gateway.call<{ environment: Created }>('POST', '/v1/organizations', { name: 'Foreign' });
    foreign = { id: body.environment._id, key: body.environment.apiKeys[0]!.key };
  });
  afterAll(() => gateway.close());

  const as = <T = Record<string, unknown>>(key: string, method: string, path: string, body?: unknown) =>
    callGateway<T>(gateway.url, key, method, path, body);
  const keysOf = (environmentId: EnvironmentId) => `/v1/environments/${environmentId}/api-keys`;
  const newKey = async (environmentId: EnvironmentId, body: object = {}): Promise<Key> => {
    const { status, body: made } = await gateway.call<Key>('POST', keysOf(environmentId), body);
    expect(status).toBe(201);
    return made;
  };
  /** The error without the parts that differ between calls. */
  const refusal = ({ status, body }: Answer, id: string) => ({
    status,
    message: String(body['message']).replace(id, '<id>'),
    error: body['error'],
  });

  it('lets a full key manage the keys of its environment', async () => {
    const created = await as<Key>(own.key, 'POST', keysOf(own.id as EnvironmentId), { name: 'mine', scope: 'full' });
    expect(created).toMatchObject({ status: 201, body: { scope: 'full', _environmentId: own.id } });
    const listed = await as<Key[]>(own.key, 'GET', keysOf(own.id as EnvironmentId));
    expect(listed.body.map(({ _id }) => _id)).toContain(created.body._id);
    expect((await as(own.key, 'DELETE', `${keysOf(own.id as EnvironmentId)}/${created.body._id}`)).status).toBe(204);
  });

  it.each([
    ['the same organization', () => other.id],
    ['another organization', () => foreign.id],
  ])('answers a full key the same 404 for an environment of %s as for one that does not exist', async (_, idOf) => {
    const id = idOf() as EnvironmentId;
    const [victim] = (await gateway.database.query<{ id: string }>(
      'SELECT id FROM api_key WHERE environment_id = $1 AND revoked_at IS NULL',
      [id],
    )) as [{ id: string }];
    const calls: [string, (environmentId: EnvironmentId) => string, unknown?][] = [
      ['GET', keysOf],
      ['POST', keysOf, { name: 'stolen' }],
      ['POST', keysOf, { scope: 'admin' }],
      ['DELETE', (environmentId) => `${keysOf(environmentId)}/${victim.id}`],
      ['PUT', (environmentId) => `/v1/environments/${environmentId}`, { name: 'Taken over' }],
    ];
    for (const [method, path, body] of calls) {
      const answer = refusal(await as(own.key, method, path(id), body), id);
      expect(answer).toEqual(refusal(await as(own.key, method, path(UNKNOWN_ID), body), UNKNOWN_ID));
      expect(answer.status).toBe(404);
    }
    const rows = await gateway.database.query(
      'SELECT 1 FROM api_key WHERE environment_id = $1 AND revoked_at IS NULL',
      [id],
    );
    expect(rows).toHaveLength(1);
  });

  it('lets an admin key manage every environment of its organization, and none of another', async () => {
    const made = await newKey(other.id as EnvironmentId, { scope: 'full' });
    expect((await gateway.call('GET', keysOf(other.id as EnvironmentId))).status).toBe(200);
    expect((await gateway.call('DELETE', `${keysOf(other.id as EnvironmentId)}/${made._id}`)).status).toBe(204);
    const answer = refusal(await gateway.call('GET', keysOf(foreign.id as EnvironmentId)), foreign.id);
    expect(answer).toEqual(refusal(await gateway.call('GET', keysOf(UNKNOWN_ID)), UNKNOWN_ID));
    expect(answer.status).toBe(404);
    expect((await gateway.call('POST', keysOf(foreign.id as EnvironmentId), {})).status).toBe(404);
    expect((await gateway.call('PUT', `/v1/environments/${foreign.id}`, { name: 'x' })).status).toBe(404);
  });

  it('refuses to create or revoke a key of a wider scope than that of the caller', async () => {
    const admin = await newKey(own.id as EnvironmentId, { scope: 'admin' });
    const minted = await as(own.key, 'POST', keysOf(own.id as EnvironmentId), { scope: 'admin' });
    expect(minted).toMatchObject({ status: 403, body: { message: expect.stringContaining('"admin"') } });
    expect((await as(own.key, 'DELETE', `${keysOf(own.id as EnvironmentId)}/${admin._id}`)).status).toBe(403);
    const rows = await gateway.database.query(
      `SELECT 1 FROM api_key WHERE environment_id = $1 AND scope = 'admin' AND revoked_at IS NULL`,
      [own.id],
    );
    expect(rows).toHaveLength(1);
    expect((await as(admin.key, 'DELETE', `${keysOf(own.id as EnvironmentId)}/${admin._id}`)).status).toBe(204);
  });

  it.each(['read', 'trigger'])('denies keys of the scope %s all access to keys and environments', async (scope) => {
    const { key, _id } = await newKey(own.id as EnvironmentId, { scope });
    expect((await as(key, 'GET', keysOf(own.id as EnvironmentId))).status).toBe(403);
    expect((await as(key, 'POST', keysOf(own.id as EnvironmentId), {})).status).toBe(403);
    expect((await as(key, 'DELETE', `${keysOf(own.id as EnvironmentId)}/${_id}`)).status).toBe(403);
    expect((await as(key, 'PUT', `/v1/environments/${own.id}`, { name: 'x' })).status).toBe(403);
    expect((await as(key, 'POST', '/v1/environments', { name: 'x' })).status).toBe(403);
    expect((await as(key, 'POST', '/v1/organizations', { name: 'x' })).status).toBe(403);
  });

  it('creates environments and organizations only for admin keys', async () => {
    expect((await as(own.key, 'POST', '/v1/environments', { name: 'Full' })).status).toBe(403);
    expect((await as(own.key, 'POST', '/v1/organizations', { name: 'Full' })).status).toBe(403);
    const { body } = await gateway.call<Created>('POST', '/v1/environments', { name: 'Fresh' });
    const [row] = await gateway.database.query('SELECT scope FROM api_key WHERE environment_id = $1', [body._id]);
    expect(row).toEqual({ scope: 'full' });
  });

  it('lists all environments of the organization only to an admin key', async () => {
    const names = async (key: string) =>
      (await as<{ name: string }[]>(key, 'GET', '/v1/environments')).body.map(({ name }) => name);
    expect(await names(gateway.key)).toEqual(expect.arrayContaining(['Development', 'Own', 'Other']));
    expect(await names(own.key)).toEqual(['Own']);
    expect(await names(foreign.key)).toEqual(['Development']);
  });

  it('gives the first key of a new organization the scope admin in that organization only', async () => {
    const { body } = await as<Created>(foreign.key, 'POST', '/v1/environments', { name: 'Theirs' });
    expect((await as(foreign.key, 'GET', keysOf(body._id as EnvironmentId))).status).toBe(200);
    expect((await gateway.call('GET', keysOf(body._id as EnvironmentId))).status).toBe(404);
    expect((await as(foreign.key, 'GET', keysOf(own.id as EnvironmentId))).status).toBe(404);
  });

  it('refuses to revoke the last admin key of the organization, also when two calls race', async () => {
    const { body } = await gateway.call<{ environment: Created }>('POST', '/v1/organizations', { name: 'Racing' });
    const first = body.environment.apiKeys[0]!.key;
    const path = keysOf(body.environment._id as EnvironmentId);
    const [{ _id: firstId }] = (await as<Key[]>(first, 'GET', path)).body as [Key];
    const last = await as(first, 'DELETE', `${path}/${firstId}`);
    expect(last).toMatchObject({ status: 409, body: { message: expect.stringContaining('keys revoke') } });
    const second = (await as<Key>(first, 'POST', path, { scope: 'admin' })).body;
    const race = await Promise.all([
      as(first, 'DELETE', `${path}/${second._id}`),
      as(second.key, 'DELETE', `${path}/${firstId}`),
    ]);
    expect(race.map(({ status }) => status).sort()).not.toEqual([204, 204]);
    const left = await gateway.database.query(
      `SELECT 1 FROM api_key WHERE environment_id = $1 AND scope = 'admin' AND revoked_at IS NULL`,
      [body.environment._id],
    );
    expect(left).toHaveLength(1);
  });

  it('creates no more environments than the operator allows, also when calls race', async () => {
    const { body } = await gateway.call<{ environment: Created }>('POST', '/v1/organizations', { name: 'Crowded' });
    const { apiKeys, _id } = body.environment;
    const create = (name: string) => as<Created>(apiKeys[0]!.key, 'POST', '/v1/environments', { name });
    const race = await Promise.all(Array.from({ length: 9 }, (_, index) => create(`E${index}`)));
    const made = race.filter(({ status }) => status === 201);
    expect(made).toHaveLength(5);
    const refused = race.find(({ status }) => status !== 201)!;
    expect(refused).toMatchObject({
      status: 403,
      body: {
        message: expect.stringMatching(/has 6 environments, and may have 6: delete one.*CLARION_MAX_ENVIRONMENTS/),
      },
    });
    // A deleted one makes room, but not again and again while rows are being deleted.
    let status = 201;
    let deletions = 0;
    for (let last = made[0]!.body; status === 201; deletions += 1) {
      expect((await as(apiKeys[0]!.key, 'DELETE', `/v1/environments/${last._id}`)).status).toBe(200);
      const next = await create(`Next ${deletions}`);
      [status, last] = [next.status, next.body];
    }
    expect({ status, deletions }).toEqual({ status: 403, deletions: 6 });
    const [{ organizationId }] = (await gateway.database.query(
      `SELECT organization_id AS "organizationId" FROM environment WHERE id = $1`,
      [_id],
    )) as [{ organizationId: string }];
    const unlimited = [1, 2].map((n) => gateway.admin.createEnvironment(organizationId, { name: `Operator ${n}` }));
    await expect(Promise.all(unlimited)).resolves.toHaveLength(2);
  });

  it('creates organizations only for the first one, and no more than the operator allows', async () => {
    const path = '/v1/organizations';
    expect(await as(foreign.key, 'POST', path, { name: 'Mine' })).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('key of the first organization') },
    });
    const race = await Promise.all([1, 2, 3].map((n) => gateway.call('POST', path, { name: `O${n}` })));
    expect(race.map(({ status }) => status).sort()).toEqual([201, 403, 403]);
    expect(await gateway.call('POST', path, { name: 'Late' })).toMatchObject({
      status: 403,
      body: { message: expect.stringMatching(/has 5 organizations, and may have 5.*CLARION_MAX_ORGANIZATIONS/) },
    });
    await expect(gateway.admin.createOrganization('Operator', { name: 'Main' })).resolves.toBeDefined();
  });

  describe('PUT /v1/environments/{environmentId}', () => {
    it('changes the fields that are sent and keeps the others', async () => {
      const path = `/v1/environments/${own.id}`;
      const changed = await as(own.key, 'PUT', path, { dialect: 'spec', allowRecipientOverrides: true });
      expect(changed).toMatchObject({
        status: 200,
        body: { name: 'Own', dialect: 'spec', allowRecipientOverrides: true },
      });
      expect((await as(own.key, 'PUT', path, { name: 'Mine', color: '#00ff00' })).body).toMatchObject({
        name: 'Mine',
        color: '#00ff00',
        dialect: 'spec',
        allowRecipientOverrides: true,
      });
      const back = await gateway.call('PUT', path, { name: 'Own', dialect: null, allowRecipientOverrides: false });
      expect(back.body).toMatchObject({ name: 'Own', dialect: null, allowRecipientOverrides: false });
    });

    it('updates the cached settings of the keys of the environment immediately', async () => {
      await gateway.keys.find(own.key);
      await gateway.call('PUT', `/v1/environments/${own.id}`, { allowRecipientOverrides: true });
      expect(await gateway.keys.find(own.key)).toMatchObject({ allowRecipientOverrides: true, dialect: null });
      await gateway.call('PUT', `/v1/environments/${own.id}`, { allowRecipientOverrides: false });
    });

    it.each([
      [409, { name: 'Other' }],
      [422, { name: ' ' }],
      [422, { color: 'red' }],
      [422, { dialect: 'klingon' }],
      [422, { allowRecipientOverrides: 'yes' }],
    ])('answers %i to an environment update with %j', async (status, body) => {
      const answer = await as(own.key, 'PUT', `/v1/environments/${own.id}`, body);
      expect(answer.status).toBe(status);
      if (status === 422) expect(Object.keys(answer.body['errors'] as object)).toEqual(Object.keys(body));
    });
  });
});
