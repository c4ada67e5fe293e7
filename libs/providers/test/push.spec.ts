import { createPublicKey, createVerify } from 'node:crypto';
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import { type Provider, providerFor, type PushMessage } from '@clarion/providers';
import { type FakeCall, type ProviderStage, startProviderStage } from '@clarion/testing';
import { CREDENTIALS, PUSH, SERVICE_ACCOUNT } from './samples';

let now = new Date('2026-01-01T12:00:00Z');
let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage(() => now);
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const sender =
  (id: 'expo' | 'one-signal' | 'push-webhook' | 'fcm') =>
  (message: Partial<PushMessage> = {}, overrides?: JsonObject, own: CredentialsDto = {}) =>
    stage.send(providerFor(id) as Provider<'push'>, { ...PUSH, ...message }, { ...CREDENTIALS, ...own }, overrides);
const messages = (): FakeCall[] => stage.fake.calls.filter(({ path }) => path !== '/token');
const call = (): FakeCall => messages()[0]!;
const json = <T = JsonObject>(): T => JSON.parse(call().body) as T;

it.each(['expo', 'one-signal', 'push-webhook', 'fcm'] as const)('%s sends nothing to no device', async (id) => {
  expect(await sender(id)({ token: '' })).toMatchObject({ ok: false, kind: 'permanent' });
  expect(stage.fake.count).toBe(0);
});

describe('expo', () => {
  const send = sender('expo');

  it('posts a list of one', async () => {
    expect(await send({}, { channelId: 'orders', mutable_content: true })).toMatchObject({ ok: true, id: 'fake-1' });
    expect(call()).toMatchObject({ method: 'POST', path: '/--/api/v2/push/send' });
    expect(call().headers.authorization).toBe('Bearer canary-api-key');
    expect(json<JsonObject[]>()).toEqual([
      {
        to: 'device-token-1',
        title: 'Hello',
        body: 'hi',
        data: { order: 7, nested: { a: true } },
        channelId: 'orders',
        mutableContent: true,
      },
    ]);
  });

  it('needs no key', async () => {
    await send({}, {}, { apiKey: undefined });
    expect(call().headers.authorization).toBeUndefined();
  });

  it.each([
    ['DeviceNotRegistered', 'dead-token'],
    ['MessageTooBig', 'permanent'],
    ['MessageRateExceeded', 'transient'],
    ['MismatchSenderId', 'account'],
    ['InvalidCredentials', 'account'],
  ])('takes the ticket error %s as %s', async (error, kind) => {
    stage.fake.next('/', { json: { data: [{ status: 'error', message: 'no', details: { error } }] } });
    expect(await send()).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([
    [200, 'TOO_MANY_REQUESTS', 'transient'],
    [400, 'UNAUTHORIZED', 'account'],
    [400, 'PUSH_TOO_MANY_EXPERIENCE_IDS', 'permanent'],
    [200, 'PUSH_TOO_MANY_NOTIFICATIONS', 'permanent'],
    [500, 'INTERNAL', 'transient'],
  ])('takes a %d with the request error %s as %s', async (status, code, kind) => {
    stage.fake.next('/', { status, json: { errors: [{ code, message: 'no' }] } });
    expect(await send()).toMatchObject({ ok: false, kind, message: 'no' });
  });
});

describe('one-signal', () => {
  const send = sender('one-signal');

  it('posts to a subscription', async () => {
    expect(await send({}, { iosSound: 'ping' })).toMatchObject({ ok: true, id: 'fake-1' });
    expect(call()).toMatchObject({ method: 'POST', path: '/notifications' });
    expect(call().headers.authorization).toBe('Key canary-api-key');
    expect(json()).toEqual({
      app_id: 'app-1',
      include_subscription_ids: ['device-token-1'],
      headings: { en: 'Hello' },
      contents: { en: 'hi' },
      data: { order: 7, nested: { a: true } },
      idempotency_key: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      ios_sound: 'ping',
    });
  });

  it('has one key per message and device', async () => {
    for (const message of [{}, {}, { token: 'device-token-2' }, { id: 'message-2' }]) await send(message);
    const keys = messages().map(({ body }) => (JSON.parse(body) as { idempotency_key: string }).idempotency_key);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('posts to an external id', async () => {
    await send({}, {}, { apiVersion: 'externalId' });
    expect(json()).toMatchObject({ include_aliases: { external_id: ['device-token-1'] }, target_channel: 'push' });
    expect(json()).not.toHaveProperty('include_subscription_ids');
  });

  it.each([
    [{ id: '', errors: ['All included players are not subscribed'] }, 'permanent'],
    [{ id: 'x', errors: { invalid_player_ids: ['device-token-1'] } }, 'dead-token'],
    [{ id: '', errors: { invalid_aliases: { external_id: ['device-token-1'] } } }, 'dead-token'],
    [{}, 'permanent'],
  ])('finds in a 200 with %j that nothing was sent', async (body, kind) => {
    stage.fake.next('/', { json: body });
    expect(await send()).toMatchObject({ ok: false, kind });
  });

  it('quotes the errors', async () => {
    stage.fake.next('/', { status: 400, json: { errors: ['one', 'two'] } });
    expect(await send()).toMatchObject({ ok: false, kind: 'permanent', message: 'one; two' });
  });
});

describe('push-webhook', () => {
  const send = sender('push-webhook');

  it('posts the message with what it is about', async () => {
    stage.fake.next('/', { json: { id: 'theirs' } });
    expect(await send({}, { sound: 'ping' })).toMatchObject({ ok: true, id: 'theirs' });
    expect(call().path).toBe('/canary-hook');
    expect(json()).toEqual({
      id: 'message-1',
      target: ['device-token-1'],
      title: 'Hello',
      content: 'hi',
      overrides: { sound: 'ping' },
      payload: { order: 7, nested: { a: true }, subscriber: { subscriberId: 'bob' }, step: { digest: false } },
    });
    expect(call().headers['webhook-signature']).toMatch(/^v1,/);
    stage.fake.next('/', { status: 204 });
    expect(await send()).toMatchObject({ ok: true, id: 'message-1' });
  });
});

describe('fcm', () => {
  const send = sender('fcm');
  const { private_key: privateKey } = JSON.parse(SERVICE_ACCOUNT) as { private_key: string };
  /** A service account that nobody asked a token for yet. */
  let accounts = 0;
  const account = (over: JsonObject = {}): CredentialsDto => {
    accounts += 1;
    const file = { project_id: 'p', client_email: `robot-${accounts}@example.com`, private_key: privateKey, ...over };
    return { serviceAccount: JSON.stringify(file) };
  };

  it('gets a token for the account and sends with it', async () => {
    expect(await send({}, {}, account({ project_id: 'my/project' }))).toMatchObject({
      ok: true,
      id: 'projects/fake/messages/fake-2',
    });
    const [token, message] = stage.fake.calls;
    expect(token).toMatchObject({ method: 'POST', path: '/token' });
    const form = new URLSearchParams(token!.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head, claims, signature] = form.get('assertion')!.split('.') as [string, string, string];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: `robot-${accounts}@example.com`,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: 'https://oauth2.googleapis.com/token',
      iat: now.getTime() / 1000,
      exp: now.getTime() / 1000 + 3600,
    });
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(createPublicKey(privateKey), signature, 'base64url')).toBe(true);
    expect(message).toMatchObject({ path: '/v1/projects/my%2Fproject/messages:send' });
    expect(message!.headers.authorization).toBe('Bearer access-fake-1');
    expect(json()).toEqual({
      message: { token: 'device-token-1', notification: { title: 'Hello', body: 'hi' } },
    });
  });

  it('puts each override where it belongs', async () => {
    const overrides = {
      image: 'https://x.example/i.png',
      data: { a: 1, b: 'two' },
      android: { priority: 'high' },
      webPush: { headers: { TTL: '1' } },
      fcmOptions: { analytics_label: 'x' },
      deviceTokens: ['other'],
    };
    await send({}, overrides, account());
    expect(json()).toEqual({
      message: {
        token: 'device-token-1',
        notification: { title: 'Hello', body: 'hi', image: 'https://x.example/i.png' },
        data: { a: '1', b: 'two' },
        android: { priority: 'high' },
        webpush: { headers: { TTL: '1' } },
        fcm_options: { analytics_label: 'x' },
      },
    });
  });

  it('sends data alone when asked, every value a text', async () => {
    await send({}, { type: 'data' }, account());
    expect(json()).toEqual({
      message: {
        token: 'device-token-1',
        data: { order: '7', nested: '{"a":true}', title: 'Hello', body: 'hi', message: 'hi' },
      },
    });
  });

  it('sends to a topic in the place of a device', async () => {
    expect(await send({ token: '' }, { topic: 'news' }, account())).toMatchObject({ ok: true });
    expect(json()).toEqual({ message: { topic: 'news', notification: { title: 'Hello', body: 'hi' } } });
  });

  it('asks for one token in a burst, and for another when it is old', async () => {
    const own = account();
    const tokens = (): number => stage.fake.calls.filter(({ path }) => path === '/token').length;
    await Promise.all(Array.from({ length: 10 }, () => send({}, {}, own)));
    expect([tokens(), messages().length]).toEqual([1, 10]);
    now = new Date(now.getTime() + 56 * 60_000);
    await send({}, {}, own);
    expect(tokens()).toBe(2);
  });

  it('asks for a new token once when it is refused', async () => {
    const own = account();
    await send({}, {}, own);
    stage.fake.next('/v1/projects/', { status: 401, json: { error: { status: 'UNAUTHENTICATED' } } });
    expect(await send({}, {}, own)).toMatchObject({ ok: true });
    stage.fake.always('/v1/projects/', { status: 401, json: { error: { message: 'no', status: 'UNAUTHENTICATED' } } });
    expect(await send({}, {}, own)).toMatchObject({ ok: false, kind: 'account', message: 'no' });
    expect(messages()).toHaveLength(5);
  });

  it.each([
    [404, 'UNREGISTERED', 'Requested entity was not found.', 'dead-token'],
    [400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token', 'dead-token'],
    [400, 'INVALID_ARGUMENT', 'Invalid value at message.data', 'permanent'],
    [403, 'SENDER_ID_MISMATCH', 'SenderId mismatch', 'permanent'],
    [401, 'THIRD_PARTY_AUTH_ERROR', 'APNs', 'account'],
    [429, 'QUOTA_EXCEEDED', 'slow', 'transient'],
    [503, 'UNAVAILABLE', 'later', 'transient'],
    [500, 'INTERNAL', 'oops', 'transient'],
  ])('takes a %d %s "%s" as %s', async (status, errorCode, message, kind) => {
    const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }];
    stage.fake.always('/v1/projects/', { status, json: { error: { code: status, message, status: 'X', details } } });
    expect(await send({}, {}, account())).toMatchObject({ ok: false, kind, message });
  });

  it('reads a key file in the forms people paste it', async () => {
    const escaped = account({ private_key: privateKey.replaceAll('\n', '\\n') });
    expect(await send({}, {}, escaped)).toMatchObject({ ok: true });
    const twice = { serviceAccount: JSON.stringify(account().serviceAccount) };
    expect(await send({}, {}, twice)).toMatchObject({ ok: true });
  });

  it.each(['', '{', '{}', '[]', JSON.stringify({ project_id: 'p', client_email: 'e', private_key: 'no key' })])(
    'takes the service account %p for a fault of the account',
    async (serviceAccount) => {
      expect(await send({}, {}, { serviceAccount })).toMatchObject({ ok: false, kind: 'account' });
      expect(stage.fake.count).toBe(0);
    },
  );

  it.each([
    [400, 'account'],
    [401, 'account'],
    [503, 'transient'],
    [200, 'transient'],
  ])('fails as the token fails: %d is %s', async (status, kind) => {
    const own = account();
    stage.fake.next('/token', { status, json: { error: 'invalid_grant', error_description: 'bad' } });
    expect(await send({}, {}, own)).toMatchObject({ ok: false, kind });
    expect(messages()).toEqual([]);
    // And does not remember the failure.
    expect(await send({}, {}, own)).toMatchObject({ ok: true });
  });

  it('is not in doubt when the call for the token is lost', async () => {
    stage.fake.next('/token', { close: 'after-reading' });
    expect(await send({}, {}, account())).toMatchObject({ ok: false, kind: 'transient' });
  });
});
