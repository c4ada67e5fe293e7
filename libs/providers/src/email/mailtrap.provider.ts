import { isJsonObject, type Json, type JsonObject, readJson } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer, compact, merge, textFields, words } from '../call';
import { bySignedBody, dateOf, eventKinds, eventsOf, type InboundCall, jsonBody } from '../events';
import { listAt, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import {
  addressOf,
  base64Of,
  checked,
  emailProvider,
  headersOrNone,
  isSmall,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
} from './email-provider';

const HOST = 'https://send.api.mailtrap.io';
/** The host of all endpoints except sending. */
const ACCOUNT_HOST = 'https://mailtrap.io';

/** Mailtrap accepts more than twice as many, but a larger response would exceed the response limit. */
const BATCH = 200;
/** A call may have 50 MB. */
const SHARE_OF_A_CALL = Math.floor((50 * 1024 * 1024) / BATCH / 2);

const EVENT_KINDS = eventKinds({
  delivered: ['delivery'],
  bounced: ['bounce'],
  deferred: [
    // Mailtrap keeps retrying.
    'soft bounce',
    'suspension',
  ],
  rejected: ['reject'],
  opened: ['open'],
  clicked: ['click'],
  complained: ['spam'],
  unsubscribed: ['unsubscribe'],
});

/** An object with a list, or one object per line, depending on the setup of the webhook. */
function eventsIn(call: InboundCall): Json[] {
  const json = jsonBody(call);
  if (isJsonObject(json)) return Array.isArray(json['events']) ? json['events'] : [json];
  if (Array.isArray(json)) return json;
  return call.body
    .toString('utf8')
    .split('\n')
    .flatMap((line) => readJson(line) ?? []);
}

export const mailtrap = emailProvider({
  id: 'mailtrap',
  displayName: 'Mailtrap',
  required: ['apiKey', ...SENDER],
  evidence: 'official',
  overrides: {
    names: words('category custom_variables headers attachments reply_to template_uuid template_variables'),
    casing: 'snake',
  },
  // Mailtrap may block calls without a user agent.
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey), 'user-agent': 'clarion' }),
  request: (message, _, { fields }) => ({ url: `${HOST}/api/send`, json: bodyOf(message, fields) }),
  read: (answer, message) => readFor(message, answer),
  batch: {
    size: BATCH,
    groupOf: (message) => (isSmall(message, SHARE_OF_A_CALL) ? '' : undefined),
    request: (items) => ({
      url: `${HOST}/api/batch`,
      json: { requests: items.map(({ message, fields }) => bodyOf(message, fields)) },
    }),
    // Entries are in the order of the messages. A list of another length cannot be assigned.
    read: (answer, items) => {
      const entries = listAt(answer.json, 'responses');
      const isWhole = entries.length === items.length;
      return items.map(({ message }, index) => readFor(message, isWhole ? answer.part(entries[index]) : answer));
    },
  },
  check: {
    get: () => `${ACCOUNT_HOST}/api/accounts`,
    read: (answer) => checked(answer, read),
  },
  events: {
    ...bySignedBody('mailtrap-signature'),
    parse: (call) =>
      eventsOf(eventsIn(call), (at) => {
        const kind = EVENT_KINDS.get((at('event') ?? '').replace('_', ' '));
        const providerMessageId = at('message_id');
        if (!kind || providerMessageId === undefined) return undefined;
        return {
          id: at('event_id') ?? [providerMessageId, kind, at('timestamp'), at('email'), at('url')].join(' '),
          kind,
          providerMessageId,
          messageId: at('custom_variables', 'message_id'),
          recipient: at('email'),
          at: dateOf(at('timestamp')),
          // A mail that was classified as spam bounces permanently, but its address is valid.
          ...(kind === 'bounced' && { isPermanent: at('bounce_category') !== 'spam' }),
          reason: at('reason') ?? at('response') ?? at('url'),
        };
      }),
  },
});

function bodyOf(message: ReadyEmail, fields: JsonObject): JsonObject {
  const body = compact({
    from: compact({ email: message.from, name: message.senderName || undefined }),
    to: message.to.map(addressOf),
    cc: message.cc.map(addressOf),
    bcc: message.bcc.map(addressOf),
    reply_to: message.replyTo === undefined ? undefined : addressOf(message.replyTo),
    // A template has its own content, and Mailtrap rejects both together.
    ...(!('template_uuid' in fields) && {
      subject: message.subject,
      html: message.html || undefined,
      text: message.text || undefined,
    }),
    attachments: message.attachments.map((attachment) =>
      compact({
        content: base64Of(attachment),
        filename: attachment.name,
        type: attachment.mime,
        disposition: attachment.cid === undefined ? attachment.disposition : 'inline',
        content_id: attachment.cid,
      }),
    ),
    headers: headersOrNone(message),
    // Mailtrap returns these with every event of this message.
    custom_variables: { ...textFields(message.customData ?? {}), message_id: message.id },
  });
  return merge(body, fields);
}

const readFor = (message: ReadyEmail, answer: Answer) =>
  withLeftOutParts(read(answer), 'Mailtrap', { ipPoolName: message.ipPoolName !== undefined });

/** A list of texts or, for some errors, one text. */
function errorTextOf({ json }: Answer): string | undefined {
  const errors = isJsonObject(json) ? (json['errors'] ?? json['error']) : undefined;
  const texts = (Array.isArray(errors) ? errors : [errors]).flatMap((error) => textAt(error, []) ?? []);
  return texts.length > 0 ? texts.join('; ') : undefined;
}

const read = reading({
  // One id per recipient, in their order.
  id: ['message_ids', 0],
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: (answer) => answer.at('success') === 'true',
  message: errorTextOf,
  // The status of a batch call does not apply to a single message.
  code: (answer) =>
    errorTextOf(answer) !== undefined && (answer.isOk || answer.status === 400) ? 'refused' : undefined,
  kinds: { refused: 'content' },
});
