import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { PUSH } from '../../test/samples';
import { pushpad } from './pushpad.provider';

describe('Pushpad', () => {
  const rig = testProviderContract(pushpad, {
    credentials: { applicationId: '12/3' },
    success: ({ body }) => {
      const { uids = [] } = (body === '' ? {} : JSON.parse(body)) as { uids?: string[] };
      return { status: 201, json: { id: 197123, scheduled: uids.length, uids } };
    },
    id: '197123',
  });
  const json = (at = 0): JsonObject => JSON.parse(rig.calls[at]!.body) as JsonObject;

  it('posts to a user', async () => {
    expect(await rig.send({ title: 'Grüße ✓' })).toMatchObject({ ok: true, id: '197123' });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/api/v1/projects/12%2F3/notifications' });
    expect(rig.calls[0]!.headers).toMatchObject({
      authorization: 'Bearer canary-api-key',
      'content-type': 'application/json',
    });
    expect(json()).toEqual({
      title: 'Grüße ✓',
      body: 'hi',
      custom_data: '{"order":7,"nested":{"a":true}}',
      uids: ['device-token-1'],
    });
  });

  it('applies overrides and sends data as a text', async () => {
    await rig.send(
      {},
      { targetUrl: 'https://x.example', ttl: 60, custom_data: { own: 1 }, actions: [{ title: 'A', action: 'a' }] },
    );
    expect(json()).toMatchObject({
      target_url: 'https://x.example',
      ttl: 60,
      custom_data: '{"own":1}',
      actions: [{ title: 'A', action: 'a' }],
    });
    await rig.send({}, { customData: 'as it is' });
    expect(json(1)).toMatchObject({ custom_data: 'as it is' });
  });

  it('never sends without users, which would notify all of them', async () => {
    expect(await rig.send({ token: '' })).toMatchObject({ ok: false, kind: 'recipient' });
    expect(await rig.send({ token: '' }, { topic: 'news' })).toMatchObject({ ok: false, kind: 'recipient' });
    const _passthrough = { body: { uids: [] } };
    expect(await rig.send({}, { _passthrough })).toMatchObject({ ok: false, kind: 'content' });
    expect(rig.calls).toEqual([]);
    const result = await rig.send({}, { uids: [], tags: ['all'] });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('uids'), expect.stringContaining('tags')] });
    expect(json()).toMatchObject({ uids: ['device-token-1'] });
    expect(json()).not.toHaveProperty('tags');
  });

  it.each([[{ id: 1, scheduled: 0, uids: [] }], [{ id: 1, scheduled: 0 }], [{ id: 1, uids: ['somebody-else'] }]])(
    'classifies a 201 with %j, which reaches no device of the user, as a recipient failure',
    async (body) => {
      expect(await rig.answering({ status: 201, json: body })).toMatchObject({ ok: false, kind: 'recipient' });
    },
  );

  it.each([
    [{ id: 1, send_at: '2026-01-02T00:00:00Z' }],
    [{ id: 1, scheduled: 2 }],
    [{ id: 1, scheduled: 2, uids: ['as they spell it'] }],
  ])('accepts a 201 with %j', async (body) => {
    expect(await rig.answering({ status: 201, json: body })).toMatchObject({ ok: true, id: '1' });
  });

  it.each([
    [402, 'quota'],
    [404, 'permanent'],
    [422, 'permanent'],
  ])('classifies a %d as %s and reports the error text', async (status, kind) => {
    expect(await rig.answering({ status, json: { error: 'no' } })).toMatchObject({ ok: false, kind, message: 'no' });
    const errors = { errors: { body: ['too long'] } };
    expect(await rig.answering({ status, json: errors })).toMatchObject({ kind, message: '{"body":["too long"]}' });
  });

  it('reads the project to check the credentials', async () => {
    expect(await rig.check()).toMatchObject({ ok: true });
    expect(rig.calls[0]).toMatchObject({ method: 'GET', path: '/api/v1/projects/12%2F3' });
    expect(rig.calls[0]!.headers.authorization).toBe('Bearer canary-api-key');
  });

  describe('batch', () => {
    const groupOf = (message: Partial<typeof PUSH>, overrides: JsonObject = {}) =>
      pushpad.batch!.groupOf({ message: { ...PUSH, ...message }, overrides }, {});

    it('groups messages with the same text and overrides', () => {
      expect(groupOf({ token: 'device-token-2', id: 'message-2' })).toBe(groupOf({}));
      expect(groupOf({ content: 'other' })).not.toBe(groupOf({}));
      expect(groupOf({ payload: {} })).not.toBe(groupOf({}));
      expect(groupOf({}, { ttl: 1 })).not.toBe(groupOf({}));
      expect(groupOf({ token: '' })).toBeUndefined();
      expect(groupOf({}, { _passthrough: { body: { uids: [] } } })).toBeUndefined();
    });

    it('returns one result per user', async () => {
      rig.stage.fake.always('/', { status: 201, json: { id: 5, scheduled: 1, uids: ['device-token-2'] } });
      expect(
        await rig.sendBatch([{}, { token: 'device-token-2' }, { token: 'device-token-2' }], { ttl: 9 }),
      ).toMatchObject([
        { ok: false, kind: 'recipient' },
        { ok: true, id: '5' },
        { ok: true, id: '5' },
      ]);
      expect(rig.calls).toHaveLength(1);
      expect(json()).toMatchObject({ uids: ['device-token-1', 'device-token-2'], ttl: 9 });
    });

    it('fails all messages when the call fails', async () => {
      rig.stage.fake.always('/', { status: 503 });
      expect(await rig.sendBatch([{}, {}])).toMatchObject([{ kind: 'transient' }, { kind: 'transient' }]);
    });
  });
});
