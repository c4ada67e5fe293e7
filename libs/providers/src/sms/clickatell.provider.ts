import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { compact, merge } from '../call';
import {
  bySharedKey,
  dateOf,
  type DeliveryEventKind,
  type DeliveryEvents,
  fieldsOf,
  GENUINE,
  isSame,
  objectsIn,
} from '../events';
import { textAt } from '../json-paths';
import { reportOf, smsProvider } from './sms-provider';

const HOST = 'https://platform.clickatell.com';

/** The header has the key only, without a scheme. */
const headersOf = ({ apiKey = '' }: CredentialsDto): Record<string, string> => ({
  authorization: apiKey,
  accept: 'application/json',
});

/** States from reports of users: the vendor documents them for its other APIs only. */
const REPORT_KINDS: ReadonlyMap<string, DeliveryEventKind> = new Map(
  Object.entries({
    QUEUED_AT_GATEWAY: 'deferred',
    DELIVERED_TO_GATEWAY: 'sent',
    SENT_TO_SUPPLIER: 'sent',
    RECEIVED_BY_RECIPIENT: 'delivered',
    DEVICE_ACK: 'delivered',
    READ: 'read',
    ROUTING_ERROR: 'failed',
    ERROR: 'failed',
    EXPIRED: 'failed',
    DELIVERY_FAILURE: 'bounced',
    RECIPIENT_DOES_NOT_EXIST: 'bounced',
    STOPPED_BY_USER: 'rejected',
    STOPPED_BY_ADMIN: 'rejected',
    INSUFFICIENT_ACCOUNT_BALANCE: 'rejected',
  } as const),
);

/** Reports are not signed, but contain the key with which the message was sent. */
const events: DeliveryEvents = {
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
};

export const clickatell = smsProvider({
  id: 'clickatell',
  displayName: 'Clickatell',
  required: ['apiKey'],
  evidence: 'official',
  events,
  overrides: {
    names: ['binary', 'charset', 'scheduledDeliveryTime', 'userDataHeader', 'validityPeriod'],
    casing: 'camel',
  },
  request: (message, credentials, { fields }) => {
    const body = compact({
      content: message.content,
      to: [message.digits],
      // Only two-way integrations have a sender.
      from: message.from,
      clientMessageId: message.id,
      charset: 'UTF-8',
    });
    return { url: `${HOST}/messages`, headers: headersOf(credentials), json: merge(body, fields) };
  },
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
    kinds: {
      '001': 'credentials',
      '007': 'credentials',
      102: 'content',
      105: 'recipient',
      106: 'credentials',
      107: 'content',
      108: 'credentials',
      113: 'content',
      114: 'recipient',
      121: 'recipient',
      122: 'recipient',
      123: 'credentials',
      128: 'recipient',
      130: 'quota',
      301: 'quota',
      901: 'transient',
    },
  }),
  check: {
    request: (credentials) => ({
      method: 'GET',
      url: `${HOST}/public-client/balance`,
      headers: headersOf(credentials),
    }),
  },
});
