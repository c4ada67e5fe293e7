import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { compact, merge } from '../call';
import { bySharedKey, dateOf, type DeliveryEvent, type DeliveryEvents, objectsIn } from '../events';
import { type Answer, retryAfter, textAt } from '../outcome';
import { type SendResult } from '../provider';
import { base64Of, checked, emailProvider, leftOut, type ReadyEmail, SENDER, warned } from './email-provider';

const HOST = 'https://api.brevo.com/v3';

/** Of the mail; it comes back on every event. */
const OWN_ID_HEADER = 'X-Mailin-custom';
/** Not a header of the call but of the mail; has to be a UUID, and is kept for half an hour. */
const IDEMPOTENCY_HEADER = 'idempotencyKey';

/** Names of the calls; the camel case ones are those by which webhooks are ordered. */
const KINDS: ReadonlyMap<string, Pick<DeliveryEvent, 'kind' | 'isPermanent'>> = new Map<
  string,
  Pick<DeliveryEvent, 'kind' | 'isPermanent'>
>([
  ['request', { kind: 'sent' }],
  ['delivered', { kind: 'delivered' }],
  ['deferred', { kind: 'deferred' }],
  ['hard_bounce', { kind: 'bounced', isPermanent: true }],
  ['soft_bounce', { kind: 'bounced', isPermanent: false }],
  ['invalid_email', { kind: 'rejected', isPermanent: true }],
  ['blocked', { kind: 'rejected' }],
  ['error', { kind: 'failed' }],
  ['spam', { kind: 'complained' }],
  ['opened', { kind: 'opened' }],
  ['unique_opened', { kind: 'opened' }],
  ['click', { kind: 'clicked' }],
  ['unsubscribed', { kind: 'unsubscribed' }],
  // Pictures that a mail program fetches before anybody looks (proxy_open) say nothing.
]);

/** The answer to a message has the brackets around its id, not every event has. */
const withoutBrackets = (id: string | undefined): string | undefined => id?.replace(/^<|>$/g, '');

const events: DeliveryEvents = {
  ...bySharedKey,
  parse: (call) =>
    objectsIn(call).flatMap((event) => {
      const at = (name: string): string | undefined => textAt(event, [name]);
      const known = KINDS.get(at('event') ?? '');
      const message = withoutBrackets(at('message-id'));
      if (!known || message === undefined) return [];
      // `date` is in the time of Paris, and `id` is the webhook's.
      const time = at('ts_event') ?? at('ts_epoch') ?? at('ts');
      return [
        {
          ...known,
          id: [message, known.kind, time, at('email'), at('link')].join(' '),
          messageId: at(OWN_ID_HEADER),
          providerMessageId: message,
          recipient: at('email'),
          at: dateOf(time),
          reason: at('reason') ?? at('link'),
        },
      ];
    }),
};

const headersOf = ({ apiKey = '' }: CredentialsDto): Record<string, string> => ({
  accept: 'application/json',
  'api-key': apiKey,
});

export const sendinblue = emailProvider({
  id: 'sendinblue',
  displayName: 'Brevo',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  idempotency: `${IDEMPOTENCY_HEADER} among the headers of the mail, for 30 minutes`,
  events,
  overrides: {
    names: [
      'replyTo',
      'subject',
      'htmlContent',
      'textContent',
      'attachment',
      'headers',
      'templateId',
      'params',
      'tags',
      'scheduledAt',
      'batchId',
    ],
    casing: 'camel',
  },
  // No batch although there is one: its key is one for all, and so are its headers.
  request: (message, credentials, { fields }) => ({
    url: `${HOST}/smtp/email`,
    headers: headersOf(credentials),
    json: merge(bodyOf(message), fields),
  }),
  read: (answer, message, { now }) => {
    if (answer.at('code') === 'duplicate_parameter')
      return warned(answer.accepted(message.id), ['Brevo had this message already and did not send it again']);
    const result = read(answer);
    if (!result.ok && result.kind === 'rate-limited') {
      const wait = retryAfter(answer.headers['retry-after'] ?? answer.headers['x-sib-ratelimit-reset'], now());
      return { ...result, ...(wait !== undefined && { retryAfterMs: wait }) } satisfies SendResult;
    }
    const pictures = message.attachments.filter(({ cid }) => cid !== undefined);
    return warned(
      leftOut(result, 'Brevo', { ipPoolName: message.ipPoolName !== undefined }),
      pictures.map(({ name }) => `Brevo has no pictures inside the HTML: ${name} is attached as a file`),
    );
  },
  check: {
    request: (credentials) => ({ method: 'GET', url: `${HOST}/account`, headers: headersOf(credentials) }),
    read: (answer) => checked(answer, read),
  },
});

const person = (email: string): JsonObject => ({ email });

const bodyOf = (message: ReadyEmail): JsonObject =>
  compact({
    sender: compact({ email: message.from, name: message.senderName || undefined }),
    to: message.to.map(person),
    cc: message.cc.map(person),
    bcc: message.bcc.map(person),
    replyTo: message.replyTo === undefined ? undefined : person(message.replyTo),
    subject: message.subject,
    htmlContent: message.html,
    textContent: message.text,
    attachment: message.attachments.map((attachment) => ({ name: attachment.name, content: base64Of(attachment) })),
    headers: { ...message.headers, [OWN_ID_HEADER]: message.id, [IDEMPOTENCY_HEADER]: message.id },
    params: message.customData,
  });

const read = reading({
  // Several where the trigger passed several versions through.
  id: (answer) => withoutBrackets(answer.at('messageId') ?? answer.at('messageIds', 0)),
  date: ({ headers }) => dateOf(headers['date']),
  message: ['message'],
  code: codeOf,
  kinds: {
    unauthorized: 'credentials',
    permission_denied: 'credentials',
    account_under_validation: 'credentials',
    not_enough_credits: 'quota',
    'bad recipient': 'recipient',
    invalid_parameter: 'content',
    missing_parameter: 'content',
    out_of_range: 'content',
    document_not_found: 'content',
    bad_request: 'content',
  },
});

/** One code covers every field; the words end with its name. */
function codeOf(answer: Answer): string | undefined {
  const isAboutARecipient = /\bin (to|cc|bcc)\b/i.test(answer.at('message') ?? '');
  const code = answer.at('code');
  return code === 'invalid_parameter' && isAboutARecipient ? 'bad recipient' : code;
}
