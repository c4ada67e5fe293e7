import type { JsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer } from '../call';
import { bySharedKey, type DeliveryEvent, type DeliveryEventKind, objectsIn } from '../events';
import { textAt } from '../json-paths';
import { isOnePart, smsProvider } from './sms-provider';

const API = 'https://api-app2.simpletexting.com/v2/api';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  DELIVERY_REPORT: 'delivered',
  NON_DELIVERED_REPORT: 'failed',
  UNSUBSCRIBE_REPORT: 'unsubscribed',
};

export const simpletexting = smsProvider({
  id: 'simpletexting',
  displayName: 'SimpleTexting',
  required: ['apiKey', 'from'],
  evidence: 'official',
  overrides: { names: ['mode', 'subject', 'fallbackText', 'mediaItems'], casing: 'camel' },
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey) }),
  request: (message) => ({
    url: `${API}/messages`,
    body: {
      contactPhone: nationalOf(message.digits),
      accountPhone: message.from && nationalOf(message.from.replace(/[\s().+-]/g, '')),
      // The strict mode rejects texts of more than one part.
      mode: isOnePart(message.content) ? 'SINGLE_SMS_STRICTLY' : 'AUTO',
      text: message.content,
    },
  }),
  read: reading({ id: ['id'], message: ['message'] }),
  check: { get: () => `${API}/tenant` },
  events: { ...bySharedKey, parse: (call) => objectsIn(call).flatMap(eventIn) },
});

/** Numbers in the United States and Canada are written without the country code. */
const nationalOf = (digits: string): string => digits.replace(/^1(?=\d{10}$)/, '');
const internationalOf = (digits: string): string => digits.replace(/^(?=\d{10}$)/, '+1');

/** An unsubscribe report has a number and no message. The data may be in `values`. */
function eventIn(report: JsonObject): DeliveryEvent[] {
  const type = textAt(report, ['type']) ?? textAt(report, ['trigger']) ?? '';
  const kind = Object.hasOwn(EVENT_KINDS, type) ? EVENT_KINDS[type] : undefined;
  const fact = (name: string): string | undefined => textAt(report, ['values', name]) ?? textAt(report, [name]);
  const message = fact('messageId');
  const phone = fact('contactPhone') ?? fact('phone');
  const id = textAt(report, ['reportId']) ?? (message && `${message}:${type}`);
  if (!id || !kind || (message === undefined && phone === undefined)) return [];
  return [
    {
      id,
      kind,
      ...(message !== undefined && { providerMessageId: message }),
      ...(phone !== undefined && { recipient: internationalOf(phone) }),
    },
  ];
}
