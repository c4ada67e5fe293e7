import { createHash } from 'node:crypto';
import { type DetailStatus, type InboundStatus, isId, newId } from '@clarion/contracts';
import type { EventSource, NewDeliveryEvent } from '@clarion/persistence';
import { DELIVERY_EVENT_KINDS, type DeliveryEvent, type DeliveryEventKind } from '@clarion/providers';
import { isSuppressible, suppressionAddress } from '@clarion/rules';

type EventRecord = { status: DetailStatus; detail: string; told: InboundStatus } & Pick<
  NewDeliveryEvent,
  'effect' | 'errorId'
>;

/** What each kind of event leaves in the record of its step, and what it changes about the message. */
export const EVENT_RECORDS: Readonly<Record<DeliveryEventKind, EventRecord>> = {
  sent: { status: 'Success', detail: 'Message sent by the provider', told: 'sent' },
  delivered: { status: 'Success', detail: 'Message delivered', told: 'delivered', effect: 'delivered' },
  deferred: { status: 'Warning', detail: 'Message deferred', told: 'deferred' },
  bounced: {
    status: 'Failed',
    detail: 'Message bounced',
    told: 'bounced',
    effect: 'error',
    errorId: 'message_bounced',
  },
  rejected: {
    status: 'Failed',
    detail: 'Message rejected',
    told: 'rejected',
    effect: 'error',
    errorId: 'message_rejected',
  },
  failed: { status: 'Failed', detail: 'Message failed', told: 'failed', effect: 'error', errorId: 'message_failed' },
  opened: { status: 'ReadConfirmation', detail: 'Message read', told: 'opened', effect: 'read' },
  read: { status: 'ReadConfirmation', detail: 'Message read', told: 'opened', effect: 'read' },
  clicked: { status: 'Success', detail: 'Message clicked', told: 'clicked' },
  complained: { status: 'Warning', detail: 'Message complaint', told: 'complaint' },
  unsubscribed: { status: 'Warning', detail: 'Message unsubscribed', told: 'unsubscribed' },
};

const REASON_CHARACTERS = 1_000;
const ID_CHARACTERS = 200;
/** Before the first of these providers was founded. */
const EARLIEST = Date.UTC(2000, 0, 1);

/** An event as it can be stored: its texts have an end and its time is a time. */
export function soundEvent(event: DeliveryEvent, now: Date): DeliveryEvent | undefined {
  const { id, kind, providerMessageId, messageId, recipient, at, isPermanent, reason } = event;
  if (id === '' || !DELIVERY_EVENT_KINDS.includes(kind)) return undefined;
  const time = at?.getTime() ?? NaN;
  return {
    id: idOf(id),
    kind,
    at: time > EARLIEST && time < now.getTime() ? at : now,
    ...(providerMessageId && { providerMessageId: providerMessageId.slice(0, REASON_CHARACTERS) }),
    ...(messageId && isId(messageId) && { messageId: messageId.toLowerCase() }),
    ...(recipient && { recipient: recipient.slice(0, REASON_CHARACTERS) }),
    ...(isPermanent && { isPermanent }),
    ...(reason && { reason: reason.slice(0, REASON_CHARACTERS) }),
  };
}

/** What is short and plain stays readable. */
const idOf = (id: string): string =>
  id.length <= ID_CHARACTERS && /^[\x20-\x7e]+$/.test(id) ? id : createHash('sha256').update(id).digest('hex');

export function toNewEvent({ channel }: Pick<EventSource, 'channel'>, event: DeliveryEvent): NewDeliveryEvent {
  const { id, kind, providerMessageId, messageId, recipient, at, isPermanent, reason } = event;
  const { status, detail, effect, errorId } = EVENT_RECORDS[kind];
  const isDead = kind === 'complained' || (kind === 'bounced' && isPermanent === true);
  const address =
    isDead && recipient !== undefined && isSuppressible(channel) ? suppressionAddress(channel, recipient) : undefined;
  return {
    eventId: id,
    messageId,
    providerMessageId,
    at: at?.toISOString(),
    detailId: newId(),
    status,
    detail,
    raw: JSON.stringify({ kind, reason, recipient, at, isPermanent, eventId: id, providerMessageId }),
    effect,
    ...(errorId && { errorId, errorText: reason ?? detail }),
    ...(address !== undefined && {
      suppressedId: newId(),
      address,
      reason: kind === 'complained' ? ('complaint' as const) : ('bounce' as const),
    }),
  };
}
