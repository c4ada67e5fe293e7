import { createHash } from 'node:crypto';
import { executionDetail, type DetailText, type InboundStatus, isId, newId } from '@clarion/contracts';
import type { EventSource, NewDeliveryEvent } from '@clarion/persistence';
import { DELIVERY_EVENT_KINDS, type DeliveryEvent, type DeliveryEventKind } from '@clarion/providers';
import { isSuppressible, suppressionAddress } from '@clarion/rules';

type EventRecord = DetailText & {
  responseStatus: InboundStatus;
} & Pick<NewDeliveryEvent, 'effect' | 'errorId'>;

/** The execution detail that each kind of event records, and how it changes the message. */
export const EVENT_RECORDS: Readonly<Record<DeliveryEventKind, EventRecord>> = {
  sent: { ...executionDetail('messageSentByProvider'), responseStatus: 'sent' },
  delivered: { ...executionDetail('messageDelivered'), responseStatus: 'delivered', effect: 'delivered' },
  deferred: { ...executionDetail('messageDeferred'), responseStatus: 'deferred' },
  bounced: {
    ...executionDetail('messageBounced'),
    responseStatus: 'bounced',
    effect: 'error',
    errorId: 'message_bounced',
  },
  rejected: {
    ...executionDetail('messageRejected'),
    responseStatus: 'rejected',
    effect: 'error',
    errorId: 'message_rejected',
  },
  failed: { ...executionDetail('messageFailed'), responseStatus: 'failed', effect: 'error', errorId: 'message_failed' },
  opened: { ...executionDetail('messageRead'), responseStatus: 'opened', effect: 'read' },
  read: { ...executionDetail('messageRead'), responseStatus: 'opened', effect: 'read' },
  clicked: { ...executionDetail('messageClicked'), responseStatus: 'clicked', effect: 'clicked' },
  complained: { ...executionDetail('messageComplaint'), responseStatus: 'complaint' },
  unsubscribed: { ...executionDetail('messageUnsubscribed'), responseStatus: 'unsubscribed' },
};

const REASON_CHARACTERS = 1_000;
const ID_CHARACTERS = 200;
/** An earlier time is not plausible: the providers did not exist then. */
const EARLIEST = Date.UTC(2000, 0, 1);

/** Shortens texts and corrects the time so that the event can be stored. Undefined: the event is not usable. */
export function usableEvent(event: DeliveryEvent, now: Date): DeliveryEvent | undefined {
  const { id, kind, providerMessageId, messageId, recipient, at, isPermanent, reason } = event;
  if (id === '' || !DELIVERY_EVENT_KINDS.includes(kind)) return undefined;
  const time = at?.getTime() ?? NaN;
  return {
    id: idOf(id, recipient),
    kind,
    at: time > EARLIEST && time < now.getTime() ? at : now,
    ...(providerMessageId && { providerMessageId: providerMessageId.slice(0, REASON_CHARACTERS) }),
    ...(messageId && isId(messageId) && { messageId: messageId.toLowerCase() }),
    ...(recipient && { recipient: recipient.slice(0, REASON_CHARACTERS) }),
    ...(isPermanent && { isPermanent }),
    ...(reason && { reason: reason.slice(0, REASON_CHARACTERS) }),
  };
}

/** A short ASCII id is stored as it is, any other id as a hash, and so is one with the address of the recipient. */
function idOf(id: string, recipient: string | undefined): string {
  const isPlain = id.length <= ID_CHARACTERS && /^[\x20-\x7e]+$/.test(id);
  const isPersonal = recipient !== undefined && id.includes(recipient);
  return isPlain && !isPersonal ? id : createHash('sha256').update(id).digest('hex');
}

export function toNewEvent({ channel }: Pick<EventSource, 'channel'>, event: DeliveryEvent): NewDeliveryEvent {
  const { id, kind, providerMessageId, messageId, recipient, at, isPermanent, reason } = event;
  const { status, detail, effect, errorId } = EVENT_RECORDS[kind];
  const suppresses = kind === 'complained' || (kind === 'bounced' && isPermanent === true);
  const address =
    suppresses && recipient !== undefined && isSuppressible(channel)
      ? suppressionAddress(channel, recipient)
      : undefined;
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
