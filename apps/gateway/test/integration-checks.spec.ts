import type { IntegrationDto } from '@clarion/contracts';
import { Egress } from '@clarion/platform';
import { type FakeProvider, type FakeSmtp, startFakeProvider, startFakeSmtp, until } from '@clarion/testing';
import { callGateway, startGateway, startOwnGateway, type TestGateway } from './harness';

let gateway: TestGateway;
let fake: FakeProvider;
let smtp: FakeSmtp;

beforeAll(async () => {
  smtp = await startFakeSmtp();
  gateway = await startGateway();
  fake = gateway.provider;
});
afterEach(() => {
  fake.reset();
  smtp.reset();
});
afterAll(async () => {
  await gateway.close();
  await smtp.close();
});

const create = (providerId: string, credentials: object, more: object = {}) =>
  gateway.call<IntegrationDto>('POST', '/v1/integrations', {
    providerId,
    channel: 'email',
    credentials: { from: 'a@example.com', senderName: 'A', ...credentials },
    check: true,
    ...more,
  });
const count = async (): Promise<number> =>
  (await gateway.call<IntegrationDto[]>('GET', '/v1/integrations')).body.length;

describe('integrations with check: true', () => {
  it.each([
    ['sendgrid', { apiKey: 'key' }, '/v3/scopes'],
    ['resend', { apiKey: 'key' }, '/domains'],
    ['mailgun', { apiKey: 'key', user: 'api', domain: 'example.com' }, '/v3/domains/example.com'],
  ])('stores the integration when %s accepts the credentials', async (providerId, credentials, path) => {
    expect((await create(providerId, credentials)).status).toBe(201);
    expect(fake.calls.map((call) => call.path)).toEqual([path]);
  });

  it("rejects the integration with the provider's error message and does not store it", async () => {
    const before = await count();
    fake.next('/', { status: 401, json: { errors: [{ message: 'The provided authorization grant is invalid' }] } });
    expect(await create('sendgrid', { apiKey: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: 'The provided authorization grant is invalid' },
    });
    expect(await count()).toBe(before);
  });

  it('checks SMTP credentials by logging in, without sending mail', async () => {
    const credentials = { host: smtp.host, port: String(smtp.port), user: 'me', password: 'right', ignoreTls: true };
    expect((await create('nodemailer', credentials)).status).toBe(201);
    smtp.rejectNext('auth', 535, 'Wrong password');
    expect(await create('nodemailer', { ...credentials, password: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Wrong password') as string },
    });
    expect(smtp.mails).toEqual([]);
  });

  it('does not connect to an address that the egress guard blocks', async () => {
    const before = smtp.connections;
    const answer = await create('nodemailer', { host: '::1', port: String(smtp.port) });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('egress guard') as string } });
    expect(smtp.connections).toBe(before);
  });

  it('stores the integration without a call when its provider has no credential check', async () => {
    const answer = await create('gupshup', { user: '1', password: 'p' }, { channel: 'sms' });
    expect(answer.status).toBe(201);
    expect(fake.count).toBe(0);
  });

  it('does not call the provider while required credentials are missing', async () => {
    expect((await create('sendgrid', {})).status).toBe(400);
    expect(fake.count).toBe(0);
  });

  it('checks the credentials that an update leaves in place or replaces', async () => {
    const { body } = await create('sendgrid', { apiKey: 'first-key-of-some-length' });
    const update = (change: object) => gateway.call('PUT', `/v1/integrations/${body._id}`, { check: true, ...change });
    const stored = { from: 'a@example.com', senderName: 'A' };
    expect((await update({})).status).toBe(200);
    expect((await update({ credentials: { ...stored, apiKey: '••••ngth' } })).status).toBe(200);
    expect((await update({ credentials: { ...stored, apiKey: 'second' } })).status).toBe(200);
    expect(fake.calls.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer first-key-of-some-length',
      'Bearer first-key-of-some-length',
      'Bearer first-key-of-some-length',
      'Bearer second',
    ]);
    fake.next('/', { status: 403, json: { errors: [{ message: 'access forbidden' }] } });
    expect(await update({ name: 'New' })).toMatchObject({ status: 400, body: { message: 'access forbidden' } });
    const { body: all } = await gateway.call<IntegrationDto[]>('GET', '/v1/integrations');
    expect(all.find(({ _id }) => _id === body._id)!.name).not.toBe('New');
  });
});

describe('credential checks against a provider that does not respond', () => {
  const CHECKS = 14;
  let small: TestGateway;
  let silent: FakeProvider;

  beforeAll(async () => {
    silent = await startFakeProvider();
    small = await startOwnGateway({
      CLARION_DATABASE_POOL: '3',
      CLARION_PROVIDER_URLS: JSON.stringify({ sendgrid: silent.url }),
    });
  });
  afterAll(async () => {
    await silent.close();
    await small.close();
  });

  const sendgrid = { providerId: 'sendgrid', channel: 'email' };
  const credentials = { apiKey: 'key', from: 'a@example.com', senderName: 'A' };
  const openTransactions = () =>
    small.database.query(
      `SELECT query FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'`,
    );

  it('holds no transaction during a credential check, so that other tenants are served meanwhile', async () => {
    const { body: stored } = await small.call('POST', '/v1/integrations', { ...sendgrid, credentials });
    silent.always('/', { hang: true });
    const check = (number: number) => {
      const key = { 'idempotency-key': `check-${number}` };
      return number % 2 === 0
        ? small.call('POST', '/v1/integrations', { ...sendgrid, credentials, check: true }, key)
        : small.call('PUT', `/v1/integrations/${stored['_id'] as string}`, { check: true }, key);
    };
    const checks = Array.from({ length: CHECKS }, (_, number) => check(number));
    await until(() => silent.count >= CHECKS);

    const key = await small.secondKey();
    const asOther = (path: string, body: object, headers = {}) =>
      callGateway(small.url, key, 'POST', path, body, headers);
    const steps = [{ name: 'Text', type: 'sms', controlValues: { body: 'Hello' } }];
    expect((await asOther('/v2/workflows', { name: 'W', workflowId: 'welcome', steps })).status).toBe(201);
    const trigger = { name: 'welcome', to: 'ada' };
    expect(await asOther('/v1/events/trigger', trigger, { 'idempotency-key': 'other' })).toMatchObject({ status: 201 });
    expect(await openTransactions()).toEqual([]);
    expect([await check(0), await check(1)]).toMatchObject([{ status: 409 }, { status: 409 }]);
    expect(silent.count).toBe(CHECKS);

    await silent.close();
    const answers = await Promise.all(checks);
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: CHECKS }, () => 400));
    const replay = await check(1);
    expect(replay.headers.get('idempotency-replay')).toBe('true');
    expect(replay.text).toBe(answers[1]!.text);
  });

  it('fails an egress call that is made inside an open transaction', async () => {
    const call = () => small.app.get(Egress).request({ method: 'GET', url: 'http://127.0.0.2/', origin: 'provider' });
    const inside = small.database.transaction(async () => {
      await small.database.query('SELECT 1');
      await call();
    });
    await expect(inside).rejects.toThrow('must not wait inside an open transaction');
    await expect(small.database.transaction(call)).rejects.toThrow('egress guard');
  });
});
