/** What every adapter that speaks HTTP does alike, whatever its provider says in particular. */
import { PROVIDER_IDS, type JsonObject } from '@clarion/contracts';
import {
  describeProvider,
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  providerFor,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import { type FakeAnswer, type ProviderStage, startProviderStage } from '@clarion/testing';
import { chatTo, CREDENTIALS, EMAIL, PUSH, SMS } from './samples';

const NOW = new Date('2026-01-01T12:00:00Z');
const BUILT = PROVIDER_IDS.flatMap((id) => providerFor(id) ?? []);
const OVER_HTTP = BUILT.filter(({ id }) => id !== 'nodemailer').map((provider): [string, Provider] => [
  provider.id,
  provider,
]);

let stage: ProviderStage;
beforeAll(async () => {
  stage = await startProviderStage(() => NOW);
});
afterEach(() => stage.reset());
afterAll(() => stage.close());

const messageFor = (channel: OutboundChannel): OutboundMessages[OutboundChannel] =>
  ({ email: EMAIL, sms: SMS, chat: chatTo(`${stage.fake.url}/hooks/canary-hook`), push: PUSH })[channel];

const send = (provider: Provider, overrides: JsonObject = {}): Promise<SendResult> =>
  stage.send(provider, messageFor(provider.channel), CREDENTIALS, overrides);

/** Not the call for an access token, which some make first. */
const isMessage = ({ path }: { path: string }): boolean => path !== '/token';
const answering = async (provider: Provider, answer: FakeAnswer): Promise<SendResult> => {
  stage.fake.always(isMessage, answer);
  return send(provider);
};

it('has an adapter on the right channel for each of these', () => {
  expect(BUILT.map(({ id }) => id).sort()).toEqual(
    [
      ...['sendgrid', 'resend', 'mailgun', 'nodemailer', 'email-webhook'],
      ...['twilio', 'generic-sms', 'nexmo'],
      ...['slack', 'discord', 'msteams', 'mattermost', 'chat-webhook'],
      ...['expo', 'one-signal', 'push-webhook', 'fcm'],
    ].sort(),
  );
  for (const { id, channel } of BUILT) expect([id, channel]).toEqual([id, describeProvider(id).channel]);
});

describe.each(OVER_HTTP)('%s', (_, provider) => {
  const denied = provider.channel === 'chat' ? 'permanent' : 'account';

  it('sends one message with one call', async () => {
    const result = await send(provider);
    expect(result).toMatchObject({ ok: true });
    expect(stage.fake.calls.filter(isMessage)).toHaveLength(1);
  });

  it('makes the same call when it is made again', async () => {
    await send(provider);
    await send(provider);
    const [first, second] = stage.fake.calls.filter(isMessage).map(({ method, path, headers, body }) => ({
      method,
      path,
      headers,
      body,
    }));
    expect(second).toEqual(first);
  });

  it.each([
    [400, 'permanent'],
    [302, 'permanent'],
    [418, 'permanent'],
    [401, denied],
    [403, denied],
    [408, 'transient'],
    [425, 'transient'],
    [429, 'transient'],
    [500, 'transient'],
    [503, 'transient'],
  ])('takes a %d as %s', async (status, kind) => {
    expect(await answering(provider, { status })).toMatchObject({ ok: false, kind, status });
  });

  it.each([
    ['7', 7_000],
    ['Thu, 01 Jan 2026 12:01:30 GMT', 90_000],
    ['99999', 3_600_000],
    ['Thu, 01 Jan 2026 11:00:00 GMT', 0],
    ['soon', undefined],
  ])('waits as long as Retry-After %p says', async (header, retryAfterMs) => {
    const result = await answering(provider, { status: 503, headers: { 'retry-after': header } });
    expect(result).toEqual(expect.objectContaining({ kind: 'transient' }));
    expect((result as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
  });

  it('does not know what became of a call that was cut off', async () => {
    expect(await answering(provider, { close: 'after-reading' })).toMatchObject({ ok: false, kind: 'unknown' });
  });

  it('tries again later when nobody is there, and never where the guard says no', async () => {
    const failing = (kind: string): SendContext => ({
      ...stage.context(provider.id, CREDENTIALS),
      http: {
        request: () => Promise.reject(Object.assign(new Error(`the egress guard: ${kind}`), { kind })),
        addressOf: (url) => url,
      },
    });
    const message = messageFor(provider.channel);
    expect(await provider.send(message, failing('unreachable'))).toMatchObject({ ok: false, kind: 'transient' });
    expect(await provider.send(message, failing('refused'))).toMatchObject({
      ok: false,
      kind: 'permanent',
      message: expect.stringContaining('guard') as string,
    });
  });

  it.each(['', '<html>fine</html>', 'null', '[]', '{}', '"x"', '{"data":null,"messages":[null],"errors":[null]}'])(
    'makes something of a 200 with %p',
    async (text) => {
      expect(await answering(provider, { text })).toEqual(
        expect.objectContaining({ ok: expect.any(Boolean) as boolean }),
      );
    },
  );

  it('takes a success that never ends for a success', async () => {
    expect(await answering(provider, { bytes: 10 * 1024 * 1024 })).toMatchObject({ ok: true });
  });

  it.each([200, 400, 500])('gives nothing secret away when a %d repeats the whole request', async (status) => {
    stage.fake.always(isMessage, ({ path, headers, body }) => ({
      status,
      text: JSON.stringify({
        message: `bad ${JSON.stringify(headers)}`,
        path,
        headers,
        body,
        url: CREDENTIALS.webhookUrl,
      }),
    }));
    const result = await send(provider);
    expect(stage.fake.calls.filter(isMessage)).toHaveLength(1);
    expect(JSON.stringify(result)).not.toContain('canary');
    expect(JSON.stringify(result)).not.toContain(Buffer.from('canary').toString('base64').slice(0, 6));
  });

  it('keeps 2 KiB of a long answer', async () => {
    const { raw } = await answering(provider, { status: 400, text: 'ü'.repeat(20_000) });
    expect(Buffer.byteLength(raw!)).toBe(2048);
  });

  it('adds what the trigger passes through, and no header that breaks out', async () => {
    const passed = { body: { extra: 'yes' }, headers: { 'X-Extra': 'yes' }, query: { extra: 'yes' } };
    expect(await send(provider, { _passthrough: passed })).toMatchObject({ ok: true });
    const call = stage.fake.calls.find(isMessage)!;
    expect(call.headers['x-extra']).toBe('yes');
    expect(new URL(call.path, stage.fake.url).searchParams.get('extra')).toBe('yes');
    if (provider.id !== 'expo') expect(call.body).toContain('extra');
    stage.reset();
    const hostile: JsonObject[] = [
      { 'X-A': 'b\r\nX-C: d' },
      { Host: 'inside' },
      { 'X A': 'b' },
      { 'Content-Length': '1' },
    ];
    for (const headers of hostile) {
      expect(await send(provider, { _passthrough: { headers } })).toMatchObject({ ok: false, kind: 'permanent' });
    }
    expect(stage.fake.calls.filter(isMessage)).toEqual([]);
  });

  it('is not bent by a hostile override', async () => {
    const overrides = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
    ) as JsonObject;
    await send(provider, overrides);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });
});
