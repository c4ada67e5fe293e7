import { reading } from '../adapter';
import { bearer, compact, merge } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { type ReadySms, smsProvider } from './sms-provider';

const HOST = 'https://api.sendchamp.com';
const API = `${HOST}/api/v1`;
/** Some programs still call it here. */
const FORMER_API = `${HOST}/v1`;

const failure = reading({
  isTaken: () => false,
  message: (answer) =>
    answer.at('message') ?? (answer.isOk ? (answer.at('data', 'status') ?? answer.at('status')) : undefined),
  // It has no codes, only words.
  code: (answer) => {
    const words = answer.at('message') ?? '';
    if (/balance|insufficient/i.test(words)) return 'balance';
    return /sender/i.test(words) ? 'sender' : undefined;
  },
  kinds: { balance: 'quota', sender: 'credentials' },
});

export const sendchamp = smsProvider({
  id: 'sendchamp',
  displayName: 'Sendchamp',
  required: ['apiKey', 'from'],
  evidence: 'official',
  overrides: { names: ['route', 'country_code'], casing: 'snake' },
  request: (message, { apiKey = '' }, { fields }) => ({
    url: `${API}/sms/send`,
    otherUrl: `${FORMER_API}/sms/send`,
    headers: { authorization: bearer(apiKey), accept: 'application/json' },
    json: merge(
      compact({
        to: message.to,
        message: message.content,
        sender_name: message.from,
        route: routeOf(message),
      }),
      fields,
    ),
  }),
  // Not every answer has an id; `business_id` is the account's.
  read: (answer) =>
    answer.isOk && isTaken(answer)
      ? answer.accepted(
          answer.at('data', 'id') ?? answer.at('data', 'reference') ?? answer.at('data', 'uid'),
          dateOf(answer.at('data', 'created_at')),
        )
      : failure(answer),
  check: {
    request: ({ apiKey = '' }) => ({
      method: 'GET',
      url: `${API}/wallet-balance`,
      headers: { authorization: bearer(apiKey), accept: 'application/json' },
    }),
  },
});

/** The route for transactional messages at home in Nigeria, and the one for everywhere else. */
const routeOf = ({ digits }: ReadySms): string => (digits.startsWith('234') ? 'non_dnd' : 'international');

/** Its words count; only where there are none does the number. */
function isTaken(answer: Answer): boolean {
  const code = answer.at('status_code') ?? answer.at('code');
  const state = answer.at('status') ?? (code === '200' ? 'success' : undefined);
  return state === 'success' && answer.at('data', 'status') !== 'failed';
}
