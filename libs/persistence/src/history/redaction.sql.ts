import { REDACTED } from '@clarion/contracts/core';
import { outcomeOf } from './outcomes.sql';

/*
 * What the redaction of triggers with marked payload fields does to each table. A rendered text can contain a marked
 * value in any form, so the stored content of messages is removed as a whole, and so is what providers answered. The
 * content of in-app messages stays: it is what the subscriber reads. $1 are the ids of triggers, which the transaction
 * has locked in `redaction`.
 */

/** Notifications of one trigger that one statement handles, and messages of it. */
const NOTIFICATIONS_AT_ONCE = 100;
const MESSAGES_AT_ONCE = 500;

/** How long a failed step can be replayed before its payload is redacted. */
const REPLAY_HOURS = 24;

/** Where messages go into the outbox, tests read them there: the content stays for this time after the event. */
const OUTBOX_MINUTES = 10;

/** The second time finds what was being written during the first: reports of providers, numbered log entries. */
const REPEATED_AFTER = `interval '10 minutes'`;

const MARK = `'${REDACTED}'`;
const JSON_MARK = `'"${REDACTED}"'::jsonb`;
const marked = (column: string): string => `${column} = CASE WHEN ${column} IS NOT NULL THEN ${MARK} END`;
/** An object keeps its names. */
const markedMembers = (column: string): string =>
  `(SELECT jsonb_object_agg(key, ${JSON_MARK}) FROM jsonb_each(${column}))`;

/** Whether marked fields of the trigger are redacted, or will be. */
export const isSensitive = (triggerId: string): string =>
  `(EXISTS (SELECT 1 FROM redaction r WHERE r.trigger_id = ${triggerId}) OR ${isRedacted(triggerId)})`;

/** LIMIT lets Postgres plan nothing but one lookup per trigger: it would read all weeks to compare many. */
export const isRedacted = (triggerId: string): string =>
  `coalesce((SELECT redacted.redacted_at IS NOT NULL FROM trigger redacted WHERE redacted.id = ${triggerId} LIMIT 1),
            false)`;

/** Takes the next triggers. Other processes take others. */
export const PICK = `
SELECT trigger_id AS id, phase FROM redaction WHERE due_at <= now()
 ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED`;

const FIRST_ID = `'00000000-0000-0000-0000-000000000000'::uuid`;

/** The rows of the steps of the notification `n`. OFFSET keeps the lookup by id inside. */
const ofNotification = (table: 'work' | 'step', columns = '*'): string =>
  `SELECT ${columns} FROM ${table} WHERE id > n.id AND id <= n.last OFFSET 0`;

/** Without fractions of a millisecond, which the column would round up: the next statement finds what is due now. */
const NOW = `date_trunc('milliseconds', now())`;

/** The next notifications of each trigger, and `needed`: with those that took them into a digest. */
const page = (phase: string): string => `picked AS MATERIALIZED (
  SELECT * FROM redaction WHERE trigger_id = ANY ($1::uuid[]) AND phase = '${phase}'
), page AS MATERIALIZED (
  SELECT p.trigger_id, n.id, n.digested_notification_id AS digest_id
    FROM picked p CROSS JOIN LATERAL (
      SELECT id, digested_notification_id FROM notification
       WHERE trigger_id = p.trigger_id AND environment_id = p.environment_id AND id > coalesce(p.cursor_id, ${FIRST_ID})
       ORDER BY id LIMIT ${NOTIFICATIONS_AT_ONCE}) n
), needed AS MATERIALIZED (
  SELECT trigger_id, id, step_id(id, 254) AS last FROM page
  UNION
  SELECT trigger_id, digest_id, step_id(digest_id, 254) FROM page WHERE digest_id IS NOT NULL
), opened AS MATERIALIZED (
  SELECT n.trigger_id FROM needed n WHERE EXISTS (${ofNotification('work')})
  UNION
  SELECT p.trigger_id FROM picked p WHERE EXISTS (SELECT 1 FROM work w WHERE w.id = p.trigger_id)
), seen AS (
  SELECT trigger_id, count(*) = ${NOTIFICATIONS_AT_ONCE} AS has_more, (array_agg(id ORDER BY id DESC))[1] AS last
    FROM page GROUP BY trigger_id
)`;

/** Work that is open for long is looked at less often. */
const LATER = `now() + greatest(interval '2 seconds', least(interval '10 minutes', (now() - p.created_at) / 4))`;

/**
 * Looks whether the payload is needed: by an open step, by a digest that collected it, or by a failed step that can be
 * replayed. When it is not, the trigger is marked, and from then on no step of it can be replayed.
 */
export const CHECK = `
WITH ${page('waiting')}, failed AS (
  SELECT n.trigger_id, max(s.ended_at) + interval '${REPLAY_HOURS} hours' AS until
    FROM needed n CROSS JOIN LATERAL (${ofNotification('step', 'state, ended_at')}) s
   WHERE s.state = 'failed' GROUP BY n.trigger_id
), verdict AS MATERIALIZED (
  SELECT p.trigger_id, seen.last, coalesce(seen.has_more, false) AS has_more,
         CASE WHEN opened.trigger_id IS NOT NULL THEN ${LATER}
              WHEN failed.until > now() THEN failed.until
              WHEN e.kind <> 'production' AND p.created_at > now() - interval '${OUTBOX_MINUTES} minutes'
              THEN p.created_at + interval '${OUTBOX_MINUTES} minutes' END AS wait_until
    FROM picked p LEFT JOIN environment e ON e.id = p.environment_id
    LEFT JOIN opened ON opened.trigger_id = p.trigger_id LEFT JOIN failed ON failed.trigger_id = p.trigger_id
    LEFT JOIN seen ON seen.trigger_id = p.trigger_id
), moved AS (
  UPDATE redaction r SET
    phase = CASE WHEN v.wait_until IS NULL AND NOT v.has_more THEN 'steps' ELSE 'waiting' END,
    cursor_id = CASE WHEN v.wait_until IS NOT NULL THEN r.cursor_id WHEN v.has_more THEN v.last END,
    due_at = coalesce(v.wait_until, ${NOW})
    FROM verdict v WHERE r.trigger_id = v.trigger_id
  RETURNING r.trigger_id, r.phase
)
UPDATE trigger t SET redacted_at = now()
 WHERE t.id = ANY (ARRAY(SELECT trigger_id FROM moved WHERE phase = 'steps')) AND t.redacted_at IS NULL`;

/**
 * Clears the record of the next steps. The digest that took a notification in has its payload too: its trigger is
 * redacted as well, also when the field was not marked yet as it was accepted. A replay that began before the mark is
 * waited for.
 */
export const CLEAR_STEPS = `
WITH ${page('steps')}, ready AS MATERIALIZED (
  SELECT n.* FROM needed n WHERE n.trigger_id NOT IN (SELECT trigger_id FROM opened)
), steps AS (
  UPDATE step s SET
    details = (SELECT json_agg(CASE WHEN line ->> 'r' IS NULL THEN line
                                    ELSE (line::jsonb || jsonb_build_object('r', ${MARK}))::json END ORDER BY place)
                 FROM json_array_elements(s.details) WITH ORDINALITY AS l (line, place)),
    output = CASE WHEN s.output IS NOT NULL THEN ${markedMembers('s.output')} END,
    digest = CASE WHEN s.digest ? 'events'
                  THEN s.digest || jsonb_build_object('events', ${JSON_MARK}) ELSE s.digest END,
    error = CASE WHEN s.error IS NULL THEN NULL WHEN ${outcomeOf('s.state', 's.error')} = 'in_doubt'
                 THEN jsonb_build_object('message', s.error -> 'message')
                 ELSE jsonb_build_object('message', ${MARK}) END
   WHERE s.id = ANY (ARRAY(SELECT s.id FROM ready n CROSS JOIN LATERAL (${ofNotification('step', 'id')}) s))
), details AS (
  UPDATE execution_detail d SET raw = ${MARK}
   WHERE d.notification_id = ANY (ARRAY(SELECT id FROM ready)) AND d.raw IS NOT NULL
), failures AS (
  UPDATE replayed_failure f SET reason = ${MARK} FROM ready n JOIN picked p ON p.trigger_id = n.trigger_id
   WHERE f.environment_id = p.environment_id AND f.step_id > n.id AND f.step_id <= n.last AND f.outcome = 'failed'
), digests AS (
  INSERT INTO redaction (trigger_id, environment_id, paths)
  SELECT DISTINCT ON (t.id) t.id, t.environment_id, p.paths
    FROM page g JOIN picked p ON p.trigger_id = g.trigger_id
    JOIN notification n ON n.id = g.digest_id AND n.environment_id = p.environment_id
    JOIN trigger t ON t.id = n.trigger_id AND t.redacted_at IS NULL
   ORDER BY t.id
  ON CONFLICT ON CONSTRAINT redaction_pkey DO NOTHING
)
UPDATE redaction r SET
  phase = CASE WHEN o.trigger_id IS NULL AND seen.has_more IS NOT TRUE THEN 'messages' ELSE 'steps' END,
  cursor_id = CASE WHEN o.trigger_id IS NOT NULL THEN r.cursor_id WHEN seen.has_more THEN seen.last END,
  due_at = CASE WHEN o.trigger_id IS NOT NULL THEN ${LATER} ELSE ${NOW} END
  FROM picked p LEFT JOIN opened o ON o.trigger_id = p.trigger_id LEFT JOIN seen ON seen.trigger_id = p.trigger_id
 WHERE r.trigger_id = p.trigger_id`;

/** What the subscriber reads stays. */
const KEPT = `m.channel = 'in_app'`;

/** Clears the next messages and their copies in the outbox, and after the last one the trigger itself. */
export const CLEAR_MESSAGES = `
WITH picked AS MATERIALIZED (
  SELECT * FROM redaction WHERE trigger_id = ANY ($1::uuid[]) AND phase = 'messages'
), page AS MATERIALIZED (
  SELECT p.trigger_id, m.id, m.created_at, m.environment_id
    FROM picked p CROSS JOIN LATERAL (
      SELECT id, created_at, environment_id FROM message
       WHERE trigger_id = p.trigger_id
         AND (created_at, id) > (coalesce(p.cursor_time, '-infinity'), coalesce(p.cursor_id, ${FIRST_ID}))
       ORDER BY created_at, id LIMIT ${MESSAGES_AT_ONCE}) m
), seen AS (
  SELECT trigger_id, count(*) = ${MESSAGES_AT_ONCE} AS has_more, max(created_at) AS last_time,
         (array_agg(id ORDER BY created_at DESC, id DESC))[1] AS last
    FROM page GROUP BY trigger_id
), messages AS (
  UPDATE message m SET
    title = CASE WHEN ${KEPT} THEN m.title WHEN m.title IS NOT NULL THEN ${MARK} END,
    subject = CASE WHEN ${KEPT} THEN m.subject WHEN m.subject IS NOT NULL THEN ${MARK} END,
    content = CASE WHEN ${KEPT} THEN m.content ELSE ${JSON_MARK} END,
    cta = CASE WHEN ${KEPT} THEN m.cta END, data = CASE WHEN ${KEPT} THEN m.data END,
    overrides = CASE WHEN m.overrides IS NOT NULL THEN ${markedMembers('m.overrides')} END, ${marked('error_text')}
   WHERE m.id = ANY (ARRAY(SELECT id FROM page))
), outboxes AS (
  UPDATE outbox o SET ${['subject', 'html', 'text'].map(marked).join(', ')}, more = '{}'
    FROM page g WHERE o.environment_id = g.environment_id AND o.id = g.id
), ended AS MATERIALIZED (
  SELECT p.* FROM picked p LEFT JOIN seen ON seen.trigger_id = p.trigger_id WHERE seen.has_more IS NOT TRUE
), triggers AS (
  UPDATE trigger t SET
    payload = redact_paths(t.payload, e.paths), ${marked('error')},
    overrides = CASE WHEN t.overrides IS NOT NULL THEN ${markedMembers('t.overrides')} END,
    controls = CASE WHEN t.controls IS NOT NULL THEN ${markedMembers('t.controls')} END
    FROM ended e WHERE t.id = e.trigger_id
), files AS (
  DELETE FROM attachment a USING ended e
   WHERE a.environment_id = e.environment_id AND a.trigger_id = e.trigger_id
     AND EXISTS (SELECT 1 FROM jsonb_array_elements(e.paths) path WHERE path ->> 0 = 'attachments')
), done AS (
  DELETE FROM redaction r USING ended e WHERE r.trigger_id = e.trigger_id AND e.is_repeated
), again AS (
  UPDATE redaction r SET phase = 'steps', is_repeated = true, cursor_id = NULL, cursor_time = NULL,
         due_at = now() + ${REPEATED_AFTER}
    FROM ended e WHERE r.trigger_id = e.trigger_id AND NOT e.is_repeated
)
UPDATE redaction r SET cursor_id = seen.last, cursor_time = seen.last_time, due_at = ${NOW}
  FROM seen WHERE r.trigger_id = seen.trigger_id AND seen.has_more`;
