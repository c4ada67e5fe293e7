/**
 * Sends forged calls to all providers with delivery events. The spec of each provider tests its real signature; this
 * spec tests calls that anyone on the internet could send.
 */
import { type InboundCall, type InboundContext, type Provider, PROVIDERS } from '@clarion/providers';
import { inbound, inboundContext, NOW } from './contract';
import { completeCredentials } from './samples';

const WITH_EVENTS = (Object.values(PROVIDERS).flat() as Provider[])
  .filter(({ events }) => events)
  .map((provider): [string, Provider] => [provider.id, provider]);

const SIGNATURES = [
  'x-twilio-signature',
  'x-twilio-email-event-webhook-signature',
  'x-plivo-signature-v2',
  'x-plivo-signature-ma-v2',
  'x-plivo-signature-v2-nonce',
  'x-mandrill-signature',
  'x-messagesystems-webhook-token',
  'x-hub-signature-256',
  'x-sinch-webhook-signature',
  'x-sinch-webhook-signature-nonce',
  'x-termii-signature',
  'x-signature',
  'x-nonce',
  'signature',
  'mailersend-signature',
  'mailtrap-signature',
  'svix-id',
  'svix-signature',
  'telnyx-signature-ed25519',
  'messagebird-signature-jwt',
  'verification-token',
];
const TIMES = [
  'x-twilio-email-event-webhook-timestamp',
  'x-sinch-webhook-signature-timestamp',
  'x-timestamp',
  'svix-timestamp',
  'telnyx-timestamp',
];
const time = String(NOW.getTime() / 1000);
const headersOf = (value: string): Record<string, string> =>
  Object.fromEntries([...SIGNATURES.map((name) => [name, value]), ...TIMES.map((name) => [name, time])]);

/** Reports that a forger would profit from, in the formats that providers use. */
const BODIES = [
  '',
  JSON.stringify({ signature: { timestamp: time, token: 't', signature: '' }, 'event-data': { event: 'complained' } }),
  JSON.stringify({ signature: { timestamp: time, token: 't', signature: 'undefined' } }),
  JSON.stringify([{ event: 'bounce', type: 'bounce', email: 'a@x.test', apiKey: '', sig: '', PASSWORD: '' }]),
  JSON.stringify({ apiKey: '', sig: '', timestamp: time, PASSWORD: '' }),
  new URLSearchParams({
    MessageStatus: 'undelivered',
    Status: 'failed',
    sig: '',
    timestamp: time,
    PASSWORD: '',
  }).toString(),
  JSON.stringify({ Type: 'Notification', TopicArn: '', Message: '{}', MessageId: '1', Timestamp: NOW, Signature: '' }),
];

function* forgeries(): Generator<InboundCall> {
  const base = 'https://clarion.example/hook';
  for (const body of BODIES) {
    for (const headers of [{}, headersOf(''), headersOf('undefined'), headersOf('v1,x'), headersOf('a.b.c')]) {
      for (const authorization of [undefined, 'Basic Og==', 'Bearer ', 'Bearer undefined']) {
        const login = authorization === undefined ? headers : { ...headers, authorization };
        yield inbound(body, { headers: login });
        yield inbound(body, { headers: login, url: `${base}?token=` });
        yield inbound('', { headers: login, method: 'GET', url: `${base}?token=undefined&sig=&timestamp=${time}` });
      }
    }
  }
}

it('the registry has more than 35 providers with delivery events', () => {
  expect(WITH_EVENTS.length).toBeGreaterThan(35);
});

describe.each(WITH_EVENTS)('forged events of %s', (id, { events }) => {
  const acceptedForgeries = async (context: InboundContext): Promise<InboundCall[]> => {
    const calls: InboundCall[] = [];
    for (const call of forgeries()) if ((await events!.verify(call, context)).ok) calls.push(call);
    return calls;
  };

  it('rejects every forged call when a signing key and credentials are set', async () => {
    expect(
      await acceptedForgeries(
        inboundContext('a signing key of some length', completeCredentials(id as Provider['id'])),
      ),
    ).toEqual([]);
  });

  it.each([undefined, ''])('rejects every forged call when the signing key and the credentials are %p', async (key) => {
    const blank = { token: key, secretKey: key, apiKey: key, password: key };
    expect(await acceptedForgeries(inboundContext(key, key === undefined ? {} : blank))).toEqual([]);
  });
});
