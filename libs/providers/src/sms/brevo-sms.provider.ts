import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bySharedKey, dateOf, type DeliveryEventKind, objectsIn } from '../events';
import { parseWithIds, textAt } from '../json-paths';
import { type Answer } from '../outcome';
import { isGsmText, smsProvider, stateEvents } from './sms-provider';

const API = 'https://api.brevo.com/v3';
const MESSAGES = `${API}/transactionalSMS/send`;
/** The endpoint in older documentation and clients. */
const FORMER_MESSAGES = `${API}/transactionalSMS/sms`;

/** Event names are spelled with and without underscores. */
const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = byKind({
  sent: ['sent', 'accepted'],
  delivered: ['delivered'],
  bounced: ['softbounce', 'hardbounce'],
  rejected: ['rejected', 'blacklisted'],
  unsubscribed: ['unsubscribe'],
});

const idOf = ({ text }: Answer): string | undefined => textAt(parseWithIds(text, 'messageId'), ['messageId']);

export const brevoSms = smsProvider({
  id: 'brevo-sms',
  displayName: 'Brevo SMS',
  required: ['apiKey', 'from'],
  evidence: 'official',
  overrides: {
    names: ['type', 'unicodeEnabled', 'organisationPrefix', 'templateId', 'params', 'webUrl'],
    casing: 'camel',
  },
  headers: ({ apiKey }) => ({ 'api-key': apiKey, accept: 'application/json' }),
  request: (message, _, { callbackUrl }) => ({
    url: MESSAGES,
    otherUrl: FORMER_MESSAGES,
    body: {
      sender: message.from,
      recipient: message.digits,
      content: message.content,
      type: 'transactional',
      tag: message.id,
      unicodeEnabled: isGsmText(message.content) ? undefined : true,
      webUrl: callbackUrl,
    },
  }),
  read: reading({
    id: idOf,
    isAccepted: (answer) => idOf(answer) !== undefined,
    message: ['message'],
    code: ['code'],
    kinds: byKind({
      credentials: ['unauthorized', 'permission_denied', 'account_under_validation'],
      quota: ['not_enough_credits'],
    }),
  }),
  check: { get: () => `${API}/account` },
  events: {
    ...bySharedKey,
    parse: (call) =>
      objectsIn(call, 'messageId').flatMap((report) => {
        const status = textAt(report, ['msg_status']) ?? textAt(report, ['status']);
        const state = status?.replaceAll('_', '').toLowerCase();
        return stateEvents(EVENT_KINDS, {
          id: textAt(report, ['messageId']),
          messageId: textAt(report, ['tag']),
          state,
          recipient: textAt(report, ['to']),
          at: dateOf(textAt(report, ['ts_event'])),
          isPermanent: state === 'hardbounce' ? true : undefined,
          reason: textAt(report, ['description']) ?? textAt(report, ['errorCode']),
        });
      }),
  },
});
