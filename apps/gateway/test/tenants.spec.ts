import type { TenantDto, TenantListDto } from '@clarion/contracts';
import { createInAppWorkflow, expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('tenants', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (body: object) => gateway.call<TenantDto>('POST', '/v1/tenants', body);
  const retrieve = (identifier: string) =>
    gateway.call<TenantDto>('GET', `/v1/tenants/${encodeURIComponent(identifier)}`);

  it('creates a tenant and answers 201', async () => {
    const answer = await create({ identifier: ' acme/eu ', name: 'Acme', data: { plan: 'gold' } });

    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      identifier: 'acme/eu',
      name: 'Acme',
      data: { plan: 'gold' },
      _environmentId: gateway.environmentId,
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    expect((await retrieve('acme/eu')).body).toEqual(answer.body);
  });

  it('leaves out the fields that a tenant does not have', async () => {
    const { body } = await create({ identifier: 'bare' });
    expect(Object.keys(body).sort()).toEqual(['_environmentId', '_id', 'createdAt', 'identifier', 'updatedAt']);
  });

  it('answers 409 with the existing tenant, also under concurrent creates', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create({ identifier: 'taken' })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array<number>(19).fill(409)]);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
    expect(await create({ identifier: 'taken', name: 'Other' })).toMatchObject({
      status: 409,
      body: { message: 'Tenant with identifier "taken" already exists', identifier: 'taken' },
    });
    expect((await retrieve('taken')).body).not.toHaveProperty('name');
  });

  it.each([
    [{}, 'identifier'],
    [{ identifier: '  ' }, 'identifier'],
    [{ identifier: 7 }, 'identifier'],
    [{ identifier: 'x'.repeat(257) }, 'identifier'],
    [{ identifier: 'x', name: 7 }, 'name'],
    [{ identifier: 'x', data: [] }, 'data'],
  ])('answers the tenant %j with a 422 that names %s', async (body, field) => {
    expectFieldErrors(await gateway.call('POST', '/v1/tenants', body), [field]);
  });

  it('patches a tenant: keeps absent fields, clears null ones and changes a free identifier', async () => {
    const first = await create({ identifier: 'patched', name: 'Old', data: { a: 1 } });
    await create({ identifier: 'neighbour' });
    const patch = (identifier: string, body: object) => gateway.call('PATCH', `/v1/tenants/${identifier}`, body);

    expect(await patch('patched', { name: 'New' })).toMatchObject({
      status: 200,
      body: { _id: first.body._id, name: 'New', data: { a: 1 } },
    });
    expect(await patch('patched', {})).toMatchObject({ status: 200, body: { name: 'New' } });
    const cleared = await patch('patched', { name: null, data: { b: 2 }, identifier: 'renamed' });
    expect(cleared).toMatchObject({ status: 200, body: { identifier: 'renamed', data: { b: 2 } } });
    expect(cleared.body).not.toHaveProperty('name');
    expect((await retrieve('patched')).status).toBe(404);

    const headers = { 'idempotency-key': 'rename' };
    const refused = await gateway.call('PATCH', '/v1/tenants/renamed', { identifier: 'neighbour' }, headers);
    expect(refused).toMatchObject({
      status: 409,
      body: { message: 'Tenant with identifier "neighbour" already exists' },
    });
    expect(await patch('missing', { name: 'X' })).toMatchObject({
      status: 404,
      body: { message: 'Tenant missing was not found' },
    });
  });

  it('resolves the tenant of a trigger until the tenant is deleted', async () => {
    await createInAppWorkflow(gateway, 'welcome');
    await create({ identifier: 'customer' });
    const trigger = () =>
      gateway.call('POST', '/v1/events/trigger', { name: 'welcome', to: 'a', tenant: { identifier: 'customer' } });

    expect((await trigger()).body).toMatchObject({ status: 'processed' });
    expect((await gateway.call('DELETE', '/v1/tenants/customer')).status).toBe(204);
    expect((await trigger()).body).toMatchObject({ status: 'no_tenant_found' });
    expect((await gateway.call('DELETE', '/v1/tenants/customer')).status).toBe(404);
  });

  it('never shows or changes tenants of another environment', async () => {
    await create({ identifier: 'mine', name: 'Mine' });
    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const stranger = (method: string, path: string, body?: unknown) => gateway.call(method, path, body, headers);

    expect((await stranger('GET', '/v1/tenants/mine')).status).toBe(404);
    expect((await stranger('PATCH', '/v1/tenants/mine', { name: 'Stolen' })).status).toBe(404);
    expect((await stranger('DELETE', '/v1/tenants/mine')).status).toBe(404);
    expect((await stranger('GET', '/v1/tenants')).body).toMatchObject({ data: [] });
    expect((await stranger('POST', '/v1/tenants', { identifier: 'mine' })).status).toBe(201);
    expect((await retrieve('mine')).body).toMatchObject({ name: 'Mine' });
  });
});

describe('GET /v1/tenants', () => {
  let gateway: TestGateway;
  const identifiers = Array.from({ length: 12 }, (_, index) => `t${index}`);

  beforeAll(async () => {
    gateway = await startGateway();
    for (const identifier of identifiers) await gateway.call('POST', '/v1/tenants', { identifier });
  });
  afterAll(() => gateway.close());

  const list = (query: string) => gateway.call<TenantListDto>('GET', `/v1/tenants?${query}`);
  const identifiersOf = ({ data }: TenantListDto) => data.map(({ identifier }) => identifier);

  it('lists tenants newest first, ten per page', async () => {
    const { status, body } = await list('');
    expect(status).toBe(200);
    expect(identifiersOf(body)).toEqual(identifiers.toReversed().slice(0, 10));
    expect(body).toMatchObject({ page: 0, pageSize: 10, hasMore: true });
  });

  it('returns any page of tenants', async () => {
    const second = (await list('page=1&limit=8')).body;
    expect(identifiersOf(second)).toEqual(identifiers.toReversed().slice(8));
    expect(second).toMatchObject({ page: 1, pageSize: 8, hasMore: false });
    expect((await list('page=2&limit=8')).body).toMatchObject({ data: [], hasMore: false });
  });

  it.each(['limit=0', 'limit=101', 'page=-1', 'page=x'])(
    'answers the tenant list query %s with a 422',
    async (query) => {
      const answer = await list(query);
      expect(answer.status).toBe(422);
      expect(answer.body).toMatchObject({ errors: { [query.split('=')[0]!]: expect.anything() } });
    },
  );
});
