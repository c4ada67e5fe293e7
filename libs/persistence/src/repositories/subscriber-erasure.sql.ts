import { outcomeOf } from './outcomes.sql';

/*
 * What an erasure does to each table. In every statement $1 is the environment and $2 the id of the row of the
 * subscriber; others are named where they are used. Notifications and ended steps stay, without what they say about
 * the person, because the counts of outcomes are made of them. All else is deleted.
 */

/** Whether a trigger names the subscriberId $2 as a recipient, and whether as the only one. */
const NAMED = `t.recipients @> jsonb_build_array(jsonb_build_object('subscriberId', $2::text))`;
const NAMED_ALONE = `(${NAMED} AND jsonb_array_length(t.recipients) = 1)`;
const IS_ACTOR = `(t.actor ->> 'subscriberId' = $2::text OR t.actor = to_jsonb($2::text))`;

/** Triggers that one statement reads. */
export const READ_TRIGGERS = 20_000;

/** The next triggers after the id $3 that name the subscriberId $2, and the last id that was read. */
export const FIND_TRIGGERS = `
WITH looked AS MATERIALIZED (
  SELECT id, recipients, actor FROM trigger WHERE environment_id = $1 AND id > $3 ORDER BY id LIMIT ${READ_TRIGGERS}
)
SELECT ARRAY(SELECT id FROM looked t WHERE ${NAMED_ALONE}) AS alone,
       ARRAY(SELECT id FROM looked t WHERE ${NAMED} AND NOT ${NAMED_ALONE}) AS shared,
       ARRAY(SELECT id FROM looked t WHERE ${IS_ACTOR}) AS acted,
       (SELECT count(*)::int FROM looked) AS read, (SELECT id FROM looked ORDER BY id DESC LIMIT 1) AS last`;

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
  // Suppressions that a provider reported about messages of the subscriber.
  suppression: `
    DELETE FROM suppression s USING message m
     WHERE s.environment_id = $1 AND m.environment_id = $1 AND m.subscriber_id = $2 AND m.id = s.message_id`,
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

/** $2 is the subscriberId. What an endpoint answered to such an entry may repeat it. */
export const ERASE_LOG = `
WITH entries AS (
  UPDATE event_log_entry e
     SET data = (SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(e.data)
                  WHERE key = ANY ('{${KEPT_FIELDS.join()}}'::text[]))
   WHERE e.environment_id = $1 AND e.data ->> 'subscriberId' = $2
  RETURNING e.id
), answers AS (
  UPDATE webhook_delivery d SET response_text = NULL, error = NULL
    FROM entries WHERE d.environment_id = $1 AND d.entry_id = entries.id
)
SELECT count(*)::int AS count FROM entries`;

/** Of the triggers $2, which name this subscriber alone, only the fact that they existed stays. */
export const CLEAR_TRIGGERS = `
UPDATE trigger
   SET recipients = '[]', payload = '{}', overrides = NULL, controls = NULL, actor = NULL, tenant = NULL,
       context = NULL, error = NULL
 WHERE environment_id = $1 AND id = ANY ($2::uuid[])`;

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

/** $2 are channels and $3 addresses, unless another subscriber than $4 has the address too. */
export const DELETE_SUPPRESSIONS = `
DELETE FROM suppression s USING unnest($2::text[], $3::text[]) AS w (channel, address)
 WHERE s.environment_id = $1 AND s.channel = w.channel AND s.address = w.address
   AND NOT EXISTS (SELECT 1 FROM subscriber o
                    WHERE o.environment_id = $1 AND o.id <> $4
                      AND (lower(o.email) = w.address OR o.phone = w.address))`;

/** $2 is the subscriberId: links that were made for it and not used yet. */
export const DELETE_SETUP_LINKS = `
DELETE FROM setup_link WHERE environment_id = $1 AND details ->> 'subscriberId' = $2`;

/** $2 is the part of a path that names the subscriber. */
export const DELETE_IDEMPOTENCY_RECORDS = `
DELETE FROM idempotency_record WHERE environment_id = $1 AND status IS NOT NULL AND strpos(path, $2) > 0`;
