import { type ActivityFilterDto, invalidField } from '@clarion/contracts';
import type { ActivityFilter, PayloadValue } from '@clarion/persistence';
import { readTimeRange } from '../edge/http/time-range';

const PAYLOAD_DEPTH = 16;

export function toActivityFilter(given: ActivityFilterDto): ActivityFilter {
  return {
    outcomes: given.status,
    channels: given.channel,
    workflowIds: given.workflowId,
    providerIds: given.providerId,
    reason: given.reason || undefined,
    errorGroup: given.errorGroup,
    subscriber: given.subscriber || undefined,
    topicKey: given.topicKey || undefined,
    transactionIds: given.transactionId,
    severity: given.severity,
    payload: payloadValue(given.payload),
    ...readTimeRange(given),
  };
}

/** Reads `order.id=42`, whose value is everything after the first `=`, or a value alone. */
function payloadValue(text: string | undefined): PayloadValue | undefined {
  if (!text?.trim()) return undefined;
  const end = text.indexOf('=');
  if (end < 0) return { value: text.trim() };
  const path = text.slice(0, end).trim().split('.');
  if (path.includes('') || path.length > PAYLOAD_DEPTH) {
    throw invalidField('payload', 'payload must be a value, or a path and a value, such as order.id=42', text);
  }
  return { path, value: text.slice(end + 1).trim() };
}
