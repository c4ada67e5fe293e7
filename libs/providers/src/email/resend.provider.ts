import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer, compact, merge, textFields } from '../call';
import {
  dateOf,
  type DeliveryEventKind,
  type DeliveryEvents,
  GENUINE,
  isRecent,
  isSame,
  NO_SIGNING_KEY,
  objectsIn,
  STALE,
  WRONG_SIGNATURE,
} from '../events';
import { retryAfter, textAt } from '../outcome';
import { type SendResult } from '../provider';
import { signature } from '../webhook';
import { base64Of, checked, emailProvider, leftOut, mailbox, type ReadyEmail, SENDER } from './email-provider';

const HOST = 'https://api.resend.com';

const headersOf = ({ apiKey = '' }: CredentialsDto): Record<string, string> => ({
  authorization: bearer(apiKey),
  'user-agent': 'clarion',
});

const EVENT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({
    'email.sent': 'sent',
    'email.delivered': 'delivered',
    'email.delivery_delayed': 'deferred',
    'email.bounced': 'bounced',
    'email.suppressed': 'rejected',
    'email.failed': 'failed',
    'email.opened': 'opened',
    'email.clicked': 'clicked',
    'email.complained': 'complained',
  } as const),
);

const PERMANENT = 'Permanent';

/** Signed as the Standard Webhooks are, under the older names of the headers. */
const events: DeliveryEvents = {
  proof: 'HMAC-SHA256 of id, time and body (`svix-signature`)',
  verify: ({ headers, body }, { signingKey, now }) => {
    if (!signingKey) return NO_SIGNING_KEY;
    const { 'svix-id': id = '', 'svix-timestamp': timestamp = '', 'svix-signature': signatures = '' } = headers;
    if (!isRecent(timestamp, now())) return STALE;
    const expected = `v1,${signature(signingKey, Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]))}`;
    // While a key is being changed there is one for the old and one for the new.
    return signatures.split(' ').some((given) => isSame(given, expected)) ? GENUINE : WRONG_SIGNATURE;
  },
  parse: (call) =>
    objectsIn(call).flatMap((event) => {
      const at = (...path: (string | number)[]): string | undefined => textAt(event, path);
      const kind = EVENT_KINDS.get(at('type') ?? '');
      const id = call.headers['svix-id'];
      if (!kind || !id) return [];
      const to = isJsonObject(event['data']) && Array.isArray(event['data']['to']) ? event['data']['to'] : [];
      return [
        {
          id,
          kind,
          providerMessageId: at('data', 'email_id'),
          messageId: messageIdOf(event),
          // Of several nobody says which one it was.
          recipient: to.length === 1 ? at('data', 'to', 0) : undefined,
          at: dateOf(at('created_at')),
          // Without a word on it, too: what may pass is told as delayed.
          isPermanent: kind === 'bounced' ? (at('data', 'bounce', 'type') ?? PERMANENT) === PERMANENT : undefined,
          reason:
            at('data', 'bounce', 'message') ??
            at('data', 'failed', 'reason') ??
            at('data', 'suppressed', 'message') ??
            at('data', 'click', 'link'),
        },
      ];
    }),
};

/** The tag comes back as one of a list, or as a member of an object. */
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
  events,
  overrides: {
    names: ['scheduled_at', 'tags', 'headers', 'attachments', 'reply_to', 'topic_id', 'template'],
    casing: 'snake',
  },
  // No batch although there is one: its key is one for all, so a message of a lost call could not be known again.
  request: (message, credentials, { fields }) => {
    const body = compact({
      from: mailbox(message),
      to: [...message.to],
      cc: [...message.cc],
      bcc: [...message.bcc],
      reply_to: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: Object.keys(message.headers).length > 0 ? { ...message.headers } : undefined,
      attachments: message.attachments.map((attachment) =>
        compact({
          filename: attachment.name,
          content: base64Of(attachment),
          content_type: attachment.mime,
          content_id: attachment.cid,
        }),
      ),
      tags: [{ name: 'message_id', value: message.id }, ...tagsOf(message)],
    });
    return {
      url: `${HOST}/emails`,
      headers: { ...headersOf(credentials), 'idempotency-key': message.id },
      json: merge(body, fields),
    };
  },
  read: (answer, message, { now }) => {
    const result = leftOut(read(answer), 'Resend', {
      ipPoolName: message.ipPoolName !== undefined,
      'customData that is no tag': tagsOf(message).length < Object.keys(message.customData ?? {}).length,
    });
    const wait = retryAfter(answer.headers['retry-after'] ?? answer.headers['ratelimit-reset'], now());
    const isPassing = !result.ok && result.kind === 'rate-limited';
    return isPassing && wait !== undefined ? ({ ...result, retryAfterMs: wait } as SendResult) : result;
  },
  check: {
    request: (credentials) => ({ method: 'GET', url: `${HOST}/domains`, headers: headersOf(credentials) }),
    // A key that may only send is a good key; it just may not look.
    read: (answer) => (answer.at('name') === 'restricted_api_key' ? answer.accepted() : checked(answer, read)),
  },
});

const TAG = /^[\w-]{1,256}$/;

/** Tags hold few characters; with any other the whole message would be refused. */
const tagsOf = ({ customData = {} }: ReadyEmail): JsonObject[] =>
  Object.entries(textFields(customData)).flatMap(([name, value]) =>
    TAG.test(name) && TAG.test(value) ? [{ name, value }] : [],
  );

const read = reading({
  id: ['id'],
  message: ['message'],
  code: ['name'],
  kinds: {
    // Both come as 429, but no short wait helps.
    daily_quota_exceeded: 'quota',
    monthly_quota_exceeded: 'quota',
    concurrent_idempotent_requests: 'transient',
    missing_required_field: 'content',
    invalid_attachment: 'content',
    invalid_from_address: 'credentials',
  },
});
