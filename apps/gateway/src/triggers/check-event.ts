import {
  BroadcastEventDto,
  canonicalJson,
  DomainError,
  type FieldErrors,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  RecipientDto,
  TriggerEventDto,
  type TriggerStatus,
} from '@clarion/contracts';
import { sha256Hex } from '@clarion/platform';
import { contextFault } from '../audience/contexts/context-fault';
import { checkElement, type Checked, FaultBudget, messagesOf } from '../edge/http/check-element';
import { type UnknownField, prefixPaths } from '../edge/http/compiled-dto';
import { InvalidElement } from '../edge/http/json-body';
import { withShortFiles } from '../edge/http/short-files';
import { readRecipients, type Recipients } from './recipients';

/** Why an event is not accepted. A bulk call returns it as a result; a single call throws `thrown`, if present. */
export type Refusal = {
  status: TriggerStatus;
  messages: string[];
  thrown?: DomainError;
  event?: TriggerEventDto;
  fingerprint?: string;
  /** The transactionId that the caller gave in an event that cannot be read. */
  transactionId?: string;
  unknown?: UnknownField[] | undefined;
};

/** Events with the same fingerprint are the same event; the order of keys and the transactionId do not matter. */
export type CheckedEvent = {
  event: TriggerEventDto;
  fingerprint: string;
  recipients: Recipients;
  unknown?: UnknownField[] | undefined;
};

const ALL_SUBSCRIBERS: Recipients = { recipients: [{ type: 'Broadcast' }], faults: [] };

const NO_RECIPIENTS = 'to must be left out: a broadcast is for all subscribers of the environment';

/** Checks an event as far as that is possible without the database. */
export function checkEvent(
  element: unknown,
  bodyBytes: number,
  isBroadcast: boolean,
  budget: FaultBudget = new FaultBudget(),
): CheckedEvent | Refusal {
  if (element instanceof InvalidElement) return { ...invalid(element.errors), ...given(element.id) };
  if (!isJsonObject(element)) return invalid({ general: { messages: ['the event must be an object'] } });
  if (isBroadcast && Object.hasOwn(element, 'to')) return invalid({ to: { messages: [NO_RECIPIENTS] } });
  const checked = isBroadcast ? readBroadcast(element) : checkElement(TriggerEventDto, element, budget);
  const verdict = checked.valid ? judge(checked.value, bodyBytes, isBroadcast, budget) : invalid(checked.errors);
  if ('status' in verdict) Object.assign(verdict, given(element['transactionId']));
  if (checked.unknown) verdict.unknown = [...checked.unknown, ...(verdict.unknown ?? [])];
  return verdict;
}

function readBroadcast(element: JsonObject): Checked<TriggerEventDto> {
  const checked = checkElement(BroadcastEventDto, element);
  return checked.valid ? { ...checked, value: { ...checked.value, to: 'everybody' } } : checked;
}

function judge(
  event: TriggerEventDto,
  bodyBytes: number,
  isBroadcast: boolean,
  budget: FaultBudget,
): CheckedEvent | Refusal {
  // Written once: a full bulk call has megabytes.
  const short = bodyBytes > LIMITS.eventBytes ? withShortFiles(event) : event;
  const text = contentText(short);
  if (bodyBytes > LIMITS.eventBytes) {
    const bytes = bytesWithoutAttachments(short, text);
    if (bytes > LIMITS.eventBytes) return tooLarge(bytes);
  }
  const actor = readActor(event.actor, budget);
  const fault = actor.errors ?? tenantFault(event.tenant) ?? contextFault(event.context);
  if (fault) return invalid(fault);
  const fingerprint = sha256Hex(text);
  if (isBroadcast) return { event, fingerprint, recipients: ALL_SUBSCRIBERS, unknown: actor.unknown };
  const recipients = readRecipients(event.to, budget);
  if ('tooMany' in recipients) return invalid({ to: { messages: [recipients.tooMany] } }, 'result');
  const { unknown } = recipients;
  return { event, fingerprint, recipients, unknown: actor.unknown ? [...actor.unknown, ...(unknown ?? [])] : unknown };
}

/** The result of a refused event also has the transactionId that the caller gave, if it is usable. */
function given(transactionId: unknown): { transactionId?: string } {
  const isUsable = typeof transactionId === 'string' && transactionId !== '' && transactionId.length <= 256;
  return isUsable ? { transactionId } : {};
}

function invalid(errors: FieldErrors, alone: 'thrown' | 'result' = 'thrown'): Refusal {
  return {
    status: 'error',
    messages: messagesOf(errors),
    ...(alone === 'thrown' && { thrown: new DomainError('unprocessable', 'Validation Error', { errors }) }),
  };
}

function tooLarge(bytes: number): Refusal {
  const message = `The event has ${bytes} bytes without attachments, at most ${LIMITS.eventBytes} are accepted`;
  return { status: 'error', messages: [message], thrown: new DomainError('too_large', message) };
}

/** Attachments have a separate limit, so the size of an event is counted without them. */
export function attachmentBytes(payload: unknown): number {
  const attachments = isJsonObject(payload) ? payload['attachments'] : undefined;
  if (!Array.isArray(attachments)) return 0;
  return attachments.reduce<number>(
    (sum, item) => sum + (isJsonObject(item) && typeof item['file'] === 'string' ? item['file'].length : 0),
    0,
  );
}

/** The values of an event, without the names of its members and its transactionId. */
function contentText(event: TriggerEventDto): string {
  const { name, to, payload, overrides, actor, tenant, context, controls, ttl, priority } = event;
  const rare = [controls, ttl, priority].filter((value) => value !== undefined && value !== null);
  return canonicalJson([name, to, payload ?? {}, overrides, actor, tenant, context, ...rare]);
}

/** The bytes of its JSON. `text` is that of its values, in which a missing one is `,null`. */
function bytesWithoutAttachments(event: TriggerEventDto, text: string): number {
  const { overrides, actor, tenant, context, transactionId } = event;
  const missing = [overrides, actor, tenant, context].filter((value) => value === undefined).length;
  const names = Object.entries(event).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  const named = JSON.stringify(names).length - 1 + (transactionId ? JSON.stringify(transactionId).length + 1 : 0);
  return Buffer.byteLength(text) - 5 * missing + named - attachmentBytes(event.payload);
}

function readActor(
  actor: Json | undefined,
  budget: FaultBudget,
): { errors?: FieldErrors; unknown?: UnknownField[] | undefined } {
  if (actor === undefined || (typeof actor === 'string' && actor.trim() !== '')) return {};
  const checked = isJsonObject(actor) ? checkElement(RecipientDto, actor, budget) : undefined;
  if (checked?.valid) return { unknown: prefixPaths('actor', checked.unknown) };
  const message = checked ? `actor: ${checked.message}` : 'actor must be a subscriberId or a subscriber';
  return { errors: { actor: { messages: [message] } } };
}

function tenantFault(tenant: Json | undefined): FieldErrors | undefined {
  const identifier = isJsonObject(tenant) ? tenant['identifier'] : tenant;
  if (tenant === undefined || (typeof identifier === 'string' && identifier !== '')) return undefined;
  return { tenant: { messages: ['tenant must be an identifier or an object with an identifier'] } };
}
