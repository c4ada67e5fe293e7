import type { ReplayableStatus } from '@clarion/contracts';
import { EXECUTION_DETAILS, type EnvironmentId, executionDetail, type NotificationId } from '@clarion/contracts/core';
import type { Database } from '../database';
import { OFFER_MS } from '../leases';
import { isMember, smallestIdSince } from '../pages';
import { withPartitions } from '../partitions';
import { searchable } from '../row-level-security';
import { type NotificationFilter, notificationList } from './notification.repository';
import type { QueuedStep } from './steps/step-rows';

export type ReplayFilter = NotificationFilter & { ids?: string[]; statuses: ReplayableStatus[] };

/** `second`: the step is due that many seconds from now. */
export type ReplayedStep = QueuedStep & { notificationId: NotificationId; second: number };

const { detail: PREVIOUS_FAILED } = EXECUTION_DETAILS.previousStepFailed;
const { detail: BY_REQUEST } = EXECUTION_DETAILS.stepCanceledByRequest;

/** The reason why a step ended, by its execution details. */
const lastDetail = (step: string): string => `
  (SELECT d.detail FROM execution_detail d WHERE d.notification_id = ${step}.notification_id AND d.step_id = ${step}.id
    ORDER BY d.created_at DESC, d.id DESC LIMIT 1)`;

/** Runs failed steps again. */
export class ReplayRepository {
  constructor(private readonly database: Database) {}

  /** The number of matching steps and of their notifications, up to the limit. */
  async count(
    environmentId: EnvironmentId,
    filter: ReplayFilter,
    limit: number,
  ): Promise<{ steps: number; notifications: number }> {
    const { sql, parameters } = matching(environmentId, filter);
    const [row] = await this.database.query<{ steps: number; notifications: number }>(
      `SELECT count(*)::int AS steps, count(DISTINCT notification_id)::int AS notifications
         FROM (${sql} LIMIT $${parameters.push(limit)}) matching`,
      parameters,
    );
    return row!;
  }

  /**
   * Queues up to `limit` of the matching steps, oldest first, `perSecond` for each second after the `offset` queued
   * before. A step starts from the beginning under its own id; steps that were canceled because of it wait for it
   * again. Queued and running steps do not match, and steps that a concurrent replay is queueing are skipped.
   */
  replay(
    environmentId: EnvironmentId,
    filter: ReplayFilter,
    { limit, perSecond, offset }: { limit: number; perSecond: number; offset: number },
  ): Promise<ReplayedStep[]> {
    const { sql, parameters } = matching(environmentId, filter);
    const place = (value: number): string => `$${parameters.push(value)}::int`;
    const text = (value: string): string => `$${parameters.push(value)}::text`;
    const stepQueued = executionDetail('stepQueued');
    const statement = `
      WITH picked AS MATERIALIZED (
        SELECT id FROM step WHERE id = ANY (ARRAY(SELECT id FROM (${sql} LIMIT ${place(limit)}) matching))
           AND state IN ('failed', 'canceled')
         ORDER BY id FOR UPDATE SKIP LOCKED
      ), placed AS (
        SELECT id, (row_number() OVER (ORDER BY id) - 1 + ${place(offset)}) / ${place(perSecond)} AS second FROM picked
      ), queued AS (
        UPDATE step t SET
          state = 'queued', due_at = now() + p.second * interval '1 second',
          offered_until = CASE WHEN p.second = 0 THEN now() + interval '${OFFER_MS} milliseconds' END, attempt = 0,
          crash_count = 0, lease_until = NULL, sending_since = NULL, integration_id = NULL, error = NULL,
          schedule_extensions_count = NULL, updated_at = now()
          FROM placed p WHERE t.id = p.id
        RETURNING t.id, t.environment_id, t.notification_id, t.type, t.position, p.second::int
      ), restored AS (
        UPDATE step t SET state = 'pending', updated_at = now()
          FROM queued q
         WHERE t.notification_id = q.notification_id AND t.position > q.position AND t.state = 'canceled'
           AND ${lastDetail('t')} = ${text(PREVIOUS_FAILED)}
           -- Of several that failed, the last one before it is the cause.
           AND NOT EXISTS (SELECT 1 FROM step f WHERE f.notification_id = t.notification_id AND f.state = 'failed'
                              AND f.position > q.position AND f.position < t.position)
      ), details AS (
        INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, is_retry)
        SELECT uuid_v7(), environment_id, notification_id, id, ${text(stepQueued.status)}, ${text(stepQueued.detail)},
               true
          FROM queued
      )
      SELECT id, type, environment_id, notification_id, second FROM queued`;
    return withPartitions(this.database, () => this.database.rows<ReplayedStep>(statement, parameters));
  }
}

/**
 * Steps `s` of notifications `t`. Steps that were canceled by request, or that were never reached, are left out. OFFSET
 * 0 keeps Postgres from reordering the two: it has no statistics about failures since the last ANALYZE and expects one
 * row where there are ten thousand.
 */
function matching(environmentId: EnvironmentId, { ids, statuses, ...filter }: ReplayFilter) {
  const { where, parameters, sets, sought = [] } = notificationList(environmentId, filter);
  const conditions = [...where, ...sought, ...sets.map(isMember)];
  if (ids) conditions.push(`t.id = ANY ($${parameters.push(ids)}::uuid[])`);
  const notifications = ['t.environment_id = $1', ...conditions].join(' AND ');
  const notReplayed = (): string => `$${parameters.push([PREVIOUS_FAILED, BY_REQUEST])}`;
  const states = [
    ...(statuses.includes('failed') ? [`s.state = 'failed'`] : []),
    ...(statuses.includes('canceled')
      ? [`(s.state = 'canceled' AND coalesce(${lastDetail('s')}, '') <> ALL (${notReplayed()}::text[]))`]
      : []),
  ];
  // Steps are made after their notification.
  const since = filter.after ? ` AND s.id >= $${parameters.push(smallestIdSince(filter.after.getTime()))}` : '';
  const steps = `s.environment_id = $1 AND (${states.join(' OR ')})${since}`;
  const isNarrow = ids !== undefined || filter.transactionIds !== undefined || filter.subscribers !== undefined;
  const sql =
    isNarrow || statuses.includes('canceled')
      ? `SELECT s.id, s.notification_id FROM ${sought.length > 0 ? searchable('notification') : 'notification'} t
          CROSS JOIN LATERAL (
            SELECT s.id, s.notification_id FROM step s WHERE s.notification_id = t.id AND ${steps} OFFSET 0) s
          WHERE ${notifications}`
      : `SELECT s.id, s.notification_id FROM step s
          CROSS JOIN LATERAL (SELECT 1 FROM notification t WHERE t.id = s.notification_id
            AND ${notifications} OFFSET 0) t
          WHERE ${steps}`;
  return { sql, parameters };
}
