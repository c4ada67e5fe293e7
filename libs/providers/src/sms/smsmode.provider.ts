import { isId } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bySharedKey, dateOf, type DeliveryEventKind, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { type FailureKind } from '../provider';
import { smsProvider, stateEvents } from './sms-provider';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  ENROUTE: 'sent',
  DELIVERED: 'delivered',
  UNDELIVERED: 'bounced',
  UNDELIVERABLE: 'rejected',
};

const NO_NUMBER = 'INVALID_PHONE_NUMBER';
/** Why an accepted message is not sent: `status.detail`. */
const DETAIL_KINDS: Readonly<Record<string, FailureKind>> = byKind({
  recipient: [NO_NUMBER, 'BLACKLISTED'],
  quota: ['INSUFFICIENT_CREDIT', 'DAILY_LIMIT_EXCEEDED', 'ORGANISATION_MONTHLY_LIMIT_EXCEEDED'],
  content: ['SPAM'],
});

export const smsmode = smsProvider({
  id: 'smsmode',
  displayName: 'smsmode',
  required: ['apiKey', 'from'],
  evidence: 'third-party',
  overrides: { names: ['callbackUrlStatus', 'callbackUrlMo', 'sentDate', 'body'], casing: 'camel' },
  request: (message, { apiKey = '' }, { callbackUrl }) => ({
    url: 'https://rest.smsmode.com/sms/v1/messages',
    headers: { 'x-api-key': apiKey, accept: 'application/json' },
    body: {
      recipient: { to: message.to },
      from: message.from,
      body: { text: message.content },
      refClient: message.id,
      callbackUrlStatus: callbackUrl,
    },
  }),
  read: reading({
    id: ['messageId'],
    date: ['acceptedAt'],
    isAccepted: (answer) => answer.at('status', 'value') !== 'UNDELIVERABLE',
    message: (answer) =>
      answer.isOk
        ? (answer.at('status', 'detail') ?? answer.at('status', 'value'))
        : (answer.at('detail') ?? answer.at('message') ?? answer.at('title')),
    code: ['status', 'detail'],
    kinds: DETAIL_KINDS,
  }),
  events: {
    ...bySharedKey,
    parse: (call) =>
      objectsIn(call).flatMap((message) => {
        const fact = (...path: string[]): string | undefined => textAt(message, path);
        // Replies of recipients have the same format.
        if (fact('direction') === 'MO') return [];
        const [reference, detail] = [fact('refClient'), fact('status', 'detail')];
        return stateEvents(EVENT_KINDS, {
          id: fact('messageId'),
          state: fact('status', 'value'),
          messageId: isId(reference) ? reference : undefined,
          recipient: fact('recipient', 'to'),
          at: dateOf(fact('status', 'deliveryDate')),
          isPermanent: detail === NO_NUMBER || undefined,
          reason: detail,
        });
      }),
  },
});
