/* Numbers have no gaps after the first kept entry, so a number of entries is a range of numbers. */

const MESSAGES = `unnest(b.step_ids, b.message_ids, b.trigger_ids, b.transaction_ids, b.subscriber_ids,
    b.workflow_identifiers) WITH ORDINALITY
    AS m (step_id, message_id, trigger_id, transaction_id, subscriber_id, workflow_identifier, place)`;

const PLACE = `((m.place - 1) * cardinality(b.types) + k.place - 1)`;

/** The entries after one number up to another, in any order: those with a row each, and those of batches. */
export const entriesBetween = (environment: string, after: string, to: string): string => `
  SELECT x.id, x.sequence, x.created_at, x.type, x.channel, x.workflow_identifier, x.data FROM event_log_entry x
   WHERE x.environment_id = ${environment} AND x.sequence > ${after} AND x.sequence <= ${to}
  UNION ALL
  SELECT log_entry_id(b.id, ${PLACE}::int), b.first_sequence + ${PLACE}, b.created_at, k.type, b.channel,
         m.workflow_identifier,
         jsonb_strip_nulls(jsonb_build_object(
           'messageId', coalesce(m.message_id, m.step_id), 'notificationId', notification_of(m.step_id),
           'transactionId', coalesce(m.transaction_id, 'txn_' || m.trigger_id), 'subscriberId', m.subscriber_id,
           'workflowId', m.workflow_identifier, 'channel', b.channel, 'providerId', b.provider_id, 'status', 'sent'))
    FROM (SELECT * FROM event_log_batch
           WHERE environment_id = ${environment} AND first_sequence > ${after} AND first_sequence <= ${to}
          UNION ALL
          -- The range may begin inside of a batch.
          SELECT * FROM (SELECT * FROM event_log_batch WHERE environment_id = ${environment}
                            AND first_sequence <= ${after} ORDER BY first_sequence DESC LIMIT 1) containing
           WHERE last_sequence > ${after}) b
   CROSS JOIN LATERAL ${MESSAGES} CROSS JOIN LATERAL unnest(b.types) WITH ORDINALITY AS k (type, place)
   WHERE b.first_sequence + ${PLACE} > ${after} AND b.first_sequence + ${PLACE} <= ${to}`;

/** The number of the oldest entry that has not been deleted; NULL when there is none. */
export const firstNumber = (environment: string): string => `
  least((SELECT sequence FROM event_log_entry WHERE environment_id = ${environment} ORDER BY sequence LIMIT 1),
        (SELECT first_sequence FROM event_log_batch
          WHERE environment_id = ${environment} ORDER BY first_sequence LIMIT 1))`;

/** The number before the first entry that is kept and comes after `after`. */
export const beforeKept = (environment: string, after: string): string =>
  `greatest(${after}, ${firstNumber(environment)} - 1)`;

/** What has no number yet: the environment and the time of each row. */
export const UNNUMBERED = `(SELECT environment_id, created_at FROM new_log_entry
  UNION ALL SELECT environment_id, created_at FROM new_log_batch) unnumbered`;
