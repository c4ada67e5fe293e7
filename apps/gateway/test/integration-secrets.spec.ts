import type { IntegrationDto } from '@clarion/contracts';
import { type FakeSmtp, startFakeSmtp } from '@clarion/testing';
import { expectFieldErrors, type Refusal, startGateway, type TestGateway } from './harness';

describe('stored secrets of integrations', () => {
  let gateway: TestGateway;
  let original: FakeSmtp;
  let other: FakeSmtp;

  beforeAll(async () => {
    [original, other] = await Promise.all([startFakeSmtp(), startFakeSmtp()]);
    gateway = await startGateway({ CLARION_CREDENTIALS_IN_RESPONSES: 'masked' });
  });
  afterAll(async () => {
    await gateway.close();
    await Promise.all([original.close(), other.close()]);
  });

  const create = (body: object) => gateway.call<IntegrationDto & Refusal>('POST', '/v1/integrations', body);
  const update = (id: string | undefined, body: object) =>
    gateway.call<IntegrationDto & Refusal>('PUT', `/v1/integrations/${id}`, body);
  const SENDER = { from: 'a@example.com', senderName: 'A' };
  const smtpTo = (server: FakeSmtp) => ({
    ...SENDER,
    host: server.host,
    port: String(server.port),
    user: 'me',
    password: 'a-password-of-some-length',
    ignoreTls: true,
  });
  const rowOf = async (id: string | undefined): Promise<string> =>
    JSON.stringify(
      await gateway.database.rows(`SELECT credentials, configurations FROM integration WHERE id = $1`, [id]),
    );

  it.each([
    ['another host', () => ({ port: String(other.port) })],
    ['no host', () => ({ host: undefined })],
    ['a host without required TLS', () => ({ ignoreTls: undefined, requireTls: false })],
    ['a host without certificate checks', () => ({ tlsOptions: { rejectUnauthorized: false } })],
  ])(
    'rejects an update to %s that sends only the mask of the password, with and without a check',
    async (_, change) => {
      const { body } = await create({ providerId: 'nodemailer', channel: 'email', credentials: smtpTo(original) });
      const before = await rowOf(body._id);
      const connections = [original.connections, other.connections];
      for (const check of [false, true]) {
        const answer = await update(body._id, { credentials: { ...body.credentials, ...change() }, check });
        expectFieldErrors(answer, ['credentials.password']);
        expect(JSON.stringify(answer.body)).toContain('send the value itself again');
      }
      expect(await rowOf(body._id)).toBe(before);
      expect([original.connections, other.connections]).toEqual(connections);
    },
  );

  it('accepts the password itself for a new host, and its mask while the host stays the same', async () => {
    const { body } = await create({ providerId: 'nodemailer', channel: 'email', credentials: smtpTo(original) });
    expect(body.credentials!.password).toBe('••••ngth');
    const change = (credentials: object) => update(body._id, { credentials, check: true });
    expect((await change({ ...body.credentials, user: 'you', senderName: 'B' })).status).toBe(200);
    expect((await change(smtpTo(other))).status).toBe(200);
    expect(other.connections).toBe(1);
  });

  it('drops the stored password when an update with a new host leaves it out', async () => {
    const { body } = await create({ providerId: 'nodemailer', channel: 'email', credentials: smtpTo(original) });
    const { password: _password, ...others } = smtpTo(other);
    const { body: updated } = await update(body._id, { credentials: others });
    expect(updated.credentials).toEqual(others);
  });

  it.each([
    [
      'sendgrid',
      'email',
      { apiKey: 'SG.0123456789abcdef', ...SENDER },
      { baseUrl: 'https://elsewhere.example.com' },
      ['apiKey'],
    ],
    [
      'ses',
      'email',
      { apiKey: 'AKIA0123456789abc', secretKey: 'secret-0123456789', region: 'eu-west-1', ...SENDER },
      { region: 'us-east-1' },
      ['apiKey', 'secretKey'],
    ],
    [
      'email-webhook',
      'email',
      { webhookUrl: 'https://a.example.com/hook', secretKey: 'secret-0123456789', ...SENDER },
      { webhookUrl: 'https://b.example.com/hook' },
      ['secretKey'],
    ],
    [
      'appio',
      'push',
      { apiKey: 'key-0123456789abc', AppIOBaseUrl: 'https://a.example.com' },
      { AppIOBaseUrl: 'https://b.example.com' },
      ['apiKey'],
    ],
    [
      'africas-talking',
      'sms',
      { apiKey: 'key-0123456789abc', user: 'me', from: 'me' },
      { user: 'sandbox' },
      ['apiKey'],
    ],
  ])(
    'rejects the masked secrets of %s (%s) together with a new address',
    async (providerId, channel, credentials, change, secrets) => {
      const { body } = await create({ providerId, channel, credentials });
      const moved = await update(body._id, { credentials: { ...body.credentials, ...change } });
      expectFieldErrors(
        moved,
        secrets.map((field) => `credentials.${field}`),
      );
      expect((await update(body._id, { credentials: { ...body.credentials } })).status).toBe(200);
      expect((await update(body._id, { credentials: { ...credentials, ...change } })).status).toBe(200);
    },
  );

  it('rejects a new host without the webhook signing key itself, because each message carries that key', async () => {
    const credentials = { apiKey: 'key-0123456789abc', baseUrl: 'https://a.example.com', from: 'me' };
    const configurations = { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'signing-0123456789' };
    const { body } = await create({ providerId: 'infobip-sms', channel: 'sms', credentials, configurations });
    const moved = { ...credentials, baseUrl: 'https://b.example.com' };
    for (const given of [{}, body.configurations]) {
      const answer = await update(body._id, { credentials: moved, configurations: given });
      expectFieldErrors(answer, ['configurations.inboundWebhookSigningKey']);
    }
    expect((await update(body._id, { credentials: moved, configurations })).status).toBe(200);
  });
});
