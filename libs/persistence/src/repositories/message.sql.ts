import type { JsonObject, NotificationId } from '@clarion/contracts/core';
import type { Message } from '../entities';

/** A message with the fields that are read from its step, trigger and workflow. */
export type FullMessage = Omit<Message, 'cta'> & {
  notificationId: NotificationId;
  /** Null when the workflow was deleted for good. */
  workflowIdentifier: string | null;
  transactionId: string;
  payload: JsonObject | null;
  cta: JsonObject;
};

/**
 * Messages with those fields, newest first, and `more` columns. `from` gives the messages the alias `m`, the workflow
 * is `w`, and `$1` is the environment. LIMIT lets Postgres plan nothing but one lookup of the trigger per message.
 */
export const describeMessages = (from: string, more: string[] = []): string => `
  SELECT ${['m.*', ...more].join(', ')}, notification_of(m.step_id) AS notification_id,
         w.workflow_id AS workflow_identifier, g.transaction_id, g.payload,
         coalesce(m.overrides, g.overrides) AS overrides, coalesce(m.cta, '{}') AS cta
    FROM ${from}
    LEFT JOIN workflow w ON w.environment_id = $1 AND w.id = m.workflow_id
    LEFT JOIN LATERAL (
      SELECT transaction_id, payload, overrides FROM trigger
       WHERE environment_id = $1 AND id = m.trigger_id LIMIT 1) g ON true
   ORDER BY m.created_at DESC, m.id DESC`;
