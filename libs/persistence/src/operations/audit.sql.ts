import { CHANNELS } from '@clarion/contracts/core';
import { outcomeOf } from '../history/outcomes.sql';

/*
 * The reconciliation of the records: what every notification should have according to the version of its workflow,
 * against what its steps, its open work and its messages show. The ids of a notification, of its steps and of its
 * messages begin with the same millisecond, so a range of ids contains all of them or none.
 *
 * Postgres knows nothing about the rows of a CTE, and while it has no statistics of a new partition it expects one row:
 * it would compare each row with all others. So the statement runs without nested loops (`NO_NESTED_LOOPS`), and
 * each lookup by an index is a subquery, for which there is no other plan.
 *
 * Parameters of both forms: $1 the number of ids that are listed for each figure and each check.
 */

export const NO_NESTED_LOOPS = 'SET LOCAL enable_nestloop = off';

const CHANNEL_LIST = `'{${CHANNELS.join()}}'::text[]`;

/** Channels that send one message for a step; the others send one to each address. */
const ONE_MESSAGE_CHANNELS = `'{email,sms,in_app}'::text[]`;

/** What is wrong with a row that a check lists. */
export const AUDIT_CHECKS = {
  'missing-step': 'A step of a notification has neither ended nor is it open',
  'unexpected-step': 'A step that the workflow version of its notification does not have, or has with another type',
  'step-without-notification': 'A step, ended or open, whose notification does not exist',
  'notification-without-trigger': 'A notification whose trigger does not exist',
  'trigger-without-outcome':
    'A trigger that names subscribers, is not open, did not fail and was not canceled has no notification',
  'open-trigger-without-history': 'Open work for a trigger that does not exist',
  'message-without-step': 'A message whose step neither ended nor is open',
  'several-messages': 'A step of a channel that sends one message has several',
} as const;

export type AuditCheck = keyof typeof AUDIT_CHECKS;

type Source = {
  /** CTEs that define `n`, `ended`, `opened`, `m` and `t`. */
  rows: string;
  /** SQL of the rollups of the same notifications, or none. */
  rollups?: string;
};

/** Of all environments of `wanted` ($2, NULL for all) from the id $3 to the id $4. Steps and messages are not read. */
const EVENTS_IN_RANGE = `wanted AS MATERIALIZED (
  SELECT id FROM environment WHERE deleted_at IS NULL AND ($2::uuid[] IS NULL OR id = ANY ($2::uuid[]))
), n AS MATERIALIZED (
  SELECT r.id, r.environment_id, r.trigger_id FROM wanted e CROSS JOIN LATERAL (
    SELECT id, environment_id, trigger_id FROM notification
     WHERE environment_id = e.id AND id >= $3::uuid AND id < $4::uuid OFFSET 0) r
), opened AS MATERIALIZED (
  SELECT w.id, w.environment_id, w.type, w.step_key, w.later_steps FROM work w
   WHERE w.id >= $3::uuid AND w.id < $4::uuid AND w.environment_id IN (SELECT id FROM wanted)
), t AS MATERIALIZED (
  SELECT id, environment_id, outcome, recipients, workflow_id, workflow_version FROM trigger
   WHERE id >= $3::uuid AND id < $4::uuid AND environment_id IN (SELECT id FROM wanted)
)`;

/** The minutes and hours of the rollups have the times of the same ids. */
const ROLLUPS_IN_RANGE = `
SELECT environment_id, channel, sum(accepted)::float8 AS accepted, sum(delivered)::float8 AS delivered,
       sum(failed)::float8 AS failed, sum(skipped)::float8 AS skipped, sum(in_doubt)::float8 AS "inDoubt"
  FROM (
  SELECT c.* FROM wanted e CROSS JOIN LATERAL (
    SELECT environment_id, channel, accepted, delivered, failed, skipped, in_doubt FROM outcome_count
     WHERE environment_id = e.id AND at >= $5::timestamptz AND at < $6::timestamptz OFFSET 0) c
  UNION ALL
  SELECT d.environment_id, d.channel, d.accepted, d.delivered, d.failed, d.skipped, d.in_doubt
    FROM outcome_delta d JOIN wanted e ON e.id = d.environment_id
   WHERE d.at >= $5::timestamptz AND d.at < $6::timestamptz) counts GROUP BY 1, 2`;

const IN_RANGE: Source = {
  rows: `${EVENTS_IN_RANGE}, ended AS MATERIALIZED (
  SELECT s.id, s.environment_id, s.type, s.step_key, ${outcomeOf('s.state', 's.error')} AS outcome
    FROM step s WHERE s.id >= $3::uuid AND s.id < $4::uuid AND s.environment_id IN (SELECT id FROM wanted)
), m AS MATERIALIZED (
  SELECT id, environment_id, step_id, channel FROM message
   WHERE id >= $3::uuid AND id < $4::uuid AND environment_id IN (SELECT id FROM wanted)
)`,
  rollups: ROLLUPS_IN_RANGE,
};

/** The notifications of the trigger $3 of the environment $2. */
const OF_TRIGGER: Source = {
  rows: `n AS MATERIALIZED (
  SELECT id, environment_id, trigger_id, step_id(id, 254) AS last FROM notification
   WHERE environment_id = $2::uuid AND trigger_id = $3::uuid
), ended AS MATERIALIZED (
  SELECT s.* FROM n CROSS JOIN LATERAL (
    SELECT s.id, s.environment_id, s.type, s.step_key, ${outcomeOf('s.state', 's.error')} AS outcome FROM step s
     WHERE s.id > n.id AND s.id <= n.last AND s.environment_id = $2::uuid OFFSET 0) s
), opened AS MATERIALIZED (
  SELECT w.* FROM n CROSS JOIN LATERAL (
    SELECT id, environment_id, type, step_key, later_steps FROM work
     WHERE id > n.id AND id <= n.last AND environment_id = $2::uuid OFFSET 0) w
  UNION ALL
  SELECT id, environment_id, type, step_key, NULL FROM work
   WHERE id = $3::uuid AND environment_id = $2::uuid AND type = 'trigger'
), m AS MATERIALIZED (
  SELECT id, environment_id, step_id, channel FROM message WHERE environment_id = $2::uuid AND trigger_id = $3::uuid
), t AS MATERIALIZED (
  SELECT id, environment_id, outcome, recipients, workflow_id, workflow_version FROM trigger
   WHERE id = $3::uuid AND environment_id = $2::uuid
)`,
};

const check = (name: AuditCheck, rows: string): string => `
  SELECT '${name}' AS name, count(*)::int AS count, (array_agg(id ORDER BY id))[1:$1] AS ids FROM (${rows}) bad`;

const OPEN_STEPS = `open_steps AS MATERIALIZED (
  SELECT id, environment_id, type, step_key FROM opened WHERE type <> 'trigger'
  UNION ALL
  SELECT step_id(notification_of(o.id), (l ->> 0)::int), o.environment_id, l ->> 2, l ->> 1
    FROM opened o CROSS JOIN LATERAL jsonb_array_elements(o.later_steps) l
)`;

const SILENT = `silent AS MATERIALIZED (
  SELECT t.id FROM t
   WHERE t.outcome IS NULL
     AND t.recipients @? '$[*] ? (!exists(@.type) || (@.type <> "Topic" && @.type <> "Broadcast"))'
     AND NOT EXISTS (SELECT 1 FROM n WHERE n.trigger_id = t.id)
     AND NOT EXISTS (SELECT 1 FROM opened o WHERE o.id = t.id)
)`;

const CHECKS_OF_EVENTS = [
  check(
    'trigger-without-outcome',
    `SELECT id FROM silent WHERE (SELECT true FROM notification f WHERE f.trigger_id = silent.id LIMIT 1) IS NULL`,
  ),
  check(
    'open-trigger-without-history',
    `SELECT o.id FROM opened o WHERE o.type = 'trigger' AND NOT EXISTS (SELECT 1 FROM t WHERE t.id = o.id)`,
  ),
];

const COUNTED_EVENTS = `
       (SELECT json_agg(checks) FROM checks WHERE count > 0) AS checks,
       (SELECT json_build_object('accepted', count(*), 'failed', count(*) FILTER (WHERE outcome = 'failed'),
                 'canceled', count(*) FILTER (WHERE outcome = 'canceled'),
                 'open', count(*) FILTER (WHERE EXISTS (SELECT 1 FROM opened o WHERE o.id = t.id))) FROM t) AS events,
       (SELECT count(*)::int FROM n) AS notifications`;

/** A step that runs again is open, although its first row may exist. `expected` are the active steps. */
const statement = ({ rows, rollups }: Source): string => `
WITH ${rows}, ${OPEN_STEPS}, state AS MATERIALIZED (
  SELECT s.*, notification_of(s.id) AS notification_id FROM (
    SELECT id, environment_id, type, step_key, 'in_flight' AS outcome FROM open_steps
    UNION ALL
    SELECT e.id, e.environment_id, e.type, e.step_key, e.outcome FROM ended e
     WHERE NOT EXISTS (SELECT 1 FROM open_steps o WHERE o.id = e.id)) s
), triggers AS MATERIALIZED (
  SELECT named.trigger_id AS id, coalesce(t.workflow_id, earlier.workflow_id) AS workflow_id,
         coalesce(t.workflow_version, earlier.workflow_version) AS workflow_version
    FROM (SELECT DISTINCT trigger_id FROM n) named LEFT JOIN t ON t.id = named.trigger_id
    LEFT JOIN LATERAL (
      SELECT workflow_id, workflow_version FROM trigger
       WHERE t.id IS NULL AND id = named.trigger_id LIMIT 1) earlier ON true
), expected AS MATERIALIZED (
  SELECT v.workflow_id, v.version, s.step ->> 'type' AS type,
         row_number() OVER (PARTITION BY v.workflow_id, v.version ORDER BY s.place)::int - 1 AS position
    FROM (SELECT DISTINCT workflow_id, workflow_version FROM triggers) used
   CROSS JOIN LATERAL (
     SELECT * FROM workflow_version
      WHERE workflow_id = used.workflow_id AND version = used.workflow_version OFFSET 0) v
   CROSS JOIN LATERAL jsonb_array_elements(v.steps) WITH ORDINALITY AS s (step, place)
   WHERE (s.step ->> 'active')::boolean
), planned AS MATERIALIZED (
  SELECT n.id AS notification_id, n.environment_id, e.position, e.type
    FROM n JOIN triggers g ON g.id = n.trigger_id
    JOIN expected e ON e.workflow_id = g.workflow_id AND e.version = g.workflow_version
), compared AS MATERIALIZED (
  SELECT p.notification_id, p.environment_id, p.type AS planned, s.id AS step_id, s.type, s.outcome
    FROM planned p LEFT JOIN state s ON s.notification_id = p.notification_id AND position_of(s.id) = p.position
), figures AS (
  SELECT environment_id, channel, sum(accepted)::float8 AS accepted, sum(delivered)::float8 AS delivered,
         sum(failed)::float8 AS failed, sum(skipped)::float8 AS skipped, sum(in_flight)::float8 AS "inFlight",
         sum(in_doubt)::float8 AS "inDoubt"
    FROM (
      SELECT environment_id, planned AS channel, 1 AS accepted, 0 AS delivered, 0 AS failed, 0 AS skipped,
             0 AS in_flight, 0 AS in_doubt FROM compared
      UNION ALL
      SELECT environment_id, type, 0, (outcome = 'delivered')::int, (outcome = 'failed')::int,
             (outcome = 'skipped')::int, (outcome = 'in_flight')::int, (outcome = 'in_doubt')::int FROM state) counted
   WHERE channel = ANY (${CHANNEL_LIST}) GROUP BY 1, 2
), listed AS (
  SELECT environment_id, channel, outcome, ARRAY(SELECT id FROM unnest(steps) AS id ORDER BY id LIMIT $1::int) AS ids
    FROM (SELECT environment_id, type AS channel, outcome, array_agg(id) AS steps FROM state
           WHERE type = ANY (${CHANNEL_LIST}) AND $1::int > 0 GROUP BY 1, 2, 3) all_steps
), ${SILENT}, checks AS (${[
  check('missing-step', `SELECT DISTINCT notification_id AS id FROM compared WHERE step_id IS NULL`),
  check(
    'unexpected-step',
    `SELECT s.id FROM state s JOIN n ON n.id = s.notification_id
       LEFT JOIN compared c ON c.step_id = s.id WHERE c.planned IS DISTINCT FROM s.type`,
  ),
  check(
    'step-without-notification',
    `SELECT s.id FROM state s WHERE NOT EXISTS (SELECT 1 FROM n WHERE n.id = s.notification_id)`,
  ),
  check(
    'notification-without-trigger',
    `SELECT n.id FROM n JOIN triggers g ON g.id = n.trigger_id WHERE g.workflow_id IS NULL`,
  ),
  ...CHECKS_OF_EVENTS,
  check('message-without-step', `SELECT m.id FROM m WHERE NOT EXISTS (SELECT 1 FROM state s WHERE s.id = m.step_id)`),
  check(
    'several-messages',
    `SELECT step_id AS id FROM m WHERE channel = ANY (${ONE_MESSAGE_CHANNELS}) GROUP BY 1 HAVING count(*) > 1`,
  ),
].join('\n  UNION ALL')}
)
SELECT (SELECT coalesce(json_agg(figures), '[]') FROM figures) AS figures,
       (SELECT coalesce(json_agg(listed), '[]') FROM listed) AS ids,${COUNTED_EVENTS}${
         rollups ? `, (SELECT coalesce(json_agg(r), '[]') FROM (${rollups}) r) AS rollups` : ''
       }`;

/**
 * What the rollups of a range and its open work say, without the history of steps and messages. The ids are those of
 * the open steps.
 */
export const AUDIT_ROLLUPS = `
WITH ${EVENTS_IN_RANGE}, ${OPEN_STEPS}, ${SILENT}, rollups AS MATERIALIZED (${ROLLUPS_IN_RANGE}
), listed AS MATERIALIZED (
  SELECT environment_id, type AS channel, 'in_flight' AS outcome, count(*)::float8 AS "inFlight",
         (array_agg(id ORDER BY id))[1:$1] AS ids
    FROM open_steps WHERE type = ANY (${CHANNEL_LIST}) GROUP BY 1, 2
), figures AS (
  SELECT environment_id, channel, coalesce(accepted, 0) AS accepted, coalesce(delivered, 0) AS delivered,
         coalesce(failed, 0) AS failed, coalesce(skipped, 0) AS skipped, coalesce("inFlight", 0) AS "inFlight",
         coalesce("inDoubt", 0) AS "inDoubt"
    FROM rollups FULL JOIN listed USING (environment_id, channel)
), checks AS (${CHECKS_OF_EVENTS.join('\n  UNION ALL')}
)
SELECT (SELECT coalesce(json_agg(figures), '[]') FROM figures) AS figures,
       (SELECT coalesce(json_agg(listed), '[]') FROM listed) AS ids,
       (SELECT coalesce(json_agg(rollups), '[]') FROM rollups) AS rollups,${COUNTED_EVENTS}`;

export const AUDIT_RANGE = statement(IN_RANGE);
export const AUDIT_TRIGGER = statement(OF_TRIGGER);
