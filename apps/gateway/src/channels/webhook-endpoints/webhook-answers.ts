import { type WebhookDeliveryDto, type WebhookEndpointDto, pick } from '@clarion/contracts';
import type { EndpointWithBacklog, KeyOwner, WebhookDelivery } from '@clarion/persistence';
import { seesSecrets } from '../../edge/http/disclosure';
import { maskQuery } from '../../edge/http/masked-text';
import { withoutNulls } from '../../edge/http/page';

export function toEndpointDto(owner: KeyOwner, row: EndpointWithBacklog): WebhookEndpointDto {
  const shown = withoutNulls({
    description: row.description,
    disabledReason: row.disabledReason,
    disabledAt: row.disabledAt?.toISOString(),
    failingSince: row.failingSince?.toISOString(),
    pausedUntil: inFuture(row.notBefore),
    lastDeliveredAt: row.lastDeliveredAt?.toISOString(),
    previousSecretUntil: inFuture(row.previousSecretUntil),
  });
  return {
    _id: row.id,
    _environmentId: row.environmentId,
    url: seesSecrets(owner) ? row.url : maskQuery(row.url),
    ...pick(row, 'events', 'channels', 'workflows', 'active', 'failures'),
    waitingDeliveries: row.waiting,
    waitingEntries: row.behind,
    ...shown,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function toDeliveryDto(row: WebhookDelivery): WebhookDeliveryDto {
  return withoutNulls({
    _id: row.id,
    entryId: row.entryId,
    sequence: row.sequence === null ? null : Number(row.sequence),
    type: row.type,
    state: row.state,
    attempts: row.attempt,
    nextAttemptAt: row.state === 'waiting' ? row.dueAt.toISOString() : null,
    lastAttemptAt: row.attemptedAt?.toISOString(),
    endedAt: row.endedAt?.toISOString(),
    responseStatus: row.responseStatus,
    responseText: row.responseText,
    error: row.error,
    createdAt: row.createdAt.toISOString(),
  });
}

const inFuture = (time: Date | null): string | undefined =>
  time !== null && time.getTime() > Date.now() ? time.toISOString() : undefined;
