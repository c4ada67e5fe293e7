import { reading } from '../adapter';
import { basic } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { smsProvider, stateEvents } from './sms-provider';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  'message-sending': 'sent',
  'message-delivered': 'delivered',
  'message-failed': 'failed',
};
/** Error codes of numbers that are malformed, not allocated, unknown to the carrier or deactivated. */
const DEAD_NUMBERS: ReadonlySet<string | undefined> = new Set(['4303', '4406', '4720', '4721']);

export const bandwidth = smsProvider({
  id: 'bandwidth',
  displayName: 'Bandwidth',
  required: ['user', 'password', 'accountSid', 'from'],
  optional: ['applicationId'],
  evidence: 'official',
  overrides: { names: ['media', 'priority', 'expiration'], casing: 'camel' },
  headers: ({ user = '', password = '' }) => ({ authorization: basic(user, password) }),
  request: (message, { accountSid = '', applicationId }) => ({
    url: `${accountUrl(accountSid)}/messages`,
    body: {
      applicationId: applicationId || accountSid,
      // Several numbers would form a group in which each member sees the replies of the others.
      to: [message.to],
      from: message.from,
      text: message.content,
      tag: message.id,
    },
  }),
  read: reading({ id: ['id'], date: ['time'], message: [['description'], ['message']] }),
  check: { get: ({ accountSid = '' }) => `${accountUrl(accountSid)}/media` },
  events: {
    ...bySharedKey,
    parse: (call) =>
      objectsIn(call).flatMap((report) => {
        const state = textAt(report, ['type']);
        return stateEvents(EVENT_KINDS, {
          id: textAt(report, ['message', 'id']),
          messageId: textAt(report, ['message', 'tag']),
          state,
          recipient: textAt(report, ['to']),
          at: dateOf(textAt(report, ['time'])),
          isPermanent: state === 'message-failed' ? DEAD_NUMBERS.has(textAt(report, ['errorCode'])) : undefined,
          reason: state === 'message-failed' ? textAt(report, ['description']) : undefined,
        });
      }),
  },
});

const accountUrl = (accountSid: string): string =>
  `https://messaging.bandwidth.com/api/v2/users/${encodeURIComponent(accountSid)}`;
