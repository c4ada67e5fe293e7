import type { JsonObject } from '@clarion/contracts';
import { keepsTheContract } from '../../test/contract';
import { chatTo } from '../../test/samples';
import { rocketChat } from './rocket-chat.provider';

const SENT = {
  message: { _id: 'message-1', rid: 'room-1', msg: 'hi', ts: '2026-01-01T12:00:00.000Z' },
  success: true,
};

const rig = keepsTheContract(rocketChat, {
  credentials: { user: 'user-1' },
  message: (stage) => ({ ...chatTo(`${stage.fake.url}/chat/`), channel: 'room-1' }),
  success: { json: SENT },
  id: 'message-1',
});
const json = (): JsonObject => JSON.parse(rig.calls[0]!.body) as JsonObject;

it('posts to a room of the server, under our own id', async () => {
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
])('finds the API of a server at %p', async (base, path) => {
  await rig.send({ webhookUrl: rig.stage.fake.url + base });
  expect(rig.calls[0]!.path).toBe(path);
});

it('sorts what the trigger sets into the message and beside it', async () => {
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

it.each([[[]], [['https://x.example']]])('hands over which links are shown: %j', async (previewUrls) => {
  await rig.send({}, { previewUrls });
  expect(json()).toMatchObject({ previewUrls });
});

it('needs a room', async () => {
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
])('understands a %d %j', async (status, json, kind) => {
  expect(await rig.answering({ status, json })).toMatchObject({ ok: false, kind });
});

it('waits as long as the text says', async () => {
  const error = 'Error, too many requests. You must wait 52 seconds before trying again. [error-too-many-requests]';
  expect(await rig.answering({ status: 429, json: { success: false, error } })).toMatchObject({
    kind: 'rate-limited',
    retryAfterMs: 52_000,
  });
});

describe('a message that is there already', () => {
  const STUMBLE = {
    status: 400,
    json: { success: false, error: "Cannot read properties of undefined (reading 'starred')" },
  };
  const answerTo = (look: object): void => {
    rig.stage.fake.always(/sendMessage/, STUMBLE);
    rig.stage.fake.always(/getMessage/, look);
  };

  it('is looked up, and counts as sent when it is seen', async () => {
    answerTo({ json: SENT });
    expect(await rig.send({}, { _passthrough: { query: { a: 'b' } } })).toMatchObject({ ok: true, id: 'message-1' });
    expect(rig.calls.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /chat/api/v1/chat.sendMessage?a=b',
      'GET /chat/api/v1/chat.getMessage?msgId=message-1',
    ]);
    expect(rig.calls[1]!.headers).toMatchObject({ 'x-auth-token': 'canary-token', 'x-user-id': 'user-1' });
  });

  it('was held back when it is not seen', async () => {
    answerTo({ status: 400, json: { success: false } });
    expect(await rig.send()).toMatchObject({
      ok: false,
      kind: 'permanent',
      message: expect.stringContaining('of undefined') as string,
    });
  });

  it('is looked for again later when nobody can say', async () => {
    answerTo({ status: 503 });
    expect(await rig.send()).toMatchObject({ ok: false, kind: 'transient' });
  });

  it('may be refused by the database itself', async () => {
    rig.stage.fake.always(/sendMessage/, {
      status: 400,
      json: { success: false, error: 'E11000 duplicate key error' },
    });
    rig.stage.fake.always(/getMessage/, { json: SENT });
    expect(await rig.send()).toMatchObject({ ok: true, id: 'message-1' });
  });
});
