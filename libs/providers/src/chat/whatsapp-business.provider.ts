import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer, type Call, merge, words } from '../call';
import {
  dateOf,
  type DeliveryEvent,
  type DeliveryEventKind,
  GENUINE,
  hmac,
  isSame,
  jsonBody,
  notGenuine,
  WRONG_SIGNATURE,
} from '../events';
import { listAt, textAt } from '../json-paths';
import { isMissingEndpoint, refused } from '../outcome';
import { oneNumber } from '../phone-number';
import { type FailureKind, type ProviderError } from '../provider';
import { chatProvider } from './chat-provider';

const API = 'https://graph.facebook.com/v22.0';

/** Message types that a trigger may send instead of text, each with an object of the same name. */
const TYPES = words('template interactive image document audio video sticker location contacts reaction');
const WITH_CAPTION: ReadonlySet<string> = new Set(['image', 'document', 'video']);

const EVENT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({ sent: 'sent', delivered: 'delivered', read: 'read', failed: 'failed' } as const),
);
/** The recipient has opted out of marketing messages. */
const OPTED_OUT = '131050';

const membersOf = (value: Json | undefined, name: string): JsonObject[] => listAt(value, name).filter(isJsonObject);

function eventOf(status: JsonObject): DeliveryEvent[] {
  const at = (...path: (string | number)[]): string | undefined => textAt(status, path);
  const [providerMessageId, state = '', time] = [at('id'), at('status'), at('timestamp')];
  const kind = EVENT_KINDS.get(state);
  if (!kind || providerMessageId === undefined) return [];
  const recipient = at('recipient_id');
  return [
    {
      // The events have no id.
      id: [providerMessageId, state, time, recipient].join(' '),
      kind: at('errors', 0, 'code') === OPTED_OUT ? 'unsubscribed' : kind,
      messageId: at('biz_opaque_callback_data'),
      providerMessageId,
      recipient,
      at: dateOf(time),
      reason: at('errors', 0, 'error_data', 'details') ?? at('errors', 0, 'message') ?? at('errors', 0, 'title'),
    },
  ];
}

export const whatsappBusiness = chatProvider({
  id: 'whatsapp-business',
  displayName: 'WhatsApp Business',
  required: ['apiToken', 'phoneNumberIdentification'],
  // The secret of the app, and the token that Meta sends in the webhook handshake.
  optional: ['secretKey', 'token'],
  evidence: 'official',
  unsupported: ['blocks', 'channel'],
  overrides: { names: ['type', 'text', 'context', ...TYPES], casing: 'snake' },
  request: (message, credentials, { fields }) => {
    const to = oneNumber(message.phoneNumber ?? '');
    if (to === undefined) {
      return refused('The subscriber has no phone number of digits, with or without a +', 'recipient');
    }
    const call = callOf(credentials, '/messages');
    if ('ok' in call) return call;
    const named = fields['type'];
    const type = typeof named === 'string' ? named : (TYPES.find((name) => name in fields) ?? 'text');
    const body: JsonObject = {
      messaging_product: 'whatsapp',
      recipient_type: 'individual',
      to,
      type,
      ...contentAs(type, message.content),
      // Meta returns it with every event of this message.
      biz_opaque_callback_data: message.id,
    };
    return { ...call, json: merge(body, fields) };
  },
  read: (answer) => {
    const result = read(answer);
    const state = answer.at('messages', 0, 'message_status') ?? 'accepted';
    return result.ok && state !== 'accepted'
      ? { ...result, warnings: [`WhatsApp accepted the message but may not deliver it: ${state}`] }
      : result;
  },
  check: {
    request: (credentials) => {
      const call = callOf(credentials, '?fields=id');
      return 'ok' in call ? call : { ...call, method: 'GET' };
    },
    read: (answer) => {
      if (answer.isOk) return answer.acceptedAs(answer.at('id'));
      // Every rejection by Meta has a code.
      return isMissingEndpoint(answer) && answer.at('error', 'code') === undefined ? answer.accepted() : read(answer);
    },
  },
  events: {
    proof: 'HMAC-SHA256 of the body (X-Hub-Signature-256)',
    verify: ({ headers, body }, { credentials: { secretKey }, signingKey }) => {
      const keys = [secretKey, signingKey].filter((key) => key !== undefined && key !== '');
      if (keys.length === 0) {
        return notGenuine("The integration has no secretKey (the app's secret) to check with");
      }
      const given = headers['x-hub-signature-256'] ?? '';
      return keys.some((key) => isSame(given, `sha256=${hmac('sha256', key!, body)}`)) ? GENUINE : WRONG_SIGNATURE;
    },
    handshake: ({ method, url }, { credentials: { token }, signingKey }) => {
      if (method !== 'GET') return undefined;
      const query = new URL(url).searchParams;
      const challenge = query.get('hub.challenge') ?? '';
      const expected = token || signingKey;
      const isValid =
        !!expected && query.get('hub.mode') === 'subscribe' && isSame(query.get('hub.verify_token') ?? '', expected);
      // The challenge is echoed, so it must not contain anything that a browser would execute.
      return isValid && /^[\w.-]{1,256}$/.test(challenge)
        ? { status: 200, headers: { 'content-type': 'text/plain' }, body: challenge }
        : { status: 403 };
    },
    parse: (call) =>
      membersOf(jsonBody(call), 'entry')
        .flatMap((entry) => membersOf(entry, 'changes'))
        .flatMap((change) => membersOf(change['value'], 'statuses'))
        .flatMap(eventOf),
  },
});

function callOf({ phoneNumberIdentification = '', apiToken = '' }: CredentialsDto, rest: string): Call | ProviderError {
  // `me` would address the owner of the token.
  if (!/^[\w-]+$/.test(phoneNumberIdentification) || phoneNumberIdentification === 'me') {
    return refused(
      'phoneNumberIdentification is not the id of a phone number; Meta shows the id next to the number',
      'credentials',
    );
  }
  return { url: `${API}/${phoneNumberIdentification}${rest}`, headers: { authorization: bearer(apiToken) } };
}

/** Pictures and files have the text as a caption. Templates and the other types have their own content. */
function contentAs(type: string, content: string): JsonObject {
  if (type === 'text') return { text: { body: content, preview_url: false } };
  return WITH_CAPTION.has(type) && content !== '' ? { [type]: { caption: content } } : {};
}

/** Meta's documentation asks clients to use the code instead of the status. */
const CODES: readonly [FailureKind, readonly number[]][] = [
  // Tokens, permissions, an account that is locked or blocked, a number that is deleted or not registered.
  ['credentials', [0, 3, 10, 33, 190, 368, 131005, 131031, 131037, 131045, 133010]],
  ['quota', [131042]],
  // Not on WhatsApp, same number as the sender, not on the list of a test account, part of an experiment, opted out, in
  // a restricted country.
  ['recipient', [131026, 131021, 131030, 130472, 131050, 130497]],
  // 131047: more than a day since the recipient's last message, so only templates are allowed. 132...: templates.
  [
    'content',
    [
      100, 131008, 131009, 131047, 131051, 131052, 131053, 132000, 132001, 132005, 132007, 132012, 132015, 132016,
      132068,
    ],
  ],
  ['rate-limited', [4, 80007, 130429, 131048, 131056, 132069, 133016]],
  ['transient', [1, 2, 131000, 131016, 131057, 133004]],
];

const read = reading({
  id: ['messages', 0, 'id'],
  isAccepted: (answer) => answer.at('error', 'code') === undefined,
  message: [
    ['error', 'error_data', 'details'],
    ['error', 'message'],
  ],
  code: (answer) => {
    const code = answer.at('error', 'code');
    // The codes 200 to 299 report a missing permission.
    return code !== undefined && /^2\d\d$/.test(code) ? PERMISSION_DENIED : code;
  },
  kinds: Object.fromEntries(CODES.flatMap(([kind, codes]) => codes.map((code) => [code, kind]))),
});

const PERMISSION_DENIED = '10';
