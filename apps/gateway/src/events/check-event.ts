import {
  DomainError,
  type FieldErrors,
  isJsonObject,
  type Json,
  LIMITS,
  RecipientDto,
  TriggerEventDto,
  type TriggerStatus,
} from '@clarion/contracts';
import { contextFault } from '../contexts/context-fault';
import { checkElement } from '../http/check-element';
import { readRecipients, type Recipients } from './recipients';

/** Why an event is not accepted: a result in bulk; alone, where the interface has a status code for it, an error. */
export type Refusal = { status: TriggerStatus; messages: string[]; thrown?: DomainError; event?: TriggerEventDto };

export type CheckedEvent = { event: TriggerEventDto; recipients: Recipients };

const EVERYBODY: Recipients = { recipients: [{ type: 'Broadcast' }], unusualIds: [], faults: [] };

/** All that can be said of an event without asking the database. */
export function checkEvent(element: unknown, bodyBytes: number, isBroadcast: boolean): CheckedEvent | Refusal {
  if (!isJsonObject(element)) return invalid({ general: { messages: ['the event must be an object'] } });
  const checked = checkElement(TriggerEventDto, isBroadcast ? { ...element, to: 'everybody' } : element);
  if (!checked.valid) return invalid(checked.errors);
  const event = checked.value;
  if (bodyBytes > LIMITS.eventBytes) {
    const bytes = bytesWithoutAttachments(event);
    if (bytes > LIMITS.eventBytes) return tooLarge(bytes);
  }
  const fault = actorFault(event.actor) ?? tenantFault(event.tenant) ?? contextFault(event.context);
  if (fault) return invalid(fault);
  if (isBroadcast) return { event, recipients: EVERYBODY };
  const recipients = readRecipients(event.to);
  return 'tooMany' in recipients
    ? invalid({ to: { messages: [recipients.tooMany] } }, 'result')
    : { event, recipients };
}

function invalid(errors: FieldErrors, alone: 'thrown' | 'result' = 'thrown'): Refusal {
  return {
    status: 'error',
    messages: Object.values(errors).flatMap(({ messages }) => messages),
    ...(alone === 'thrown' && { thrown: new DomainError('unprocessable', 'Validation Error', { errors }) }),
  };
}

function tooLarge(bytes: number): Refusal {
  const message = `The event has ${bytes} bytes without attachments, at most ${LIMITS.eventBytes} are accepted`;
  return { status: 'error', messages: [message], thrown: new DomainError('too_large', message) };
}

/** Attachments have a limit of their own; an event is weighed without their contents. */
export function attachmentBytes(payload: unknown): number {
  const attachments = isJsonObject(payload) ? payload['attachments'] : undefined;
  if (!Array.isArray(attachments)) return 0;
  return attachments.reduce<number>(
    (sum, item) => sum + (isJsonObject(item) && typeof item['file'] === 'string' ? item['file'].length : 0),
    0,
  );
}

function bytesWithoutAttachments(event: TriggerEventDto): number {
  return Buffer.byteLength(JSON.stringify(event)) - attachmentBytes(event.payload);
}

function actorFault(actor: Json | undefined): FieldErrors | undefined {
  if (actor === undefined || (typeof actor === 'string' && actor.trim() !== '')) return undefined;
  const checked = isJsonObject(actor) ? checkElement(RecipientDto, actor) : undefined;
  if (checked?.valid) return undefined;
  return {
    actor: { messages: [checked ? `actor: ${checked.message}` : 'actor must be a subscriberId or a subscriber'] },
  };
}

function tenantFault(tenant: Json | undefined): FieldErrors | undefined {
  const identifier = isJsonObject(tenant) ? tenant['identifier'] : tenant;
  if (tenant === undefined || (typeof identifier === 'string' && identifier !== '')) return undefined;
  return { tenant: { messages: ['tenant must be an identifier or an object with an identifier'] } };
}
