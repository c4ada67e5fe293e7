import { createPublicKey, createVerify } from 'node:crypto';
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import { NOW, testProviderContract } from '../../test/contract';
import { PUSH, SERVICE_ACCOUNT } from '../../test/samples';
import { fcm } from './fcm.provider';

describe('Firebase Cloud Messaging', () => {
  const rig = testProviderContract(fcm, {
    before: [['/token', { json: { access_token: 'canary-access', expires_in: 3600, token_type: 'Bearer' } }]],
    success: { json: { name: 'projects/p/messages/1' } },
    id: 'projects/p/messages/1',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;
  const tokenCalls = () => rig.stage.fake.calls.filter(({ path }) => path === '/token');

  const { private_key: privateKey } = JSON.parse(SERVICE_ACCOUNT) as { private_key: string };
  /** A service account without a cached token. */
  let accounts = 0;
  const account = (over: JsonObject = {}): CredentialsDto => {
    accounts += 1;
    const file = { project_id: 'p', client_email: `robot-${accounts}@example.com`, private_key: privateKey, ...over };
    return { serviceAccount: JSON.stringify(file) };
  };

  it('requests a token for the service account and sends with it', async () => {
    expect(await rig.send({}, {}, account({ project_id: 'my/project' }))).toMatchObject({
      ok: true,
      id: 'projects/p/messages/1',
    });
    const [token] = tokenCalls();
    expect(token).toMatchObject({ method: 'POST', path: '/token' });
    const form = new URLSearchParams(token!.body);
    expect(form.get('grant_type')).toBe('urn:ietf:params:oauth:grant-type:jwt-bearer');
    const [head, claims, signature] = form.get('assertion')!.split('.') as [string, string, string];
    expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toEqual({
      iss: `robot-${accounts}@example.com`,
      scope: 'https://www.googleapis.com/auth/firebase.messaging',
      aud: 'https://oauth2.googleapis.com/token',
      iat: NOW.getTime() / 1000,
      exp: NOW.getTime() / 1000 + 3600,
    });
    const verify = createVerify('RSA-SHA256').update(`${head}.${claims}`);
    expect(verify.verify(createPublicKey(privateKey), signature, 'base64url')).toBe(true);
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/v1/projects/my%2Fproject/messages:send' });
    expect(rig.calls[0]!.headers.authorization).toBe('Bearer canary-access');
    expect(json()).toEqual({
      message: { token: 'device-token-1', notification: { title: 'Hello', body: 'hi' } },
    });
  });

  it('never requests a token from the token_uri of the service account', async () => {
    const request = jest.fn(() => Promise.reject(Object.assign(new Error('no'), { kind: 'unreachable' })));
    const context = { ...rig.stage.context('fcm'), http: { request, addressOf: (url: string) => url } };
    await fcm.send(PUSH, account({ token_uri: 'http://169.254.169.254/' }), context);
    expect(request).toHaveBeenCalledTimes(1);
    expect(request).toHaveBeenCalledWith(expect.objectContaining({ url: 'https://oauth2.googleapis.com/token' }));
  });

  it('puts each override into its place in the message', async () => {
    const overrides = {
      image: 'https://x.example/i.png',
      data: { a: 1, b: 'two' },
      android: { priority: 'high' },
      webPush: { headers: { TTL: '1' } },
      fcmOptions: { analytics_label: 'x' },
      deviceTokens: ['other'],
    };
    await rig.send({}, overrides);
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

  it('adds overrides to the data of a data message', async () => {
    await rig.send({}, { type: 'data', title: 'Own', data: { order: 8 } });
    expect(json()).toMatchObject({ message: { data: { order: '8', title: 'Own', body: 'hi', message: 'hi' } } });
    expect(json()).not.toHaveProperty('message.notification');
  });

  it('sends a data message with texts only when asked to', async () => {
    await rig.send({ title: 'Grüße' }, { type: 'data' });
    expect(json()).toEqual({
      message: {
        token: 'device-token-1',
        data: { order: '7', nested: '{"a":true}', title: 'Grüße', body: 'hi', message: 'hi' },
      },
    });
  });

  it('sends to a topic instead of a device', async () => {
    expect(await rig.send({ token: '' }, { topic: 'news' })).toMatchObject({ ok: true });
    expect(json()).toEqual({ message: { topic: 'news', notification: { title: 'Hello', body: 'hi' } } });
  });

  it('rejects a message without a device token', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.stage.fake.count).toBe(0);
  });

  it('requests one token for a burst and another after it has expired', async () => {
    const own = account();
    await Promise.all(Array.from({ length: 10 }, () => rig.send({}, {}, own)));
    expect([tokenCalls().length, rig.calls.length]).toEqual([1, 10]);
    const later = { ...rig.stage.context('fcm'), now: () => new Date(NOW.getTime() + 56 * 60_000) };
    expect(await fcm.send(PUSH, own, later)).toMatchObject({ ok: true });
    expect(tokenCalls()).toHaveLength(2);
  });

  it('requests a new token once when the token is rejected', async () => {
    const own = account();
    await rig.send({}, {}, own);
    rig.stage.fake.next('/v1/projects/', { status: 401, json: { error: { status: 'UNAUTHENTICATED' } } });
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: true });
    rig.stage.fake.always('/v1/projects/', {
      status: 401,
      json: { error: { message: 'no', status: 'UNAUTHENTICATED' } },
    });
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: false, kind: 'credentials', message: 'no' });
    expect([tokenCalls().length, rig.calls.length]).toEqual([3, 5]);
  });

  it('requests one new token when a whole burst is rejected', async () => {
    const own = account();
    let made = 0;
    rig.stage.fake.always('/token', () => ({ json: { access_token: `access-${(made += 1)}` } }));
    rig.stage.fake.always('/v1/projects/', ({ headers }) =>
      headers.authorization === 'Bearer access-1' ? { status: 401 } : { json: { name: 'n' } },
    );
    const results = await Promise.all(Array.from({ length: 10 }, () => rig.send({}, {}, own)));
    expect(results.every(({ ok }) => ok)).toBe(true);
    expect(made).toBe(2);
  });

  it.each([
    [404, 'UNREGISTERED', 'Requested entity was not found.', 'dead-token'],
    [400, 'INVALID_ARGUMENT', 'The registration token is not a valid FCM registration token', 'dead-token'],
    [400, 'INVALID_ARGUMENT', 'Invalid value at message.data', 'content'],
    [403, 'SENDER_ID_MISMATCH', 'SenderId mismatch', 'permanent'],
    [401, 'THIRD_PARTY_AUTH_ERROR', 'APNs', 'credentials'],
    [429, 'QUOTA_EXCEEDED', 'slow', 'rate-limited'],
    [503, 'UNAVAILABLE', 'later', 'transient'],
    [500, 'INTERNAL', 'oops', 'transient'],
  ])('classifies a %d %s with the text "%s" as %s', async (status, errorCode, message, kind) => {
    const details = [{ '@type': 'type.googleapis.com/google.firebase.fcm.v1.FcmError', errorCode }];
    const result = await rig.answering({ status, json: { error: { code: status, message, status: 'X', details } } });
    expect(result).toMatchObject({ ok: false, kind, message });
  });

  it('classifies a field violation of the token as dead-token', async () => {
    const fieldViolations = [{ field: 'message.token', description: 'Invalid registration token' }];
    const details = [{ '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }];
    const error = { code: 400, message: 'Request contains an invalid argument.', status: 'INVALID_ARGUMENT', details };
    expect(await rig.answering({ status: 400, json: { error } })).toMatchObject({ ok: false, kind: 'dead-token' });
  });

  it('accepts a key file with escaped line breaks or encoded twice', async () => {
    const escaped = account({ private_key: privateKey.replaceAll('\n', '\\n') });
    expect(await rig.send({}, {}, escaped)).toMatchObject({ ok: true });
    const twice = { serviceAccount: JSON.stringify(account().serviceAccount) };
    expect(await rig.send({}, {}, twice)).toMatchObject({ ok: true });
  });

  it.each(['', '{', '{}', '[]', JSON.stringify({ project_id: 'p', client_email: 'e', private_key: 'no key' })])(
    'rejects the service account %p as a credentials failure',
    async (serviceAccount) => {
      expect(await rig.send({}, {}, { serviceAccount })).toMatchObject({ ok: false, kind: 'credentials' });
      expect(await rig.check({ serviceAccount })).toMatchObject({ ok: false, kind: 'credentials' });
      expect(rig.stage.fake.count).toBe(0);
    },
  );

  it.each([
    [400, 'credentials'],
    [401, 'credentials'],
    [503, 'transient'],
    [200, 'transient'],
  ])('classifies a token response with status %d as %s and does not cache the failure', async (status, kind) => {
    const own = account();
    rig.stage.fake.next('/token', { status, json: { error: 'invalid_grant', error_description: 'bad' } });
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: false, kind });
    expect(rig.calls).toEqual([]);
    expect(await rig.send({}, {}, own)).toMatchObject({ ok: true });
  });

  it('classifies a lost token request as transient', async () => {
    rig.stage.fake.next('/token', { close: 'after-reading' });
    expect(await rig.send({}, {}, account())).toMatchObject({ ok: false, kind: 'transient' });
  });

  it('requests a new token to check the credentials, even if one is cached', async () => {
    const own = account();
    await rig.send({}, {}, own);
    expect(await rig.check(own)).toMatchObject({ ok: true });
    expect([tokenCalls().length, rig.calls.length]).toEqual([2, 1]);
  });
});
