import { traceIdOf } from '@clarion/contracts/core';
import type { ClaimedStep } from '@clarion/persistence';

/** The ids that a log line about a step names. */
export const idsOf = ({ id, notificationId, transactionId, notification }: ClaimedStep): object => ({
  stepId: id,
  notificationId,
  transactionId,
  ...(notification.trace && { traceId: traceIdOf(notification.trace) }),
});
