import type { JsonObject } from '@clarion/contracts';
import { keepsTheContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { oneSignal } from './one-signal.provider';

const rig = keepsTheContract(oneSignal, { success: { json: { id: 'note-1', external_id: null } }, id: 'note-1' });
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

it('puts other languages, badges and lists where they belong', async () => {
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

it.each(['iosBadgeType', 'ios_badge_type'])('knows %s for what it is', async (name) => {
  const result = await rig.send({}, { [name]: 'Increase' });
  expect(result).not.toHaveProperty('warnings');
  expect(json()).toMatchObject({ ios_badgeType: 'Increase' });
});

it('lets no override choose other devices', async () => {
  const overrides = { included_segments: ['All'], include_aliases: { external_id: ['x'] }, app_id: 'other' };
  expect(await rig.send({}, overrides)).toMatchObject({
    ok: true,
    warnings: Object.keys(overrides).map(() => expect.any(String) as string),
  });
  expect(json()).toMatchObject({ app_id: 'app-1', include_subscription_ids: ['device-token-1'] });
  expect(json()).not.toHaveProperty('included_segments');
});

it('has one key per message and device', async () => {
  for (const message of [{}, {}, { token: 'device-token-2' }, { id: 'message-2' }]) await rig.send(message);
  const keys = rig.calls.map((_, at) => json(at)['idempotency_key']);
  expect(keys[1]).toBe(keys[0]);
  expect(new Set(keys).size).toBe(3);
});

it('posts to an external id', async () => {
  await rig.send({}, {}, { apiVersion: 'externalId' });
  expect(json()).toMatchObject({ include_aliases: { external_id: ['device-token-1'] }, target_channel: 'push' });
  expect(json()).not.toHaveProperty('include_subscription_ids');
});

it('sends nothing to no device', async () => {
  expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
  expect(rig.calls).toEqual([]);
});

it.each([
  [{ id: '', errors: ['All included players are not subscribed'] }, 'recipient'],
  [{ id: 'x', errors: { invalid_player_ids: ['device-token-1'] } }, 'dead-token'],
  [{ id: '', errors: { invalid_aliases: { external_id: ['device-token-1'] } } }, 'dead-token'],
  [{ id: '', errors: { invalid_external_user_ids: ['device-token-1'] } }, 'dead-token'],
  [{}, 'unknown-outcome'],
])('finds in a 200 with %j that nothing was sent', async (body, kind) => {
  expect(await rig.answering({ json: body })).toMatchObject({ ok: false, kind });
});

it('quotes the errors', async () => {
  expect(await rig.answering({ status: 400, json: { errors: ['one', 'two'] } })).toMatchObject({
    ok: false,
    kind: 'permanent',
    message: 'one; two',
  });
});

it('looks at the notifications of the app to check the credentials', async () => {
  await rig.check({ applicationId: 'a&b' });
  expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/notifications?limit=1&app_id=a%26b' });
  expect(rig.calls[0]!.headers.authorization).toBe('Key canary-api-key');
});

describe('many devices', () => {
  const groupOf = (message: Partial<typeof PUSH>, overrides: JsonObject = {}) =>
    oneSignal.batch!.groupOf({ message: { ...PUSH, ...message }, overrides }, {});

  it('share a call when they get the same text', () => {
    expect(groupOf({ token: 'device-token-2', id: 'message-2' })).toBe(groupOf({}));
    expect(groupOf({ payload: { nested: { a: true }, order: 7 } })).toBe(groupOf({}));
    expect(groupOf({ title: 'Another' })).not.toBe(groupOf({}));
    expect(groupOf({}, { ttl: 1 })).not.toBe(groupOf({}));
    expect(groupOf({}, { _passthrough: { query: { a: '1' } } })).toBeUndefined();
    expect(groupOf({ token: '' })).toBeUndefined();
  });

  it('have a result each, and one key for the call', async () => {
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

  it('fail as one when the call fails', async () => {
    rig.stage.fake.always('/', { status: 503 });
    expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'transient' }, { kind: 'transient' }]);
  });
});
