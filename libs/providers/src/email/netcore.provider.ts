import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { baseUrlOf, compact, merge } from '../call';
import { bySharedKey, dateOf, eventKinds, eventsOf, objectsIn } from '../events';
import { parseWithIds, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import {
  addressOf,
  base64Of,
  emailProvider,
  hasCustomData,
  headersOrNone,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
} from './email-provider';

/** Accounts get a host for their region, and keep the API version that they started with. */
const urlOf = ({ baseUrl }: CredentialsDto): string => {
  const base = baseUrlOf(baseUrl || 'https://emailapi.netcorecloud.net');
  return `${base}${/\/v\d[\d.]*$/.test(base) ? '' : VERSION}/mail/send`;
};
const VERSION = '/v5.1';

/** The field with Clarion's message id, and its name in the events. */
const MESSAGE_ID_FIELD = 'token_to';
const MESSAGE_ID_IN_EVENTS = 'X-APIHEADER';

/** The documentation spells event names in the infinitive and in the past tense. */
const EVENT_KINDS = eventKinds({
  delivered: ['send', 'sent'],
  bounced: ['bounce', 'bounced'],
  rejected: ['invalid', 'drop', 'dropped'],
  opened: ['open', 'opened'],
  clicked: ['click', 'clicked'],
  complained: ['spam'],
  unsubscribed: ['unsub', 'unsubscribed'],
});

export const netcore = emailProvider({
  id: 'netcore',
  displayName: 'Netcore',
  required: ['apiKey', ...SENDER],
  optional: ['baseUrl'],
  evidence: 'third-party',
  overrides: {
    names: ['template_id', 'tags', 'schedule', 'settings', 'attributes', 'headers', 'reply_to', 'lint_payload'],
    casing: 'snake',
  },
  request: (message, credentials, { fields }) => ({
    url: urlOf(credentials),
    headers: { api_key: credentials.apiKey ?? '' },
    json: bodyOf(message, fields),
  }),
  read: (answer, message) =>
    withLeftOutParts(read(answer), 'Netcore', {
      'pictures inside the HTML': message.attachments.some(({ cid }) => cid !== undefined),
      customData: hasCustomData(message),
    }),
  events: {
    ...bySharedKey,
    parse: (call) =>
      eventsOf(objectsIn(call, 'TRANSID'), (at) => {
        const name = (at('EVENT') ?? '').toLowerCase();
        const kind = EVENT_KINDS.get(name);
        const providerMessageId = at('TRANSID');
        if (!kind || providerMessageId === undefined) return undefined;
        return {
          id: [providerMessageId, name, at('TIMESTAMP'), at('EMAIL'), at('URL')].join(' '),
          kind,
          providerMessageId,
          messageId: at(MESSAGE_ID_IN_EVENTS),
          recipient: at('EMAIL'),
          at: dateOf(at('TIMESTAMP')),
          ...(kind === 'bounced' && { isPermanent: /hard/i.test(at('BOUNCE_TYPE') ?? '') }),
          ...(name === 'invalid' && { isPermanent: true }),
          reason: at('BOUNCE_REASON') ?? at('RESPONSE') ?? at('URL'),
        };
      }),
  },
});

/** Settings of a recipient are one level deeper than the rest. */
function bodyOf(message: ReadyEmail, { attributes, headers, ...fields }: JsonObject): JsonObject {
  const personalization = compact({
    to: message.to.map(addressOf),
    cc: message.cc.map(addressOf),
    bcc: message.bcc.map(addressOf),
    headers: headersOrNone(message),
    attachments: message.attachments.map((attachment) => ({ name: attachment.name, content: base64Of(attachment) })),
    [MESSAGE_ID_FIELD]: message.id,
  });
  const body = compact({
    from: compact({ email: message.from, name: message.senderName || undefined }),
    reply_to: message.replyTo,
    subject: message.subject,
    content: [{ type: 'html', value: message.html }],
    personalizations: [merge(personalization, compact({ attributes, headers }))],
    settings: message.ipPoolName === undefined ? undefined : { ip_pool: message.ipPoolName },
  });
  return merge(body, fields);
}

/** An error is a list, an object or a text. */
function errorTextOf({ json }: Answer): string | undefined {
  if (!isJsonObject(json)) return undefined;
  const errors = json['error_info'] ?? json['error'];
  const texts = (Array.isArray(errors) ? errors : [errors]).flatMap((error) => {
    const text = textAt(error, []) ?? textAt(error, ['message']);
    const field = textAt(error, ['field']);
    return text === undefined ? [] : [field === undefined ? text : `${field}: ${text}`];
  });
  return texts.length > 0 ? texts.join('; ') : textAt(json, ['message']);
}

const read = reading({
  id: (answer) => textAt(parseWithIds(answer.text, 'message_id'), ['data', 'message_id']),
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: (answer) => answer.at('status') !== 'error',
  message: errorTextOf,
  code: (answer) => (answer.at('status') === 'error' && (answer.isOk || answer.status === 400) ? 'refused' : undefined),
  kinds: { refused: 'content' },
});
