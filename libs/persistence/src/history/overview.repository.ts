import { type Channel, CHANNELS, type EnvironmentId, idAtTime, LIMITS } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Integration } from '../entities';
import type { ErrorGroup } from './activity.repository';
import { spanOf } from './activity.sql';
import { COUNTED } from './outcome-counts';
import { barOf, countBars, errorGroupOf, reasonOf } from './outcomes.sql';

/** Begins included, ends excluded. Both are whole minutes, and whole hours where minutes are merged. */
export type CountedRange = { after: Date; before: Date };

export type EndedCounts = {
  accepted: number;
  delivered: number;
  failed: number;
  skipped: number;
  /** How often a step failed or was in doubt, also before a replay. */
  failures: number;
  /** Steps that failed, were replayed and then delivered. */
  recovered: number;
};
/** `held` and `retrying` are open steps that wait for a hold or for their next attempt. */
export type CountedPoint = EndedCounts & {
  at: string;
  channel: Channel;
  inDoubt: number;
  held: number;
  retrying: number;
};
export type ChannelBacklog = { channel: Channel; due: number; delayed: number; oldestDueAt: string | null };

export type Figures = {
  points: CountedPoint[];
  /** Open channel steps of the notifications of the range, and those that were not reached yet. */
  inFlight: { channel: Channel; count: number }[];
  /** Of the whole environment. */
  backlog: ChannelBacklog[];
  now: Date;
};

export type IntegrationUse = Pick<
  Integration,
  'id' | 'name' | 'identifier' | 'providerId' | 'channel' | 'active' | 'primary' | 'health'
> & {
  lastError: string | null;
  lastErrorAt: Date | null;
  /** The step of the last error was replayed and then delivered. */
  lastErrorRecovered: boolean | null;
  messages: number;
  failedMessages: number;
  hours: { at: string; messages: number; failedMessages: number }[];
};

export type WorkflowCounts = EndedCounts & { id: string; workflowId: string; lastTriggeredAt: Date | null };

/** Failed steps among which the last error of each integration is looked for. */
const SEARCHED_FAILURES = 1_000;

const IS_CHANNEL = (column: string): string => `${column} = ANY ('{${CHANNELS.join()}}'::text[])`;

const SUMS = [
  ...COUNTED.map((name) => `sum(${name})::float8 AS ${name}`),
  'sum(failed + in_doubt + replayed)::float8 AS failures',
].join(', ');

/** The counts of the environment $1 from $2 to $3, those that are added up and those that are not yet. */
const COUNTS = ['outcome_count', 'outcome_delta']
  .map(
    (table) => `SELECT at, workflow_id, channel, ${COUNTED.join(', ')} FROM ${table}
     WHERE environment_id = $1 AND at >= $2 AND at < $3`,
  )
  .join('\n    UNION ALL\n    ');

/**
 * One statement, so that all figures are of the same moment: a step that ends meanwhile is in flight or has ended, and
 * never both or neither. $4 is the length of a bucket in seconds, $5 and $6 are the ids of the range. Open rows with
 * the same later steps are counted before their later steps are read.
 */
const READ_FIGURES = `
WITH points AS (
  SELECT date_bin(make_interval(secs => $4), at, to_timestamp(0)) AS at, channel, ${SUMS}
    FROM (${COUNTS}) counts
   GROUP BY 1, 2
), open AS MATERIALIZED (
  SELECT type, later_steps, is_in_range, wait,
         CASE WHEN is_in_range AND wait IS NOT NULL
              THEN date_bin(make_interval(secs => $4), minute_of(id), to_timestamp(0)) END AS at, count(*) AS steps,
         count(*) FILTER (WHERE coalesce(waiting_since, due_at) <= now()) AS due,
         min(coalesce(waiting_since, due_at)) AS oldest
    FROM (SELECT *, id >= $5::uuid AND id < $6::uuid AS is_in_range,
                 CASE WHEN hold_id IS NOT NULL THEN 'held'
                      WHEN attempt > 0 AND progress ? 'error' THEN 'retrying' END AS wait
            FROM work WHERE environment_id = $1 AND type <> 'trigger') w
   GROUP BY 1, 2, 3, 4, 5
), waits AS (
  SELECT at, type AS channel, sum(steps) FILTER (WHERE wait = 'held')::float8 AS held,
         sum(steps) FILTER (WHERE wait = 'retrying')::float8 AS retrying
    FROM open WHERE at IS NOT NULL GROUP BY 1, 2
), in_flight AS (
  SELECT channel, sum(steps)::float8 AS count
    FROM (SELECT type AS channel, steps FROM open WHERE is_in_range
          UNION ALL
          SELECT l ->> 2, steps FROM open CROSS JOIN LATERAL jsonb_array_elements(later_steps) l
           WHERE is_in_range) steps
   WHERE ${IS_CHANNEL('channel')} GROUP BY 1
), backlog AS (
  SELECT type AS channel, sum(due)::float8 AS due, sum(steps - due)::float8 AS delayed,
         min(oldest) FILTER (WHERE due > 0) AS "oldestDueAt"
    FROM open WHERE ${IS_CHANNEL('type')} GROUP BY 1
)
SELECT (SELECT coalesce(json_agg(json_build_object('at', at, 'channel', channel, 'accepted', accepted,
                 'delivered', delivered, 'failed', failed, 'skipped', skipped, 'inDoubt', in_doubt,
                 'failures', failures, 'recovered', recovered, 'held', coalesce(held, 0),
                 'retrying', coalesce(retrying, 0))
                 ORDER BY at, channel), '[]') FROM points LEFT JOIN waits USING (at, channel)) AS points,
       (SELECT coalesce(json_agg(in_flight), '[]') FROM in_flight) AS "inFlight",
       (SELECT coalesce(json_agg(backlog), '[]') FROM backlog) AS backlog,
       now() AS now`;

/** Whether a step of the environment $1 has been delivered. */
const isDelivered = (stepId: string): string => `
  EXISTS (SELECT 1 FROM step s WHERE s.environment_id = $1 AND s.id = ${stepId} AND s.state = 'completed')`;

export class OverviewRepository extends Repository {
  async figures(environmentId: EnvironmentId, range: CountedRange, bucketSeconds: number): Promise<Figures> {
    const { after, before } = range;
    const ids = [idAtTime(after.getTime()), idAtTime(before.getTime())];
    return this.database.one<Figures>(READ_FIGURES, [environmentId, after, before, bucketSeconds, ...ids]);
  }

  /**
   * The integrations with their health. The last error is that of the newest failed step of the integration, among the
   * newest failures of the environment since `since`, also those that were replayed. The messages since `countedSince`
   * are counted, the newest ones of each channel.
   */
  integrations(environmentId: EnvironmentId, since: Date, countedSince: Date): Promise<IntegrationUse[]> {
    return this.database.rows<IntegrationUse>(
      `WITH failures AS MATERIALIZED (
         (SELECT id, integration_id, ended_at, ${reasonOf('s')} AS reason FROM step s
           WHERE environment_id = $1 AND state = 'failed' AND id >= $2
           ORDER BY id DESC LIMIT ${SEARCHED_FAILURES})
         UNION ALL
         (SELECT step_id, integration_id, failed_at, reason FROM replayed_failure
           WHERE environment_id = $1 AND step_id >= $2 ORDER BY step_id DESC LIMIT ${SEARCHED_FAILURES})
       ), newest AS (
         SELECT DISTINCT ON (integration_id) id, integration_id, ended_at, reason FROM failures
          WHERE integration_id IS NOT NULL ORDER BY integration_id, ended_at DESC
       ), volume AS (
         SELECT integration_id, date_trunc('hour', created_at) AS at, count(*)::int AS messages,
                count(*) FILTER (WHERE status = 'error')::int AS failed
           FROM unnest('{${CHANNELS.join()}}'::text[]) AS channels (name) CROSS JOIN LATERAL (
                SELECT integration_id, status, created_at FROM message
                 WHERE environment_id = $1 AND channel = channels.name AND created_at >= $3
                 ORDER BY created_at DESC LIMIT ${LIMITS.integrationMessages}) m
          GROUP BY 1, 2
       )
       SELECT i.id, i.name, i.identifier, i.provider_id, i.channel, i.active, i."primary", i.health,
              f.reason AS last_error, f.ended_at AS last_error_at,
              ${isDelivered('f.id')} AS last_error_recovered,
              coalesce(v.messages, 0) AS messages, coalesce(v.failed, 0) AS failed_messages,
              coalesce(v.hours, '[]') AS hours
         FROM integration i LEFT JOIN newest f ON f.integration_id = i.id
         LEFT JOIN LATERAL (
              SELECT sum(messages)::int AS messages, sum(failed)::int AS failed,
                     json_agg(json_build_object('at', at, 'messages', messages, 'failedMessages', failed) ORDER BY at)
                       AS hours
                FROM volume WHERE integration_id = i.id) v ON true
        WHERE i.environment_id = $1 AND NOT i.deleted
        ORDER BY i.active DESC, i.channel, i."primary" DESC, i.priority, i.id LIMIT ${LIMITS.overviewIntegrations}`,
      [environmentId, idAtTime(since.getTime()), countedSince],
    );
  }

  /** The failures of the range before a replay, by reason; `endedSince` leaves out earlier ones. */
  async replayedFailures(
    environmentId: EnvironmentId,
    { after, before }: CountedRange,
    endedSince?: Date,
  ): Promise<{ groups: ErrorGroup[]; isBounded: boolean }> {
    const rows = await this.database.rows<ErrorGroup & { isBounded: boolean }>(
      `WITH failures AS MATERIALIZED (
         SELECT f.*, ${errorGroupOf('f', 'channel')} AS error_group, notification_of(step_id) AS notification_id
           FROM replayed_failure f
          WHERE environment_id = $1 AND step_id >= $2 AND step_id < $3
            AND ($4::timestamptz IS NULL OR failed_at >= $4)
          ORDER BY step_id DESC LIMIT ${LIMITS.searchedHistory}
       ), seen AS MATERIALIZED (
         SELECT f.*, range.*, ${barOf('f.failed_at', 'range')} AS bar, ${isDelivered('f.step_id')} AS is_recovered,
                EXISTS (SELECT 1 FROM ${spanOf('f.notification_id')} JOIN step s ON s.id > span.id AND s.id <= span.last
                         WHERE s.environment_id = $1 AND s.state = 'completed' AND ${IS_CHANNEL('s.type')}
                           AND s.type <> f.channel) AS is_reached
           FROM failures f
          CROSS JOIN (SELECT coalesce($4, $5::timestamptz) AS since, least($6::timestamptz, now()) AS until) range
       )
       SELECT reason, code, outcome, provider_id, channel, error_group, count(*)::int AS count,
              count(DISTINCT subscriber_id)::int AS people,
              count(DISTINCT subscriber_id) FILTER (WHERE is_reached)::int AS reached_otherwise,
              min(failed_at) AS first_at, max(failed_at) AS last_at,
              max(notification_id::text) AS sample_notification_id, true AS is_replayed,
              count(DISTINCT step_id) FILTER (WHERE is_recovered)::int AS recovered,
              ${countBars('bar')} AS counts, min(since) AS since, min(until) AS until,
              (SELECT count(*) = ${LIMITS.searchedHistory} FROM failures) AS is_bounded
         FROM seen GROUP BY reason, code, outcome, provider_id, channel, error_group
        ORDER BY count(*) DESC, last_at DESC LIMIT ${LIMITS.errorGroups}`,
      [environmentId, idAtTime(after.getTime()), idAtTime(before.getTime()), endedSince ?? null, after, before],
    );
    return {
      groups: rows.map(({ isBounded: _, ...group }) => group),
      isBounded: rows[0]?.isBounded ?? false,
    };
  }

  /** The counts of each workflow that is not deleted. */
  workflows(environmentId: EnvironmentId, { after, before }: CountedRange): Promise<WorkflowCounts[]> {
    return this.database.rows<WorkflowCounts>(
      `SELECT w.id, w.workflow_id, w.last_triggered_at, c.accepted, c.delivered, c.failed, c.skipped,
              c.failures, c.recovered
         FROM (SELECT workflow_id, ${SUMS} FROM (${COUNTS}) counts GROUP BY 1) c
         JOIN workflow w ON w.environment_id = $1 AND w.id = c.workflow_id AND w.deleted_at IS NULL
        ORDER BY c.accepted DESC, w.id LIMIT ${LIMITS.overviewWorkflows}`,
      [environmentId, after, before],
    );
  }
}
