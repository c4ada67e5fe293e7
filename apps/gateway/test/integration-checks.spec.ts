import type { IntegrationDto } from '@clarion/contracts';
import { type FakeProvider, type FakeSmtp, startFakeProvider, startFakeSmtp } from '@clarion/testing';
import { startGateway, type TestGateway } from './harness';

let gateway: TestGateway;
let fake: FakeProvider;
let smtp: FakeSmtp;

beforeAll(async () => {
  [fake, smtp] = await Promise.all([startFakeProvider(), startFakeSmtp()]);
  const urls = { sendgrid: fake.url, mailgun: fake.url, resend: fake.url };
  gateway = await startGateway({
    CLARION_PROVIDER_URLS: JSON.stringify(urls),
    CLARION_EGRESS_ALLOW: '127.0.0.1',
  });
});
afterEach(() => {
  fake.reset();
  smtp.reset();
});
afterAll(async () => {
  await gateway.close();
  await Promise.all([fake.close(), smtp.close()]);
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

describe('an integration that is to be checked', () => {
  it.each([
    ['sendgrid', { apiKey: 'key' }, '/v3/scopes'],
    ['resend', { apiKey: 'key' }, '/domains'],
    ['mailgun', { apiKey: 'key', user: 'api', domain: 'example.com' }, '/v3/domains/example.com'],
  ])('is stored when %s knows the credentials', async (providerId, credentials, path) => {
    expect((await create(providerId, credentials)).status).toBe(201);
    expect(fake.calls.map((call) => call.path)).toEqual([path]);
  });

  it("is refused with the provider's words, and not stored", async () => {
    const before = await count();
    fake.next('/', { status: 401, json: { errors: [{ message: 'The provided authorization grant is invalid' }] } });
    expect(await create('sendgrid', { apiKey: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: 'The provided authorization grant is invalid' },
    });
    expect(await count()).toBe(before);
  });

  it('has its mail server called, and nothing sent', async () => {
    const credentials = { host: smtp.host, port: String(smtp.port), user: 'me', password: 'right', ignoreTls: true };
    expect((await create('nodemailer', credentials)).status).toBe(201);
    smtp.rejectNext('auth', 535, 'Wrong password');
    expect(await create('nodemailer', { ...credentials, password: 'wrong' })).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('Wrong password') as string },
    });
    expect(smtp.mails).toEqual([]);
  });

  it('cannot be used to look inside', async () => {
    const before = smtp.connections;
    const answer = await create('nodemailer', { host: '::1', port: String(smtp.port) });
    expect(answer).toMatchObject({ status: 400, body: { message: expect.stringContaining('egress guard') as string } });
    expect(smtp.connections).toBe(before);
  });

  it('is stored when its provider has no way to tell', async () => {
    const answer = await create('gupshup', { user: '1', password: 'p' }, { channel: 'sms' });
    expect(answer.status).toBe(201);
    expect(fake.count).toBe(0);
  });

  it('is not asked about before what is missing is there', async () => {
    expect((await create('sendgrid', {})).status).toBe(400);
    expect(fake.count).toBe(0);
  });

  it('is checked on update with the stored credentials, or with those that will be stored', async () => {
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
