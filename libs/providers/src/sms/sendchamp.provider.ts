import { reading } from '../adapter';
import { bearer } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { type ReadySms, smsProvider } from './sms-provider';

const HOST = 'https://api.sendchamp.com';
const API = `${HOST}/api/v1`;
/** The former path of the API, which some clients still use. */
const FORMER_API = `${HOST}/v1`;

const failure = reading({
  isAccepted: () => false,
  message: (answer) =>
    answer.at('message') ?? (answer.isOk ? (answer.at('data', 'status') ?? answer.at('status')) : undefined),
  // Errors have no codes, only texts.
  code: (answer) => {
    const text = answer.at('message') ?? '';
    if (/balance|insufficient/i.test(text)) return 'balance';
    return /sender/i.test(text) ? 'sender' : undefined;
  },
  kinds: { balance: 'quota', sender: 'credentials' },
});

export const sendchamp = smsProvider({
  id: 'sendchamp',
  displayName: 'Sendchamp',
  required: ['apiKey', 'from'],
  evidence: 'official',
  overrides: { names: ['route', 'country_code'], casing: 'snake' },
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey), accept: 'application/json' }),
  request: (message) => ({
    url: `${API}/sms/send`,
    otherUrl: `${FORMER_API}/sms/send`,
    body: {
      to: message.to,
      message: message.content,
      sender_name: message.from,
      route: routeOf(message),
    },
  }),
  // Not every response has an id; `business_id` is the id of the account.
  read: (answer) =>
    answer.isOk && isAccepted(answer)
      ? answer.accepted(
          answer.at('data', 'id') ?? answer.at('data', 'reference') ?? answer.at('data', 'uid'),
          dateOf(answer.at('data', 'created_at')),
        )
      : failure(answer),
  check: { get: () => `${API}/wallet-balance` },
});

/** The route for transactional messages within Nigeria, or the one for other countries. */
const routeOf = ({ digits }: ReadySms): string => (digits.startsWith('234') ? 'non_dnd' : 'international');

/** The status text decides; without it, the numeric code does. */
function isAccepted(answer: Answer): boolean {
  const code = answer.at('status_code') ?? answer.at('code');
  const state = answer.at('status') ?? (code === '200' ? 'success' : undefined);
  return state === 'success' && answer.at('data', 'status') !== 'failed';
}
