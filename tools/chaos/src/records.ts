import type { EnvironmentId } from '@clarion/contracts';
import { executionDetail } from '@clarion/contracts';
import type { Records, StepRecord } from './history';
import type { Stores } from './stores';

const INTERRUPTED = [
  executionDetail('sendingInterruptedResent').detail,
  executionDetail('sendingInterruptedHeld').detail,
];
const FAILED_CALL = executionDetail('providerErrorRetried').detail;

/** Reads what the database has on record about the events of an environment. */
export async function readRecords(stores: Stores, environmentId: EnvironmentId): Promise<Records> {
  // Without statistics Postgres takes the tables for nearly empty, and joins tens of thousands of rows by nested loops.
  await stores.query(`ANALYZE trigger, subscriber, notification, step, message, execution_detail, work`);
  const triggers = await stores.query<{ transactionId: string }>(
    `SELECT transaction_id AS "transactionId" FROM trigger WHERE environment_id = $1`,
    [environmentId],
  );
  const steps = await stores.query<StepRecord>(
    `WITH notified AS MATERIALIZED (
       SELECT n.id, n.created_at, t.transaction_id, s.subscriber_id
         FROM notification n JOIN trigger t ON t.id = n.trigger_id JOIN subscriber s ON s.id = n.subscriber_id
        WHERE n.environment_id = $1),
     details AS MATERIALIZED (
       SELECT step_id, max((raw::jsonb ->> 'interruptions')::int) FILTER (WHERE detail = ANY ($2)) AS resends,
              count(*) FILTER (WHERE detail = $3)::int AS failures
         FROM recorded_detail WHERE environment_id = $1 GROUP BY step_id),
     messages AS MATERIALIZED (
       SELECT step_id, count(*)::int AS count FROM message WHERE environment_id = $1 GROUP BY step_id)
     SELECT n.transaction_id AS "transactionId", n.subscriber_id AS "subscriberId", n.id AS "notificationId",
            s.step_key AS "stepKey", position_of(s.id) AS position, s.type, s.state,
            coalesce(s.error ->> 'message', s.details -> -1 ->> 'd') AS reason,
            extract(epoch FROM s.queued_at)::float8 * 1000 AS "queuedAt",
            extract(epoch FROM n.created_at)::float8 * 1000 AS "notifiedAt",
            extract(epoch FROM s.ended_at)::float8 * 1000 AS "endedAt",
            coalesce(details.resends, 0) AS "flaggedResends", coalesce(details.failures, 0) AS "flaggedFailures",
            coalesce(messages.count, 0) AS messages
       FROM step s
       JOIN notified n ON n.id = notification_of(s.id)
       LEFT JOIN details ON details.step_id = s.id
       LEFT JOIN messages ON messages.step_id = s.id
      WHERE s.environment_id = $1`,
    [environmentId, INTERRUPTED, FAILED_CALL],
  );
  const open = await stores.query<Records['open'][number]>(
    `SELECT t.transaction_id AS "transactionId", w.type, w.step_key AS "stepKey"
       FROM work w JOIN trigger t ON t.id = w.trigger_id WHERE w.environment_id = $1`,
    [environmentId],
  );
  return {
    triggers: triggers.map(({ transactionId }) => transactionId),
    steps: steps.map(({ queuedAt, ...step }) => ({ ...step, ...(queuedAt !== null && { queuedAt }) }) as StepRecord),
    open,
  };
}

/** The number of rows of open work of these environments. */
export async function countOpen(stores: Stores, environmentIds: EnvironmentId[]): Promise<number> {
  const [row] = await stores.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM work WHERE environment_id = ANY ($1)`,
    [environmentIds],
  );
  return row!.count;
}
