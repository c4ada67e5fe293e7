import { reading } from '../adapter';
import { bySharedKey, type DeliveryEventKind, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { smsProvider, stateEvents } from './sms-provider';

const ACCEPTED = '000';
/** The meaning of these values comes from the documentation of a related platform. */
const WITH_UNICODE = 1;
const CUSTOMER_CARE = 1;

/** From another project's adapter; the provider's page was not available. */
const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  sent: 'sent',
  delivered: 'delivered',
  undelivered: 'bounced',
  failed: 'failed',
  error: 'failed',
};

export const imedia = smsProvider({
  id: 'imedia',
  displayName: 'iMedia',
  required: ['token', 'from'],
  evidence: 'reported',
  idempotency: 'requestId in the body, for an hour',
  overrides: {
    names: ['scheduled', 'useUnicode', 'type', 'telco', 'priority', 'isEncrypt', 'ext'],
    casing: 'camel',
  },
  request: (message, { token = '' }) => ({
    url: 'https://api.mobilebranding.vn/api/SMSBrandname/SendSMS',
    headers: { token, accept: 'application/json' },
    body: {
      to: message.to,
      from: message.from,
      message: message.content,
      scheduled: '',
      requestId: message.id,
      useUnicode: WITH_UNICODE,
      type: CUSTOMER_CARE,
    },
  }),
  read: reading({
    id: ['referentId'],
    // Every response has status 200.
    isAccepted: (answer) => answer.at('errorCode') === ACCEPTED,
    message: (answer) => answer.at('errorMessage') ?? (answer.isOk ? answer.at('errorCode') : undefined),
  }),
  events: {
    ...bySharedKey,
    parse: (call) =>
      objectsIn(call).flatMap((report) =>
        stateEvents(EVENT_KINDS, {
          id: textAt(report, ['referentId']),
          state: textAt(report, ['status'])?.toLowerCase(),
        }),
      ),
  },
});
