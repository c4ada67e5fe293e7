import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { expo } from './expo.provider';

describe('Expo Push', () => {
  const rig = testProviderContract(expo, {
    success: ({ body }) => ({
      json: { data: (JSON.parse(body) as unknown[]).map((_, at) => ({ status: 'ok', id: `ticket-${at + 1}` })) },
    }),
    id: 'ticket-1',
  });
  const json = (at = 0): JsonObject[] => JSON.parse(rig.calls[at]!.body) as JsonObject[];
  const error = (name: string) => ({ status: 'error', message: 'no', details: { error: name } });

  it('posts a list with one message', async () => {
    expect(await rig.send({}, { channelId: 'orders', mutable_content: true })).toMatchObject({
      ok: true,
      id: 'ticket-1',
    });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/--/api/v2/push/send' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(json()).toEqual([
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

  it('puts badges, sounds, data and a passthrough into the message', async () => {
    await rig.send(
      { title: 'Grüße' },
      {
        badge: 3,
        sound: 'default',
        data: { order: 8 },
        ttl: 60,
        _passthrough: { body: { badge: 4, experimental: 1 } },
      },
    );
    expect(json()).toEqual([
      {
        to: 'device-token-1',
        title: 'Grüße',
        body: 'hi',
        data: { order: 8, nested: { a: true } },
        badge: 4,
        sound: 'default',
        ttl: 60,
        experimental: 1,
      },
    ]);
  });

  it('ignores an override of the device', async () => {
    expect(await rig.send({}, { to: 'other' })).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining(' to;')],
    });
    expect(json()).toMatchObject([{ to: 'device-token-1' }]);
  });

  it('sends without an authorization header when there is no API key', async () => {
    await rig.send({}, {}, { apiKey: undefined });
    expect(rig.calls[0]!.headers.authorization).toBeUndefined();
  });

  it('rejects a message without a device token', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it.each([
    ['DeviceNotRegistered', 'dead-token'],
    ['MessageTooBig', 'content'],
    ['MessageRateExceeded', 'rate-limited'],
    ['MismatchSenderId', 'credentials'],
    ['InvalidCredentials', 'credentials'],
    ['constructor', 'permanent'],
  ])('classifies the ticket error %s as %s', async (name, kind) => {
    expect(await rig.answering({ json: { data: [error(name)] } })).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it.each([
    [200, 'TOO_MANY_REQUESTS', 'rate-limited'],
    [429, 'TOO_MANY_REQUESTS', 'rate-limited'],
    [400, 'UNAUTHORIZED', 'credentials'],
    [400, 'PUSH_TOO_MANY_EXPERIENCE_IDS', 'permanent'],
    [200, 'PUSH_TOO_MANY_NOTIFICATIONS', 'permanent'],
    [500, 'INTERNAL', 'transient'],
  ])('classifies a %d with the request error %s as %s', async (status, code, kind) => {
    const result = await rig.answering({ status, json: { errors: [{ code, message: 'no' }] } });
    expect(result).toMatchObject({ ok: false, kind, message: 'no' });
  });

  it('reports an unknown outcome for a ticket without an id', async () => {
    expect(await rig.answering({ json: { data: [{ status: 'ok' }] } })).toMatchObject({ kind: 'unknown-outcome' });
  });

  describe('batch', () => {
    const three = [{}, { token: 'device-token-2', title: 'Another' }, { token: 'device-token-3' }];

    it('sends several messages in one call, each with its own text and overrides', async () => {
      const results = await expo.batch!.send(
        [
          { message: PUSH, overrides: { badge: 1 } },
          { message: { ...PUSH, token: 'device-token-2', title: 'Another' }, overrides: { colour: 'red' } },
        ],
        { apiKey: 'canary-api-key' },
        rig.stage.context('expo'),
      );
      expect(results).toMatchObject([
        { ok: true, id: 'ticket-1' },
        { ok: true, id: 'ticket-2', warnings: [expect.stringContaining('colour')] },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(json()).toMatchObject([
        { to: 'device-token-1', title: 'Hello', badge: 1 },
        { to: 'device-token-2', title: 'Another' },
      ]);
    });

    it('groups all messages except those with a passthrough', () => {
      const groupOf = (overrides: JsonObject, title = 'Hello') =>
        expo.batch!.groupOf({ message: { ...PUSH, title }, overrides }, {});
      expect(groupOf({})).toBe(groupOf({ badge: 1 }, 'Another'));
      expect(groupOf({ _passthrough: { body: { a: 1 } } })).toBeUndefined();
      expect(expo.batch!.size).toBe(100);
    });

    it('returns one result per message', async () => {
      rig.stage.fake.next('/', {
        json: { data: [{ status: 'ok', id: 'a' }, error('DeviceNotRegistered'), { status: 'ok' }] },
      });
      expect(await rig.sendBatch([...three, { token: '' }])).toMatchObject([
        { ok: true, id: 'a' },
        { ok: false, kind: 'dead-token' },
        { ok: false, kind: 'unknown-outcome' },
        { ok: false, kind: 'recipient' },
      ]);
      expect(json()).toHaveLength(3);
    });

    it('reports an unknown outcome for all messages when tickets are missing', async () => {
      rig.stage.fake.next('/', { json: { data: [error('DeviceNotRegistered')] } });
      expect(await rig.sendBatch(three)).toEqual(Array(3).fill(expect.objectContaining({ kind: 'unknown-outcome' })));
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.next('/', { status: 429, headers: { 'retry-after': '3' } });
      expect(await rig.sendBatch(three)).toEqual(
        Array(3).fill(expect.objectContaining({ ok: false, kind: 'rate-limited', retryAfterMs: 3_000 })),
      );
    });

    it('sends each message alone when the devices belong to several projects', async () => {
      rig.stage.fake.next('/', {
        status: 400,
        json: { errors: [{ code: 'PUSH_TOO_MANY_EXPERIENCE_IDS', message: 'no' }] },
      });
      expect(await rig.sendBatch(three)).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
      expect(rig.calls.map((_, at) => json(at).length)).toEqual([3, 1, 1, 1]);
    });
  });
});
