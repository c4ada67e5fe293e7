import { traceIdOf } from '@clarion/contracts/core';
import type { ClaimedStep } from '@clarion/persistence';

export const idsOf = ({ id, notificationId, transactionId, notification }: ClaimedStep): object => ({
  stepId: id,
  notificationId,
  transactionId,
  ...(notification.trace && { traceId: traceIdOf(notification.trace) }),
});
