import { type ProviderStage, startProviderStage } from '@clarion/testing/providers';
import type { ProviderId } from '@clarion/contracts';
import { CREDENTIALS } from '../../test/samples';
import { setUpEventsOf } from '.';

const URL_OF_EVENTS = 'https://clarion.example/v2/inbound-webhooks/delivery-providers/e/i';

describe('set-up of delivery events', () => {
  let stage: ProviderStage;

  beforeAll(async () => {
    stage = await startProviderStage();
  });
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  const setUp = (id: ProviderId) =>
    setUpEventsOf(id)!({ url: URL_OF_EVENTS, key: 'own-key' }, { ...CREDENTIALS, baseUrl: '' }, stage.context(id));
  const calls = () => stage.fake.calls.map(({ method, path }) => `${method} ${path}`);

  it('creates the event webhook of SendGrid, or changes the one with this URL, and takes its verification key', async () => {
    const settings = '/v3/user/webhooks/event/settings';
    stage.fake.always(`${settings}/signed`, { json: { public_key: 'public' } });
    stage.fake.always(`${settings}/all`, { json: { webhooks: [] } });
    stage.fake.next((call) => call.method === 'POST', { status: 201, json: { id: 'w1' } });
    expect(await setUp('sendgrid')).toEqual({ ok: true, signingKey: 'public' });
    expect(calls()).toEqual([`GET ${settings}/all`, `POST ${settings}`, `PATCH ${settings}/signed/w1`]);
    expect(JSON.parse(stage.fake.calls[1]!.body)).toMatchObject({ url: URL_OF_EVENTS, enabled: true, bounce: true });
    stage.fake.always(`${settings}/all`, { json: { webhooks: [{ id: 'w2', url: URL_OF_EVENTS }] } });
    await setUp('sendgrid');
    expect(calls().slice(3)).toEqual([`GET ${settings}/all`, `PATCH ${settings}/w2`, `PATCH ${settings}/signed/w2`]);
  });

  it('replaces the webhook of Resend and takes its signing secret', async () => {
    stage.fake.always((call) => call.method === 'GET', { json: { data: [{ id: 'old', endpoint: URL_OF_EVENTS }] } });
    stage.fake.always((call) => call.method === 'POST', { status: 201, json: { id: 'n', signing_secret: 'whsec_1' } });
    expect(await setUp('resend')).toEqual({ ok: true, signingKey: 'whsec_1' });
    expect(calls()).toEqual(['GET /webhooks', 'DELETE /webhooks/old', 'POST /webhooks']);
  });

  it('sets every webhook of Mailgun, also those that exist, and takes the key of the account', async () => {
    stage.fake.always('/v5/accounts/http_signing_key', { json: { http_signing_key: 'account-key' } });
    stage.fake.next((call) => call.method === 'POST', { status: 400, json: { message: 'Webhook already exists' } });
    expect(await setUp('mailgun')).toEqual({ ok: true, signingKey: 'account-key' });
    expect(calls().filter((call) => call.startsWith('PUT'))).toHaveLength(1);
    expect(calls().filter((call) => call.startsWith('POST'))).toHaveLength(8);
  });

  it.each(['postmark', 'sendinblue'] as const)('gives %s a URL with the key, because it signs nothing', async (id) => {
    expect(await setUp(id)).toEqual({ ok: true, signingKey: 'own-key' });
    expect(stage.fake.calls[0]!.body).toContain(`${URL_OF_EVENTS}?token=own-key`);
  });

  it('makes no call for providers that get the URL with each message', async () => {
    expect(await setUp('infobip-sms')).toEqual({ ok: true, signingKey: 'own-key' });
    expect(await setUp('twilio')).toEqual({ ok: true });
    expect(stage.fake.count).toBe(0);
  });

  it('returns the words of a provider that refuses, without the key', async () => {
    stage.fake.always('/', { status: 401, json: { errors: [{ message: 'bad key canary-api-key' }] } });
    const result = await setUp('sendgrid');
    expect(result).toMatchObject({ ok: false, kind: 'credentials' });
  });
});
