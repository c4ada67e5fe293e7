import { type HttpRequest } from '@clarion/contracts/core';
import { type CredentialsDto } from '@clarion/contracts';
import { type Provider, PROVIDERS, type SendContext } from '@clarion/providers';
import { chatTo, completeCredentials, EMAIL, PUSH, SMS } from './samples';

const ALL: readonly Provider[] = Object.values(PROVIDERS).flat() as Provider[];
const TRACE = { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`, tracestate: 'vendor=1' };
const MESSAGES = { email: EMAIL, sms: SMS, chat: chatTo('https://hooks.example.com/hook'), push: PUSH };

/** Sends a message and returns the requests; every request gets a minimal successful response. */
async function requestsOf(provider: Provider, credentials: CredentialsDto): Promise<HttpRequest[]> {
  const requests: HttpRequest[] = [];
  const context: SendContext = {
    http: {
      request: (request) => {
        requests.push(request);
        const tokenKey = credentials.authenticationTokenKey ?? 'token';
        const body = Buffer.from(JSON.stringify({ access_token: 'token', [tokenKey]: 'token', expires_in: 3600 }));
        return Promise.resolve({ status: 200, headers: {}, body });
      },
      addressOf: (url) => url,
    },
    smtp: {
      send: () => Promise.resolve({ accepted: [], rejected: [], response: '250 ok' }),
      verify: () => Promise.resolve(),
    },
    outbox: { put: () => Promise.resolve() },
    overrides: {},
    trace: TRACE,
    now: () => new Date('2026-01-01T12:00:00Z'),
  };
  await provider.send(MESSAGES[provider.channel], credentials, context);
  return requests;
}

describe('trace headers', () => {
  it('sends trace headers to endpoints of the tenant and never to a provider', async () => {
    const receivers = { tenants: new Set<string>(), others: new Set<string>() };
    for (const provider of ALL) {
      for (const { headers = {} } of await requestsOf(provider, completeCredentials(provider.id))) {
        const hasTrace = headers['traceparent'] === TRACE.traceparent && headers['tracestate'] === TRACE.tracestate;
        expect(hasTrace ? [] : Object.keys(headers)).not.toContain('traceparent');
        receivers[hasTrace ? 'tenants' : 'others'].add(provider.id);
      }
    }
    expect([...receivers.tenants].sort()).toEqual(['chat-webhook', 'email-webhook', 'generic-sms', 'push-webhook']);
    expect(receivers.others.size).toBeGreaterThan(50);
  });

  it('sends trace headers to a generic SMS endpoint with signatures and with keys', async () => {
    const provider = ALL.find(({ id }) => id === 'generic-sms')!;
    const credentials = completeCredentials('generic-sms');
    for (const secretKeyRequestHeader of ['', 'x-secret']) {
      const own = { ...credentials, secretKey: 'secret', secretKeyRequestHeader, authenticateByToken: false };
      const [request] = await requestsOf(provider, own);
      expect(request!.headers).toMatchObject(TRACE);
    }
  });
});
