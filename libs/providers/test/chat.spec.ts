import { createHmac } from 'node:crypto';
import type { JsonObject } from '@clarion/contracts';
import { type ChatMessage, type Provider, providerFor } from '@clarion/providers';
import { type ProviderStage, startProviderStage } from '@clarion/testing';
import { chatTo } from './samples';

let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage();
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const sender =
  (id: 'slack' | 'discord' | 'msteams' | 'mattermost' | 'chat-webhook', path: string) =>
  (message: Partial<ChatMessage> = {}, overrides?: JsonObject, credentials = {}) =>
    stage.send(
      providerFor(id) as Provider<'chat'>,
      { ...chatTo(stage.fake.url + path), ...message },
      credentials,
      overrides,
    );
const call = () => stage.fake.calls[0]!;
const json = (): JsonObject => JSON.parse(call().body) as JsonObject;

it.each(['slack', 'discord', 'msteams', 'mattermost', 'chat-webhook'] as const)(
  'a subscriber without a webhook gets nothing by %s',
  async (id) => {
    for (const webhookUrl of [undefined, '']) {
      expect(await sender(id, '/')({ webhookUrl })).toMatchObject({ ok: false, kind: 'permanent' });
    }
    expect(await sender(id, '/')({ webhookUrl: 'no url' })).toMatchObject({ ok: false, kind: 'permanent' });
    expect(stage.fake.count).toBe(0);
  },
);

it('the address of a provider does not stand for the webhook of a subscriber', async () => {
  const result = await sender('slack', '/')({ webhookUrl: 'https://10.0.0.1/services/canary' });
  expect(result).toMatchObject({ ok: false, kind: 'permanent', message: expect.stringContaining('guard') as string });
  expect(JSON.stringify(result)).not.toContain('canary');
  expect(stage.fake.count).toBe(0);
});

describe('slack', () => {
  const send = sender('slack', '/services/T/B/x');

  it('posts text and blocks', async () => {
    stage.fake.next('/', { text: 'ok', headers: { 'x-slack-req-id': 'r-1' } });
    expect(await send({ blocks: [{ type: 'divider' }] }, { icon_emoji: ':bell:' })).toMatchObject({
      ok: true,
      id: 'r-1',
    });
    expect(call()).toMatchObject({ method: 'POST', path: '/services/T/B/x' });
    expect(json()).toEqual({ text: 'hi', blocks: [{ type: 'divider' }], icon_emoji: ':bell:' });
  });

  it.each([
    [404, 'channel_not_found', 'dead-token'],
    [410, 'channel_is_archived', 'dead-token'],
    [403, 'invalid_token', 'dead-token'],
    [404, 'no_service', 'dead-token'],
    [400, 'invalid_payload', 'permanent'],
    [403, 'action_prohibited', 'permanent'],
    [500, 'rollup_error', 'transient'],
  ])('takes a %d %s as %s', async (status, text, kind) => {
    stage.fake.next('/', { status, text });
    expect(await send()).toMatchObject({ ok: false, kind, message: text });
  });
});

describe('discord', () => {
  const send = sender('discord', '/api/webhooks/1/x?thread_id=7');

  it('waits for the message to be saved, and calls nobody by name', async () => {
    expect(await send({}, { username: 'Clarion' })).toMatchObject({ ok: true, id: 'fake-1' });
    expect(call().path).toBe('/api/webhooks/1/x?thread_id=7&wait=true');
    expect(json()).toEqual({ content: 'hi', allowed_mentions: { parse: [] }, username: 'Clarion' });
  });

  it('lets the trigger allow mentions', async () => {
    await send({}, { allowedMentions: { parse: ['users'] } });
    expect(json()).toMatchObject({ allowed_mentions: { parse: ['users'] } });
  });

  it('waits for the fraction of a second it is told', async () => {
    stage.fake.next('/', {
      status: 429,
      json: { retry_after: 0.25, message: 'slow' },
      headers: { 'retry-after': '1' },
    });
    expect(await send()).toMatchObject({ kind: 'transient', retryAfterMs: 250 });
  });

  it.each([
    [404, 10015, 'dead-token'],
    [401, 50027, 'dead-token'],
    [400, 50035, 'permanent'],
  ])('takes a %d with code %d as %s', async (status, code, kind) => {
    stage.fake.next('/', { status, json: { code, message: 'no' } });
    expect(await send()).toMatchObject({ ok: false, kind, message: 'no' });
  });
});

describe('msteams', () => {
  const send = sender('msteams', '/workflows/x?sig=y');

  it('posts a card to a workflow', async () => {
    expect(await send()).toMatchObject({ ok: true, id: 'message-1' });
    expect(call().path).toBe('/workflows/x?sig=y');
    expect(json()).toMatchObject({
      type: 'message',
      attachments: [
        {
          contentType: 'application/vnd.microsoft.card.adaptive',
          content: { type: 'AdaptiveCard', body: [{ type: 'TextBlock', text: 'hi', wrap: true }] },
        },
      ],
    });
  });

  it('posts plain text to an old connector', async () => {
    const asked: string[] = [];
    const provider = providerFor('msteams') as Provider<'chat'>;
    const context = stage.context('msteams', {});
    await provider.send(chatTo('https://contoso.webhook.office.com/webhookb2/x'), {
      ...context,
      http: {
        ...context.http,
        request: ({ body }) => {
          asked.push(String(body));
          return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('1') });
        },
      },
    });
    expect(asked).toEqual(['{"text":"hi"}']);
  });

  it.each([
    ['{"type":"message","text":"own"}', { type: 'message', text: 'own' }],
    ['"quoted"', { type: 'message' }],
    ['7', { type: 'message' }],
  ])('takes %s for a card only if it is an object', async (content, body) => {
    await send({ content });
    expect(json()).toMatchObject(body);
    expect('attachments' in json()).toBe(!('text' in body));
  });

  it('finds the throttling inside a 200', async () => {
    stage.fake.next('/', {
      text: 'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429',
    });
    expect(await send()).toMatchObject({ ok: false, kind: 'transient' });
  });
});

describe('mattermost', () => {
  const send = sender('mattermost', '/hooks/x');

  it('posts to the channel', async () => {
    stage.fake.next('/', { text: 'ok', headers: { 'x-request-id': 'r-1' } });
    expect(await send({ channel: 'town-square' }, { iconUrl: 'https://x.example/i.png' })).toMatchObject({
      ok: true,
      id: 'r-1',
    });
    expect(json()).toEqual({ text: 'hi', channel: 'town-square', icon_url: 'https://x.example/i.png' });
  });

  it('quotes the error', async () => {
    stage.fake.next('/', { status: 400, json: { id: 'web.incoming', message: 'Invalid webhook', status_code: 400 } });
    expect(await send()).toMatchObject({ ok: false, kind: 'permanent', message: 'Invalid webhook' });
  });
});

describe('chat-webhook', () => {
  const send = sender('chat-webhook', '/my/hook');

  it('posts the message without its address, unsigned without a secret', async () => {
    expect(await send({ channel: 'ops', phoneNumber: '+1555' }, { extra: 1 })).toMatchObject({
      ok: true,
      id: 'fake-1',
    });
    expect(json()).toEqual({ id: 'message-1', content: 'hi', channel: 'ops', phoneNumber: '+1555', extra: 1 });
    expect(call().headers['webhook-signature']).toBeUndefined();
    expect(call().headers['webhook-id']).toBe('message-1');
  });

  it('signs with the secret of the integration', async () => {
    stage.fake.next('/', { status: 204 });
    expect(await send({}, {}, { secretKey: 'key' })).toMatchObject({ ok: true, id: 'message-1' });
    const { 'webhook-timestamp': at, 'webhook-signature': signature } = call().headers;
    const expected = createHmac('sha256', 'key')
      .update(`message-1.${String(at)}.${call().body}`)
      .digest('base64');
    expect(signature).toBe(`v1,${expected}`);
  });
});
