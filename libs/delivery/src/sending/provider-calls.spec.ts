import { type HttpRequest } from '@clarion/contracts/core';
import { createHmac } from 'node:crypto';
import type { CredentialsDto, Dialect, ProviderId } from '@clarion/contracts';
import { NO_TRACING, type Tracing } from '@clarion/platform';
import type { Account } from '../accounts/integration-directory';
import { ProviderCalls } from './provider-calls';

describe('ProviderCalls', () => {
  let requests: HttpRequest[];
  let answer: string;
  let status: (request: HttpRequest) => number;
  const callsWith = (publicUrl?: string, tracing = NO_TRACING, dialect?: Dialect): ProviderCalls =>
    new ProviderCalls({
      egress: {
        portsFor: () => ({
          http: {
            request: (request) => {
              requests.push(request);
              return Promise.resolve({ status: status(request), headers: {}, body: Buffer.from(answer) });
            },
            addressOf: (url) => url,
          },
          smtp: { send: () => Promise.reject(new Error('no mail')), verify: () => Promise.resolve() },
        }),
      },
      outboxOf: () => ({ put: () => Promise.resolve() }),
      ...(publicUrl && { publicUrl }),
      ...(dialect && { dialect }),
      sharedCalls: 4,
      tracing,
    });
  const account = (providerId: ProviderId, credentials: CredentialsDto, more: object = {}): Account =>
    ({
      id: 'i1',
      environmentId: 'e1',
      providerId,
      credentials,
      configurations: {},
      unreadable: [],
      ...more,
    }) as unknown as Account;
  const push = (token: string) => ({ id: `to ${token}`, token, title: 't', content: 'c', payload: {} });
  const sms = { id: 'm1', to: '+15551234567', content: 'hi' };

  beforeEach(() => {
    requests = [];
    status = () => 200;
  });

  describe('provider with a batch endpoint', () => {
    const mail = (id: string) => ({ id, to: [`${id}@example.com`], subject: 's', html: 'h' });
    const postmark = account('postmark', { apiKey: 'k', from: 'a@example.com', senderName: 'A' });

    it('sends messages of one turn in one batch call', async () => {
      answer = JSON.stringify([1, 2].map((at) => ({ ErrorCode: 0, MessageID: `id-${at}` })));
      const calls = callsWith();
      const results = await Promise.all(['a', 'b'].map((id) => calls.send<'email'>(postmark, mail(id), {})));
      expect(results).toMatchObject([
        { ok: true, id: 'id-1' },
        { ok: true, id: 'id-2' },
      ]);
      expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/email/batch']);
    });

    it('sends messages one by one when the server has no batch endpoint', async () => {
      answer = JSON.stringify({ ErrorCode: 0, MessageID: 'id-1' });
      status = ({ url }) => (url.endsWith('/batch') ? 404 : 200);
      const calls = callsWith();
      const results = await Promise.all(['a', 'b'].map((id) => calls.send<'email'>(postmark, mail(id), {})));
      expect(results).toMatchObject([{ ok: true }, { ok: true }]);
      expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/email/batch', '/email', '/email']);
    });

    it('records one span for a batch call, linked to the traces of all messages', async () => {
      answer = JSON.stringify([
        { ErrorCode: 0, MessageID: 'id-1' },
        { ErrorCode: 406, Message: 'gone' },
      ]);
      const recorded: unknown[] = [];
      const span = {
        context: { traceparent: '' },
        set: (attributes: object) => recorded.push(attributes),
        link: () => undefined,
        fail: (reason: unknown) => recorded.push(reason),
        end: () => recorded.push('end'),
      };
      const shared: Tracing['shared'] = (...begun) => (recorded.push(begun), span);
      const calls = callsWith(undefined, { ...NO_TRACING, shared });
      const traces = ['a', 'b'].map((id) => ({ traceparent: id }));
      await Promise.all(traces.map((trace) => calls.send<'email'>(postmark, mail(trace.traceparent), {}, { trace })));
      expect(recorded).toEqual([
        ['provider', traces, expect.objectContaining({ 'clarion.provider': 'postmark', 'clarion.messages': 2 })],
        expect.objectContaining({ 'clarion.outcome': 'recipient' }),
        expect.any(String),
        'end',
      ]);
    });

    it('sends a single message without a batch call', async () => {
      answer = JSON.stringify({ ErrorCode: 0, MessageID: 'id-1' });
      expect(await callsWith().send<'email'>(postmark, mail('a'), {})).toMatchObject({ ok: true, id: 'id-1' });
      expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/email']);
    });

    it('never puts messages of two accounts into one call', async () => {
      answer = JSON.stringify({ data: [{ status: 'ok', id: 'ticket' }] });
      const calls = callsWith();
      const [one, other] = [account('expo', { apiKey: '1' }), account('expo', { apiKey: '2' })];
      await Promise.all([calls.send<'push'>(one, push('a'), {}), calls.send<'push'>(other, push('b'), {})]);
      expect(requests.map(({ headers }) => headers?.['authorization'])).toEqual(['Bearer 1', 'Bearer 2']);
    });
  });

  describe('webhook of the tenant', () => {
    const webhook = {
      webhookUrl: 'https://hooks.example.com/',
      secretKey: 'secret',
      from: 'a@x.test',
      senderName: 'A',
    };
    const mail = { id: 'm1', to: ['b@x.test'], subject: 's', html: 'h' };
    const headersOf = async (own: Dialect | undefined, usual: Dialect): Promise<HttpRequest['headers']> => {
      const calls = callsWith(undefined, NO_TRACING, usual);
      await calls.send<'email'>(account('email-webhook', webhook, { dialect: own }), mail, {});
      return requests.at(-1)!.headers;
    };

    it.each<[Dialect | undefined, Dialect, boolean]>([
      [undefined, 'spec', false],
      [undefined, 'novu', true],
      ['novu', 'spec', true],
      ['spec', 'novu', false],
    ])(
      'signs for environment dialect %s in an installation of dialect %s; with the Novu header: %s',
      async (own, usual, isSigned) => {
        const headers = await headersOf(own, usual);
        const expected = createHmac('sha256', 'secret').update(requests.at(-1)!.body!).digest('hex');
        expect(headers!['x-novu-signature']).toBe(isSigned ? expected : undefined);
        expect(headers!['webhook-signature']).toMatch(/^v1,/);
      },
    );
  });

  describe('callback URL', () => {
    const twilio = { accountSid: 'AC', token: 't', from: '+1' };
    const on = { configurations: { inboundWebhookEnabled: true, inboundWebhookSigningKey: 'k&y' } };
    const PATH = 'https://clarion.example/v2/inbound-webhooks/delivery-providers/e1/i1';
    const callbackOf = async (publicUrl: string | undefined, to: Account): Promise<string | null> => {
      answer = '{}';
      await callsWith(publicUrl).send<'sms'>(to, sms, {});
      const [{ body }] = requests as [HttpRequest];
      return /\{/.test(String(body))
        ? ((JSON.parse(String(body)) as { webUrl?: string }).webUrl ?? null)
        : new URLSearchParams(String(body)).get('StatusCallback');
    };

    it('gives the provider a callback URL when the integration has inbound webhooks enabled', async () => {
      expect(await callbackOf('https://clarion.example', account('twilio', twilio, on))).toBe(PATH);
    });

    it('puts the signing key into the callback URL of a provider that does not sign', async () => {
      const brevo = account('brevo-sms', { apiKey: 'x', from: 'Acme' }, on);
      expect(await callbackOf('https://clarion.example', brevo)).toBe(`${PATH}?token=k%26y`);
    });

    it('gives no callback URL without inbound webhooks or without a public URL', async () => {
      expect(await callbackOf('https://clarion.example', account('twilio', twilio))).toBeNull();
      requests = [];
      expect(await callbackOf(undefined, account('twilio', twilio, on))).toBeNull();
    });
  });

  it('keeps the overrides and the trace of a message out of the other calls of the account', async () => {
    answer = '';
    const webhook = { webhookUrl: 'https://hooks.example.com/', secretKey: 's', from: 'a@x.test', senderName: 'A' };
    const to = account('email-webhook', webhook);
    const mail = { id: 'm1', to: ['b@x.test'], subject: 's', html: 'h' };
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    const calls = callsWith();
    await calls.send<'email'>(to, mail, { _passthrough: { headers: { 'x-own': '1' } } }, { trace: { traceparent } });
    await calls.send<'email'>(to, mail, {});
    expect(requests.map(({ headers }) => [headers!['x-own'], headers!['traceparent']])).toEqual([
      ['1', traceparent],
      [undefined, undefined],
    ]);
  });

  it('calls no provider with credentials that cannot be decrypted', async () => {
    const result = await callsWith().send<'sms'>(account('twilio', {}, { unreadable: ['token'] }), sms, {});
    expect(result).toMatchObject({
      ok: false,
      kind: 'credentials',
      message: expect.stringContaining('token') as string,
    });
    expect(requests).toEqual([]);
  });
});
