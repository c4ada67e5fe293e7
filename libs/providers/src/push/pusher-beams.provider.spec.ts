import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { pusherBeams } from './pusher-beams.provider';

describe('Pusher Beams', () => {
  const INSTANCE = '9c83c1b2-77ac-49c5-94c2-bfc96f9bec49';
  const PATH = `/publish_api/v1/instances/${INSTANCE}/publishes/users`;

  const rig = testProviderContract(pusherBeams, {
    credentials: { instanceId: INSTANCE },
    success: { json: { publishId: 'pubid-1' } },
    id: 'pubid-1',
  });
  const json = (at = 0): JsonObject => JSON.parse(rig.calls[at]!.body) as JsonObject;

  it('posts to a user for all platforms', async () => {
    expect(await rig.send({ title: 'Grüße ✓' })).toMatchObject({ ok: true, id: 'pubid-1' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: PATH });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-secret-key',
      'content-type': 'application/json',
    });
    const notification = { title: 'Grüße ✓', body: 'hi' };
    expect(json()).toEqual({
      users: ['device-token-1'],
      apns: { order: 7, nested: { a: true }, aps: { alert: notification } },
      fcm: { notification, data: { order: '7', nested: '{"a":true}' } },
      web: { notification, data: { order: 7, nested: { a: true } } },
    });
  });

  it('merges the overrides of each platform and ignores those of the recipients', async () => {
    const result = await rig.send(
      {},
      {
        apns: { aps: { badge: 3, sound: 'ping', alert: { subtitle: 's' } } },
        fcm: { notification: { icon: 'x' }, time_to_live: 60 },
        web: { notification: { deep_link: 'https://x.example' } },
        users: ['other'],
        interests: ['all'],
      },
    );
    expect(json()).toMatchObject({
      users: ['device-token-1'],
      apns: { aps: { alert: { title: 'Hello', body: 'hi', subtitle: 's' }, badge: 3, sound: 'ping' } },
      fcm: { notification: { title: 'Hello', icon: 'x' }, time_to_live: 60 },
      web: { notification: { title: 'Hello', deep_link: 'https://x.example' } },
    });
    expect(json()).not.toHaveProperty('interests');
    expect(result).toMatchObject({
      warnings: [expect.stringContaining('users'), expect.stringContaining('interests')],
    });
  });

  it('calls the host of the instance', async () => {
    const request = jest.fn(() => Promise.resolve({ status: 500, headers: {}, body: Buffer.alloc(0) }));
    const context = { ...rig.stage.context('pusher-beams'), http: { request, addressOf: (url: string) => url } };
    await pusherBeams.send(PUSH, { instanceId: INSTANCE, secretKey: 's' }, context);
    expect(request).toHaveBeenCalledWith(
      expect.objectContaining({ url: `https://${INSTANCE}.pushnotifications.pusher.com${PATH}` }),
    );
  });

  it.each(['', 'evil.example/', `${INSTANCE}.evil.example`, `evil.example/${INSTANCE}`])(
    'rejects the instance id %p',
    async (instanceId) => {
      expect(await rig.send({}, {}, { instanceId })).toMatchObject({ ok: false, kind: 'credentials' });
      const items = [{ message: PUSH, overrides: {} }];
      const results = await pusherBeams.batch!.send(items, { instanceId }, rig.stage.context('pusher-beams'));
      expect(results).toMatchObject([{ ok: false, kind: 'credentials' }]);
      expect(rig.calls).toEqual([]);
    },
  );

  it.each(['', 'x'.repeat(165)])('rejects the user id %p', async (token) => {
    expect(await rig.send({ token })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [400, 'permanent'],
    [401, 'credentials'],
    [404, 'credentials'],
    [413, 'content'],
    [422, 'content'],
    [429, 'rate-limited'],
    [500, 'transient'],
  ])('classifies a %d as %s', async (status, kind) => {
    const json = { error: 'Something', description: 'no' };
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind, message: 'no' });
    expect(await rig.answering({ status, json: { error: 'short' } })).toMatchObject({ kind, message: 'short' });
  });

  describe('batch', () => {
    const groupOf = (message: Partial<typeof PUSH>, overrides: JsonObject = {}) =>
      pusherBeams.batch!.groupOf({ message: { ...PUSH, ...message }, overrides }, {});

    it('groups messages with the same text and overrides', () => {
      expect(groupOf({ token: 'device-token-2', id: 'message-2' })).toBe(groupOf({}));
      expect(groupOf({ payload: { nested: { a: true }, order: 7 } })).toBe(groupOf({}));
      expect(groupOf({ content: 'other' })).not.toBe(groupOf({}));
      expect(groupOf({}, { web: {} })).not.toBe(groupOf({}));
      expect(groupOf({ token: 'x'.repeat(165) })).toBeUndefined();
      expect(groupOf({}, { _passthrough: { body: { a: 1 } } })).toBeUndefined();
      expect(pusherBeams.batch!.size).toBe(1000);
    });

    it('sends one call that names each user once', async () => {
      const results = await rig.sendBatch([{}, { token: 'device-token-2' }, {}], { apns: { aps: { badge: 1 } } });
      expect(results).toEqual(Array(3).fill(expect.objectContaining({ ok: true, id: 'pubid-1' })));
      expect(rig.calls).toHaveLength(1);
      expect(json()).toMatchObject({ users: ['device-token-1', 'device-token-2'], apns: { aps: { badge: 1 } } });
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 429, headers: { 'retry-after': '2' } });
      expect(await rig.sendBatch([{}, {}])).toMatchObject([
        { kind: 'rate-limited', retryAfterMs: 2_000 },
        { kind: 'rate-limited', retryAfterMs: 2_000 },
      ]);
    });
  });
});
