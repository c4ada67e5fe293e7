import { reading } from '../adapter';
import { bearer, compact, merge } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { type ReadySms, smsProvider } from './sms-provider';

const API = 'https://api.sendchamp.com/api/v1';

const failure = reading({
  isTaken: () => false,
  message: ['message'],
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
          answer.at('data', 'reference') ?? answer.at('data', 'id') ?? answer.at('data', 'uid'),
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

const isTaken = (answer: Answer): boolean =>
  (answer.at('status') === 'success' || (answer.at('status_code') ?? answer.at('code')) === '200') &&
  answer.at('data', 'status') !== 'failed';
