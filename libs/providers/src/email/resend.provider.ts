import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bearer, compact, textFields } from '../call';
import {
  dateOf,
  eventKinds,
  eventsOf,
  GENUINE,
  isRecent,
  isSame,
  NO_SIGNING_KEY,
  objectsIn,
  STALE,
  WRONG_SIGNATURE,
} from '../events';
import { textAt } from '../json-paths';
import { retryAfter } from '../outcome';
import { type SendResult } from '../provider';
import { signature } from '../webhook';
import {
  base64Of,
  checked,
  emailProvider,
  headersOrNone,
  mailbox,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
} from './email-provider';

const HOST = 'https://api.resend.com';

const EVENT_KINDS = eventKinds({
  sent: ['email.sent'],
  delivered: ['email.delivered'],
  deferred: ['email.delivery_delayed'],
  bounced: ['email.bounced'],
  rejected: ['email.suppressed'],
  failed: ['email.failed'],
  opened: ['email.opened'],
  clicked: ['email.clicked'],
  complained: ['email.complained'],
});

const PERMANENT = 'Permanent';

/** The tags are returned as a list or as an object. */
function messageIdOf({ data }: JsonObject): string | undefined {
  if (!isJsonObject(data)) return undefined;
  const { tags = null } = data;
  if (!Array.isArray(tags)) return textAt(tags, ['message_id']);
  return textAt(
    tags.find((tag) => textAt(tag, ['name']) === 'message_id'),
    ['value'],
  );
}

export const resend = emailProvider({
  id: 'resend',
  displayName: 'Resend',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  idempotency: 'Idempotency-Key header',
  overrides: {
    names: ['scheduled_at', 'tags', 'headers', 'attachments', 'reply_to', 'topic_id', 'template'],
    casing: 'snake',
  },
  // There is a batch endpoint, but its idempotency key covers the whole call, so duplicates of one message are not
  // detected.
  request: (message) => ({
    url: `${HOST}/emails`,
    headers: { 'idempotency-key': message.id },
    body: {
      from: mailbox(message),
      to: [...message.to],
      cc: [...message.cc],
      bcc: [...message.bcc],
      reply_to: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: headersOrNone(message),
      attachments: message.attachments.map((attachment) =>
        compact({
          filename: attachment.name,
          content: base64Of(attachment),
          content_type: attachment.mime,
          content_id: attachment.cid,
        }),
      ),
      tags: [{ name: 'message_id', value: message.id }, ...tagsOf(message)],
    },
  }),
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey), 'user-agent': 'clarion' }),
  read: (answer, message, { now }) => {
    const result = withLeftOutParts(read(answer), 'Resend', {
      ipPoolName: message.ipPoolName !== undefined,
      'customData that is not a valid tag': tagsOf(message).length < Object.keys(message.customData ?? {}).length,
    });
    const wait = retryAfter(answer.headers['retry-after'] ?? answer.headers['ratelimit-reset'], now());
    const isPassing = !result.ok && result.kind === 'rate-limited';
    return isPassing && wait !== undefined ? ({ ...result, retryAfterMs: wait } as SendResult) : result;
  },
  check: {
    get: () => `${HOST}/domains`,
    // A key with only the permission to send is valid, but cannot read.
    read: (answer) => (answer.at('name') === 'restricted_api_key' ? answer.accepted() : checked(answer, read)),
  },
  // Signed as Standard Webhooks specifies, with the older header names.
  events: {
    proof: 'HMAC-SHA256 of id, time and body (`svix-signature`)',
    verify: ({ headers, body }, { signingKey, now }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const { 'svix-id': id = '', 'svix-timestamp': timestamp = '', 'svix-signature': signatures = '' } = headers;
      if (!isRecent(timestamp, now())) return STALE;
      const expected = `v1,${signature(signingKey, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))}`;
      // During a key rotation there is one signature for each key.
      return signatures.split(' ').some((given) => isSame(given, expected)) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) =>
      eventsOf(objectsIn(call), (at, event) => {
        const kind = EVENT_KINDS.get(at('type') ?? '');
        const id = call.headers['svix-id'];
        if (!kind || !id) return undefined;
        const to = isJsonObject(event['data']) && Array.isArray(event['data']['to']) ? event['data']['to'] : [];
        return {
          id,
          kind,
          providerMessageId: at('data', 'email_id'),
          messageId: messageIdOf(event),
          // With several recipients the event does not name the one it is about.
          recipient: to.length === 1 ? at('data', 'to', 0) : undefined,
          at: dateOf(at('created_at')),
          // A missing type counts as permanent, because Resend reports temporary failures as delayed.
          isPermanent: kind === 'bounced' ? (at('data', 'bounce', 'type') ?? PERMANENT) === PERMANENT : undefined,
          reason:
            at('data', 'bounce', 'message') ??
            at('data', 'failed', 'reason') ??
            at('data', 'suppressed', 'message') ??
            at('data', 'click', 'link'),
        };
      }),
  },
});

const TAG = /^[\w-]{1,256}$/;

/** Tags allow few characters. With any other character Resend rejects the whole message. */
const tagsOf = ({ customData = {} }: ReadyEmail): JsonObject[] =>
  Object.entries(textFields(customData)).flatMap(([name, value]) =>
    TAG.test(name) && TAG.test(value) ? [{ name, value }] : [],
  );

const read = reading({
  id: ['id'],
  message: ['message'],
  code: ['name'],
  kinds: byKind({
    // Both have status 429, but a short wait does not help.
    quota: ['daily_quota_exceeded', 'monthly_quota_exceeded'],
    transient: ['concurrent_idempotent_requests'],
    content: ['missing_required_field', 'invalid_attachment'],
    credentials: ['invalid_from_address'],
  }),
});
