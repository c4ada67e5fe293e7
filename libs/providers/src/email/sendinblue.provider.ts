import type { JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { compact, words } from '../call';
import { bySharedKey, dateOf, type DeliveryEvent, eventsOf, objectsIn } from '../events';
import { type Answer, retryAfter } from '../outcome';
import { type SendResult } from '../provider';
import {
  addressOf,
  base64Of,
  checked,
  emailProvider,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

const HOST = 'https://api.brevo.com/v3';

/** A header of the mail. Brevo returns it with every event. */
const OWN_ID_HEADER = 'X-Mailin-custom';
/** A header of the mail, not of the call. Its value has to be a UUID, and Brevo keeps it for half an hour. */
const IDEMPOTENCY_HEADER = 'idempotencyKey';

/** Event names in calls. The webhook settings use camel case names for the same events. */
const KINDS = new Map<string, Pick<DeliveryEvent, 'kind' | 'isPermanent'>>([
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
  // proxy_open is left out: a mail program downloads the pictures before the recipient opens the mail.
]);

/** The response has angle brackets around the message id; some events do not. */
const withoutBrackets = (id: string | undefined): string | undefined => id?.replace(/^<|>$/g, '');

export const sendinblue = emailProvider({
  id: 'sendinblue',
  displayName: 'Brevo',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  idempotency: `${IDEMPOTENCY_HEADER} among the headers of the mail, for 30 minutes`,
  overrides: {
    names: words(`
      replyTo subject htmlContent textContent attachment headers templateId params tags scheduledAt batchId
    `),
    casing: 'camel',
  },
  // There is a batch endpoint, but one idempotency key and one set of headers apply to the whole call.
  headers: ({ apiKey = '' }) => ({ accept: 'application/json', 'api-key': apiKey }),
  request: (message) => ({
    url: `${HOST}/smtp/email`,
    body: bodyOf(message),
  }),
  read: (answer, message, { now }) => {
    if (answer.at('code') === 'duplicate_parameter')
      return withWarnings(answer.accepted(message.id), ['Brevo already had this message and did not send it again']);
    const result = read(answer);
    if (!result.ok && result.kind === 'rate-limited') {
      const wait = retryAfter(answer.headers['retry-after'] ?? answer.headers['x-sib-ratelimit-reset'], now());
      return { ...result, ...(wait !== undefined && { retryAfterMs: wait }) } satisfies SendResult;
    }
    const pictures = message.attachments.filter(({ cid }) => cid !== undefined);
    return withWarnings(
      withLeftOutParts(result, 'Brevo', { ipPoolName: message.ipPoolName !== undefined }),
      pictures.map(({ name }) => `Brevo does not support pictures inside the HTML: ${name} is attached as a file`),
    );
  },
  check: {
    get: () => `${HOST}/account`,
    read: (answer) => checked(answer, read),
  },
  events: {
    ...bySharedKey,
    parse: (call) =>
      eventsOf(objectsIn(call), (at) => {
        const known = KINDS.get(at('event') ?? '');
        const message = withoutBrackets(at('message-id'));
        if (!known || message === undefined) return undefined;
        // `date` is in Paris time, and `id` is the id of the webhook.
        const time = at('ts_event') ?? at('ts_epoch') ?? at('ts');
        return {
          ...known,
          id: [message, known.kind, time, at('email'), at('link')].join(' '),
          messageId: at(OWN_ID_HEADER),
          providerMessageId: message,
          recipient: at('email'),
          at: dateOf(time),
          reason: at('reason') ?? at('link'),
        };
      }),
  },
});

const bodyOf = (message: ReadyEmail): JsonObject =>
  compact({
    sender: compact({ email: message.from, name: message.senderName || undefined }),
    to: message.to.map(addressOf),
    cc: message.cc.map(addressOf),
    bcc: message.bcc.map(addressOf),
    replyTo: message.replyTo === undefined ? undefined : addressOf(message.replyTo),
    subject: message.subject,
    htmlContent: message.html,
    textContent: message.text,
    attachment: message.attachments.map((attachment) => ({ name: attachment.name, content: base64Of(attachment) })),
    headers: { ...message.headers, [OWN_ID_HEADER]: message.id, [IDEMPOTENCY_HEADER]: message.id },
    params: message.customData,
  });

const read = reading({
  // Several ids if the trigger passed several message versions through.
  id: (answer) => withoutBrackets(answer.at('messageId') ?? answer.at('messageIds', 0)),
  date: ({ headers }) => dateOf(headers['date']),
  message: ['message'],
  code: codeOf,
  kinds: byKind({
    credentials: ['unauthorized', 'permission_denied', 'account_under_validation'],
    quota: ['not_enough_credits'],
    recipient: ['bad recipient'],
    content: ['invalid_parameter', 'missing_parameter', 'out_of_range', 'document_not_found', 'bad_request'],
  }),
});

/** One code covers every field; the text ends with the field name. */
function codeOf(answer: Answer): string | undefined {
  const isAboutARecipient = /\bin (to|cc|bcc)\b/i.test(answer.at('message') ?? '');
  const code = answer.at('code');
  return code === 'invalid_parameter' && isAboutARecipient ? 'bad recipient' : code;
}
