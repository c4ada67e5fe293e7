import { outcomeOf } from '../history/outcomes.sql';

/*
 * What an erasure does to each table. In every statement $1 is the environment and $2 the id of the row of the
 * subscriber; others are named where they are used. Notifications and ended steps stay, without what they say about
 * the person, because the counts of outcomes are made of them. All else is deleted.
 */

/** Steps that a cancellation left open: a provider is being called for them. */
export const COUNT_OPEN_STEPS = `
SELECT count(*)::int AS count FROM work WHERE environment_id = $1 AND subscriber_id = $2 AND type <> 'trigger'`;

/** Of the triggers $2: those that are being expanded, or will be. */
export const COUNT_OPEN_TRIGGERS = `
SELECT count(*)::int AS count FROM work WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND type = 'trigger'`;

/** Notifications with an open step, and those that joined their digests. */
export const FIND_OPEN_NOTIFICATIONS = `
WITH opened AS MATERIALIZED (
  SELECT id FROM work WHERE environment_id = $1 AND subscriber_id = $2 AND type <> 'trigger'
)
SELECT ARRAY(SELECT notification_of(id) FROM opened
             UNION SELECT notification_of(s.id) FROM step s
                    WHERE s.environment_id = $1 AND s.digest_master_id = ANY (ARRAY(SELECT id FROM opened))
                      AND s.state = 'merged') AS ids`;

/** Cancels the triggers $2, as far as they wait. */
export const CANCEL_TRIGGERS = `
WITH waiting AS (
  DELETE FROM work WHERE environment_id = $1 AND id = ANY ($2::uuid[]) AND type = 'trigger' RETURNING id
)
UPDATE trigger SET outcome = 'canceled' WHERE environment_id = $1 AND id IN (SELECT id FROM waiting)`;

const NOTIFICATIONS = `notifications AS MATERIALIZED (
  SELECT id, step_id(id, 254) AS last FROM notification WHERE environment_id = $1 AND subscriber_id = $2
)`;

const bySubscriber = (table: string): string => `DELETE FROM ${table} WHERE environment_id = $1 AND subscriber_id = $2`;

/** The statements with $1 and $2 only, in their order, by the table that their number of rows is counted for. */
export const ERASE_BY_ROW: Readonly<Record<string, string>> = {
  outbox: `
    DELETE FROM outbox o USING message m
     WHERE o.environment_id = $1 AND m.environment_id = $1 AND m.subscriber_id = $2 AND m.id = o.id`,
  message: bySubscriber('message'),
  execution_detail: `
    WITH ${NOTIFICATIONS}
    DELETE FROM execution_detail d USING notifications n WHERE d.environment_id = $1 AND d.notification_id = n.id`,
  step: `
    WITH ${NOTIFICATIONS}
    UPDATE step s
       SET details = NULL, output = NULL, digest = NULL,
           error = CASE ${outcomeOf('s.state', 's.error')} WHEN 'in_doubt'
                     THEN jsonb_build_object('message', s.error -> 'message') END
      FROM notifications n WHERE s.environment_id = $1 AND s.id > n.id AND s.id <= n.last`,
  notification: `
    UPDATE notification
       SET "to" = NULL, actor = NULL, topics = NULL, topic_keys = NULL, context_keys = NULL, tags = NULL
     WHERE environment_id = $1 AND subscriber_id = $2`,
  new_log_entry: `
    UPDATE new_log_entry SET data = NULL WHERE environment_id = $1 AND subscriber_id = $2`,
  replayed_failure: bySubscriber('replayed_failure'),
  open_digest: bySubscriber('open_digest'),
  step_window: bySubscriber('step_window'),
  subscriber_channel: bySubscriber('subscriber_channel'),
  channel_endpoint: bySubscriber('channel_endpoint'),
  channel_connection: bySubscriber('channel_connection'),
  topic_subscription: bySubscriber('topic_subscription'),
  preference: bySubscriber('preference'),
};

/** The fields of an entry that name no person. */
const KEPT_FIELDS = ['messageId', 'notificationId', 'workflowId', 'channel', 'providerId', 'status'];

/** Of the elements of a column of the batch `b`, those about other subscribers than $3. */
const ofOthers = (column: string): string => `
  ARRAY(SELECT CASE WHEN m.subscriber_id IS DISTINCT FROM $3::text THEN m.value END
          FROM unnest(b.subscriber_ids, b.${column}) WITH ORDINALITY AS m (subscriber_id, value, place)
         ORDER BY m.place)`;

/** Of the entries $2, which name the subscriberId $3. What an endpoint answered may repeat what they said. */
export const ERASE_LOG = `
WITH entries AS (
  UPDATE event_log_entry e
     SET data = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(e.data)
                  WHERE key = ANY ('{${KEPT_FIELDS.join()}}'::text[]))
   WHERE e.environment_id = $1 AND e.sequence = ANY ($2::bigint[])
), batches AS (
  UPDATE event_log_batch b
     SET trigger_ids = ${ofOthers('trigger_ids')}, subscriber_ids = ${ofOthers('subscriber_ids')},
         transaction_ids = CASE WHEN b.transaction_ids IS NOT NULL THEN ${ofOthers('transaction_ids')} END
   WHERE b.environment_id = $1 AND b.id = ANY (ARRAY(
     SELECT (SELECT x.id FROM event_log_batch x WHERE x.environment_id = $1 AND x.first_sequence <= n.number
              ORDER BY x.first_sequence DESC LIMIT 1)
       FROM unnest($2::bigint[]) AS n (number)))
)
UPDATE webhook_delivery d SET response_text = NULL, error = NULL
 WHERE d.environment_id = $1 AND d.sequence = ANY ($2::bigint[])`;

/** Of the triggers $2, which name this subscriber alone, only the fact that they existed stays. */
export const CLEAR_TRIGGERS = `
UPDATE trigger
   SET recipients = '[]', payload = '{}', overrides = NULL, controls = NULL, actor = NULL, tenant = NULL,
       context = NULL, error = NULL
 WHERE environment_id = $1 AND id = ANY ($2::uuid[])`;

/** Copies of the triggers $2 that the other system of a mirror has not got. */
export const DELETE_COPIES = `DELETE FROM mirror_copy WHERE environment_id = $1 AND id = ANY ($2::uuid[])`;

/** $2 is the subscriberId. */
export const DELETE_DIFFERENCES = `DELETE FROM mirror_difference WHERE environment_id = $1 AND subscriber_id = $2`;

export const DELETE_ATTACHMENTS = `DELETE FROM attachment WHERE environment_id = $1 AND trigger_id = ANY ($2::uuid[])`;

/** Removes the subscriberId $3 from the recipients of the triggers $2. */
export const REMOVE_RECIPIENT = `
UPDATE trigger
   SET recipients = (SELECT coalesce(jsonb_agg(r ORDER BY place), '[]')
                       FROM jsonb_array_elements(recipients) WITH ORDINALITY AS listed (r, place)
                      WHERE r ->> 'subscriberId' IS DISTINCT FROM $3)
 WHERE environment_id = $1 AND id = ANY ($2::uuid[])`;

/** The actor of the triggers $2 is the subscriber: also what other recipients got names it. */
export const REMOVE_ACTOR = `
WITH triggers AS (
  UPDATE trigger SET actor = NULL WHERE environment_id = $1 AND id = ANY ($2::uuid[])
), messages AS (
  UPDATE message SET actor = NULL WHERE environment_id = $1 AND trigger_id = ANY ($2::uuid[]) AND actor IS NOT NULL
)
UPDATE notification SET actor = NULL WHERE environment_id = $1 AND trigger_id = ANY ($2::uuid[]) AND actor IS NOT NULL`;

/** Suppressions of the addresses $3 of the channels $2, and those reported about messages of the subscriber $4. */
const OWN_SUPPRESSION = `s.environment_id = $1
   AND ((s.channel, s.address) IN (SELECT * FROM unnest($2::text[], $3::text[]))
        OR s.message_id IN (SELECT id FROM message WHERE environment_id = $1 AND subscriber_id = $4))`;

export const FIND_SUPPRESSIONS = `SELECT s.channel, s.address FROM suppression s WHERE ${OWN_SUPPRESSION}`;

/** $5 are channels and $6 addresses that another subscriber has too: these stay, without the message. */
export const DELETE_SUPPRESSIONS = `
WITH shared AS (
  SELECT s.id FROM suppression s
   WHERE ${OWN_SUPPRESSION} AND (s.channel, s.address) IN (SELECT * FROM unnest($5::text[], $6::text[]))
), kept AS (
  UPDATE suppression s SET message_id = NULL FROM shared WHERE s.environment_id = $1 AND s.id = shared.id
)
DELETE FROM suppression s WHERE ${OWN_SUPPRESSION} AND s.id NOT IN (SELECT id FROM shared)`;

/** $2 is the subscriberId: links that were made for it and not used yet. */
export const DELETE_SETUP_LINKS = `
DELETE FROM setup_link WHERE environment_id = $1 AND details ->> 'subscriberId' = $2`;

/** $2 are the parts of a path that name the subscriber or an address of it. */
export const DELETE_IDEMPOTENCY_RECORDS = `
DELETE FROM idempotency_record
 WHERE environment_id = $1 AND status IS NOT NULL
   AND EXISTS (SELECT 1 FROM unnest($2::text[]) AS part WHERE strpos(lower(path), lower(part)) > 0)`;

/** $2 are addresses: the reasons of circuit breakers are words of providers about the message that failed. */
export const CLEAR_BREAKER_REASONS = `
UPDATE integration
   SET health = health - 'reason',
       health_history = (SELECT coalesce(jsonb_agg(entry - 'reason' ORDER BY place), '[]')
                           FROM jsonb_array_elements(health_history) WITH ORDINALITY AS listed (entry, place))
 WHERE environment_id = $1
   AND EXISTS (SELECT 1 FROM unnest($2::text[]) AS address
                WHERE strpos(lower(concat(health, health_history)), address) > 0)`;

/**
 * $2 is the subscriberId: unfinished imports that list an item which names it, or whose cursor does. A text that was
 * cut may end in the middle of the id. The next run begins anew, and one that runs now cannot store its progress.
 */
export const DELETE_IMPORTS = `
DELETE FROM import_run r
 WHERE r.environment_id = $1
   AND EXISTS (SELECT 1 FROM (SELECT v #>> '{}' FROM jsonb_path_query(r.progress, '$.problems[*].*') v
                              UNION ALL
                              SELECT v #>> '{}' FROM jsonb_path_query(r.progress, '$.kinds.*.cursor.**') v) t (text)
                WHERE strpos(t.text, $2) > 0 OR right(t.text, 1) = '…')`;
