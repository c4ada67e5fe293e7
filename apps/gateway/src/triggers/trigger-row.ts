import {
  type AttachmentReference,
  isJsonObject,
  type JsonObject,
  newId,
  sensitivePaths,
  type TriggerId,
} from '@clarion/contracts';
import type { NewCopy, NewTrigger } from '@clarion/persistence';
import { type AcceptedEvent, tenantOf } from './trigger-verdict';

/** The transactionId of an event without one. */
export const generatedTransactionId = (id: TriggerId): string => `txn_${id}`;

/** The row of an accepted event. `seal` encrypts the channel credentials that recipients bring along. */
export function toTriggerRow(
  ids: Pick<NewTrigger, 'id' | 'transactionId' | 'fingerprint'>,
  accepted: AcceptedEvent,
  seal: (text: string) => string,
): NewTrigger {
  const { event, workflow, recipients } = accepted;
  const sensitive = sensitivePaths(workflow.payloadSchema);
  return {
    id: ids.id,
    transactionId: ids.transactionId,
    fingerprint: ids.fingerprint,
    workflowId: workflow.id,
    workflowVersion: workflow.version,
    recipients: recipients.recipients.map((recipient) => sealChannels(recipient, seal)),
    ...storedPayload(accepted),
    overrides: event.overrides,
    controls: event.controls,
    actor: isJsonObject(event.actor) ? sealChannels(event.actor, seal) : event.actor,
    tenant: tenantOf(event),
    context: event.context,
    ttl: event.ttl,
    lane: accepted.lane,
    ...(sensitive.length > 0 && { sensitive }),
  };
}

/** Webhook URLs and device tokens are secrets: they are stored encrypted and bound to the trigger. */
function sealChannels(recipient: JsonObject, seal: (text: string) => string): JsonObject {
  if (!Array.isArray(recipient['channels'])) return recipient;
  const channels = recipient['channels'].map((channel) =>
    isJsonObject(channel) ? { ...channel, credentials: seal(JSON.stringify(channel['credentials'])) } : channel,
  );
  return { ...recipient, channels };
}

/** Each file is stored in a separate row; the payload keeps a reference to it. */
export function storedPayload({ payload, files }: AcceptedEvent): Pick<NewTrigger, 'payload' | 'attachments'> {
  if (!files) return { payload };
  const attachments = files.map((file) => ({ id: newId(), ...file }));
  const references = attachments.map(({ content, ...file }): AttachmentReference => ({
    ...file,
    size: content.length,
  }));
  return { payload: { ...payload, attachments: references }, attachments };
}

/** What the other system of a mirror is sent: the event as the caller sent it, and the transactionId in any case. */
export function mirroredRequest(
  { event, recipients }: AcceptedEvent,
  transactionId: string,
): { kind: NewCopy['kind']; body: string } {
  const { to, ...rest } = event;
  return recipients.recipients[0]?.['type'] === 'Broadcast'
    ? { kind: 'broadcast', body: JSON.stringify({ ...rest, transactionId }) }
    : { kind: 'trigger', body: JSON.stringify({ ...rest, to, transactionId }) };
}
