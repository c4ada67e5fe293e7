import { reading } from '../adapter';
import { basic, formFields } from '../call';
import { type DeliveryEventKind, type DeliveryEvents, formBody, GENUINE, hmac, isSame, notGenuine } from '../events';
import { smsProvider } from './sms-provider';

const EVENT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({
    sent: 'sent',
    delivered: 'delivered',
    read: 'read',
    undelivered: 'bounced',
    failed: 'failed',
    canceled: 'failed',
  } as const),
);
/** Of numbers that do not exist, and of those that take no messages. */
const DEAD_NUMBERS: ReadonlySet<string> = new Set(['30005', '30006']);

const events: DeliveryEvents = {
  proof: 'HMAC-SHA1 of URL and form with the auth token (`X-Twilio-Signature`)',
  verify: (call, { credentials: { token } }) => {
    if (!token) return notGenuine('The integration has no credentials.token to check with');
    const given = call.headers['x-twilio-signature'] ?? '';
    const fields = signedFields(formBody(call));
    // With or without the port: proxies differ in what they tell.
    const isGenuine = [call.url, withoutPort(call.url)].some((url) =>
      isSame(given, hmac('sha1', token, url + fields, 'base64')),
    );
    return isGenuine
      ? GENUINE
      : notGenuine(`The signature does not fit the form, the auth token and the address ${withoutQuery(call.url)}`);
  },
  parse: (call) => {
    const form = formBody(call);
    const [sid, status, code] = ['MessageSid', 'MessageStatus', 'ErrorCode'].map((name) => form.get(name) ?? '');
    const kind = EVENT_KINDS.get(status!);
    if (!kind || !sid) return [];
    return [
      {
        id: `${sid} ${status}`,
        kind,
        providerMessageId: sid,
        recipient: form.get('To') ?? undefined,
        isPermanent: kind === 'bounced' ? DEAD_NUMBERS.has(code!) : undefined,
        reason: form.get('ErrorMessage') ?? (code ? `Error ${code}` : undefined),
      },
    ];
  },
};

/** Names in their order, each followed by its values; the same value twice counts once. */
const signedFields = (form: URLSearchParams): string =>
  [...new Set(form.keys())]
    .sort()
    .flatMap((name) => [...new Set(form.getAll(name))].sort().map((value) => name + value))
    .join('');

const withoutPort = (url: string): string => url.replace(/^(https?:\/\/[^/:]+):\d+/, '$1');
const withoutQuery = (url: string): string => url.split('?', 1)[0]!;

export const twilio = smsProvider({
  id: 'twilio',
  displayName: 'Twilio',
  required: ['accountSid', 'token', 'from'],
  evidence: 'official',
  events,
  overrides: {
    names: [
      'StatusCallback',
      'MessagingServiceSid',
      'ApplicationSid',
      'MaxPrice',
      'ProvideFeedback',
      'Attempt',
      'ValidityPeriod',
      'ForceDelivery',
      'ContentRetention',
      'AddressRetention',
      'SmartEncoded',
      'PersistentAction',
      'TrafficType',
      'ShortenUrls',
      'ScheduleType',
      'SendAt',
      'SendAsMms',
      'MediaUrl',
      'ContentSid',
      'ContentVariables',
      'RiskCheck',
    ],
    casing: 'pascal',
  },
  request: (message, { accountSid = '', token = '' }, { fields, callbackUrl }) => ({
    // Without the suffix the answer is XML.
    url: `${HOST}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
    headers: { authorization: basic(accountSid, token) },
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
    kinds: {
      20003: 'credentials',
      20429: 'rate-limited',
      // A sender whose queue is full: comes as a 4xx, and passes.
      21611: 'rate-limited',
      21211: 'recipient',
      21408: 'recipient',
      21610: 'recipient',
      21612: 'recipient',
      21614: 'recipient',
      21606: 'credentials',
      21608: 'credentials',
      21617: 'content',
    },
  }),
  check: {
    request: ({ accountSid = '', token = '' }) => ({
      method: 'GET',
      url: `${HOST}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}.json`,
      headers: { authorization: basic(accountSid, token) },
    }),
  },
});

const HOST = 'https://api.twilio.com';
