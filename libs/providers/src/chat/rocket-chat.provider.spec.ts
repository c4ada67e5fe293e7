import type { JsonObject } from '@clarion/contracts';
import { testProviderContract } from '../../test/contract';
import { chatTo } from '../../test/samples';
import { rocketChat } from './rocket-chat.provider';

describe('Rocket.Chat', () => {
  const SENT = {
    message: { _id: 'message-1', rid: 'room-1', msg: 'hi', ts: '2026-01-01T12:00:00.000Z' },
    success: true,
  };

  const rig = testProviderContract(rocketChat, {
    credentials: (stage) => ({ user: 'user-1', baseUrl: `${stage.fake.url}/chat/` }),
    message: (stage) => ({ ...chatTo(stage.fake.url), channel: 'room-1' }),
    success: { json: SENT },
    id: 'message-1',
  });
  const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

  it("posts to a room of the server with Clarion's message id", async () => {
    const result = await rig.send({ content: 'Grüße 👋' });
    expect(result).toMatchObject({ ok: true, date: new Date('2026-01-01T12:00:00Z') });
    expect(rig.calls[0]).toMatchObject({ method: 'POST', path: '/chat/api/v1/chat.sendMessage' });
    expect(rig.calls[0]!.headers).toMatchObject({ 'x-auth-token': 'canary-token', 'x-user-id': 'user-1' });
    expect(json()).toEqual({ message: { _id: 'message-1', rid: 'room-1', msg: 'Grüße 👋' } });
  });

  it.each([
    ['', '/api/v1/chat.sendMessage'],
    ['/', '/api/v1/chat.sendMessage'],
    ['/a/b//', '/a/b/api/v1/chat.sendMessage'],
    ['/a?b=c#d', '/a/api/v1/chat.sendMessage'],
  ])('derives the API URL from a server at %p', async (base, path) => {
    await rig.send({ webhookUrl: `${rig.stage.fake.url}/other` }, {}, { baseUrl: rig.stage.fake.url + base });
    expect(rig.calls[0]!.path).toBe(path);
  });

  it('sends its token to no host but that of the integration', async () => {
    const elsewhere = rig.stage.fake.url.replace('127.0.0.1', 'localhost');
    expect(await rig.send({}, {}, { baseUrl: '' })).toMatchObject({ kind: 'credentials' });
    expect(await rig.send({ webhookUrl: elsewhere })).toMatchObject({ kind: 'recipient' });
    expect(rig.calls).toEqual([]);
  });

  it('puts overrides into the message and ignores those that set its id or room', async () => {
    const result = await rig.send(
      { blocks: [{ type: 'divider' }] },
      { alias: 'Clarion', custom_fields: { a: 1 }, rid: 'other', _id: 'other' },
    );
    expect(json()).toEqual({
      message: {
        _id: 'message-1',
        rid: 'room-1',
        msg: 'hi',
        blocks: [{ type: 'divider' }],
        alias: 'Clarion',
        customFields: { a: 1 },
      },
    });
    expect(result).toMatchObject({ warnings: [expect.stringContaining('rid'), expect.stringContaining('_id')] });
  });

  it.each([[[]], [['https://x.example']]])('sends previewUrls next to the message: %j', async (previewUrls) => {
    await rig.send({}, { previewUrls });
    expect(json()).toMatchObject({ previewUrls });
  });

  it('rejects a message without a room', async () => {
    for (const channel of [undefined, '']) {
      expect(await rig.send({ channel })).toMatchObject({ ok: false, kind: 'recipient' });
    }
    expect(rig.calls).toEqual([]);
  });

  it.each([
    [400, { success: false, error: 'Not allowed [error-not-allowed]' }, 'recipient'],
    [400, { success: false, error: 'Bad room', errorType: 'error-invalid-room' }, 'recipient'],
    [400, { success: false, error: 'Too long [error-message-size-exceeded]' }, 'content'],
    [400, { success: false, error: 'Who? [error-invalid-user]' }, 'credentials'],
    [400, { success: false, error: 'Something else' }, 'permanent'],
    [401, { status: 'error', message: 'You must be logged in to do this.' }, 'credentials'],
    [404, { success: false, error: 'no such method' }, 'recipient'],
    [200, { success: false, error: 'Not allowed [error-not-allowed]' }, 'recipient'],
    [200, { success: true }, 'unknown-outcome'],
  ])('classifies a %d with %j as %s', async (status, json, kind) => {
    expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind });
  });

  it('reads the wait from the error text', async () => {
    const error = 'Error, too many requests. You must wait 52 seconds before trying again. [error-too-many-requests]';
    expect(await rig.answering({ status: 429, json: { success: false, error } })).toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 52_000,
    });
  });

  describe('a message that the server may already have', () => {
    const SERVER_ERROR = {
      status: 400,
      json: { success: false, error: "Cannot read properties of undefined (reading 'starred')" },
    };
    const answerTo = (look: object): void => {
      rig.stage.fake.always(/sendMessage/, SERVER_ERROR);
      rig.stage.fake.always(/getMessage/, look);
    };

    it('counts a message that the look-up finds as sent', async () => {
      answerTo({ json: SENT });
      expect(await rig.send({}, { _passthrough: { query: { a: 'b' } } })).toMatchObject({ ok: true, id: 'message-1' });
      expect(rig.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
        'POST /chat/api/v1/chat.sendMessage?a=b',
        'GET /chat/api/v1/chat.getMessage?msgId=message-1',
      ]);
      expect(rig.calls[1]!.headers).toMatchObject({ 'x-auth-token': 'canary-token', 'x-user-id': 'user-1' });
    });

    it('fails with the original error when the look-up does not find the message', async () => {
      answerTo({ status: 400, json: { success: false } });
      expect(await rig.send()).toMatchObject({
        ok: false,
        kind: 'permanent',
        message: expect.stringContaining('of undefined') as string,
      });
    });

    it('classifies a failed look-up as transient', async () => {
      answerTo({ status: 503 });
      expect(await rig.send()).toMatchObject({ ok: false, kind: 'transient' });
    });

    it('looks up the message after a duplicate key error too', async () => {
      rig.stage.fake.always(/sendMessage/, {
        status: 400,
        json: { success: false, error: 'E11000 duplicate key error' },
      });
      rig.stage.fake.always(/getMessage/, { json: SENT });
      expect(await rig.send()).toMatchObject({ ok: true, id: 'message-1' });
    });
  });
});
