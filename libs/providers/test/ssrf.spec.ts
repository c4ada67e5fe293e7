/**
 * Server-side request forgery. Every address that a tenant can set is tried with every spelling of an internal address,
 * through the real egress guard, while sockets listen there. Every other text is tried to show that it cannot change
 * the host that is called.
 */
import { type CredentialsDto, type HttpRequest, type JsonObject, type ProviderId } from '@clarion/contracts';
import {
  addressFieldsOf,
  CREDENTIAL_BOOLEAN_FIELDS,
  CREDENTIAL_STRING_FIELDS,
  type FailureKind,
  type InboundContext,
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  PROVIDERS,
  SECRET_CREDENTIAL_FIELDS,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import {
  corpus,
  egressWithHostileNames,
  type FakeProvider,
  HOSTILE_HOSTS,
  HOSTILE_URLS,
  type Listener,
  startFakeProvider,
  startListener,
} from '@clarion/testing/providers';
import { chatTo, completeCredentials, EMAIL, LONG_PUSH, SERVICE_ACCOUNT, SMS } from './samples';

const ALL: readonly Provider[] = Object.values(PROVIDERS).flat() as Provider[];

/** A setting in which a tenant may name any host. */
type Sink = {
  field: string;
  form: 'url' | 'host';
  credentialsFor(address: string, port: number): { credentials?: CredentialsDto; message?: { webhookUrl: string } };
};

const urlIn = (field: keyof CredentialsDto): Sink => ({
  field,
  form: 'url',
  credentialsFor: (url) => ({ credentials: { [field]: url } }),
});
const HOST_AND_PORT: Sink = {
  field: 'host',
  form: 'host',
  credentialsFor: (host, port) => ({ credentials: { host, port: String(port) } }),
};
const WEBHOOK_OF_SUBSCRIBER: Sink = {
  field: 'message.webhookUrl',
  form: 'url',
  credentialsFor: (webhookUrl) => ({ message: { webhookUrl } }),
};
/** The webhook of the subscriber must be on this host. */
const HOST_OF_INTEGRATION: Sink = {
  field: 'baseUrl',
  form: 'url',
  credentialsFor: (url) => ({ credentials: { baseUrl: url }, message: { webhookUrl: url } }),
};
const CONNECTION_STRING: Sink = {
  field: 'accessKey',
  form: 'url',
  credentialsFor: (url) => ({ credentials: { accessKey: `endpoint=${url};accesskey=a2V5` } }),
};

const SINKS: Readonly<Partial<Record<ProviderId, readonly Sink[]>>> = {
  braze: [
    urlIn('apiURL'),
    { ...urlIn('baseUrl'), credentialsFor: (url) => ({ credentials: { apiURL: '', baseUrl: url } }) },
  ],
  'email-webhook': [urlIn('webhookUrl')],
  emailjs: [HOST_AND_PORT],
  'infobip-email': [urlIn('baseUrl')],
  netcore: [urlIn('baseUrl')],
  plunk: [urlIn('baseUrl')],
  mailgun: [urlIn('baseUrl')],
  mailjet: [urlIn('baseUrl')],
  nodemailer: [HOST_AND_PORT],
  sendgrid: [urlIn('baseUrl')],

  'azure-sms': [CONNECTION_STRING],
  'generic-sms': [urlIn('baseUrl'), urlIn('domain')],
  'infobip-sms': [urlIn('baseUrl')],
  kannel: [HOST_AND_PORT],
  mobishastra: [urlIn('baseUrl')],
  'sms-central': [urlIn('baseUrl')],
  termii: [urlIn('baseUrl')],

  appio: [urlIn('AppIOBaseUrl')],
  'push-webhook': [urlIn('webhookUrl')],

  'chat-webhook': [WEBHOOK_OF_SUBSCRIBER],
  discord: [WEBHOOK_OF_SUBSCRIBER],
  getstream: [HOST_OF_INTEGRATION, WEBHOOK_OF_SUBSCRIBER],
  'grafana-on-call': [WEBHOOK_OF_SUBSCRIBER],
  mattermost: [WEBHOOK_OF_SUBSCRIBER],
  msteams: [WEBHOOK_OF_SUBSCRIBER],
  'rocket-chat': [HOST_OF_INTEGRATION, WEBHOOK_OF_SUBSCRIBER],
  ryver: [WEBHOOK_OF_SUBSCRIBER],
  slack: [WEBHOOK_OF_SUBSCRIBER],
  zulip: [WEBHOOK_OF_SUBSCRIBER],
};

/** The only hosts that a provider calls, regardless of its credentials. */
const FIXED: Readonly<Partial<Record<ProviderId, readonly string[]>>> = {
  mailersend: ['api.mailersend.com'],
  mailtrap: ['mailtrap.io', 'send.api.mailtrap.io'],
  mandrill: ['mandrillapp.com'],
  outlook365: ['smtp.office365.com'],
  postmark: ['api.postmarkapp.com'],
  resend: ['api.resend.com'],
  sendinblue: ['api.brevo.com'],
  ses: ['email.us-east-1.amazonaws.com'],
  sparkpost: ['api.sparkpost.com'],

  'afro-message': ['api.afromessage.com'],
  'africas-talking': ['api.africastalking.com'],
  bandwidth: ['messaging.bandwidth.com'],
  'brevo-sms': ['api.brevo.com'],
  'bulk-sms': ['api.bulksms.com'],
  'burst-sms': ['api.transmitsms.com'],
  clickatell: ['platform.clickatell.com'],
  clicksend: ['rest.clicksend.com'],
  'eazy-sms': ['api.eazy.im'],
  firetext: ['www.firetext.co.uk'],
  'forty-six-elks': ['api.46elks.com'],
  gupshup: ['enterprise.smsgupshup.com'],
  imedia: ['api.mobilebranding.vn'],
  'isend-sms': ['isend.com.ly'],
  maqsam: ['api.maqsam.com'],
  messagebird: ['rest.messagebird.com'],
  nexmo: ['rest.nexmo.com'],
  plivo: ['api.plivo.com'],
  'ring-central': ['platform.ringcentral.com'],
  sendchamp: ['api.sendchamp.com'],
  simpletexting: ['api-app2.simpletexting.com'],
  sinch: ['us.sms.api.sinch.com'],
  sms77: ['gateway.seven.io'],
  smsmode: ['rest.smsmode.com'],
  sns: ['sns.us-east-1.amazonaws.com'],
  telnyx: ['api.telnyx.com'],
  twilio: ['api.twilio.com'],
  unifonic: ['el.cloud.unifonic.com'],

  apns: ['api.sandbox.push.apple.com'],
  expo: ['exp.host'],
  fcm: ['fcm.googleapis.com', 'oauth2.googleapis.com'],
  'one-signal': ['api.onesignal.com'],
  'pusher-beams': ['0a1b2c3d-0000-4000-8000-000000000001.pushnotifications.pusher.com'],
  pushpad: ['pushpad.xyz'],

  telegram: ['api.telegram.org'],
  'whatsapp-business': ['graph.facebook.com'],
};

/** They make no network calls. */
const BUILT_IN: readonly ProviderId[] = ['platform-email', 'platform-sms', 'platform-slack'];

const MAIL_SERVERS: readonly ProviderId[] = ['nodemailer', 'emailjs', 'outlook365'];

const CALLING = ALL.filter(({ id }) => !BUILT_IN.includes(id)).map((provider): [ProviderId, Provider] => [
  provider.id,
  provider,
]);

const credentialsOf = ({ id }: Provider): CredentialsDto => completeCredentials(id);

const MESSAGES: OutboundMessages = {
  email: EMAIL,
  sms: SMS,
  chat: { ...chatTo('https://chat.example.com/hook'), channel: 'room', phoneNumber: '+15551234567' },
  push: LONG_PUSH,
};
const messageOf = ({ channel }: Provider): OutboundMessages[OutboundChannel] => MESSAGES[channel];

const contextOf = (ports: Pick<SendContext, 'http' | 'smtp'>): SendContext => ({
  ...ports,
  outbox: { put: () => Promise.resolve() },
  overrides: {},
  callbackUrl: 'https://clarion.example.com/events',
  now: () => new Date('2026-01-01T12:00:00Z'),
});

/** Ports that a guard that checks only ports would allow. */
const USUAL_PORTS = [80, 443, 8443, 25, 465, 587, 2525];

let listeners: Listener[];
let egress: ReturnType<typeof egressWithHostileNames>;
beforeAll(async () => {
  const loopback = ['127.0.0.1', '::1', '127.0.0.1', '::1', '127.0.0.2', '127.0.0.1', '::1', '127.0.0.2'];
  const free = await Promise.all(loopback.map((host) => startListener(host)));
  // Ports that are in use or that need root privileges are skipped.
  const usual = await Promise.allSettled(
    ['127.0.0.1', '::1'].flatMap((host) => USUAL_PORTS.map((port) => startListener(host, port))),
  );
  listeners = [...free, ...usual.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))];
  egress = egressWithHostileNames();
});
afterEach(() => expect(listeners.filter(({ seen }) => seen() > 0)).toEqual([]));
afterAll(async () => {
  await egress.close();
  await Promise.all(listeners.map(({ close }) => close()));
});

const REFUSALS: ReadonlySet<FailureKind> = new Set(['permanent', 'credentials', 'recipient', 'content']);
const isRefusal = (result: SendResult): boolean => !result.ok && REFUSALS.has(result.kind);

/** The hostile addresses with the ports that listen. A setting for URLs is also tried with bare hosts. */
function* addresses(form: Sink['form']): Generator<[address: string, port: number]> {
  const ports = listeners.slice(0, 2).map(({ port }) => port);
  for (const host of corpus([...HOSTILE_HOSTS], 16)) {
    if (form === 'host') for (const port of [...ports, 25, 80]) yield [host, port];
    else yield [host, ports[0]!];
  }
  for (const url of corpus([...HOSTILE_URLS], 16)) {
    for (const port of form === 'url' && url.includes('${port}') ? ports : [ports[0]!]) {
      yield [url.replaceAll('${port}', String(port)), port];
    }
  }
}

it('the lists of hostile URLs and hosts have more than 120 entries each', () => {
  expect(HOSTILE_URLS.size).toBeGreaterThan(120);
  expect(HOSTILE_HOSTS.size).toBeGreaterThan(120);
});

it('the listeners detect a connection that the guard allows', async () => {
  const listener = await startListener('127.0.0.1');
  const open = egressWithHostileNames({ allow: ['127.0.0.1'] });
  const provider = ALL.find(({ id }) => id === 'chat-webhook')!;
  const webhookUrl = `http://127.0.0.1:${listener.port}/`;
  await provider.send(
    { ...MESSAGES.chat, webhookUrl },
    completeCredentials(provider.id),
    contextOf(open.portsFor(provider.id)),
  );
  expect(listener.seen()).toBe(1);
  await open.close();
  await listener.close();
});

describe('an internal address in a setting of the tenant', () => {
  const sinks = ALL.flatMap((provider) =>
    (SINKS[provider.id] ?? []).map((sink): [ProviderId, string, Provider, Sink] => [
      provider.id,
      sink.field,
      provider,
      sink,
    ]),
  );

  it.each(sinks)(
    'refuses internal addresses for %s in %s',
    async (_id, _field, provider, { form, credentialsFor }) => {
      const context = contextOf(egress.portsFor(provider.id));
      const outcomes = await Promise.all(
        [...addresses(form)].map(async ([address, port]) => {
          const { credentials = {}, message = {} } = credentialsFor(address, port);
          const given = { ...credentialsOf(provider), ...credentials };
          const sent = await provider.send({ ...messageOf(provider), ...message }, given, context);
          const checked = Object.keys(message).length > 0 ? undefined : await provider.check?.(given, context);
          return [address, port, sent, checked ?? sent] as const;
        }),
      );
      expect(outcomes.length).toBeGreaterThan(30);
      expect(outcomes.filter(([, , sent, checked]) => !isRefusal(sent) || !isRefusal(checked))).toEqual([]);
    },
    60_000,
  );

  it('refuses internal addresses over HTTP/2', async () => {
    const { http } = egress.portsFor('apns');
    const outcomes = await Promise.all(
      [...addresses('url')].map(([url]) =>
        http.request({ method: 'POST', url, body: '{}', origin: 'provider', http2: true }).then(
          ({ status }) => `${url} ${status}`,
          (error: { kind?: string }) => error.kind ?? `${url} ${String(error)}`,
        ),
      ),
    );
    expect(outcomes.filter((outcome) => outcome !== 'refused')).toEqual([]);
  });
});

/** Lets token requests and look-ups succeed, so that the call with the message follows. */
const ANSWER = Buffer.from(
  JSON.stringify({
    access_token: 'x',
    token: 'x',
    expires_in: 3600,
    sender_allowed: true,
    users: [{ external_id: 'u' }],
    id: '1',
  }),
);

describe('a host that a subscriber or a trigger names', () => {
  const NAMED = 'https://named.example/hook';
  const overrides = Object.fromEntries(
    [...CREDENTIAL_STRING_FIELDS, 'url', 'endpoint', 'serviceUrl', 'callbackUrl'].map((field) => [field, NAMED]),
  );

  it.each(CALLING)('gets no secret of the integration of %s', async (_id, provider) => {
    const requests: HttpRequest[] = [];
    const context = contextOf({
      http: {
        request: (request) => {
          requests.push(request);
          return Promise.resolve({ status: 200, headers: {}, body: ANSWER });
        },
        addressOf: (url) => url,
      },
      smtp: { send: () => Promise.reject(new Error('no mail')), verify: () => Promise.resolve() },
    });
    const credentials = credentialsOf(provider);
    const message = { ...messageOf(provider), webhookUrl: NAMED, accessToken: 'token', workspaceId: NAMED };
    const given = { ...overrides, _passthrough: { body: overrides, query: { url: NAMED } } };
    for (const own of [{}, overrides, given]) {
      // Without its own address the integration must not fall back to the named one.
      for (const address of [{}, { baseUrl: '' }]) {
        await provider
          .send(message, { ...credentials, ...address }, { ...context, overrides: own })
          .catch(() => undefined);
      }
    }
    const secrets = SECRET_CREDENTIAL_FIELDS.flatMap((field) => credentials[field] ?? []) as string[];
    const shown = requests
      .filter(({ url }) => new URL(url).hostname === 'named.example')
      .map(({ url, headers = {}, body = '' }) => {
        const texts = [url, ...Object.values(headers), body.toString()];
        return [...texts, ...texts.map((text) => Buffer.from(text.split(' ').at(-1)!, 'base64').toString())].join('\n');
      });
    expect(shown.flatMap((text) => secrets.filter((secret) => text.includes(secret)))).toEqual([]);
  });
});

describe('a redirect to an internal address', () => {
  const overHttp = CALLING.filter(([id]) => !MAIL_SERVERS.includes(id));
  let fake: FakeProvider;
  beforeAll(async () => {
    fake = await startFakeProvider();
  });
  afterAll(() => fake.close());

  it.each(overHttp)('does not follow a redirect of %s to an internal address', async (id, provider) => {
    const near = egressWithHostileNames({ allow: ['127.0.0.1'], providerUrls: { [id]: fake.url } });
    const context = contextOf(near.portsFor(id));
    const message = { ...messageOf(provider), webhookUrl: `${fake.url}/hook` };
    for (const status of corpus([301, 302, 303, 307, 308], 2)) {
      for (const { host, port } of corpus(listeners.slice(0, 2), 1)) {
        const location = `http://${host.includes(':') ? `[${host}]` : host}:${port}/`;
        fake.always(/./, { status, headers: { location }, text: location });
        expect(await provider.send(message, credentialsOf(provider), context)).toMatchObject({ ok: false });
      }
    }
    fake.reset();
    await near.close();
  });
});

describe('an inbound event that contains an internal URL', () => {
  const withEvents = ALL.filter(({ events }) => events).map((provider): [ProviderId, Provider] => [
    provider.id,
    provider,
  ]);

  it.each(withEvents)('does not call an internal URL in an event of %s', async (id, { events }) => {
    const context: InboundContext = {
      ...contextOf(egress.portsFor(id)),
      signingKey: 'arn:aws:sns:us-east-1:1:topic',
      credentials: completeCredentials(id),
    };
    for (const [url] of addresses('url')) {
      const body = {
        Type: 'SubscriptionConfirmation',
        TopicArn: context.signingKey,
        Timestamp: '2026-01-01T12:00:00Z',
        SignatureVersion: '1',
        Signature: 'x',
        SubscribeURL: url,
        UnsubscribeURL: url,
        SigningCertURL: url,
        url,
      };
      const call = {
        method: 'POST' as const,
        url: 'https://clarion.example.com/hook?token=arn:aws:sns:us-east-1:1:topic',
        headers: {},
        body: Buffer.from(JSON.stringify(body)),
      };
      await events!.verify(call, context);
      await events!.answer?.(call, context);
    }
  });
});

describe('a credential that is not an address', () => {
  it('lists the hosts or address settings of every provider', () => {
    const declared = [...Object.keys(SINKS), ...Object.keys(FIXED), ...BUILT_IN];
    expect(declared.sort()).toEqual(ALL.map(({ id }) => id).sort());
  });

  /** The hosts that the provider would call. */
  async function hostsOf(
    provider: Provider,
    credentials: CredentialsDto,
    message = messageOf(provider),
  ): Promise<string[]> {
    const hosts: string[] = [];
    const context = contextOf({
      http: {
        request: ({ url }) => {
          hosts.push(new URL(url).host);
          return Promise.resolve({ status: 200, headers: {}, body: ANSWER });
        },
        addressOf: (url) => url,
      },
      smtp: {
        send: ({ host }) => {
          hosts.push(host);
          return Promise.resolve({ accepted: ['x'], rejected: [], response: '250' });
        },
        verify: ({ host }) => Promise.resolve(void hosts.push(host)),
      },
    });
    await provider.send(message, credentials, context);
    await provider.batch?.send([{ message, overrides: {} }], credentials, context);
    await provider.check?.(credentials, context);
    return hosts;
  }

  const hostileVariantsOf = (text: string): string[] => [
    `https://evil.example/`,
    `//evil.example/`,
    `evil.example`,
    `evil.example/`,
    `evil.example:8443`,
    `evil.example#`,
    `evil.example?`,
    `.evil.example`,
    `@evil.example`,
    `#@evil.example`,
    `${text}@evil.example`,
    `${text}:80@evil.example`,
    `${text}.evil.example`,
    `${text}.evil.example/`,
    `${text}.evil.example#`,
    `${text}/`,
    `${text}#`,
    `${text}?`,
    `${text}\\@evil.example`,
    `${text}/../../..//evil.example`,
    `${text}\r\nHost: evil.example`,
    `${text}\t.evil.example`,
    `${text}%2eevil.example`,
    `${text}%40evil.example`,
    `${text}。evil.example`,
    `[::1]`,
    `127.0.0.1`,
    `127.0.0.1#`,
    `\u0000evil.example`,
  ];

  /** The text credentials that the provider reads, with all credentials and with the required ones only. */
  async function fieldsOf(provider: Provider): Promise<string[]> {
    const credentials = credentialsOf(provider);
    const read = new Set<string | symbol>([...provider.required.flat(), ...provider.optional]);
    const watched = (given: CredentialsDto): CredentialsDto =>
      new Proxy(given, { get: (target, field) => (read.add(field), Reflect.get(target, field) as unknown) });
    const required = provider.required.flat() as (keyof CredentialsDto)[];
    await hostsOf(provider, watched(credentials));
    await hostsOf(provider, watched(Object.fromEntries(required.map((field) => [field, credentials[field]]))));
    return CREDENTIAL_STRING_FIELDS.filter((field) => read.has(field));
  }

  it.each(CALLING)(
    'does not let a credential or message text change the host that %s calls',
    async (id, provider) => {
      const credentials = credentialsOf(provider);
      const called = [...new Set(await hostsOf(provider, credentials))].sort();
      expect(called).toEqual(FIXED[id] ? [...FIXED[id]] : [expect.any(String)]);
      const sinks = (SINKS[id] ?? []).map(({ field }) => field);
      const strays: string[] = [];
      const look = async (field: string, text: string, given: CredentialsDto, message?: object): Promise<void> => {
        const hosts = await hostsOf(provider, given, { ...messageOf(provider), ...message });
        strays.push(...hosts.filter((host) => !called.includes(host)).map((host) => `${field} ${text} -> ${host}`));
      };
      for (const field of await fieldsOf(provider)) {
        if (sinks.includes(field)) continue;
        const value = String(credentials[field as keyof CredentialsDto] ?? 'x');
        for (const text of corpus(hostileVariantsOf(value), 6)) {
          await look(field, text, { ...credentials, [field]: text });
        }
      }
      for (const [field, value] of Object.entries(messageOf(provider))) {
        if (typeof value !== 'string' || sinks.includes(`message.${field}`)) continue;
        for (const text of corpus(hostileVariantsOf(value), 6))
          await look(`message.${field}`, text, credentials, { [field]: text });
      }
      expect(strays).toEqual([]);
    },
    30_000,
  );

  it.each(CALLING)(
    'treats each credential of %s that selects the host as an address field, whose change drops stored secrets',
    async (id, provider) => {
      const credentials = credentialsOf(provider);
      const usual = await hostsOf(provider, credentials);
      const elsewhere = [
        'elsewhere.example.com',
        'https://elsewhere.example.com/',
        'sandbox',
        'eu',
        'br',
        'ie1',
        'true',
        '',
      ];
      elsewhere.push('endpoint=https://elsewhere.example.com/;accesskey=a2V5', '0a1b2c3d-0000-4000-8000-000000000002');
      const deciding = new Set((SINKS[id] ?? []).map(({ field }) => field).filter((field) => !field.includes('.')));
      for (const field of await fieldsOf(provider)) {
        for (const text of elsewhere) {
          const hosts = await hostsOf(provider, { ...credentials, [field]: text });
          if (hosts.some((host) => !usual.includes(host))) deciding.add(field);
        }
      }
      for (const field of CREDENTIAL_BOOLEAN_FIELDS) {
        const hosts = await hostsOf(provider, { ...credentials, [field]: !credentials[field] });
        if (hosts.some((host) => !usual.includes(host))) deciding.add(field);
      }
      expect([...deciding].filter((field) => !(addressFieldsOf(id) as readonly string[]).includes(field))).toEqual([]);
    },
  );

  it('does not let a service account change the hosts that fcm calls', async () => {
    const provider = ALL.find(({ id }) => id === 'fcm')!;
    const account = JSON.parse(SERVICE_ACCOUNT) as JsonObject;
    const hosts = new Set<string>();
    for (const field of ['project_id', 'client_email', 'token_uri', 'auth_uri', 'universe_domain']) {
      for (const text of hostileVariantsOf(String(account[field] ?? 'x'))) {
        const serviceAccount = JSON.stringify({ ...account, [field]: text });
        for (const host of await hostsOf(provider, { ...credentialsOf(provider), serviceAccount })) hosts.add(host);
      }
    }
    expect([...hosts].sort()).toEqual(['fcm.googleapis.com', 'oauth2.googleapis.com']);
  });
});
