import type { IntegrationDto, SubscriberDto } from '@clarion/contracts';
import { callGateway, expectFieldErrors, startGateway, type TestGateway } from './harness';

describe('subscriber credentials', () => {
  let gateway: TestGateway;
  let expo: IntegrationDto;
  let slack: IntegrationDto;

  beforeAll(async () => {
    gateway = await startGateway();
    const integration = async (body: object) =>
      (await gateway.call<IntegrationDto>('POST', '/v1/integrations', { active: true, ...body })).body;
    expo = await integration({ providerId: 'expo', channel: 'push', credentials: { apiKey: 'k' } });
    await integration({ providerId: 'pushpad', channel: 'push', active: false, credentials: {} });
    const slackCredentials = { applicationId: 'a', clientId: 'c', secretKey: 's' };
    slack = await integration({
      providerId: 'slack',
      channel: 'chat',
      identifier: 'slack-old',
      credentials: slackCredentials,
    });
    await integration({ providerId: 'slack', channel: 'chat', identifier: 'slack-new', credentials: slackCredentials });
    await integration({ providerId: 'mattermost', channel: 'chat' });
    await integration({ providerId: 'grafana-on-call', channel: 'chat' });
    await integration({ providerId: 'platform-slack', channel: 'chat' });
  });
  afterAll(() => gateway.close());

  let count = 0;
  const subscriber = async () => {
    const subscriberId = `s${(count += 1)}`;
    await gateway.call('POST', '/v2/subscribers', { subscriberId });
    return subscriberId;
  };
  const send = (method: string, subscriberId: string, body: unknown) =>
    gateway.call<SubscriberDto>(method, `/v1/subscribers/${subscriberId}/credentials`, body);

  it.each(['PUT', 'PATCH'])(
    '%s appends device tokens without duplicates and returns the subscriber',
    async (method) => {
      const id = await subscriber();
      await send(method, id, { providerId: 'expo', credentials: { deviceTokens: ['a', 'b', 'a'] } });
      const answer = await send(method, id, { providerId: 'expo', credentials: { deviceTokens: ['b', 'c'] } });
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({
        subscriberId: id,
        channels: [
          {
            providerId: 'expo',
            integrationIdentifier: expo.identifier,
            _integrationId: expo._id,
            credentials: { deviceTokens: ['a', 'b', 'c'] },
          },
        ],
      });
      expect((await gateway.call('GET', `/v2/subscribers/${id}`)).body).toEqual(answer.body);
      const nothing = await send(method, id, { providerId: 'expo', credentials: { deviceTokens: [] } });
      expect(nothing.body.channels![0]!.credentials.deviceTokens).toEqual(['a', 'b', 'c']);
    },
  );

  it('stores every credential field and replaces only the given ones', async () => {
    const id = await subscriber();
    const all = {
      alertUid: 'u',
      title: 't',
      imageUrl: 'i',
      state: 's',
      externalUrl: 'e',
      webhookUrl: 'https://x.example',
    };
    await send('PUT', id, { providerId: 'grafana-on-call', credentials: all });
    const answer = await send('PUT', id, { providerId: 'grafana-on-call', credentials: { title: 'new' } });
    expect(answer.body.channels![0]!.credentials).toEqual({ ...all, title: 'new' });
    const chat = await send('PUT', id, {
      providerId: 'mattermost',
      credentials: { webhookUrl: 'https://y.example', channel: '#x' },
    });
    expect(chat.body.channels![1]!.credentials).toEqual({ webhookUrl: 'https://y.example', channel: '#x' });
  });

  it('uses the newest active integration of the provider unless the caller names one', async () => {
    const id = await subscriber();
    const body = { providerId: 'slack', credentials: { webhookUrl: 'https://x.example' } };
    const newest = await send('PUT', id, body);
    expect(newest.body.channels![0]!.integrationIdentifier).toBe('slack-new');
    const named = await send('PUT', id, { ...body, integrationIdentifier: 'slack-old' });
    expect(named.body.channels!.map((channel) => channel._integrationId)).toContain(slack._id);
    expect(named.body.channels).toHaveLength(2);
    expect((await send('PUT', id, { ...body, integrationIdentifier: 'nope' })).status).toBe(400);
  });

  it('accepts the novu spelling of a built-in provider', async () => {
    const id = await subscriber();
    const answer = await send('PUT', id, {
      providerId: 'novu-slack',
      credentials: { webhookUrl: 'https://x.example' },
    });
    expect(answer.body.channels![0]!.providerId).toBe('platform-slack');
  });

  it.each([
    [{ providerId: 'expo' }, 422, 'credentials'],
    [{ credentials: {} }, 422, 'providerId'],
    [{ providerId: 'twilio', credentials: {} }, 422, 'providerId'],
    [{ providerId: 'expo', credentials: { deviceTokens: 'x' } }, 422, 'credentials.deviceTokens'],
    [{ providerId: 'expo', credentials: { deviceTokens: [5] } }, 422, 'credentials.deviceTokens'],
    [{ providerId: 'expo', credentials: { webhookUrl: 5 } }, 422, 'credentials.webhookUrl'],
    [{ providerId: 'expo', credentials: [] }, 422, 'credentials'],
  ])('rejects the credentials %j with a %i that names %s', async (body, status, field) => {
    const id = await subscriber();
    const answer = await gateway.call<{ errors: object }>('PUT', `/v1/subscribers/${id}/credentials`, body);
    expect(answer.status).toBe(status);
    expect(Object.keys(answer.body.errors)).toEqual([field]);
  });

  it('answers 404 to an unknown subscriber and 400 without an active integration', async () => {
    const body = { providerId: 'expo', credentials: { deviceTokens: ['a'] } };
    expect(await send('PUT', 'missing', body)).toMatchObject({
      status: 404,
      body: { message: 'Subscriber missing was not found' },
    });
    const id = await subscriber();
    for (const providerId of ['fcm', 'pushpad']) {
      expect(await send('PUT', id, { ...body, providerId })).toMatchObject({
        status: 400,
        body: {
          message: `Subscribers environment (${gateway.environmentId}) do not have active ${providerId} integration.`,
        },
      });
    }
  });

  it('stores at most 100 device tokens of a subscriber at one integration', async () => {
    const id = await subscriber();
    const tokens = Array.from({ length: 100 }, (_, index) => `t${index}`);
    expect((await send('PUT', id, { providerId: 'expo', credentials: { deviceTokens: tokens } })).status).toBe(200);
    const over = await send('PUT', id, { providerId: 'expo', credentials: { deviceTokens: ['one more'] } });
    expect(over).toMatchObject({ status: 400, body: { currentCount: 100, limit: 100 } });
  });

  it('loses no device token when 50 callers append concurrently', async () => {
    const id = await subscriber();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        send('PUT', id, { providerId: 'expo', credentials: { deviceTokens: [`t${index}`] } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    const { body } = await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`);
    expect(body.channels).toHaveLength(1);
    expect(new Set(body.channels![0]!.credentials.deviceTokens).size).toBe(50);
  });

  it('deletes the credentials of a subscriber at one provider', async () => {
    const id = await subscriber();
    await send('PUT', id, { providerId: 'expo', credentials: { deviceTokens: ['a'] } });
    await send('PUT', id, { providerId: 'slack', credentials: { webhookUrl: 'https://x.example' } });
    const path = `/v1/subscribers/${id}/credentials`;
    expect(await gateway.call('DELETE', `${path}/expo`)).toMatchObject({ status: 204, text: '' });
    const { body } = await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`);
    expect(body.channels!.map(({ providerId }) => providerId)).toEqual(['slack']);
    expect((await gateway.call('DELETE', `${path}/twilio`)).status).toBe(422);
    expect((await gateway.call('DELETE', '/v1/subscribers/missing/credentials/expo')).status).toBe(404);
  });

  it('answers 404 when a key of another environment changes the credentials', async () => {
    const id = await subscriber();
    const key = await gateway.secondKey();
    const foreign = await gateway.call(
      'PUT',
      `/v1/subscribers/${id}/credentials`,
      { providerId: 'expo', credentials: { deviceTokens: ['x'] } },
      { authorization: `ApiKey ${key}` },
    );
    expect(foreign.status).toBe(404);
  });

  it('masks webhooks and device tokens for a key of the scope read', async () => {
    const id = await subscriber();
    const webhookUrl = 'https://hooks.slack.test/services/T0/B0/a-long-secret';
    await send('PUT', id, { providerId: 'slack', credentials: { webhookUrl } });
    await send('PUT', id, {
      providerId: 'expo',
      credentials: { deviceTokens: ['ExponentPushToken[secret]', 'short'] },
    });
    const path = `/v1/environments/${gateway.environmentId}/api-keys`;
    const { key } = (await gateway.call<{ key: string }>('POST', path, { scope: 'read' })).body;
    const masked = [{ webhookUrl: '••••cret' }, { deviceTokens: ['••••ret]', '••••'] }];
    const one = await callGateway<SubscriberDto>(gateway.url, key, 'GET', `/v2/subscribers/${id}`);
    const list = await callGateway<{ data: SubscriberDto[] }>(
      gateway.url,
      key,
      'GET',
      `/v2/subscribers?subscriberId=${id}`,
    );
    for (const { channels } of [one.body, list.body.data[0]!]) {
      expect(channels!.map(({ credentials }) => credentials)).toEqual(expect.arrayContaining(masked));
      expect(channels).toHaveLength(2);
    }
    const full = await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`);
    expect(JSON.stringify(full.body)).toContain(webhookUrl);

    // A mask that comes back stands for the stored value.
    expect((await send('PUT', id, { providerId: 'slack', credentials: masked[0] })).status).toBe(200);
    expect((await send('PUT', id, { providerId: 'expo', credentials: masked[1] })).status).toBe(200);
    expect((await gateway.call<SubscriberDto>('GET', `/v2/subscribers/${id}`)).body.channels).toEqual(
      full.body.channels,
    );
    for (const credentials of [{ webhookUrl: '••••else' }, { deviceTokens: ['new', '••••else'] }]) {
      const field = `credentials.${Object.keys(credentials)[0]}`;
      expectFieldErrors(await send('PUT', id, { providerId: 'slack', credentials }), [field]);
    }
  });
});
