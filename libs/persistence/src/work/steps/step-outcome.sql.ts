import { countOutcomesAndRecovered } from '../../history/count-outcomes.sql';
import { logOutcomes, logSent } from '../../history/event-log.sql';
import { outcomeOf } from '../../history/outcomes.sql';
import { packedDetail } from '../../history/packed-details';
import { insertMessages, MESSAGE_VALUES } from './message-columns';
import { INSERT_STEPS } from './step-columns';

/*
 * Forms of the hottest statement of the workers. Postgres starts every part of a statement even if it has no rows, so
 * each batch uses the smallest form that covers it. Columns are arrays, which Postgres reads faster than JSON. A step
 * and its message are in the same place of the arrays: Postgres does not know how long the arrays are, and would join
 * two lists of them by comparing each row with each.
 *
 * The forms for ended steps take the ids ($1), fences ($2), states ($3), providers ($4), integrations ($5), packed
 * details ($6), other values ($7, JSON or NULL) and what happens to the later steps ($8); $9 are the step types that
 * announce "Step queued".
 */

/** The time of an act that was this many milliseconds ago; NULL is now. */
const timeBefore = (milliseconds: string): string => `now() - coalesce(${milliseconds}, 0) * interval '1 millisecond'`;

type Messages = { arrays: string; names: string };

const NO_MESSAGES: Messages = { arrays: '', names: '' };

/** At most one message for each step: its values from $10 on, NULL without a message, and JSON as text. */
const ONE_MESSAGE: Messages = {
  arrays: MESSAGE_VALUES.map(({ type }, index) => `, $${10 + index}::${type === 'jsonb' ? 'text' : type}[]`).join(''),
  names: MESSAGE_VALUES.map(({ name }) => `, ${name}`).join(''),
};

/** Any number of messages: $10 are lists of them as JSON, NULL without a message. */
const MANY_MESSAGES: Messages = { arrays: ', $10::text[]', names: ', messages' };

/** Deletes the open rows, inserts the ended steps and opens the next ones. */
const endSteps = ({ arrays, names }: Messages): string => `held AS (
  DELETE FROM work w USING unnest($1::uuid[], $2::int[], $3::text[], $4::text[], $5::uuid[], $6::text[], $7::text[],
    $8::text[]${arrays}) AS i (id, fence, state, provider_id, integration_id, details, rest, next${names})
   WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($1::uuid[])
  RETURNING w.id, w.environment_id, w.trigger_id, w.notification_id, w.subscriber_id, w.queued_at, w.due_at, w.type,
            w.step_key, w.later_steps, w.progress, w.workflow_id, w.lane, i.state, i.provider_id, i.integration_id,
            i.details, i.rest::jsonb AS rest, i.next${names}
), ${INSERT_STEPS}, nexts AS (
  INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, queued_at, offered_at, type,
                    step_key, later_steps, workflow_id, lane)
  SELECT step_id(notification_id, (later_steps -> 0 ->> 0)::int), environment_id, trigger_id, notification_id,
         subscriber_id, CASE WHEN later_steps -> 0 ->> 2 = ANY ($9::text[]) THEN now() END, now(),
         later_steps -> 0 ->> 2, later_steps -> 0 ->> 1, nullif(later_steps - 0, '[]'), workflow_id, lane
    FROM held WHERE next = 'advance' AND later_steps IS NOT NULL
  RETURNING id, type, environment_id, lane
)`;

const PARSED = MESSAGE_VALUES.map(({ name, type }) => (type === 'jsonb' ? `h.${name}::jsonb AS ${name}` : `h.${name}`));
/** OFFSET lets Postgres parse the JSON of a message once and not for each column. */
const INSERT_ONE_MESSAGE = insertMessages(`held h CROSS JOIN LATERAL (
     SELECT ${PARSED.join(', ')} WHERE h.m_id IS NOT NULL OFFSET 0) m`);

const MESSAGE_FIELDS = MESSAGE_VALUES.map(({ name, type }) => `${name} ${type}`).join(', ');
const MANY_OF_HELD = `held h CROSS JOIN LATERAL json_to_recordset(h.messages::json) AS m (${MESSAGE_FIELDS})`;
const INSERT_MANY_MESSAGES = insertMessages(MANY_OF_HELD);

const ENDED_ROWS = `
  SELECT environment_id, workflow_id, id, type, progress, ${outcomeOf('state', `rest -> 'error'`)} AS outcome
    FROM held`;

const COUNT_ENDED = `counted AS (${countOutcomesAndRecovered(ENDED_ROWS)}
)`;

const RESULT = `
SELECT id, NULL AS type, environment_id AS "environmentId", due_at AS "dueAt", NULL::smallint AS lane FROM held
UNION ALL SELECT id, type, environment_id, NULL, lane FROM nexts`;

/** Ended steps without messages that let later steps wait or advance. */
export const RECORD_STEPS = `WITH ${endSteps(NO_MESSAGES)}, ${COUNT_ENDED}${RESULT}`;

/** Ended steps with at most one message each that let later steps wait or advance. */
export const RECORD_STEPS_AND_MESSAGE = `
WITH ${endSteps(ONE_MESSAGE)}, ${INSERT_ONE_MESSAGE}, ${COUNT_ENDED}${RESULT}`;

/** The same, and entries of the event log for the steps whose ids are $23; none of their messages has failed. */
export const RECORD_STEPS_AND_SENT = `
WITH ${endSteps(ONE_MESSAGE)}, ${INSERT_ONE_MESSAGE}, ${COUNT_ENDED}, logged AS (${logSent(
  `held h CROSS JOIN LATERAL (SELECT h.m_id, h.m_status, h.m_provider_id, h.m_is_delivered) m`,
  '$23::uuid[]',
)}
)${RESULT}`;

/** Ended steps with any number of messages that let later steps wait or advance. */
export const RECORD_STEPS_AND_MESSAGES = `
WITH ${endSteps(MANY_MESSAGES)}, ${INSERT_MANY_MESSAGES}, ${COUNT_ENDED}${RESULT}`;

/**
 * Ended steps with any number of messages, some of which end their notification: its later steps are canceled or
 * skipped. $11 and $12 are the status and text of the detail of canceled steps, $13 and $14 those of skipped steps.
 */
const ENDINGS = `
WITH ${endSteps(MANY_MESSAGES)}, ${INSERT_MANY_MESSAGES}, endings AS (
  INSERT INTO step (id, environment_id, state, type, step_key, details)
  SELECT step_id(h.notification_id, (l ->> 0)::int), h.environment_id,
         CASE WHEN h.next = 'skip' THEN 'skipped' ELSE 'canceled' END, l ->> 2, l ->> 1,
         CASE WHEN h.next = 'skip' THEN ${packedDetail('$13::text', '$14::text')}
              ELSE ${packedDetail('$11::text', '$12::text')} END
    FROM held h CROSS JOIN LATERAL jsonb_array_elements(h.later_steps) l WHERE h.next IN ('halt', 'skip')
), counted AS (${countOutcomesAndRecovered(`${ENDED_ROWS}
  UNION ALL
  SELECT environment_id, workflow_id, id, l ->> 2, NULL, 'skipped'
    FROM held CROSS JOIN LATERAL jsonb_array_elements(later_steps) l WHERE next IN ('halt', 'skip')`)}
)`;

export const RECORD_STEPS_AND_ENDINGS = `${ENDINGS}${RESULT}`;

/** The same, and entries of the event log for the steps whose ids are $15; $16 are those whose entries are packed. */
export const RECORD_STEPS_AND_ENTRIES = `${ENDINGS}, logged AS (${logOutcomes('$15::uuid[]', '$16::uuid[]')}
), packed AS (${logSent(MANY_OF_HELD, '$16::uuid[]')}
)${RESULT}`;

/**
 * Whether the message that a delay waits for was read. The lock lets a concurrent read wait until the delay is stored,
 * so that the trigger of that read finds it (`end_awaited_read`); a read that came first is seen here. $3 are the
 * messages.
 */
const AWAITED = `awaited AS MATERIALIZED (
  SELECT m.step_id, m.read FROM message m WHERE m.id = ANY ($3::uuid[]) ORDER BY m.id FOR SHARE
), `;
const IS_READ = `EXISTS (SELECT 1 FROM awaited a WHERE a.read AND a.step_id::text = i.progress ->> 'awaitsReadOf')`;

type Waits = { before?: string; joins?: string; dueAt: string; others?: string; nexts?: string; result?: string };

const recordWaits = ({ before = '', joins = '', dueAt, others = '', nexts = '', result = '' }: Waits): string => `
WITH ${before}held AS (
  UPDATE work w SET
    fence = w.fence + 1, attempt = coalesce(i.attempt, w.attempt + 1), crash_count = 0, claim_id = NULL,
    sending_since = NULL, waiting_since = NULL, offered_at = NULL, was_offered_again = false, updated_at = now(),
    is_delayed = i.state = 'delayed', waits_for = i."waitsFor",
    due_at = ${dueAt},
    progress = nullif(coalesce(w.progress, '{}') - 'error' - 'limit' - 'noted' || i.progress${others}
    FROM json_to_recordset($1::json) AS i (id uuid, fence int, state text, "dueAt" timestamptz, "dueInMs" float8,
                                           attempt int, "waitsFor" uuid, progress jsonb, details json,
                                           messages json)${joins}
   WHERE w.id = i.id AND w.fence = i.fence AND w.id = ANY ($2::uuid[])
  RETURNING w.id, w.environment_id, w.trigger_id, w.notification_id, w.subscriber_id, w.workflow_id, w.lane,
            i.details, i.messages
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, message_id, status, detail, source,
                                is_retry, provider_id, raw, created_at)
  SELECT d.id, h.environment_id, h.notification_id, h.id, d."messageId", d.status, d.detail,
         coalesce(d.source, 'Internal'), coalesce(d."isRetry", false), d."providerId", d.raw,
         ${timeBefore('d."agoMs"')}
    FROM held h CROSS JOIN LATERAL json_to_recordset(h.details) AS d (id uuid, status text, detail text, source text,
           "isRetry" boolean, "providerId" text, "messageId" uuid, raw text, "agoMs" int)
), ${INSERT_MANY_MESSAGES}${nexts}
SELECT id, NULL AS type, environment_id AS "environmentId", NULL::timestamptz AS "dueAt",
       NULL::smallint AS lane FROM held${result}`;

const DUE_AT = `coalesce(i."dueAt", now() + i."dueInMs" * interval '1 millisecond', w.due_at)`;
const NO_OTHERS = `, '{}')`;

/** Steps ($2) that stay open and run again later, with the details of what happened so far. $1 are the outcomes. */
export const RECORD_WAITS = recordWaits({ dueAt: DUE_AT, others: NO_OTHERS });

/** The same, where some steps wait until a message is read. */
export const RECORD_AWAITING_WAITS = recordWaits({
  before: AWAITED,
  dueAt: `CASE WHEN ${IS_READ} THEN now() ELSE ${DUE_AT} END`,
  others: NO_OTHERS,
});

/** The later steps of `b` from one place to another, counted from 1; NULL when there are none. */
const laterSteps = (places: string): string => `
  (SELECT jsonb_agg(l.step ORDER BY l.place) FROM jsonb_array_elements(b.later_steps) WITH ORDINALITY AS l (step, place)
    WHERE l.place ${places})`;

/** The first later steps among `releases` run beside those that wait, which keep the others. */
export const RECORD_RELEASING_WAITS = recordWaits({
  before: `before AS MATERIALIZED (
  SELECT w.id, w.later_steps, free.count
    FROM json_to_recordset($1::json) AS i (id uuid, fence int, releases jsonb)
    JOIN work w ON w.id = i.id AND w.fence = i.fence
   CROSS JOIN LATERAL (
     SELECT coalesce(min(l.place) - 1, jsonb_array_length(w.later_steps))::int AS count
       FROM jsonb_array_elements(w.later_steps) WITH ORDINALITY AS l (step, place)
      WHERE NOT i.releases ? (l.step ->> 1)) free
   WHERE w.id = ANY ($2::uuid[]) AND i.releases IS NOT NULL AND w.later_steps IS NOT NULL AND free.count > 0
     FOR UPDATE OF w
), `,
  joins: ` LEFT JOIN before b ON b.id = i.id`,
  dueAt: DUE_AT,
  others: `
      || CASE WHEN b.count < jsonb_array_length(b.later_steps) THEN '{"hasReleased": true}'::jsonb ELSE '{}' END, '{}'),
    later_steps = CASE WHEN b.id IS NULL THEN w.later_steps ELSE ${laterSteps('> b.count')} END`,
  nexts: `, nexts AS (
  INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, queued_at, offered_at, type,
                    step_key, later_steps, workflow_id, lane)
  SELECT step_id(h.notification_id, (b.later_steps -> 0 ->> 0)::int), h.environment_id, h.trigger_id,
         h.notification_id, h.subscriber_id, now(), now(), b.later_steps -> 0 ->> 2, b.later_steps -> 0 ->> 1,
         ${laterSteps('BETWEEN 2 AND b.count')}, h.workflow_id, h.lane
    FROM held h JOIN before b ON b.id = h.id
  RETURNING id, type, environment_id, lane
)`,
  result: `
UNION ALL SELECT id, type, environment_id, NULL, lane FROM nexts`,
});

/** The open rows between the step `m` and its next one: steps that it has released, and those behind them. */
const BETWEEN = `work b ON b.environment_id = m.environment_id AND b.id > m.id AND b.id < m.next_id`;

/**
 * Steps ($1, with the fences $2) that have released others are about to end. The later steps that they kept go to the
 * last of the released ones that is still open, so that they wait for it too. `visible` is larger than `locked` when
 * such a step has just ended: then the next one may be open, and the statement has to look again.
 */
export const KEEP_LATER_STEPS_BEHIND = `
WITH mine AS MATERIALIZED (
  SELECT w.id, w.environment_id, w.later_steps, step_id(w.notification_id, (w.later_steps -> 0 ->> 0)::int) AS next_id
    FROM work w JOIN unnest($1::uuid[], $2::int[]) AS i (id, fence) ON w.id = i.id AND w.fence = i.fence
   WHERE w.id = ANY ($1::uuid[]) AND w.later_steps IS NOT NULL FOR UPDATE OF w
), locked AS MATERIALIZED (
  SELECT b.id, m.id AS mine_id FROM mine m JOIN ${BETWEEN} ORDER BY b.id FOR UPDATE OF b
), last AS (
  SELECT DISTINCT ON (mine_id) mine_id, id FROM locked ORDER BY mine_id, id DESC
), moved AS (
  UPDATE work w SET later_steps = coalesce(w.later_steps, '[]') || m.later_steps
    FROM last l JOIN mine m ON m.id = l.mine_id WHERE w.id = l.id
), cleared AS (
  UPDATE work w SET later_steps = NULL FROM last l WHERE w.id = l.mine_id
)
SELECT (SELECT count(*) FROM mine m JOIN ${BETWEEN})::int AS visible, (SELECT count(*) FROM locked)::int AS locked`;
