import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bySharedKey, dateOf, eventKinds, fieldsOf, GENUINE, isSame, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { reportOf, smsProvider } from './sms-provider';

const HOST = 'https://platform.clickatell.com';

/** States from reports of users: the vendor documents them for its other APIs only. */
const REPORT_KINDS = eventKinds({
  deferred: ['QUEUED_AT_GATEWAY'],
  sent: ['DELIVERED_TO_GATEWAY', 'SENT_TO_SUPPLIER'],
  delivered: ['RECEIVED_BY_RECIPIENT', 'DEVICE_ACK'],
  read: ['READ'],
  failed: ['ROUTING_ERROR', 'ERROR', 'EXPIRED'],
  bounced: ['DELIVERY_FAILURE', 'RECIPIENT_DOES_NOT_EXIST'],
  rejected: ['STOPPED_BY_USER', 'STOPPED_BY_ADMIN', 'INSUFFICIENT_ACCOUNT_BALANCE'],
});

export const clickatell = smsProvider({
  id: 'clickatell',
  displayName: 'Clickatell',
  required: ['apiKey'],
  evidence: 'official',
  overrides: {
    names: ['binary', 'charset', 'scheduledDeliveryTime', 'userDataHeader', 'validityPeriod'],
    casing: 'camel',
  },
  // The key is there without a scheme.
  headers: ({ apiKey = '' }) => ({ authorization: apiKey, accept: 'application/json' }),
  request: (message) => ({
    url: `${HOST}/messages`,
    body: {
      content: message.content,
      to: [message.digits],
      // Only two-way integrations have a sender.
      from: message.from,
      clientMessageId: message.id,
      charset: 'UTF-8',
    },
  }),
  read: reading({
    id: ['messages', 0, 'apiMessageId'],
    isAccepted: (answer) =>
      answer.at('messages', 0, 'accepted') !== 'false' && answer.at('messages', 0, 'apiMessageId') !== undefined,
    message: [
      ['messages', 0, 'errorDescription'],
      ['messages', 0, 'error', 'description'],
      ['messages', 0, 'error'],
      ['errorDescription'],
      ['error', 'description'],
      ['error'],
    ],
    code: (answer) =>
      [['messages', 0, 'errorCode'], ['messages', 0, 'error', 'code'], ['errorCode'], ['error', 'code']]
        .map((path) => answer.at(...path))
        .find((code) => code !== undefined),
    kinds: byKind({
      credentials: ['001', '007', 106, 108, 123],
      content: [102, 107, 113],
      recipient: [105, 114, 121, 122, 128],
      quota: [130, 301],
      transient: [901],
    }),
  }),
  check: { get: () => `${HOST}/public-client/balance` },
  // Reports are not signed, but contain the key with which the message was sent.
  events: {
    ...bySharedKey,
    proof: 'API key in the body, or key in the URL (`?token=`), basic login or bearer token',
    verify: (call, context) => {
      const { apiKey: given = '' } = fieldsOf(call);
      const { apiKey = '' } = context.credentials;
      return apiKey !== '' && isSame(given, apiKey) ? GENUINE : bySharedKey.verify(call, context);
    },
    parse: (call) =>
      objectsIn(call).flatMap((report) => {
        const at = (name: string): string | undefined => textAt(report, [name]);
        const status = at('status') ?? '';
        return reportOf({
          kind: REPORT_KINDS.get(status),
          mark: `${status}:${at('timestamp')}`,
          providerMessageId: at('messageId'),
          messageId: at('clientMessageId'),
          recipient: at('to'),
          at: dateOf(at('timestamp')),
          isPermanent: status === 'RECIPIENT_DOES_NOT_EXIST',
          reason: at('statusDescription'),
        });
      }),
  },
});
