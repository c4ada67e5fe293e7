/**
 * Tests that every adapter for an HTTP API has to pass. The spec of an adapter calls `testProviderContract` first, and
 * uses the returned rig for its own cases.
 */
import type { CredentialsDto, JsonObject } from '@clarion/contracts';
import {
  checkCredentials,
  type CredentialField,
  type DeliveryEvent,
  type FailureKind,
  type InboundCall,
  type InboundContext,
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  type SendResult,
  type CallCheck,
} from '@clarion/providers';
import {
  type FakeAnswer,
  type FakeCall,
  type FakeMatcher,
  type ProviderStage,
  startProviderStage,
  until,
} from '@clarion/testing/providers';
import { chatTo, CREDENTIALS, EMAIL, PUSH, SMS } from './samples';

export const NOW = new Date('2026-01-01T12:00:00Z');

type Contract<C extends OutboundChannel> = {
  /** The response to an accepted message; also to a check of the credentials, unless `check` is given. */
  success: FakeAnswer | ((call: FakeCall) => FakeAnswer);
  /** The message id in the result for `success`. */
  id?: string;
  /**
   * Added to the default credentials. Secrets are canaries: texts with `canary` in them, which must not appear in a
   * result.
   */
  credentials?: CredentialsDto | ((stage: ProviderStage) => CredentialsDto);
  /** Replaces the default message of the channel. */
  message?(stage: ProviderStage): OutboundMessages[C];
  /** Calls before the one with the message, for access tokens and look-ups. */
  before?: [matcher: FakeMatcher, answer: FakeAnswer][];
  /** The failure kinds of bare statuses that differ from the default. */
  kinds?: Partial<Record<number, FailureKind>>;
  /** A 2xx means success regardless of the body, or only with certain bodies. */
  isAcceptedByStatus?: boolean | ((body: string) => boolean);
  /** The provider supports HTTP/2 only. */
  http2?: boolean;
  /** The body is neither a JSON object nor a form, so a passthrough cannot extend it. */
  hasNoOpenBody?: boolean;
  /** A response to `check` that means valid credentials. */
  check?: FakeAnswer;
};

type Rig<C extends OutboundChannel> = {
  readonly stage: ProviderStage;
  /** Sends the default message, with some members replaced. */
  send(
    message?: Partial<OutboundMessages[C]>,
    overrides?: JsonObject,
    credentials?: CredentialsDto,
  ): Promise<SendResult>;
  /** Sends the default message and lets the provider answer with this. */
  answering(answer: FakeAnswer): Promise<SendResult>;
  /** The calls that carried a message. */
  readonly calls: FakeCall[];
  check(credentials?: CredentialsDto): Promise<SendResult>;
  /** Sends several messages in one call. */
  sendBatch(messages: Partial<OutboundMessages[C]>[], overrides?: JsonObject): Promise<SendResult[]>;
};

const HOSTILE_HEADERS: JsonObject[] = [
  { 'X-A': 'b\r\nX-C: d' },
  { Host: 'inside' },
  { 'X A': 'b' },
  { 'Content-Length': '1' },
];

const NONSENSE = [
  '',
  '<html>fine</html>',
  'null',
  '[]',
  '{}',
  '"x"',
  '{"data":null,"messages":[null],"errors":[null]}',
];

export function testProviderContract<C extends OutboundChannel>(provider: Provider<C>, contract: Contract<C>): Rig<C> {
  let stage: ProviderStage;
  const { before = [], kinds = {}, isAcceptedByStatus = false } = contract;
  const isAcceptedWith = (body: string): boolean =>
    typeof isAcceptedByStatus === 'function' ? isAcceptedByStatus(body) : isAcceptedByStatus;
  let credentials: CredentialsDto;
  const isBefore = (call: FakeCall): boolean => before.some(([matcher]) => fits(matcher, call));
  const isMessage = (call: FakeCall): boolean => !isBefore(call);
  const defaultMessage = (): OutboundMessages[C] =>
    (contract.message?.(stage) ??
      { email: EMAIL, sms: SMS, chat: chatTo(`${stage.fake.url}/hooks/canary-hook`), push: PUSH }[
        provider.channel
      ]) as OutboundMessages[C];
  const answerWell = (): void => {
    stage.fake.always(isMessage, contract.success);
    for (const [matcher, answer] of before) stage.fake.always(matcher, answer);
  };
  const rig: Rig<C> = {
    get stage() {
      return stage;
    },
    get calls() {
      return stage.fake.calls.filter(isMessage);
    },
    send: (message = {}, overrides = {}, own = {}) =>
      stage.send(provider, { ...defaultMessage(), ...message }, { ...credentials, ...own }, overrides),
    answering: (answer) => {
      stage.fake.always(isMessage, answer);
      return rig.send();
    },
    check: (own = {}) => provider.check!({ ...credentials, ...own }, stage.context(provider.id)),
    sendBatch: (messages, overrides = {}) =>
      provider.batch!.send(
        messages.map((message) => ({ message: { ...defaultMessage(), ...message }, overrides })),
        credentials,
        stage.context(provider.id),
      ),
  };
  const kindOf = (status: number, kind: FailureKind): FailureKind => kinds[status] ?? kind;

  beforeAll(async () => {
    stage = await startProviderStage(() => NOW, { http2: contract.http2 ?? false });
    const own = contract.credentials;
    credentials = { ...CREDENTIALS, ...(typeof own === 'function' ? own(stage) : own) };
  });
  beforeEach(() => answerWell());
  afterEach(() => stage.reset());
  afterAll(() => stage.close());

  describe('provider contract', () => {
    it('reports every required credential that is missing', () => {
      const missing = provider.required.map((one) => (typeof one === 'string' ? one : one.join(' or ')));
      expect(checkCredentials(provider.id, {}).missing).toEqual(missing);
      const enough = provider.required.map((one) => (typeof one === 'string' ? one : one[0]!) as CredentialField);
      const given = Object.fromEntries(enough.map((field) => [field, credentials[field]]));
      expect(checkCredentials(provider.id, given)).toEqual({ missing: [], invalid: [] });
    });

    it('sends one message with one call', async () => {
      const result = await rig.send();
      expect(result).toMatchObject({ ok: true, ...(contract.id !== undefined && { id: contract.id }) });
      expect(rig.calls).toHaveLength(1);
    });

    it('makes an identical call when the same message is sent again', async () => {
      await rig.send();
      await rig.send();
      const [first, second] = rig.calls.map(({ method, path, headers, body }) => ({ method, path, headers, body }));
      expect(second).toEqual(first);
    });

    it.each<[number, FailureKind]>([
      [400, 'permanent'],
      [302, 'permanent'],
      [418, 'permanent'],
      [401, 'credentials'],
      [403, 'credentials'],
      [408, 'transient'],
      [425, 'transient'],
      [429, 'rate-limited'],
      [500, 'transient'],
      [503, 'transient'],
    ])('maps a %d response to its failure kind', async (status, kind) => {
      expect(await rig.answering({ status })).toMatchObject({ ok: false, kind: kindOf(status, kind), status });
    });

    it.each([
      ['7', 7_000],
      ['Thu, 01 Jan 2026 12:01:30 GMT', 90_000],
      ['99999', 3_600_000],
      ['soon', undefined],
    ])('sets retryAfterMs from the Retry-After header %p', async (header, retryAfterMs) => {
      const result = await rig.answering({ status: 429, headers: { 'retry-after': header } });
      expect(result).toMatchObject({ ok: false, kind: kindOf(429, 'rate-limited') });
      expect((result as { retryAfterMs?: number }).retryAfterMs).toBe(retryAfterMs);
    });

    it('reports an unknown outcome when the provider hangs up, never answers or answers too slowly', async () => {
      const answers: FakeAnswer[] = [{ close: 'after-reading' }, { hang: true }, { dripMs: 20 }];
      let results: SendResult[] = [];
      // On a busy machine the short time may be over before a connection is open: nothing was sent then.
      await until(async () => {
        stage.reset();
        answerWell();
        stage.fake.next(isMessage, ...answers);
        results = await Promise.all(
          answers.map(() => provider.send(defaultMessage(), credentials, stage.withShortTimeouts(provider.id))),
        );
        return rig.calls.length === answers.length;
      });
      const unknown = { ok: false, kind: 'unknown-outcome' };
      expect(results).toMatchObject([unknown, unknown, unknown]);
    });

    it('classifies an unreachable provider as transient and a refused address as permanent', async () => {
      const failing = (kind: string) => ({
        ...stage.context(provider.id),
        http: {
          request: () => Promise.reject(Object.assign(new Error(`the egress guard: ${kind}`), { kind })),
          addressOf: (url: string) => url,
        },
      });
      const transient = await provider.send(defaultMessage(), credentials, failing('unreachable'));
      const refused = await provider.send(defaultMessage(), credentials, failing('refused'));
      // A cached access token may still be there, so the failure may be about either call.
      expect(transient).toMatchObject({ ok: false, kind: 'transient' });
      expect(refused).toMatchObject({
        ok: false,
        kind: 'permanent',
        message: expect.stringContaining('guard') as string,
      });
    });

    it.each(NONSENSE)('accepts a 200 with the body %p only if the contract of the provider allows it', async (text) => {
      const result = await rig.answering({ text });
      expect(result.ok).toBe(isAcceptedWith(text));
    });

    it('classifies a response of 10 MiB without reading it to the end', async () => {
      const result = await rig.answering({ bytes: 10 * 1024 * 1024 });
      expect(result).toMatchObject(isAcceptedWith('.') ? { ok: true } : { ok: false, kind: 'unknown-outcome' });
      expect(await rig.answering({ status: 500, bytes: 10 * 1024 * 1024 })).toMatchObject({
        ok: false,
        kind: 'transient',
      });
    });

    it.each([200, 400, 500])('redacts all secrets when a %d response repeats the whole request', async (status) => {
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
      // The message contains a secret too.
      const secret = 'canary/"text"';
      const TEXTS = ['subject', 'html', 'content', 'title'];
      const texts = Object.entries(defaultMessage()).filter(([field]) => TEXTS.includes(field));
      const withSecret = texts.map(([field, text]) => [field, `${String(text)} ${secret}`]);
      const message = { ...defaultMessage(), ...Object.fromEntries(withSecret) };
      const context = { ...stage.context(provider.id), secrets: () => [secret] };
      const result = await provider.send(message, credentials, context);
      expect(rig.calls).toHaveLength(1);
      expect(JSON.stringify(result)).not.toContain('canary');
      expect(JSON.stringify(result)).not.toContain(Buffer.from('canary').toString('base64').slice(0, 6));
    });

    it('keeps at most 2 KiB of a response in the result', async () => {
      const { raw } = await rig.answering({ status: 400, text: 'ü'.repeat(20_000) });
      expect(Buffer.byteLength(raw!)).toBe(2048);
    });

    it('adds a passthrough to the request and rejects a header that would break out of its line', async () => {
      const passed = { body: { extra: 'yes' }, headers: { 'X-Extra': 'yes' }, query: { extra: 'yes' } };
      expect(await rig.send({}, { _passthrough: passed })).toMatchObject({ ok: true });
      const call = rig.calls[0]!;
      expect(call.headers['x-extra']).toBe('yes');
      expect(new URL(call.path, stage.fake.url).searchParams.get('extra')).toBe('yes');
      if (!contract.hasNoOpenBody) expect(call.body).toContain('extra');
      stage.reset();
      for (const headers of HOSTILE_HEADERS) {
        expect(await rig.send({}, { _passthrough: { headers } })).toMatchObject({ ok: false, kind: 'content' });
      }
      expect(rig.calls).toEqual([]);
    });

    it('does not pollute the prototype with a hostile override', async () => {
      const overrides = JSON.parse(
        '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}',
      ) as JsonObject;
      await rig.send({}, overrides);
      expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    });

    if (provider.check) {
      it('checks the credentials and rejects them after a 401', async () => {
        if (contract.check) stage.fake.always(isMessage, contract.check);
        expect(await rig.check()).toMatchObject({ ok: true });
        stage.fake.always(() => true, { status: 401 });
        expect(await rig.check()).toMatchObject({ ok: false });
      });
    }
  });
  return rig;
}

function fits(matcher: FakeMatcher, call: FakeCall): boolean {
  if (typeof matcher === 'function') return matcher(call);
  return typeof matcher === 'string' ? call.path.startsWith(matcher) : matcher.test(call.path);
}

/** A call of a provider to Clarion, for specs of `events`. */
export const inbound = (
  body: string | object,
  { headers = {}, url = 'https://clarion.example/hook', method = 'POST' }: Partial<Omit<InboundCall, 'body'>> = {},
): InboundCall => ({
  method,
  url,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

export const inboundContext = (signingKey?: string, credentials: CredentialsDto = {}): InboundContext => ({
  ...(signingKey !== undefined && { signingKey }),
  credentials,
  http: { request: () => Promise.reject(new Error('no call was expected')), addressOf: (url) => url },
  now: () => NOW,
});

export const verdictOf = async (
  provider: Provider,
  call: InboundCall,
  context: InboundContext,
): Promise<CallCheck['ok']> => (await provider.events!.verify(call, context)).ok;

/** Tests the verification of providers that do not sign webhooks: only a call with the signing key is accepted. */
export function testSharedKeyVerification(provider: Provider): void {
  it.each<[string, Partial<InboundCall>, string | undefined, boolean]>([
    [
      'accepts a call with the signing key in the query',
      { url: 'https://clarion.example/hook?token=right' },
      'right',
      true,
    ],
    [
      'rejects a call with a wrong key in the query',
      { url: 'https://clarion.example/hook?token=wrong' },
      'right',
      false,
    ],
    [
      'accepts a call with the signing key as the password of basic authentication',
      { headers: { authorization: `Basic ${Buffer.from('x:right').toString('base64')}` } },
      'right',
      true,
    ],
    [
      'accepts a call with the signing key as a bearer token',
      { headers: { authorization: 'Bearer right' } },
      'right',
      true,
    ],
    ['rejects a call without a key', {}, 'right', false],
    [
      'rejects a call with an empty key when the integration has no signing key',
      { url: 'https://clarion.example/hook?token=' },
      undefined,
      false,
    ],
  ])('%s', async (_, call, key, isGenuine) => {
    expect(await verdictOf(provider, inbound('{}', call), inboundContext(key))).toBe(isGenuine);
  });
}

/** The events in an inbound call. */
export const eventsOf = (provider: Provider, call: InboundCall): DeliveryEvent[] => provider.events!.parse(call);

/** Tests that a body that cannot be read yields no event and throws no error. */
export function testUnreadableEvents(provider: Provider): void {
  it.each([...NONSENSE, '[null,1,"x",[]]', '{"data":{"payload":{"to":[null]}},"results":[null]}', 'a=%ZZ&&=&status='])(
    'returns no event for the body %p',
    (text) => {
      const url = `https://clarion.example/hook?${text.replaceAll('#', '')}`;
      expect(eventsOf(provider, inbound(text))).toEqual([]);
      expect(eventsOf(provider, inbound('', { method: 'GET', url }))).toEqual([]);
    },
  );
}
