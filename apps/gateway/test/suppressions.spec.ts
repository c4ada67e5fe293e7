import type { SuppressionDto, SuppressionListDto } from '@clarion/contracts';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('suppressions', () => {
  let gateway: TestGateway;

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.close());

  const create = (channel: string, address: string) =>
    gateway.call<SuppressionDto>('POST', '/v1/suppressions', { channel, address });
  const list = (query = '') => gateway.call<SuppressionListDto>('GET', `/v1/suppressions${query}`);
  const remove = (channel: string, address: string) =>
    gateway.call('DELETE', `/v1/suppressions/${channel}/${encodeURIComponent(address)}`);

  it('creates a suppression with a normalized address, and keeps it unchanged when created again', async () => {
    const made = await create('email', ' Ann <ANN@example.com>');
    expect(made.status).toBe(201);
    expect(made.body).toEqual({
      _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      _environmentId: gateway.environmentId,
      channel: 'email',
      address: 'ann@example.com',
      reason: 'manual',
      createdAt: expect.stringMatching(/Z$/),
    });
    expect(await create('email', 'ann@example.com')).toMatchObject({ status: 200, body: made.body });
    expect((await create('sms', '+49 171 / 123')).body.address).toBe('+49171123');
  });

  it('creates one suppression under 20 concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('email', 'race@example.com')));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array<number>(19).fill(200), 201]);
    expect(new Set(answers.map(({ body }) => body._id)).size).toBe(1);
  });

  it.each([
    [{}, ['channel', 'address']],
    [{ channel: 'email' }, ['address']],
    [{ channel: 'email', address: 'ann' }, ['address']],
    [{ channel: 'email', address: '  ' }, ['address']],
    [{ channel: 'sms', address: 'ann@example.com' }, ['address']],
    [{ channel: 'push', address: 'token' }, ['channel']],
    [{ channel: 'email', address: `${'x'.repeat(320)}@example.com` }, ['address']],
  ])('answers the suppression %j with a 422 that names %j', async (body, fields) => {
    expectFieldErrors(await gateway.call('POST', '/v1/suppressions', body), fields);
  });

  it('lists suppressions newest first, filtered by channel and by address in any spelling', async () => {
    await create('sms', '+1 555 0100');
    await create('chat', '0015550100');
    await create('email', 'list@example.com');
    const all = (await list('?limit=3')).body;
    expect(all.data.map(({ channel, address }) => [channel, address])).toEqual([
      ['email', 'list@example.com'],
      ['chat', '+15550100'],
      ['sms', '+15550100'],
    ]);
    const rest = await list(`?limit=100&after=${all.next}`);
    expect(rest.body.data).toHaveLength(all.totalCount - 3);
    expect((await list('?channel=sms&address=15550100')).body.data).toMatchObject([{ channel: 'sms' }]);
    expect((await list('?address=%2B1-555-0100')).body.data).toHaveLength(2);
    expect((await list('?address=LIST@example.com')).body.data).toHaveLength(1);
    expect((await list('?channel=email&address=15550100')).body.data).toEqual([]);
    expect((await list('?address=')).body.totalCount).toBe(all.totalCount);
    expect((await list('?channel=push')).status).toBe(422);
    expect((await list('?after=a&before=b')).status).toBe(400);
  });

  it('deletes a suppression once and answers 404 afterwards', async () => {
    await create('email', 'lift+me@example.com');
    expect(await remove('email', 'LIFT+me@example.com')).toMatchObject({ status: 204, text: '' });
    expect(await remove('email', 'lift+me@example.com')).toMatchObject({
      status: 404,
      body: { message: 'lift+me@example.com is not suppressed on the channel email' },
    });
    expect((await remove('sms', 'missing')).status).toBe(404);
    expect(await remove('push', 'x')).toMatchObject({
      status: 422,
      body: { errors: { channel: { messages: [expect.stringContaining('email, sms, chat')] } } },
    });
  });

  it('never shows or changes suppressions of another environment', async () => {
    await create('email', 'mine@example.com');
    const headers = { authorization: `ApiKey ${await gateway.secondKey()}` };
    const stranger = (method: string, path: string, body?: unknown) => gateway.call(method, path, body, headers);

    expect((await stranger('GET', '/v1/suppressions')).body).toMatchObject({ data: [], totalCount: 0 });
    expect((await stranger('DELETE', '/v1/suppressions/email/mine@example.com')).status).toBe(404);
    const body = { channel: 'email', address: 'mine@example.com' };
    expect((await stranger('POST', '/v1/suppressions', body)).status).toBe(201);
    expect((await list('?address=mine@example.com')).body.data).toHaveLength(1);
  });

  it('wraps a suppression in data for a @novu/ client', async () => {
    const headers = { 'user-agent': '@novu/api' };
    const body = { channel: 'email', address: 'novu@example.com' };
    const made = await gateway.call<{ data: SuppressionDto }>('POST', '/v1/suppressions', body, headers);
    expect(made.body.data.address).toBe('novu@example.com');
  });
});
