import type { JsonObject, NotificationId } from '@clarion/contracts/core';
import { Message } from '../entities';
import { columnsOf, type LeftOut, withoutLargeValues } from '../sql/page-bytes';

/** A message with the fields that are read from its step, trigger and workflow. */
export type FullMessage = Omit<Message, 'cta'> &
  LeftOut & {
    notificationId: NotificationId;
    /** Null when the workflow was deleted for good. */
    workflowIdentifier: string | null;
    transactionId: string;
    payload: JsonObject | null;
    cta: JsonObject;
  };

/** Columns that hold what a template or a caller wrote. */
const LARGE = {
  content: 'NULL',
  title: 'NULL',
  subject: 'NULL',
  data: 'NULL',
  payload: 'NULL',
  overrides: 'NULL',
  cta: `'{}'`,
};

/**
 * Messages with those fields, newest first, and `more` columns. `from` gives the messages the alias `m`, the workflow
 * is `w`, and `$1` is the environment. LIMIT lets Postgres plan nothing but one lookup of the trigger per message.
 */
export function describeMessages(from: string, more: Readonly<Record<string, string>> = {}): string {
  const given = {
    ...Object.fromEntries(columnsOf(Message).map((column) => [column, `m.${column}`])),
    ...more,
    notification_id: 'notification_of(m.step_id)',
    workflow_identifier: 'w.workflow_id',
    transaction_id: 'g.transaction_id',
    payload: 'g.payload',
    overrides: 'coalesce(m.overrides, g.overrides)',
    cta: `coalesce(m.cta, '{}')`,
  };
  return withoutLargeValues(
    `SELECT ${Object.entries(given)
      .map(([name, sql]) => `${sql} AS ${name}`)
      .join(', ')}
       FROM ${from}
       LEFT JOIN workflow w ON w.environment_id = $1 AND w.id = m.workflow_id
       LEFT JOIN LATERAL (
         SELECT transaction_id, payload, overrides FROM trigger
          WHERE environment_id = $1 AND id = m.trigger_id LIMIT 1) g ON true
      ORDER BY m.created_at DESC, m.id DESC`,
    { large: LARGE, others: Object.keys(given).filter((column) => !Object.hasOwn(LARGE, column)) },
  );
}
