import type {
  IntegrationCheckDto,
  IntegrationDto,
  IntegrationHealthListDto,
  IntegrationState,
  IntegrationUsageDto,
  ProviderListDto,
} from '@clarion/contracts';
import { PROVIDER_IDS } from '@clarion/contracts';
import { IntegrationRepository } from '@clarion/persistence';
import { checkCredentials } from '@clarion/providers';
import { type FakeProvider } from '@clarion/testing';
import { expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('operations on integrations', () => {
  let gateway: TestGateway;
  let fake: FakeProvider;

  beforeAll(async () => {
    gateway = await startGateway({ CLARION_PUBLIC_URL: 'https://clarion.test/' });
    fake = gateway.provider;
  });
  afterEach(() => fake.reset());
  afterAll(async () => {
    await gateway.close();
  });

  const create = async (providerId: string, channel: string, more: object = {}) =>
    (await gateway.call<IntegrationDto>('POST', '/v1/integrations', { providerId, channel, ...more })).body._id!;
  const SENDGRID = { credentials: { apiKey: 'key', from: 'a@x.test', senderName: 'A' } };

  it('lists all providers with the fields that the credential rules ask for', async () => {
    const { data } = (await gateway.call<ProviderListDto>('GET', '/v1/providers')).body;
    expect(data.map(({ id }) => id)).toEqual([...PROVIDER_IDS]);
    for (const { id, credentials } of data) {
      const required = credentials.filter((field) => field.required || field.oneOf);
      const { missing } = checkCredentials(id, {});
      expect([id, missing.flatMap((names) => names.split(' or ')).toSorted()]).toEqual([
        id,
        required.map(({ name }) => name).toSorted(),
      ]);
    }
    const sendgrid = data.find(({ id }) => id === 'sendgrid')!;
    expect(sendgrid).toMatchObject({ channel: 'email', displayName: 'SendGrid', check: true, builtIn: false });
    expect(sendgrid.credentials[0]).toEqual({
      name: 'apiKey',
      label: 'API key',
      type: 'text',
      required: true,
      secret: true,
      hint: 'a key of your account that may send',
    });
    expect(sendgrid.deliveryEvents).toMatchObject({
      baseUrl: 'https://clarion.test',
      path: '/v2/inbound-webhooks/delivery-providers/{environmentId}/{integrationId}',
    });
    expect(data.find(({ id }) => id === 'nodemailer')!.credentials.find(({ name }) => name === 'port')!.hint).toBe(
      'must be a port number from 1 to 65535',
    );
  });

  it("answers a check with the provider's own words", async () => {
    const id = await create('sendgrid', 'email', SENDGRID);
    const check = () => gateway.call<IntegrationCheckDto>('POST', `/v1/integrations/${id}/check`);
    expect(await check()).toMatchObject({
      status: 200,
      body: { ok: true, asked: true, message: 'SendGrid accepts the credentials.' },
    });
    fake.next('/v3/scopes', { status: 401, json: { errors: [{ message: 'The key was revoked' }] } });
    expect((await check()).body).toEqual({
      ok: false,
      asked: true,
      message: expect.stringContaining('The key was revoked'),
    });
    const incomplete = await create('sendgrid', 'email');
    expect((await gateway.call('POST', `/v1/integrations/${incomplete}/check`)).body).toEqual({
      ok: false,
      asked: false,
      message: expect.stringContaining('apiKey is missing'),
    });
  });

  it('shows what uses an integration', async () => {
    const id = await create('expo', 'push', { active: true, credentials: { apiKey: 'key' } });
    await gateway.call('POST', '/v2/workflows', {
      name: 'Alarm',
      workflowId: 'alarm',
      active: true,
      steps: [{ name: 'x', type: 'push', controlValues: { subject: 's', body: 'b' } }],
    });
    await gateway.call('POST', '/v2/subscribers', { subscriberId: 'ada' });
    await gateway.call('PUT', '/v1/subscribers/ada/credentials', {
      providerId: 'expo',
      credentials: { deviceTokens: ['ExponentPushToken[1]'] },
    });
    expect((await gateway.call<IntegrationUsageDto>('GET', `/v1/integrations/${id}/usage`)).body).toEqual({
      subscribers: 1,
      lastOfChannel: true,
      workflows: 1,
      workflowNames: ['Alarm'],
      waitingSteps: 0,
    });
  });

  it('keeps the last 20 states of an integration', async () => {
    const id = await create('twilio', 'sms');
    const rows = new IntegrationRepository(gateway.database);
    for (let at = 0; at < 25; at += 1) {
      const since = new Date(Date.UTC(2026, 0, 1, 0, at)).toISOString();
      await rows.setHealth(gateway.environmentId, id, { state: 'open', since, reason: `failure ${at}` });
    }
    await rows.setHealth(gateway.environmentId, id, null);
    const { body } = await gateway.call<IntegrationHealthListDto>('GET', `/v1/integrations/${id}/health`);
    expect(body.current).toBeUndefined();
    expect(body.history).toHaveLength(20);
    expect(body.history.slice(0, 2)).toMatchObject([{ state: 'closed' }, { state: 'open', reason: 'failure 24' }]);
  });

  it('logs when an integration stops, sends no message at all, and sends again', async () => {
    await gateway.call('PUT', `/v1/environments/${gateway.environmentId}`, { eventLog: true });
    const id = await create('twilio', 'sms');
    const rows = new IntegrationRepository(gateway.database);
    const since = new Date().toISOString();
    const set = (state?: IntegrationState, reason?: string) =>
      rows.setHealth(gateway.environmentId, id, state ? { state, since, ...(reason && { reason }) } : null);
    await set('paused', 'slower');
    await set('failing', 'no sender');
    await set('failing', 'no sender yet');
    await set('open', 'wrong key');
    await set();
    await set('failing', 'no sender');
    await gateway.call('PUT', `/v1/integrations/${id}`, {
      credentials: { accountSid: 'a', token: 't', from: '+15550100' },
    });
    const logged = await gateway.database.query<{ type: string; reason: string | null }>(
      `SELECT type, data ->> 'reason' AS reason FROM new_log_entry
        WHERE environment_id = $1 AND data ->> 'integrationId' = $2 ORDER BY id`,
      [gateway.environmentId, id],
    );
    expect(logged).toEqual([
      { type: 'integration.failing', reason: 'no sender' },
      { type: 'integration.unavailable', reason: 'wrong key' },
      { type: 'integration.available', reason: null },
      { type: 'integration.failing', reason: 'no sender' },
      { type: 'integration.available', reason: null },
    ]);
  });

  it('sets the order of the integrations of a channel', async () => {
    const more = { active: true, credentials: { accountSid: 'a', token: 't', from: '+15550100' } };
    const ids = [await create('twilio', 'sms', more), await create('twilio', 'sms', more)];
    ids.push(await create('twilio', 'sms', more));
    const wanted = [ids[2]!, ids[0]!, ids[1]!];
    const { body } = await gateway.call<IntegrationDto[]>('POST', '/v1/integrations/order', { ids: wanted });
    const order = body
      .filter(({ channel, active }) => channel === 'sms' && active)
      .toSorted((one, other) => other.priority - one.priority);
    expect(order.map(({ _id }) => _id)).toEqual(wanted);
    expect(order.map(({ primary }) => primary)).toEqual([true, false, false]);
    for (const wrong of [[], ids.slice(1), [...ids, ids[0]], ['x', 'y', 'z']]) {
      expectFieldErrors(await gateway.call('POST', '/v1/integrations/order', { ids: wrong }), ['ids']);
    }
  });
});
