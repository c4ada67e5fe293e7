import type { ReplayableStatus } from '@clarion/contracts';
import {
  CHANNELS,
  EXECUTION_DETAILS,
  type EnvironmentId,
  executionDetail,
  type NotificationId,
  type StepId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { isMember, smallestIdSince } from '../sql/pages';
import { withPartitions } from '../schema/partitions';
import { searchable } from '../schema/row-level-security';
import { contains } from '../sql/substrings';
import { lastDetail, lastDetailOf, spanOf, unpackedDetails } from '../history/activity.sql';
import { type NotificationFilter, notificationList } from '../history/notification.repository';
import type { ActivityFilter } from '../history/activity-filter';
import { LANE_OF_REOPENED } from './open-work';
import { HAD_FAILED, IS_FAILURE, uncountReplayed } from '../history/count-outcomes.sql';
import { causeOf, codeOf, errorGroupOf, outcomeOf, reasonOf } from '../history/outcomes.sql';
import { isRedacted } from '../history/redaction.sql';
import type { ReplayThrough } from './work.entity';
import type { QueuedStep } from './steps/step-rows';

/** Which steps of the notifications. */
export type ReplayedSteps = Pick<ActivityFilter, 'channels' | 'providerIds' | 'reason' | 'errorGroup' | 'outcomes'>;
export type ReplayFilter = NotificationFilter & {
  ids?: string[];
  statuses: ReplayableStatus[];
  steps?: ReplayedSteps;
  /** The steps that cannot be replayed, because their payload was redacted, instead of those that can. */
  redacted?: boolean;
};

/** `second`: the step is due that many seconds from now. */
export type ReplayedStep = QueuedStep & { notificationId: NotificationId; second: number };

const { detail: PREVIOUS_FAILED } = EXECUTION_DETAILS.previousStepFailed;
const { detail: BY_REQUEST } = EXECUTION_DETAILS.stepCanceledByRequest;

/**
 * The notifications of `locked` whose payload was redacted, or is being: their own, or one that a digest collected.
 * The lock makes a redaction wait that would begin now, so it sees the steps that are opened. No part is a join that
 * Postgres may begin with all notifications: see `matchingSteps`.
 */
const WITHOUT_PAYLOAD = `replayed AS MATERIALIZED (
        SELECT DISTINCT notification_id AS id, step_id(notification_id, 254) AS last FROM locked
      ), payloads AS MATERIALIZED (
        SELECT id AS notification_id, trigger_id FROM notification
         WHERE environment_id = $1 AND id = ANY (ARRAY(SELECT id FROM replayed))
        UNION
        SELECT r.id, n.trigger_id
          FROM replayed r CROSS JOIN LATERAL (
            SELECT notification_of(id) AS id FROM step WHERE environment_id = $1 AND digest_master_id IS NOT NULL
               AND digest_master_id > r.id AND digest_master_id <= r.last AND state = 'merged' OFFSET 0) m
          CROSS JOIN LATERAL (
            SELECT trigger_id FROM notification WHERE environment_id = $1 AND id = m.id OFFSET 0) n
      ), redactions AS MATERIALIZED (
        SELECT trigger_id, phase FROM redaction
         WHERE environment_id = $1 AND trigger_id = ANY (ARRAY(SELECT trigger_id FROM payloads)) FOR SHARE
      ), without_payload AS MATERIALIZED (
        SELECT p.notification_id FROM payloads p
         WHERE ${isRedacted('p.trigger_id')}
            OR p.trigger_id IN (SELECT trigger_id FROM redactions WHERE phase <> 'waiting')
      )`;

/** The last one before the step `s` of the sorted ids of `placed`. A join with them could compare each with each. */
const CAUSE_OF_STEP = 'p.ids[width_bucket(s.id, p.ids)]';

/** OFFSET keeps the lookup by id inside. */
const notificationOf = (row: string): string =>
  `SELECT * FROM notification WHERE environment_id = $1 AND id = ${row}.notification_id OFFSET 0`;

/** What is read of the steps that are opened again. */
const ENDED_COLUMNS = `id, environment_id, notification_id, type, state, error, queued_at, ended_at, details,
                       provider_id, integration_id`;

/** Runs failed steps again. */
export class ReplayRepository extends Repository {
  /** The number of matching steps and of their notifications, up to the limit. */
  async count(
    environmentId: EnvironmentId,
    filter: ReplayFilter,
    limit: number,
  ): Promise<{ steps: number; notifications: number }> {
    const { sql, parameters } = matchingSteps(environmentId, filter);
    return this.database.one<{ steps: number; notifications: number }>(
      `SELECT count(*)::int AS steps, count(DISTINCT notification_id)::int AS notifications
         FROM (${sql} LIMIT $${parameters.push(limit)}) matching`,
      parameters,
    );
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
    const { sql, parameters } = matchingSteps(environmentId, filter);
    const picked = `SELECT id FROM step
      WHERE id = ANY (ARRAY(SELECT id FROM (${sql} LIMIT $${parameters.push(limit)}::int) matching))
        AND environment_id = $1 AND state IN ('failed', 'canceled')
      ORDER BY id FOR UPDATE SKIP LOCKED`;
    return this.reopen(picked, parameters, { perSecond, offset });
  }

  /** Queues steps that are as they were. Unlike `replay` it waits for concurrent transactions. */
  replayEnded(
    environmentId: EnvironmentId,
    steps: { id: StepId; endedAt: Date }[],
    through?: ReplayThrough | null,
  ): Promise<ReplayedStep[]> {
    const picked = `SELECT s.id FROM step s JOIN unnest($2::uuid[], $3::timestamptz[]) AS frozen (id, ended_at)
        ON frozen.id = s.id AND frozen.ended_at = s.ended_at
      WHERE s.id = ANY ($2::uuid[]) AND s.environment_id = $1 AND s.state IN ('failed', 'canceled')
        AND NOT EXISTS (SELECT 1 FROM work w WHERE w.environment_id = $1 AND w.id = s.id)
      ORDER BY s.id FOR UPDATE OF s`;
    const parameters = [environmentId, steps.map(({ id }) => id), steps.map(({ endedAt }) => endedAt)];
    return this.reopen(picked, parameters, { perSecond: Math.max(1, steps.length), offset: 0, through });
  }

  /** `picked` locks the steps and returns their ids; `$1` is the environment. */
  private reopen(
    picked: string,
    parameters: unknown[],
    { perSecond, offset, through }: { perSecond: number; offset: number; through?: ReplayThrough | null },
  ): Promise<ReplayedStep[]> {
    const place = (value: number): string => `$${parameters.push(value)}::int`;
    const text = (value: string | undefined): string => `$${parameters.push(value)}::text`;
    const channel = text(through?.channel);
    const ofChannel = (value: string | undefined): string => `CASE a.type WHEN ${channel} THEN ${text(value)} END`;
    const stepQueued = executionDetail('stepQueued');
    const statement = `
      WITH locked AS MATERIALIZED (
        SELECT id, notification_of(id) AS notification_id FROM (${picked}) locked
      ), ${WITHOUT_PAYLOAD}, placed AS MATERIALIZED (
        SELECT array_agg(id ORDER BY id) AS ids FROM locked
         WHERE notification_id NOT IN (SELECT notification_id FROM without_payload)
      ), again AS (
        DELETE FROM step s USING placed p
         WHERE s.environment_id = $1 AND s.id = ANY ((SELECT ids FROM placed)::uuid[])
        RETURNING s.*, notification_of(s.id) AS notification_id,
                  (width_bucket(s.id, p.ids) - 1 + ${place(offset)}) / ${place(perSecond)} AS second
      ), behind AS (
        DELETE FROM step s USING placed p
         WHERE s.environment_id = $1 AND s.state = 'canceled'
           -- OFFSET keeps the lookup by id inside.
           AND s.id = ANY (ARRAY(
             SELECT b.id FROM placed CROSS JOIN LATERAL unnest(ids) AS failed (id) CROSS JOIN LATERAL (
               SELECT id FROM step WHERE environment_id = $1 AND id > failed.id AND id <= step_id(failed.id, 254)
                  AND state = 'canceled' OFFSET 0) b))
           AND ${lastDetailOf('s.id')} = ${text(PREVIOUS_FAILED)}
           -- Of several that failed, the last one before it is the cause.
           AND (SELECT f.id FROM step f WHERE f.environment_id = $1 AND f.state = 'failed'
                   AND f.id > ${CAUSE_OF_STEP} AND f.id < s.id ORDER BY f.id LIMIT 1) IS NULL
        RETURNING s.*, notification_of(s.id) AS notification_id, ${CAUSE_OF_STEP} AS cause_id
      ), later AS MATERIALIZED (
        SELECT cause_id, jsonb_agg(jsonb_build_array(position_of(id), step_key, type) ORDER BY id) AS steps
          FROM behind GROUP BY 1
      ), queued AS (
        INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, due_at, offered_at, fence,
                          type, step_key, workflow_id, lane, later_steps, progress)
        SELECT a.id, $1, n.trigger_id, n.id, n.subscriber_id, now() + a.second * interval '1 second',
               CASE WHEN a.second = 0 THEN now() END, nextval('reopened_fence'), a.type, a.step_key, n.workflow_id,
               ${LANE_OF_REOPENED},
               (SELECT jsonb_object_agg(cause_id, steps) FROM later) -> a.id::text,
               nullif(jsonb_strip_nulls(jsonb_build_object(
                 'digest', a.digest, 'through', ${ofChannel(through?.integrationIdentifier)},
                 'providerId', coalesce(${ofChannel(through?.providerId)}, nullif(a.provider_id, 'platform')),
                 '${HAD_FAILED}', CASE WHEN a.state = 'failed' OR EXISTS (
                   SELECT 1 FROM replayed_failure f WHERE f.environment_id = $1 AND f.step_id = a.id)
                   THEN true END)), '{}')
          FROM again a CROSS JOIN LATERAL (${notificationOf('a')}) n
        RETURNING id, lane
      ), ended AS (
        SELECT e.*, n.workflow_id, n.subscriber_id, ${outcomeOf('e.state', 'e.error')} AS outcome
          FROM (${['again', 'behind'].map((steps) => `SELECT ${ENDED_COLUMNS} FROM ${steps}`).join(' UNION ALL ')}) e
         CROSS JOIN LATERAL (${notificationOf('e')}) n
      ), uncounted AS (${uncountReplayed(`SELECT * FROM ended`)}
      ), kept AS (
        INSERT INTO replayed_failure (environment_id, step_id, failed_at, subscriber_id, channel, outcome, provider_id,
                                      integration_id, code, reason)
        SELECT $1, id, ended_at, subscriber_id, type, outcome, nullif(provider_id, 'platform'), integration_id,
               ${codeOf('ended')}, ${reasonOf('ended')}
          FROM ended WHERE ${IS_FAILURE} AND type = ANY ('{${CHANNELS.join()}}'::text[])
      ), details AS (
        INSERT INTO execution_detail (id, environment_id, notification_id, step_id, message_id, created_at, is_retry,
                                      status, detail, source, provider_id, raw)
        SELECT d.id, $1, notification_of(d.step_id), d.step_id, d.message_id, d.created_at, d.is_retry, d.status,
               d.detail, d.source, d.provider_id, d.raw
          FROM (${unpackedDetails('ended')}) d
        UNION ALL
        SELECT uuid_v7(), $1, notification_id, id, NULL, now(), true, ${text(stepQueued.status)},
               ${text(stepQueued.detail)}, 'Internal', NULL, NULL
          FROM again
      )
      SELECT id, type, environment_id, notification_id, second::int, lane FROM again JOIN queued USING (id)`;
    return withPartitions(this.database, () => this.database.rows<ReplayedStep>(statement, parameters));
  }
}

/**
 * Steps `s` of notifications `t`. Steps that were canceled by request, that were never reached, or whose payload was
 * redacted, are left out. OFFSET 0 keeps Postgres from reordering the two: it has no statistics about failures since
 * the last ANALYZE and expects one row where there are ten thousand.
 */
export function matchingSteps(
  environmentId: EnvironmentId,
  { ids, statuses, steps: wanted = {}, redacted = false, ...filter }: ReplayFilter,
) {
  const { where, parameters, sets, sought = [] } = notificationList(environmentId, filter);
  const payload = `${redacted ? '' : 'NOT '}${isRedacted('t.trigger_id')}`;
  const conditions = [...where, ...sought, ...sets.map(isMember), payload];
  if (ids) conditions.push(`t.id = ANY ($${parameters.push(ids)}::uuid[])`);
  const notifications = ['t.environment_id = $1', ...conditions].join(' AND ');
  const notReplayed = (): string => `$${parameters.push([PREVIOUS_FAILED, BY_REQUEST])}`;
  const states = [
    ...(statuses.includes('failed') ? [`s.state = 'failed'`] : []),
    ...(statuses.includes('canceled')
      ? [`(s.state = 'canceled' AND coalesce(${lastDetail('s.id')}, '') <> ALL (${notReplayed()}::text[]))`]
      : []),
  ];
  // Steps are made with their notification.
  const since = filter.after ? ` AND s.id >= $${parameters.push(smallestIdSince(filter.after.getTime()))}` : '';
  const narrowed = stepConditions(wanted, parameters).map((condition) => ` AND ${condition}`);
  const steps = `s.environment_id = $1 AND (${states.join(' OR ')})${since}${narrowed.join('')}
                 AND NOT EXISTS (SELECT 1 FROM work w WHERE w.environment_id = $1 AND w.id = s.id)`;
  const isNarrow = ids !== undefined || filter.transactionIds !== undefined || filter.subscribers !== undefined;
  const sql =
    isNarrow || statuses.includes('canceled')
      ? `SELECT s.id, t.id AS notification_id
           FROM ${sought.length > 0 ? searchable('notification') : 'notification'} t
          CROSS JOIN LATERAL ${spanOf('t.id')}
          CROSS JOIN LATERAL (
            SELECT s.id FROM step s WHERE s.id > span.id AND s.id <= span.last AND ${steps} OFFSET 0) s
          WHERE ${notifications}`
      : `SELECT s.id, own.notification_id FROM step s
          CROSS JOIN LATERAL (SELECT notification_of(s.id) AS notification_id OFFSET 0) own
          CROSS JOIN LATERAL (SELECT 1 FROM notification t WHERE t.id = own.notification_id
            AND ${notifications} OFFSET 0) t
          WHERE ${steps}`;
  return { sql, parameters };
}

function stepConditions(wanted: ReplayedSteps, parameters: unknown[]): string[] {
  const { channels, providerIds, reason, errorGroup, outcomes } = wanted;
  const ended = `(SELECT s.type, s.provider_id, ${causeOf('s')}) ended`;
  return [
    ...(outcomes ? [`${outcomeOf('s.state', 's.error')} = ANY ($${parameters.push(outcomes)}::text[])`] : []),
    ...(channels ? [`s.type = ANY ($${parameters.push(channels)}::text[])`] : []),
    ...(providerIds ? [`s.provider_id = ANY ($${parameters.push(providerIds)}::text[])`] : []),
    ...(reason === undefined ? [] : [contains(reasonOf('s'), reason, parameters, 'ILIKE')]),
    ...(errorGroup ? [`(SELECT ${errorGroupOf('ended')} FROM ${ended}) = $${parameters.push(errorGroup)}`] : []),
  ];
}
