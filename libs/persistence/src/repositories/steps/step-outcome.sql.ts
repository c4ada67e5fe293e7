import { OFFER_MS } from '../../leases';

/*
 * Three forms of the hottest statement of the workers. Postgres starts every part of a statement even if it has no
 * rows: the part for messages made a record without messages about a fifth slower, so each batch uses the smallest
 * form that covers it.
 *
 * All forms take the outcomes as $1, the details as $2, the step types that announce "Step queued" as $3, and the
 * status and text of that detail as $4 and $5. `'' || t.state` keeps the planner on the primary key (see
 * step-claim.sql.ts).
 */

/** Characters of a provider's message id that are kept. A longer value does not fit into the index of the column. */
const PROVIDER_MESSAGE_ID_LENGTH = 500;

const OUTCOME_FIELDS = `id uuid, fence int, state text, "dueAt" timestamptz, "dueInMs" float8, attempt int,
           "providerId" text, "integrationId" uuid, output jsonb, digest jsonb, error jsonb,
           "scheduleExtensionsCount" int, "then" text, "nextStepId" uuid, "nextDetailId" uuid`;

/** What an outcome (`i`) sets in its step (`t`). */
const OUTCOME_ASSIGNMENTS = `state = i.state, attempt = coalesce(i.attempt, t.attempt), crash_count = 0,
    lease_until = NULL,
    sending_since = NULL, waiting_since = NULL, offered_until = NULL, updated_at = now(),
    due_at = coalesce(i."dueAt", now() + i."dueInMs" * interval '1 millisecond', t.due_at),
    provider_id = coalesce(i."providerId", t.provider_id),
    integration_id = coalesce(i."integrationId", t.integration_id),
    output = coalesce(i.output, t.output), digest = coalesce(i.digest, t.digest), error = i.error,
    schedule_extensions_count = coalesce(i."scheduleExtensionsCount", t.schedule_extensions_count)`;

const HELD_COLUMNS = `t.id, t.environment_id, t.notification_id, t.transaction_id, t.subscriber_id, t.position,
    i."then",
            i."nextStepId", i."nextDetailId"`;

const MESSAGE_FIELDS = `id uuid, "stepId" uuid, channel text, "providerId" text, "integrationId" uuid,
           "providerMessageId" text, "workflowIdentifier" text, "messageTemplateId" text, title text, subject text,
           content jsonb, email text, phone text, recipients text[], "directWebhookUrl" text, "deviceTokens" jsonb,
           cta jsonb, actor jsonb, avatar text, data jsonb, overrides jsonb, severity text, status text, "errorId" text,
           "errorText" text, delivered boolean`;

const MESSAGE_COLUMNS = `id, environment_id, notification_id, step_id, subscriber_id, workflow_id, workflow_identifier,
                            message_template_id, transaction_id, channel, provider_id, integration_id,
                            provider_message_id, title, subject, content, email, phone, recipients, direct_webhook_url,
                            device_tokens, cta, actor, avatar, status, error_id, error_text, payload, overrides, data,
                            tags, severity, critical, context_keys, delivered_at`;

/** A new message (`i`) of a recorded step (`h`) and its notification (`n`), in the order of MESSAGE_COLUMNS. */
const MESSAGE_VALUES = `i.id, h.environment_id, h.notification_id, h.id, h.subscriber_id, n.workflow_id,
    i."workflowIdentifier",
         i."messageTemplateId", h.transaction_id, i.channel, i."providerId", i."integrationId",
         left(i."providerMessageId", ${PROVIDER_MESSAGE_ID_LENGTH}), i.title, i.subject, i.content, i.email, i.phone,
         i.recipients, i."directWebhookUrl",
         CASE WHEN i."deviceTokens" IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(i."deviceTokens")) END,
         coalesce(i.cta, '{}'), i.actor, i.avatar, i.status, i."errorId", i."errorText", n.payload,
         coalesce(i.overrides, n.overrides), i.data, n.tags, coalesce(i.severity, n.severity), n.critical,
         n.context_keys, CASE WHEN i.delivered THEN ARRAY[now()] END`;

/** What a message that is sent again sets in its row. */
const MESSAGE_ASSIGNMENTS = `provider_id = excluded.provider_id, integration_id = excluded.integration_id,
    provider_message_id = excluded.provider_message_id, title = excluded.title, subject = excluded.subject,
    content = excluded.content, email = excluded.email, phone = excluded.phone, recipients = excluded.recipients,
    direct_webhook_url = excluded.direct_webhook_url, device_tokens = excluded.device_tokens, cta = excluded.cta,
    actor = excluded.actor, avatar = excluded.avatar, status = excluded.status, error_id = excluded.error_id,
    error_text = excluded.error_text, data = excluded.data, delivered_at = excluded.delivered_at, seen = false,
    updated_at = now()`;

const DETAIL_FIELDS = `id uuid, "stepId" uuid, status text, detail text, source text, "isRetry" boolean,
           "providerId" text, "messageId" uuid, raw text`;

const DETAIL_COLUMNS = `id, environment_id, notification_id, step_id, message_id, status, detail, source, is_retry,
                                provider_id, raw`;

/** A new detail (`i`) of a recorded step (`h`), in the order of DETAIL_COLUMNS. */
const DETAIL_VALUES = `i.id, h.environment_id, h.notification_id, h.id, i."messageId", i.status, i.detail,
         coalesce(i.source, 'Internal'), coalesce(i."isRetry", false), i."providerId", i.raw`;

/** Outcomes without messages that let later steps wait or advance. */
export const RECORD_STEPS = `
WITH held AS (
  UPDATE step t SET
    ${OUTCOME_ASSIGNMENTS}
    FROM json_to_recordset($1::json) AS i (
           ${OUTCOME_FIELDS})
   WHERE t.id = i.id AND t.fence = i.fence AND '' || t.state IN ('queued', 'delayed') AND t.lease_until IS NOT NULL
  RETURNING ${HELD_COLUMNS}
), nexts AS (
  UPDATE step t SET state = 'queued', due_at = now(), offered_until = now() + interval '${OFFER_MS} milliseconds',
                    updated_at = now()
    FROM held h WHERE h."then" = 'advance' AND t.id = h."nextStepId" AND t.state = 'pending'
  RETURNING t.id, t.type, t.environment_id, t.notification_id, h."nextDetailId"
), details AS (
  INSERT INTO execution_detail (${DETAIL_COLUMNS})
  SELECT ${DETAIL_VALUES}
    FROM json_to_recordset($2::json) AS i (
           ${DETAIL_FIELDS})
    JOIN held h ON h.id = i."stepId"
  UNION ALL
  SELECT coalesce("nextDetailId", uuid_v7()), environment_id, notification_id, id, NULL, $4, $5, 'Internal', false,
    NULL, NULL
    FROM nexts WHERE type = ANY ($3::text[])
)
SELECT id, NULL AS type, environment_id AS "environmentId" FROM held
UNION ALL SELECT id, type, environment_id FROM nexts`;

/** Outcomes with messages ($6) that let later steps wait or advance. */
export const RECORD_STEPS_AND_MESSAGES = `
WITH held AS (
  UPDATE step t SET
    ${OUTCOME_ASSIGNMENTS}
    FROM json_to_recordset($1::json) AS i (
           ${OUTCOME_FIELDS})
   WHERE t.id = i.id AND t.fence = i.fence AND '' || t.state IN ('queued', 'delayed') AND t.lease_until IS NOT NULL
  RETURNING ${HELD_COLUMNS}
), nexts AS (
  UPDATE step t SET state = 'queued', due_at = now(), offered_until = now() + interval '${OFFER_MS} milliseconds',
                    updated_at = now()
    FROM held h WHERE h."then" = 'advance' AND t.id = h."nextStepId" AND t.state = 'pending'
  RETURNING t.id, t.type, t.environment_id, t.notification_id, h."nextDetailId"
), messages AS (
  INSERT INTO message AS m (${MESSAGE_COLUMNS})
  SELECT ${MESSAGE_VALUES}
    FROM json_to_recordset($6::json) AS i (
           ${MESSAGE_FIELDS})
    JOIN held h ON h.id = i."stepId"
    JOIN notification n ON n.id = h.notification_id
  ON CONFLICT (id) DO UPDATE SET
    ${MESSAGE_ASSIGNMENTS}
), details AS (
  INSERT INTO execution_detail (${DETAIL_COLUMNS})
  SELECT ${DETAIL_VALUES}
    FROM json_to_recordset($2::json) AS i (
           ${DETAIL_FIELDS})
    JOIN held h ON h.id = i."stepId"
  UNION ALL
  SELECT coalesce("nextDetailId", uuid_v7()), environment_id, notification_id, id, NULL, $4, $5, 'Internal', false,
    NULL, NULL
    FROM nexts WHERE type = ANY ($3::text[])
)
SELECT id, NULL AS type, environment_id AS "environmentId" FROM held
UNION ALL SELECT id, type, environment_id FROM nexts`;

/**
 * Outcomes with or without messages ($6), some of which end their notification: its later steps are canceled or
 * skipped. $7 and $8 are the status and text of the detail of canceled steps, $9 and $10 those of skipped steps.
 */
export const RECORD_STEPS_AND_ENDINGS = `
WITH held AS (
  UPDATE step t SET
    ${OUTCOME_ASSIGNMENTS}
    FROM json_to_recordset($1::json) AS i (
           ${OUTCOME_FIELDS})
   WHERE t.id = i.id AND t.fence = i.fence AND '' || t.state IN ('queued', 'delayed') AND t.lease_until IS NOT NULL
  RETURNING ${HELD_COLUMNS}
), nexts AS (
  UPDATE step t SET state = 'queued', due_at = now(), offered_until = now() + interval '${OFFER_MS} milliseconds',
                    updated_at = now()
    FROM held h WHERE h."then" = 'advance' AND t.id = h."nextStepId" AND t.state = 'pending'
  RETURNING t.id, t.type, t.environment_id, t.notification_id, h."nextDetailId"
), ended AS (
  UPDATE step t SET state = CASE WHEN h."then" = 'skip' THEN 'skipped' ELSE 'canceled' END, updated_at = now()
    FROM held h
   WHERE h."then" IN ('halt', 'skip') AND t.notification_id = h.notification_id AND t.position > h.position
     AND t.state = 'pending'
  RETURNING t.id, t.environment_id, t.notification_id, h."then"
), messages AS (
  INSERT INTO message AS m (${MESSAGE_COLUMNS})
  SELECT ${MESSAGE_VALUES}
    FROM json_to_recordset($6::json) AS i (
           ${MESSAGE_FIELDS})
    JOIN held h ON h.id = i."stepId"
    JOIN notification n ON n.id = h.notification_id
  ON CONFLICT (id) DO UPDATE SET
    ${MESSAGE_ASSIGNMENTS}
), details AS (
  INSERT INTO execution_detail (${DETAIL_COLUMNS})
  SELECT ${DETAIL_VALUES}
    FROM json_to_recordset($2::json) AS i (
           ${DETAIL_FIELDS})
    JOIN held h ON h.id = i."stepId"
  UNION ALL
  SELECT coalesce("nextDetailId", uuid_v7()), environment_id, notification_id, id, NULL, $4, $5, 'Internal', false,
    NULL, NULL
    FROM nexts WHERE type = ANY ($3::text[])
  UNION ALL
  SELECT uuid_v7(), environment_id, notification_id, id, NULL, CASE WHEN "then" = 'halt' THEN $7 ELSE $9 END,
         CASE WHEN "then" = 'halt' THEN $8 ELSE $10 END, 'Internal', false, NULL, NULL
    FROM ended
)
SELECT id, NULL AS type, environment_id AS "environmentId" FROM held
UNION ALL SELECT id, type, environment_id FROM nexts`;
