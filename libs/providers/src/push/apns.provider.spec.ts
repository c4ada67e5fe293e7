import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import tls from 'node:tls';
import type { JsonObject } from '@clarion/contracts';
import { type ProviderStage, selfSigned, startProviderStage } from '@clarion/testing/providers';
import { NOW, testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { apns } from './apns.provider';

describe('Apple Push Notification service', () => {
  const newKey = (): string =>
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

  const secretKey = newKey();
  const CREDENTIALS = {
    secretKey,
    apiKey: 'canary-key-id',
    projectName: 'TEAM1',
    applicationId: 'com.example.app',
  };
  const ANSWER_ID = 'eabeae54-14a8-11e5-b60b-1697f925ec7b';

  const rig = testProviderContract(apns, {
    http2: true,
    credentials: CREDENTIALS,
    // Apple answers an accepted message without a body.
    success: { headers: { 'apns-id': ANSWER_ID } },
    id: ANSWER_ID,
    isAcceptedByStatus: true,
  });
  const body = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;
  const headers = () => rig.calls[0]!.headers;

  type Token = { head: JsonObject; claims: JsonObject; isSigned: boolean };

  function tokenOf(authorization = '', key = secretKey): Token {
    const [head = '', claims = '', signature = ''] = authorization.replace(/^bearer /, '').split('.');
    const part = (text: string): JsonObject => JSON.parse(Buffer.from(text, 'base64url').toString()) as JsonObject;
    return {
      head: part(head),
      claims: part(claims),
      isSigned: verify(
        'sha256',
        Buffer.from(`${head}.${claims}`),
        { key: createPublicKey(key), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    };
  }

  it('uses the sent apns-id when the response has none', async () => {
    const result = await rig.answering({});
    expect(result).toMatchObject({ ok: true, id: headers()['apns-id'] });
  });

  it('posts to the device over HTTP/2 with a signed token', async () => {
    expect(await rig.send()).toMatchObject({ ok: true, id: ANSWER_ID });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/3/device/device-token-1' });
    expect(headers()).toMatchObject({
      'apns-topic': 'com.example.app',
      'apns-push-type': 'alert',
      'apns-priority': '10',
      'apns-id': expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/) as string,
      'apns-collapse-id': 'message-1',
      'content-type': 'application/json',
    });
    expect(headers()).not.toHaveProperty('apns-expiration');
    expect(body()).toEqual({ order: 7, nested: { a: true }, aps: { alert: { title: 'Hello', body: 'hi' } } });
    expect(tokenOf(headers().authorization)).toEqual({
      head: { alg: 'ES256', kid: 'canary-key-id' },
      claims: { iss: 'TEAM1', iat: NOW.getTime() / 1000 },
      isSigned: true,
    });
  });

  it.each([
    [true, 'https://api.push.apple.com/3/device/a%2F..%2Fb'],
    [false, 'https://api.sandbox.push.apple.com/3/device/a%2F..%2Fb'],
    [undefined, 'https://api.sandbox.push.apple.com/3/device/a%2F..%2Fb'],
  ])('selects the production or sandbox host when secure is %p', async (secure, url) => {
    const request = jest.fn(() => Promise.resolve({ status: 200, headers: {}, body: Buffer.alloc(0) }));
    const context = { ...rig.stage.context('apns'), http: { request, addressOf: (text: string) => text } };
    await apns.send({ ...PUSH, token: 'a/../b' }, { ...CREDENTIALS, ...(secure !== undefined && { secure }) }, context);
    expect(request).toHaveBeenCalledWith(expect.objectContaining({ url, http2: true, origin: 'provider' }));
  });

  it('sends one apns-id per message and device, and one collapse id per message', async () => {
    for (const message of [{}, {}, { token: 'device-token-2' }, { id: 'message-2' }]) await rig.send(message);
    const ids = rig.calls.map((call) => call.headers['apns-id']);
    expect(ids[1]).toBe(ids[0]);
    expect(new Set(ids).size).toBe(3);
    expect(rig.calls.map((call) => call.headers['apns-collapse-id'])).toEqual([
      'message-1',
      'message-1',
      'message-1',
      'message-2',
    ]);
  });

  it('puts each override into its place in headers, alert and aps', async () => {
    const result = await rig.send(
      { title: 'Grüße', content: '✓' },
      {
        badge: 3,
        sound: { critical: 1, name: 'alarm.aiff', volume: 0.5 },
        subtitle: 'from Ann',
        titleLocArgs: ['a'],
        threadId: 'orders',
        category: 'ORDER',
        contentAvailable: true,
        'mutable-content': 1,
        interruptionLevel: 'time-sensitive',
        expiration: 1_767_300_000,
        priority: 5,
        collapseId: 'one',
        data: { own: { deep: [1] }, aps: 'never' },
      },
    );
    expect(result).not.toHaveProperty('warnings');
    expect(body()).toEqual({
      own: { deep: [1] },
      aps: {
        alert: { title: 'Grüße', body: '✓', subtitle: 'from Ann', 'title-loc-args': ['a'] },
        badge: 3,
        sound: { critical: 1, name: 'alarm.aiff', volume: 0.5 },
        'thread-id': 'orders',
        category: 'ORDER',
        'content-available': 1,
        'mutable-content': 1,
        'interruption-level': 'time-sensitive',
      },
    });
    expect(headers()).toMatchObject({
      'apns-expiration': '1767300000',
      'apns-priority': '5',
      'apns-collapse-id': 'one',
    });
  });

  it('sends a background push without an alert', async () => {
    await rig.send({}, { pushType: 'background' });
    expect(headers()).toMatchObject({ 'apns-push-type': 'background', 'apns-priority': '5' });
    expect(body()).toEqual({ order: 7, nested: { a: true }, aps: { 'content-available': 1 } });
  });

  it.each([
    ['voip', 'com.example.app.voip'],
    ['liveactivity', 'com.example.app.push-type.liveactivity'],
    ['constructor', 'com.example.app'],
  ])('sends a push of type %s to the topic %s', async (pushType, topic) => {
    await rig.send({}, { pushType, aps: { event: 'update' } });
    expect(headers()).toMatchObject({ 'apns-push-type': pushType, 'apns-topic': topic });
    expect(body()).toMatchObject({ aps: { event: 'update', alert: { title: 'Hello' } } });
  });

  it('ignores overrides of the topic and the id', async () => {
    expect(await rig.send({}, { topic: 'com.evil', id: 'x' })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('topic'), expect.stringContaining(' id')],
    });
    expect(headers()['apns-topic']).toBe('com.example.app');
    expect(await rig.send({ token: '' }, { topic: 'news' })).toMatchObject({ ok: false, kind: 'recipient' });
  });

  it.each([
    [400, 'BadDeviceToken', 'dead-token'],
    [410, 'Unregistered', 'dead-token'],
    [410, 'ExpiredToken', 'dead-token'],
    [400, 'DeviceTokenNotForTopic', 'permanent'],
    [400, 'BadTopic', 'credentials'],
    [403, 'InvalidProviderToken', 'credentials'],
    [400, 'TopicDisallowed', 'credentials'],
    [400, 'PayloadEmpty', 'content'],
    [413, 'PayloadTooLarge', 'content'],
    [400, 'IdleTimeout', 'transient'],
    [429, 'TooManyRequests', 'rate-limited'],
    [429, 'TooManyProviderTokenUpdates', 'rate-limited'],
    [500, 'InternalServerError', 'transient'],
    [503, 'Shutdown', 'transient'],
    [404, 'BadPath', 'permanent'],
  ])('classifies a %d %s as %s', async (status, reason, kind) => {
    const result = await rig.answering({ status, json: { reason, timestamp: 1_454_948_015_990 } });
    expect(result).toMatchObject({ ok: false, kind, message: reason, status });
  });

  describe('provider token', () => {
    const sentWith = (): (string | undefined)[] => rig.calls.map((call) => call.headers.authorization);
    const at = (minutes: number, own: { secretKey: string }) =>
      apns.send(
        PUSH,
        { ...CREDENTIALS, ...own },
        { ...rig.stage.context('apns'), now: () => new Date(NOW.getTime() + minutes * 60_000) },
      );

    it('shares one provider token within a burst and renews it after 50 minutes', async () => {
      const own = { secretKey: newKey() };
      await Promise.all(Array.from({ length: 20 }, () => at(0, own)));
      await at(49, own);
      expect(new Set(sentWith()).size).toBe(1);
      await at(50, own);
      expect(new Set(sentWith()).size).toBe(2);
      expect(tokenOf(sentWith().at(-1), own.secretKey)).toMatchObject({
        claims: { iat: NOW.getTime() / 1000 + 3000 },
        isSigned: true,
      });
    });

    it('uses another provider token for another key', async () => {
      await at(0, { secretKey: newKey() });
      await at(0, { secretKey: newKey() });
      expect(new Set(sentWith()).size).toBe(2);
    });

    it('renews the provider token once for a whole burst after Apple reports it as expired', async () => {
      const own = { secretKey: newKey() };
      let old: string | undefined;
      rig.stage.fake.always('/', ({ headers: { authorization } }) => {
        old ??= authorization;
        return authorization === old
          ? { status: 403, json: { reason: 'ExpiredProviderToken' } }
          : { headers: { 'apns-id': ANSWER_ID } };
      });
      const results = await Promise.all(Array.from({ length: 10 }, () => at(0, own)));
      expect(results.map(({ ok }) => ok)).toEqual(Array(10).fill(true));
      expect(new Set(sentWith()).size).toBe(2);
      rig.stage.fake.always('/', { status: 403, json: { reason: 'ExpiredProviderToken' } });
      const before = rig.calls.length;
      expect(await at(0, own)).toMatchObject({ ok: false, kind: 'credentials' });
      expect(rig.calls.length - before).toBe(2);
    });

    it.each([
      ['with escaped line breaks', (pem: string) => pem.replaceAll('\n', '\\n')],
      ['on one line', (pem: string) => pem.replaceAll('\n', ' ')],
      ['without its first and last line', (pem: string) => pem.replace(/-----[^-]*-----/g, '')],
    ])('signs the provider token with a key that was pasted %s', async (_, pasted) => {
      const pem = newKey();
      expect(await rig.send({}, {}, { secretKey: pasted(pem) })).toMatchObject({ ok: true });
      expect(tokenOf(headers().authorization, pem).isSigned).toBe(true);
    });

    it.each([
      ['an empty text', ''],
      ['a text that is not a key', 'canary-no-key'],
      [
        'a key of another type',
        generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      ],
      [
        'a key on another curve',
        generateKeyPairSync('ec', { namedCurve: 'P-384' })
          .privateKey.export({ type: 'pkcs8', format: 'pem' })
          .toString(),
      ],
    ])('rejects %s as the key of the provider token', async (_, secret) => {
      expect(await rig.send({}, {}, { secretKey: secret })).toMatchObject({ ok: false, kind: 'credentials' });
      expect(rig.calls).toEqual([]);
    });
  });

  describe('HTTP/2 connection', () => {
    it('sends many messages at once over one connection', async () => {
      let release = (): void => undefined;
      const after = new Promise<void>((resolve) => (release = resolve));
      let underWay = 0;
      rig.stage.fake.always('/', () => {
        if ((underWay += 1) > 30) release();
        return { after };
      });
      const before = rig.stage.fake.connections;
      const results = await Promise.all(Array.from({ length: 60 }, (_, at) => rig.send({ token: `device-${at}` })));
      expect(results.every(({ ok }) => ok)).toBe(true);
      expect(rig.stage.fake.connections - before).toBeLessThanOrEqual(1);
    });

    it('opens a new connection after a GOAWAY and reports an unknown outcome for the messages in flight', async () => {
      await rig.send();
      rig.stage.fake.next('/3/device/one', { hang: true });
      rig.stage.fake.next('/3/device/two', { goAway: true });
      const results = await Promise.all([rig.send({ token: 'one' }), rig.send({ token: 'two' })]);
      expect(results).toEqual([
        expect.objectContaining({ ok: false, kind: 'unknown-outcome' }),
        expect.objectContaining({ ok: false, kind: 'unknown-outcome' }),
      ]);
      expect(await rig.send()).toMatchObject({ ok: true });
      expect(rig.calls.map(({ path }) => path.split('/').at(-1))).toEqual([
        'device-token-1',
        'one',
        'two',
        'device-token-1',
      ]);
    });

    describe('with TLS', () => {
      let stage: ProviderStage;
      beforeAll(async () => {
        stage = await startProviderStage(() => NOW, { http2: selfSigned() });
      });
      afterEach(() => jest.restoreAllMocks());
      afterAll(() => stage.close());

      it('refuses a connection when the certificate is not trusted', async () => {
        expect(await stage.send(apns, PUSH, CREDENTIALS)).toMatchObject({
          ok: false,
          kind: 'transient',
          message: expect.stringContaining('certificate') as string,
        });
        expect(stage.fake.count).toBe(0);
      });

      it('uses HTTP/2 over TLS', async () => {
        const connect = tls.connect.bind(tls) as (options: object) => tls.TLSSocket;
        const trusting = (options: object): tls.TLSSocket => connect({ ...options, rejectUnauthorized: false });
        jest.spyOn(tls, 'connect').mockImplementation(trusting as never);
        stage.fake.always('/', { headers: { 'apns-id': ANSWER_ID } });
        expect(await stage.send(apns, PUSH, CREDENTIALS)).toMatchObject({ ok: true, id: ANSWER_ID });
        expect(stage.fake.calls[0]!.headers).toMatchObject({ ':scheme': 'https' });
      });
    });
  });
});
