import { isJsonObject } from '@clarion/contracts/core';
import { type Adapter, reading } from '../adapter';
import { bearer, compact, words } from '../call';
import { bySignedBody, dateOf, eventKinds, eventsOf, objectsIn } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import {
  addressOf,
  base64Of,
  checked,
  emailProvider,
  hasCustomData,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

const HOST = 'https://api.mailersend.com/v1';

const EVENT_KINDS = eventKinds({
  sent: ['sent'],
  delivered: ['delivered'],
  deferred: ['deferred'],
  bounced: ['soft_bounced', 'hard_bounced'],
  rejected: ['suppressed'],
  opened: ['opened'],
  clicked: ['clicked'],
  unsubscribed: ['unsubscribed'],
  complained: ['spam_complaint', 'spam_complaints'],
});

/** Where the reason is, in the older and the newer format of events. */
const REASONS = [
  ['morph', 'readable_reason'],
  ['morph', 'reason'],
  ['meta', 'bounce_reason'],
  ['meta', 'reject_reason'],
  ['meta', 'suppression_reason'],
  ['meta', 'unsubscribe_reason'],
];

const adapter: Adapter<ReadyEmail> = {
  id: 'mailersend',
  displayName: 'MailerSend',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  overrides: {
    names: words(`
      template_id personalization tags headers attachments reply_to in_reply_to references send_at precedence_bulk
      settings list_unsubscribe
    `),
    casing: 'snake',
  },
  // There is a batch endpoint, but it does not return a result per message.
  headers: ({ apiKey = '' }) => ({ accept: 'application/json', authorization: bearer(apiKey) }),
  request: (message) => ({
    url: `${HOST}/email`,
    body: {
      from: compact({ email: message.from, name: message.senderName || undefined }),
      to: message.to.map(addressOf),
      cc: message.cc.map(addressOf),
      bcc: message.bcc.map(addressOf),
      reply_to: message.replyTo === undefined ? undefined : addressOf(message.replyTo),
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: Object.entries(message.headers).map(([name, value]) => ({ name, value })),
      attachments: message.attachments.map((attachment) =>
        compact({
          content: base64Of(attachment),
          filename: attachment.name,
          disposition: attachment.cid === undefined ? (attachment.disposition ?? 'attachment') : 'inline',
          id: attachment.cid,
        }),
      ),
    },
  }),
  read: (answer, message) =>
    withLeftOutParts(readAnswer(answer, message.id), 'MailerSend', {
      ipPoolName: message.ipPoolName !== undefined,
      customData: hasCustomData(message),
    }),
  check: {
    get: () => `${HOST}/api-quota`,
    read: (answer) => checked(answer, read),
  },
  events: {
    ...bySignedBody('signature'),
    parse: (call) =>
      eventsOf(objectsIn(call), (fact) => {
        const at = (...path: string[]): string | undefined => fact('data', ...path);
        const name = (at('type') ?? fact('type') ?? '').replace(/^activity\./, '');
        const kind = EVENT_KINDS.get(name);
        const providerMessageId = at('message_id') ?? at('email', 'message', 'id');
        if (!kind || providerMessageId === undefined) return undefined;
        const recipient = at('recipient') ?? at('email', 'recipient', 'email');
        const time = at('created_at') ?? fact('created_at');
        return {
          id: at('id') ?? [providerMessageId, name, time, recipient].join(' '),
          kind,
          providerMessageId,
          recipient,
          at: dateOf(time),
          ...(kind === 'bounced' && { isPermanent: name === 'hard_bounced' }),
          reason: REASONS.map((path) => at(...path)).find((reason) => reason !== undefined),
        };
      }),
  },
};

// MailerSend accepts custom headers in its larger plans only, and refuses the message in the others.
export const mailersend = emailProvider(adapter, { unsubscribeHeaders: false });

/** Suppressed recipients, which MailerSend lists in a success. */
const suppressedIn = ({ json }: Answer): string[] =>
  listAt(json, 'warnings').flatMap((warning) =>
    listAt(warning, 'recipients').flatMap((one) => textAt(one, ['email']) ?? []),
  );

function readAnswer(answer: Answer, messageId: string): SendResult {
  // Status 202 means success. The id is in a header.
  const isNameless = answer.status === 202 && answer.headers['x-message-id'] === undefined && answer.text === '';
  const result = isNameless ? answer.accepted(messageId, dateOf(answer.headers['date'])) : read(answer);
  const isPaused = answer.headers['x-send-paused'] === 'true';
  return withWarnings(result, [
    ...suppressedIn(answer).map(
      (address) => `MailerSend does not send to ${address}, which is on its suppression list`,
    ),
    ...(isPaused ? ['The account is paused: MailerSend holds the message'] : []),
  ]);
}

/** The errors by field. */
const faultsOf = ({ json }: Answer): [field: string, texts: string][] => {
  const errors = isJsonObject(json) ? json['errors'] : undefined;
  return isJsonObject(errors)
    ? Object.entries(errors).map(([field, texts]) => [
        field,
        (Array.isArray(texts) ? texts : [texts]).map(String).join(' '),
      ])
    : [];
};

/** Codes in the error texts: an unverified sender, and the limits of a trial account. */
const UNVERIFIED_SENDER = '#MS42207';
const TRIAL_LIMIT = '#MS42225';

function codeOf(answer: Answer): string | undefined {
  // MailerSend answers 429 for the rate limit of a minute and for the quota of a day. The headers distinguish them.
  if (answer.status === 429) {
    const isDay = answer.headers['x-apiquota-remaining'] === '0' && answer.headers['retry-after'] === undefined;
    return isDay ? 'quota' : undefined;
  }
  if (answer.isOk) return suppressedIn(answer).length > 0 ? 'recipient' : undefined;
  if (answer.text.includes(TRIAL_LIMIT)) return 'quota';
  if (answer.text.includes(UNVERIFIED_SENDER)) return 'sender';
  const [field] = faultsOf(answer)[0] ?? [];
  if (field === undefined) return undefined;
  return /^(to|cc|bcc)\b/.test(field) ? 'recipient' : /^from\b/.test(field) ? 'sender' : 'content';
}

const read = reading({
  id: ({ headers }) => headers['x-message-id'],
  date: ({ headers }) => dateOf(headers['date']),
  // Without a message id all recipients were suppressed.
  isAccepted: (answer) => answer.headers['x-message-id'] !== undefined || suppressedIn(answer).length === 0,
  message: (answer) =>
    textAt(listAt(answer.json, 'warnings')[0], ['warning']) ??
    (faultsOf(answer)
      .map(([field, texts]) => `${field}: ${texts}`)
      .join('; ') ||
      answer.at('message')),
  code: codeOf,
  kinds: { quota: 'quota', recipient: 'recipient', sender: 'credentials', content: 'content' },
  // Maintenance.
  statuses: { 421: 'transient' },
});
