import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { oneSignal } from './one-signal.provider';

describe('OneSignal', () => {
  const rig = testProviderContract(oneSignal, { success: { json: { id: 'note-1', external_id: null } }, id: 'note-1' });
  const json = (at = 0): JsonObject => JSON.parse(rig.calls[at]!.body) as JsonObject;

  it('posts to a subscription', async () => {
    expect(await rig.send({}, { iosSound: 'ping' })).toMatchObject({ ok: true, id: 'note-1' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/notifications' });
    expect(rig.calls[0]!.headers.authorization).toBe('Key canary-api-key');
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

  it('merges languages, badges and lists of the overrides', async () => {
    await rig.send(
      { title: 'Grüße' },
      { headings: { de: 'Hallo' }, ios_badgeType: 'Increase', ios_badgeCount: 1, buttons: [{ id: 'a', text: 'A' }] },
    );
    expect(json()).toMatchObject({
      headings: { en: 'Grüße', de: 'Hallo' },
      ios_badgeType: 'Increase',
      ios_badgeCount: 1,
      buttons: [{ id: 'a', text: 'A' }],
    });
  });

  it.each(['iosBadgeType', 'ios_badge_type'])('accepts the override %s for ios_badgeType', async (name) => {
    const result = await rig.send({}, { [name]: 'Increase' });
    expect(result).not.toHaveProperty('warnings');
    expect(json()).toMatchObject({ ios_badgeType: 'Increase' });
  });

  it('ignores overrides of the devices and the app', async () => {
    const overrides = { included_segments: ['All'], include_aliases: { external_id: ['x'] }, app_id: 'other' };
    expect(await rig.send({}, overrides)).toMatchObject({
      ok: true,
      warnings: Object.keys(overrides).map(() => expect.any(String) as string),
    });
    expect(json()).toMatchObject({ app_id: 'app-1', include_subscription_ids: ['device-token-1'] });
    expect(json()).not.toHaveProperty('included_segments');
  });

  it('sends one idempotency key per message and device', async () => {
    for (const message of [{}, {}, { token: 'device-token-2' }, { id: 'message-2' }]) await rig.send(message);
    const keys = rig.calls.map((_, at) => json(at)['idempotency_key']);
    expect(keys[1]).toBe(keys[0]);
    expect(new Set(keys).size).toBe(3);
  });

  it('posts to an external id when apiVersion is externalId', async () => {
    await rig.send({}, {}, { apiVersion: 'externalId' });
    expect(json()).toMatchObject({ include_aliases: { external_id: ['device-token-1'] }, target_channel: 'push' });
    expect(json()).not.toHaveProperty('include_subscription_ids');
  });

  it('rejects a message without a device token', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [{ id: '', errors: ['All included players are not subscribed'] }, 'recipient'],
    [{ id: 'x', errors: { invalid_player_ids: ['device-token-1'] } }, 'dead-token'],
    [{ id: '', errors: { invalid_aliases: { external_id: ['device-token-1'] } } }, 'dead-token'],
    [{ id: '', errors: { invalid_external_user_ids: ['device-token-1'] } }, 'dead-token'],
    [{}, 'unknown-outcome'],
  ])('classifies a 200 with %j as %s', async (body, kind) => {
    expect(await rig.answering({ json: body })).toMatchObject({ ok: false, kind });
  });

  it('reports all error texts', async () => {
    expect(await rig.answering({ status: 400, json: { errors: ['one', 'two'] } })).toMatchObject({
      ok: false,
      kind: 'permanent',
      message: 'one; two',
    });
  });

  it('reads the notifications of the app to check the credentials', async () => {
    await rig.check({ applicationId: 'a&b' });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/notifications?limit=1&app_id=a%26b' });
    expect(rig.calls[0]!.headers.authorization).toBe('Key canary-api-key');
  });

  describe('batch', () => {
    const groupOf = (message: Partial<typeof PUSH>, overrides: JsonObject = {}) =>
      oneSignal.batch!.groupOf({ message: { ...PUSH, ...message }, overrides }, {});

    it('groups messages with the same text and overrides', () => {
      expect(groupOf({ token: 'device-token-2', id: 'message-2' })).toBe(groupOf({}));
      expect(groupOf({ payload: { nested: { a: true }, order: 7 } })).toBe(groupOf({}));
      expect(groupOf({ title: 'Another' })).not.toBe(groupOf({}));
      expect(groupOf({}, { ttl: 1 })).not.toBe(groupOf({}));
      expect(groupOf({}, { _passthrough: { query: { a: '1' } } })).toBeUndefined();
      expect(groupOf({ token: '' })).toBeUndefined();
    });

    it('returns one result per device and uses one idempotency key per call', async () => {
      rig.stage.fake.always('/', { json: { id: 'x', errors: { invalid_subscription_ids: ['device-token-2'] } } });
      const messages = [{}, { token: 'device-token-2', id: 'message-2' }];
      expect(await rig.sendBatch(messages, { ttl: 60 })).toMatchObject([
        { ok: true, id: 'x' },
        { ok: false, kind: 'dead-token' },
      ]);
      expect(json()).toMatchObject({ include_subscription_ids: ['device-token-1', 'device-token-2'], ttl: 60 });
      await rig.sendBatch([...messages].reverse(), { ttl: 60 });
      expect(json(1)['idempotency_key']).toBe(json(0)['idempotency_key']);
      await rig.sendBatch([{}], { ttl: 60 });
      expect(json(2)['idempotency_key']).not.toBe(json(0)['idempotency_key']);
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 503 });
      expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'transient' }, { kind: 'transient' }]);
    });
  });
});
