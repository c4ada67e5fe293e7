import { executionDetail } from '@clarion/contracts/core';
import type { PackedDetail } from '../entities';
import { CLOCK_SLACK } from '../sql/pages';
import { isClaimed } from '../work/open-work';

/**
 * What the activity shows of the steps of a notification, and where it comes from. The environment is `$1`, or SQL.
 *
 * Steps: one that has ended is a row of `step`; an open one is a row of `work`, whose `later_steps` are those that were
 * not reached. A step that runs again is shown as open, although the row of its first run may still exist.
 *
 * Execution details: those of an outcome are in `step.details`, all others are rows of `execution_detail`. That a step
 * was queued is only the time `queued_at`.
 */

/**
 * A notification as `span`: its id, and the largest id that a step of it can have. OFFSET 0 makes them plain columns. A
 * tenant could not use an index with an expression of them: row-level security allows only operators that cannot leak a
 * hidden row.
 */
export const spanOf = (notificationId: string): string =>
  `(SELECT id, step_id(id, 254) AS last FROM (SELECT ${notificationId} AS id) AS named OFFSET 0) span`;

/** The smallest id that an execution detail of `span` can have, by a clock that runs behind. */
const OLDEST_DETAIL = `
  (SELECT (lpad(to_hex(greatest(
             ('x' || translate(left(span.id::text, 13), '-', ''))::bit(48)::bigint - ${CLOCK_SLACK}, 0)), 12, '0')
           || repeat('0', 20))::uuid AS id OFFSET 0) oldest`;

/** The ended steps of `span`. */
const ended = (environment: string): string =>
  `s.environment_id = ${environment} AND s.id > span.id AND s.id <= span.last`;

/**
 * The rows of `work` of a notification, from `span` or another table with these columns. The order leaves Postgres one
 * plan: the range of the primary key. Without it, it may read all open rows of the environment, or the whole table,
 * because it expects to find the first match soon.
 */
export const openSteps = (span = 'span', condition = '', environment = '$1'): string => `
  (SELECT * FROM work
    WHERE environment_id = ${environment} AND id > ${span}.id AND id <= ${span}.last AND type <> 'trigger'${condition}
    ORDER BY id OFFSET 0)`;

/** The digest of an ended step. The payloads of its events are stored in its output; older rows have them here. */
const SHOWN_DIGEST = `
  CASE jsonb_typeof(s.output -> 'events')
    WHEN 'array' THEN s.digest || jsonb_build_object('events', jsonb_path_query_array(s.output, '$.events[*].payload'))
    WHEN 'string' THEN s.digest || jsonb_build_object('events', s.output -> 'events')
    ELSE s.digest END`;

/** The steps of `span`. */
export const shownSteps = (environment = '$1'): string => `
  SELECT s.id, s.step_key, s.type, s.provider_id, s.state, ${SHOWN_DIGEST} AS digest, s.schedule_extensions_count,
         s.ended_at AS updated_at, s.error, s.details
    FROM step s
   WHERE ${ended(environment)}
     AND NOT EXISTS (SELECT 1 FROM ${openSteps('span', '', environment)} w
                      WHERE w.id = s.id OR w.later_steps @> jsonb_build_array(jsonb_build_array(position_of(s.id))))
  UNION ALL
  SELECT w.id, w.step_key, w.type, coalesce(w.progress ->> 'providerId', 'platform'),
         CASE WHEN w.is_delayed OR w.hold_id IS NOT NULL THEN 'delayed'
              WHEN ${isClaimed('w')} THEN 'running' ELSE 'queued' END,
         w.progress -> 'digest', (w.progress ->> 'scheduleExtensionsCount')::int, w.updated_at,
         w.progress -> 'error', NULL
    FROM ${openSteps('span', '', environment)} w
  UNION ALL
  SELECT step_id(span.id, (later.step ->> 0)::int), later.step ->> 1, later.step ->> 2, 'platform', 'pending', NULL,
         NULL, w.updated_at, NULL, NULL
    FROM ${openSteps('span', '', environment)} w
   CROSS JOIN LATERAL jsonb_array_elements(w.later_steps) AS later (step)`;

const { status, detail } = executionDetail('stepQueued');
const QUEUED_LINE: PackedDetail = { d: detail, s: status };
const QUEUED = `'${JSON.stringify(QUEUED_LINE)}'::json`;

/** When a packed detail of the step `s` happened. */
const timeOf = (line: string): string =>
  `(s.ended_at - coalesce((${line} ->> 'a')::int, 0) * interval '1 millisecond')`;

/** The lines of an ended step `s`: that it was queued, which is not stored, and the details of its outcome. */
const LINES = `
  (SELECT 0 AS place, ${QUEUED} AS line, s.queued_at AS at WHERE s.queued_at IS NOT NULL
   UNION ALL
   SELECT stored.place, stored.line, ${timeOf('stored.line')}
     FROM json_array_elements(s.details) WITH ORDINALITY AS stored (line, place)) packed`;

/** The columns of an execution detail that is such a line of a step. */
const lineColumns = (step: string, line: string, at: string, place: string): string => `
  detail_id(${step}.id, ${at}, ${place}) AS id, ${step}.id AS step_id,
  CASE json_typeof(${line} -> 'm') WHEN 'boolean' THEN ${step}.id ELSE (${line} ->> 'm')::uuid END AS message_id,
  ${at} AS created_at, coalesce((${line} ->> 't')::boolean, false) AS is_retry,
  coalesce(${line} ->> 's', 'Success') AS status, ${line} ->> 'd' AS detail,
  coalesce(${line} ->> 'o', 'Internal') AS source, ${line} ->> 'p' AS provider_id, ${line} ->> 'r' AS raw`;

const LINE_COLUMNS = lineColumns('s', 'packed.line', 'packed.at', 'packed.place::int');

/** The order of execution details, oldest first. `kind` breaks ties: queued, rows, outcome. */
export const DETAIL_ORDER = `created_at, kind, id`;
const NEWEST_DETAIL = `created_at DESC, kind DESC, id DESC`;

/** The execution details of `span`. */
export const SHOWN_DETAILS = `
  SELECT d.id, d.step_id, d.message_id, d.created_at, d.is_retry, d.status, d.detail, d.source, d.provider_id, d.raw,
         1 AS kind, d.is_test
    FROM ${OLDEST_DETAIL} CROSS JOIN LATERAL (
      SELECT * FROM execution_detail
       WHERE environment_id = $1 AND notification_id = span.id AND id >= oldest.id OFFSET 0) d
  UNION ALL
  SELECT ${LINE_COLUMNS}, CASE packed.place WHEN 0 THEN 0 ELSE 2 END, false
    FROM step s CROSS JOIN LATERAL ${LINES} WHERE ${ended('$1')}
  UNION ALL
  SELECT ${lineColumns('w', QUEUED, 'w.queued_at', '0')}, 0, false
    FROM ${openSteps()} w WHERE w.queued_at IS NOT NULL`;

/** Writes packed details of `steps` as rows with the same ids and times, for steps that are opened again. */
export const unpackDetails = (steps: string): string => `
  INSERT INTO execution_detail (environment_id, notification_id, id, step_id, message_id, created_at, is_retry, status,
                                detail, source, provider_id, raw)
  SELECT s.environment_id, notification_of(s.id),
         ${lineColumns('s', 'stored.line', timeOf('stored.line'), 'stored.place::int')}
    FROM ${steps} s CROSS JOIN LATERAL json_array_elements(s.details) WITH ORDINALITY AS stored (line, place)`;

/** The packed and implied details of `steps`, which have the columns of `step`. */
export const unpackedDetails = (steps: string): string =>
  `SELECT ${LINE_COLUMNS} FROM ${steps} s CROSS JOIN LATERAL ${LINES}`;

/** The text of the last execution detail of a step of `span`: the reason why it ended. */
export const lastDetail = (stepId: string, condition = ''): string => `
  (SELECT d.detail FROM (${SHOWN_DETAILS}) d WHERE d.step_id = ${stepId}${condition}
    ORDER BY ${NEWEST_DETAIL} LIMIT 1)`;

/** The same for a step that `span` does not contain. */
export const lastDetailOf = (stepId: string): string =>
  `(SELECT ${lastDetail(stepId)} FROM ${spanOf(`notification_of(${stepId})`)})`;
