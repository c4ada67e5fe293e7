import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { basic, formFields, words } from '../call';
import { eventKinds, fieldsOf, formBody, GENUINE, hmac, type InboundCall, isSame, notGenuine } from '../events';
import { smsProvider } from './sms-provider';

const EVENT_KINDS = eventKinds({
  sent: ['sent'],
  delivered: ['delivered'],
  read: ['read'],
  bounced: ['undelivered'],
  failed: ['failed', 'canceled'],
});
/** Error codes of numbers that do not exist or do not accept messages. */
const DEAD_NUMBERS: ReadonlySet<string> = new Set(['30005', '30006']);

/** For a body that is not a form, the URL contains its digest. Undefined: the digest does not match. */
function signedPart(call: InboundCall): string | undefined {
  const digest = new URL(call.url).searchParams.get('bodySHA256');
  if (digest === null) return signedFields(formBody(call));
  return isSame(digest.toLowerCase(), createHash('sha256').update(call.body).digest('hex')) ? '' : undefined;
}

/** Sorted names, each followed by its values. A repeated value counts once. */
const signedFields = (form: URLSearchParams): string =>
  [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
    .join('');

const HOST_AND_PORT = /^(https?:\/\/[^/:?]+)(?::\d+)?/;

/** The URL unchanged, without a port, and with the default port, because proxies forward it in different forms. */
const spellingsOf = (url: string): string[] => [
  url,
  url.replace(HOST_AND_PORT, '$1'),
  url.replace(HOST_AND_PORT, url.startsWith('https:') ? '$1:443' : '$1:80'),
];

const withoutQuery = (url: string): string => url.split('?', 1)[0]!;

export const twilio = smsProvider({
  id: 'twilio',
  displayName: 'Twilio',
  required: ['accountSid', 'token', 'from'],
  optional: ['region'],
  evidence: 'official',
  overrides: {
    names: words(`
      StatusCallback MessagingServiceSid ApplicationSid MaxPrice ProvideFeedback Attempt ValidityPeriod
      ForceDelivery ContentRetention AddressRetention SmartEncoded PersistentAction TrafficType ShortenUrls
      ScheduleType SendAt SendAsMms MediaUrl ContentSid ContentVariables RiskCheck
    `),
    casing: 'pascal',
  },
  headers: ({ accountSid = '', token = '' }) => ({ authorization: basic(accountSid, token) }),
  request: (message, credentials, { fields, callbackUrl }) => ({
    // Without the suffix the response is XML.
    url: `${accountOf(credentials)}/Messages.json`,
    form: {
      To: message.to,
      ...(message.from?.startsWith('MG') ? { MessagingServiceSid: message.from } : { From: message.from }),
      Body: message.content,
      StatusCallback: callbackUrl,
      ...formFields(fields),
    },
  }),
  read: reading({
    id: ['sid'],
    date: ['date_created'],
    message: ['message'],
    code: ['code'],
    kinds: byKind({
      credentials: [20003, 21606, 21608],
      'rate-limited': [
        20429,
        // The sender's queue is full. It has a 4xx status, but is temporary.
        21611,
      ],
      recipient: [21211, 21408, 21610, 21612, 21614],
      content: [21617],
    }),
  }),
  check: { get: (credentials) => `${accountOf(credentials)}.json` },
  events: {
    proof: 'HMAC-SHA1 of URL and form with the auth token (`X-Twilio-Signature`)',
    verify: (call, { credentials: { token } }) => {
      if (!token) return notGenuine('The integration has no credentials.token to check with');
      const given = call.headers['x-twilio-signature'] ?? '';
      const fields = signedPart(call);
      const isGenuine =
        fields !== undefined &&
        spellingsOf(call.url).some((url) => isSame(given, hmac('sha1', token, url + fields, 'base64')));
      return isGenuine
        ? GENUINE
        : notGenuine(`The signature does not fit the form, the auth token and the address ${withoutQuery(call.url)}`);
    },
    parse: (call) => {
      const { MessageSid: sid, MessageStatus: status = '', ErrorCode: code, ErrorMessage, To } = fieldsOf(call);
      const kind = EVENT_KINDS.get(status);
      if (!kind || !sid) return [];
      return [
        {
          id: `${sid} ${status}`,
          kind,
          providerMessageId: sid,
          recipient: To,
          isPermanent: kind === 'bounced' ? DEAD_NUMBERS.has(code ?? '') : undefined,
          reason: ErrorMessage ?? (code ? `Error ${code}` : undefined),
        },
      ];
    },
  },
});

/** Each region has its own edge location. */
const EDGES: Readonly<Record<string, string>> = {
  au1: 'sydney',
  br1: 'sao-paulo',
  de1: 'frankfurt',
  ie1: 'dublin',
  jp1: 'tokyo',
  jp2: 'osaka',
  sg1: 'singapore',
  us1: 'ashburn',
  us2: 'umatilla',
};

/** An unknown region selects the first one, where keys of the other regions are not valid. */
function accountOf({ accountSid = '', region = '' }: CredentialsDto): string {
  const name = region.toLowerCase();
  const host = Object.hasOwn(EDGES, name) ? `api.${EDGES[name]}.${name}.twilio.com` : 'api.twilio.com';
  return `https://${host}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}`;
}
