import type { JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { compact, merge, textFields, words } from '../call';
import { bySharedKey, dateOf, type DeliveryEvent, eventsOf, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import {
  base64Of,
  checked,
  emailProvider,
  isSmall,
  mailbox,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

const HOST = 'https://api.postmarkapp.com';

/** Postmark accepts five times as many, but a larger response would exceed the response limit. */
const BATCH = 100;
/** A call may have 50 MB, and JSON encoding can double the size of a text. */
const SHARE_OF_A_CALL = Math.floor((50 * 1024 * 1024) / BATCH / 2);

type Meaning = Pick<DeliveryEvent, 'kind' | 'isPermanent'>;

/** Bounce types of Postmark that are permanent or are not bounces. */
const BOUNCES = new Map<string, Meaning | undefined>([
  ['HardBounce', { kind: 'bounced', isPermanent: true }],
  ['BadEmailAddress', { kind: 'bounced', isPermanent: true }],
  ['Transient', { kind: 'deferred' }],
  ['SpamComplaint', { kind: 'complained' }],
  ['Unsubscribe', { kind: 'unsubscribed' }],
  ['ManuallyDeactivated', { kind: 'rejected' }],
  ['DMARCPolicy', { kind: 'rejected' }],
  ['SMTPApiError', { kind: 'failed' }],
  ['TemplateRenderingFailed', { kind: 'failed' }],
  ['Subscribe', undefined],
  ['AutoResponder', undefined],
  ['AddressChange', undefined],
  ['OpenRelayTest', undefined],
  ['ChallengeVerification', undefined],
  ['InboundError', undefined],
]);

function meaningOf(event: JsonObject): Meaning | undefined {
  const at = (name: string): string | undefined => textAt(event, [name]);
  switch (at('RecordType')) {
    case 'Delivery':
      return { kind: 'delivered' };
    case 'Open':
      return { kind: 'opened' };
    case 'Click':
      return { kind: 'clicked' };
    case 'SpamComplaint':
      return { kind: 'complained' };
    case 'Bounce': {
      const type = at('Type') ?? '';
      // Postmark does not send to addresses that it has deactivated.
      return BOUNCES.has(type) ? BOUNCES.get(type) : { kind: 'bounced', isPermanent: at('Inactive') === 'true' };
    }
    case 'SubscriptionChange':
      // Bounces and complaints also change the subscription, but Postmark reports them separately.
      return at('SuppressSending') === 'true' &&
        at('Origin') === 'Recipient' &&
        at('SuppressionReason') !== 'SpamComplaint'
        ? { kind: 'unsubscribed' }
        : undefined;
    default:
      return undefined;
  }
}

export const postmark = emailProvider({
  id: 'postmark',
  displayName: 'Postmark',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  overrides: {
    names: words(`
      Subject Tag HtmlBody TextBody ReplyTo Headers TrackOpens TrackLinks Metadata Attachments MessageStream
    `),
    casing: 'pascal',
  },
  headers: ({ apiKey = '' }) => ({ accept: 'application/json', 'x-postmark-server-token': apiKey }),
  request: (message) => ({ url: `${HOST}/email`, body: bodyOf(message) }),
  read: (answer, message) => readFor(message, answer),
  batch: {
    size: BATCH,
    groupOf: (message) => (isSmall(message, SHARE_OF_A_CALL) ? '' : undefined),
    request: (items) => ({
      url: `${HOST}/email/batch`,
      json: items.map(({ message, fields }) => merge(bodyOf(message), fields)),
    }),
    // Entries are in the order of the messages. A list of another length cannot be assigned.
    read: (answer, items) => {
      const entries = Array.isArray(answer.json) && answer.json.length === items.length ? answer.json : undefined;
      return items.map(({ message }, index) => readFor(message, entries ? answer.part(entries[index]) : answer));
    },
  },
  check: {
    get: () => `${HOST}/server`,
    read: (answer) => checked(answer, read),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      eventsOf(objectsIn(call), (at, event) => {
        const meaning = meaningOf(event);
        const messageId = at('MessageID');
        if (!meaning || messageId === undefined) return undefined;
        const recipient = at('Recipient') ?? at('Email');
        const time = at('DeliveredAt') ?? at('BouncedAt') ?? at('ReceivedAt') ?? at('ChangedAt');
        return {
          ...meaning,
          // Bounces have an id, but with more digits than a JSON number can hold.
          id: [messageId, meaning.kind, at('Type'), time, recipient, at('OriginalLink')].join(' '),
          messageId: at('Metadata', 'message_id'),
          providerMessageId: messageId,
          recipient,
          at: dateOf(time),
          reason: at('Details') ?? at('Description') ?? at('OriginalLink'),
        };
      }),
  },
});

const bodyOf = (message: ReadyEmail): JsonObject =>
  compact({
    From: mailbox(message),
    To: message.to.join(', '),
    Cc: message.cc.join(', ') || undefined,
    Bcc: message.bcc.join(', ') || undefined,
    ReplyTo: message.replyTo,
    Subject: message.subject,
    HtmlBody: message.html,
    TextBody: message.text,
    Headers: Object.entries(message.headers).map(([Name, Value]) => ({ Name, Value })),
    Attachments: message.attachments.map((attachment) =>
      compact({
        Name: attachment.name,
        Content: base64Of(attachment),
        ContentType: attachment.mime,
        ContentID: attachment.cid === undefined ? undefined : `cid:${attachment.cid}`,
      }),
    ),
    // Postmark returns it with every event of this message.
    Metadata: { ...textFields(message.customData ?? {}), message_id: message.id },
  });

function readFor({ ipPoolName }: ReadyEmail, answer: Answer): SendResult {
  const errorText = answer.at('Message') ?? '';
  // Part of a success if some of the recipients are inactive.
  const result = withWarnings(read(answer), /will not deliver/i.test(errorText) ? [errorText] : []);
  return withLeftOutParts(result, 'Postmark', { ipPoolName: ipPoolName !== undefined });
}

const read = reading({
  id: ['MessageID'],
  date: ['SubmittedAt'],
  isAccepted: (answer) => (answer.at('ErrorCode') ?? '0') === '0',
  message: ['Message'],
  code: codeOf,
  kinds: byKind({
    // 412 and 413: an account that is not approved or was stopped.
    credentials: [10, 'bad sender', 400, 401, 412, 413],
    recipient: ['bad recipient', 406],
    content: [300, 411],
    // The account has no credits left.
    quota: [405],
    'rate-limited': [429],
    transient: [100],
  }),
});

/** One code covers all invalid requests; the text names the field. */
function codeOf(answer: Answer): string | undefined {
  const code = answer.at('ErrorCode');
  if (code !== '300') return code;
  const field = /'(From|To|Cc|Bcc)'/i.exec(answer.at('Message') ?? '')?.[1];
  return field === undefined ? code : /from/i.test(field) ? 'bad sender' : 'bad recipient';
}
