import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { baseUrlOf } from '../call';
import { type DeliveryEventKind, GENUINE, hmac, isSame, NO_SIGNING_KEY, objectsIn, WRONG_SIGNATURE } from '../events';
import { parseWithIds, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { isGsmText, smsProvider, stateEvents } from './sms-provider';

const API = 'https://api.ng.termii.com';

/** The documentation does not list this type, but third-party clients use it. */
const UNICODE = 'unicode';

/** Statuses are sentences; these are their beginnings. */
const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  delivered: 'delivered',
  'message sent': 'sent',
  'message failed': 'failed',
  expired: 'failed',
  rejected: 'rejected',
  'dnd active': 'rejected',
};

export const termii = smsProvider({
  id: 'termii',
  displayName: 'Termii',
  required: ['apiKey', 'from'],
  optional: ['baseUrl'],
  evidence: 'official',
  overrides: { names: ['type', 'channel', 'media'], casing: 'snake' },
  request: (message, credentials) => ({
    url: `${apiOf(credentials)}/api/sms/send`,
    body: {
      api_key: credentials.apiKey,
      to: message.digits,
      from: message.from,
      sms: message.content,
      type: isGsmText(message.content) ? 'plain' : UNICODE,
      channel: 'generic',
    },
  }),
  read: reading({
    id: idOf,
    isAccepted: (answer) => idOf(answer) !== undefined,
    message: ['message'],
    code: ({ json }) => {
      const text = textAt(json, ['message']) ?? '';
      if (/balance/i.test(text)) return 'balance';
      return /sender|api.?key/i.test(text) ? 'access' : undefined;
    },
    kinds: { balance: 'quota', access: 'credentials' },
  }),
  check: {
    get: (credentials) =>
      `${apiOf(credentials)}/api/get-balance?api_key=${encodeURIComponent(credentials.apiKey ?? '')}`,
  },
  events: {
    proof: 'HMAC-SHA512 of the body with the secret key of the account (`X-Termii-Signature`)',
    verify: ({ headers, body }, { signingKey }) => {
      if (!signingKey) return NO_SIGNING_KEY;
      const given = (headers['x-termii-signature'] ?? '').toLowerCase();
      return isSame(given, hmac('sha512', signingKey, body)) ? GENUINE : WRONG_SIGNATURE;
    },
    parse: (call) =>
      objectsIn(call, 'message_id').flatMap((report) => {
        const state = (textAt(report, ['status']) ?? '').toLowerCase();
        return stateEvents(EVENT_KINDS, {
          id: textAt(report, ['message_id']),
          state: Object.keys(EVENT_KINDS).find((beginning) => state.startsWith(beginning)),
          recipient: textAt(report, ['receiver']),
          reason: textAt(report, ['status']),
        });
      }),
  },
});

function idOf({ text }: Answer): string | undefined {
  const json = parseWithIds(text, 'message_id');
  return textAt(json, ['message_id_str']) ?? textAt(json, ['message_id']);
}

/** Newer accounts have their own base URL. */
const apiOf = ({ baseUrl }: CredentialsDto): string => baseUrlOf(baseUrl || API);
