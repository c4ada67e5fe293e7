import { CHANNELS, type LogEntryType, REDACTED } from '@clarion/contracts/core';
import { isSensitive } from './redaction.sql';

/*
 * What statements add to the event log. It is part of the statement that changes something, so a crash loses both or
 * neither. It is never an update, so statements do not wait for each other; entries get their numbers later
 * (`event-log.repository.ts`). An environment that records nothing pays for one lookup of its row, and the workers,
 * whose claims have made that lookup, use other statements for it.
 */

/** Characters of an error that an entry keeps. */
const ERROR_LENGTH = 500;

/** Whether what happens in an environment is recorded: its event log is on, or it has a webhook endpoint. */
export const recordsEvents = (environment: string): string =>
  `(EXISTS (SELECT 1 FROM environment logged WHERE logged.id = ${environment} AND logged.event_log)
    OR EXISTS (SELECT 1 FROM webhook_endpoint logged WHERE logged.environment_id = ${environment}))`;

/** `packed`, or `single` while processes run that do not know batches of entries; NULL when not recorded. */
export const howRecorded = (environment: string): string => `
  CASE WHEN ${recordsEvents(environment)}
       THEN CASE WHEN EXISTS (SELECT 1 FROM event_log l
                               WHERE l.environment_id = ${environment} AND l.packs_from <= now())
                 THEN 'packed' ELSE 'single' END END`;

const INSERT_ABOUT_MESSAGES = `
  INSERT INTO new_log_entry (environment_id, type, message_id, step_id, trigger_id, subscriber_id, workflow_id, channel,
                             provider_id, data)`;

/** The words of the provider, or the reason of the step. */
const ERROR_OF_STEP = `coalesce(m.m_rest ->> 'errorText', h.rest -> 'error' ->> 'message')`;

/** The types that apply, from pairs of a type and a condition. */
const whichOf = (conditions: Partial<Record<LogEntryType, string>>): string => `
   CROSS JOIN LATERAL (VALUES ${Object.entries(conditions)
     .map(([type, condition]) => `('${type}', ${condition})`)
     .join(', ')}) AS e (type, happened)`;

/** The words of a provider may repeat the content of the message, which must not outlive its redaction. */
const failure = (code: string, message: string, triggerId: string): string => `
  jsonb_build_object('status', 'error', 'error', jsonb_strip_nulls(jsonb_build_object(
    'code', ${code}, 'message', CASE WHEN ${message} IS NULL THEN NULL WHEN ${isSensitive(triggerId)}
                                     THEN '${REDACTED}' ELSE left(${message}, ${ERROR_LENGTH}) END)))`;

/** The sent messages `m` of ended steps (`h`) in `steps`: one row for all that are alike. */
export const logSent = (messages: string, steps: string): string => `
  INSERT INTO new_log_batch (environment_id, types, channel, provider_id, step_ids, message_ids, trigger_ids,
                             subscriber_ids, workflow_ids)
  SELECT environment_id, CASE WHEN is_delivered THEN '{message.sent,message.delivered}'::text[]
                              ELSE '{message.sent}' END, channel, provider_id, array_agg(id),
         nullif(array_agg(message_id), array_agg(id)), array_agg(trigger_id), array_agg(subscriber_id),
         array_agg(workflow_id)
    FROM (SELECT h.environment_id, h.id, h.trigger_id, h.subscriber_id, h.workflow_id, h.type AS channel,
                 m.m_id AS message_id, coalesce(m.m_provider_id, h.provider_id) AS provider_id,
                 coalesce(m.m_is_delivered, false) AS is_delivered
            FROM ${messages} WHERE m.m_status = 'sent' AND h.id = ANY (${steps})) sent
   GROUP BY environment_id, is_delivered, channel, provider_id`;

/**
 * The messages of ended steps (`held`, of the statement that ends them), for the steps whose ids are in `steps`, but
 * not what the steps in `packed` sent. A channel step that failed without a message counts as a message without an id.
 */
export const logOutcomes = (steps: string, packed: string): string => `${INSERT_ABOUT_MESSAGES}
  SELECT h.environment_id, e.type, m.m_id, h.id, h.trigger_id, h.subscriber_id, h.workflow_id, h.type,
         coalesce(m.m_provider_id, h.provider_id),
         CASE e.type WHEN 'message.failed'
              THEN ${failure(`m.m_rest ->> 'errorId'`, ERROR_OF_STEP, 'h.trigger_id')}
              ELSE '{"status": "sent"}'::jsonb END
    FROM held h
    LEFT JOIN LATERAL json_to_recordset(h.messages::json)
      AS m (m_id uuid, m_status text, m_provider_id text, m_is_delivered boolean, m_rest jsonb) ON true${whichOf({
        'message.sent': `m.m_status = 'sent' AND h.id <> ALL (${packed})`,
        'message.delivered': `m.m_status = 'sent' AND m.m_is_delivered AND h.id <> ALL (${packed})`,
        'message.failed': `m.m_status = 'error' OR h.state = 'failed' AND m.m_status IS DISTINCT FROM 'sent'`,
      })}
   WHERE e.happened AND h.id = ANY (${steps}) AND h.type IN (${CHANNELS.map((channel) => `'${channel}'`).join(', ')})`;

/** The columns of a message that `logMessageChanges` compares. */
export const COMPARED_COLUMNS = 't.seen, t.read, t.archived, t.snoozed_until';

const ABOUT_CHANGED = `c.environment_id, e.type, c.id, c.step_id, c.trigger_id, c.subscriber_id, c.workflow_id,
         c.channel, c.provider_id`;

/** What the statement changed about messages: `before` has their ids and old values, `changed` the rows after it. */
export const logMessageChanges = (environment: string): string => `${INSERT_ABOUT_MESSAGES}
  SELECT ${ABOUT_CHANGED},
         CASE e.type WHEN 'message.snoozed' THEN jsonb_build_object('snoozedUntil', c.snoozed_until) END
    FROM changed c JOIN before b ON b.id = c.id${whichOf({
      'message.seen': 'c.seen AND NOT b.seen',
      'message.read': 'c.read AND NOT b.read',
      'message.unread': 'b.read AND NOT c.read',
      'message.archived': 'c.archived AND NOT b.archived',
      'message.unarchived': 'b.archived AND NOT c.archived',
      'message.snoozed': 'c.snoozed_until IS NOT NULL AND c.snoozed_until IS DISTINCT FROM b.snoozed_until',
      'message.unsnoozed': 'b.snoozed_until IS NOT NULL AND c.snoozed_until IS NULL',
    })}
   WHERE e.happened AND ${recordsEvents(environment)}`;

/** Every message in `changed`: it was deleted, or its snooze has ended. */
export const logMessages = (type: LogEntryType, environment: string): string => `${INSERT_ABOUT_MESSAGES}
  SELECT ${ABOUT_CHANGED}, NULL::jsonb FROM changed c CROSS JOIN (VALUES ('${type}')) AS e (type)
   WHERE ${recordsEvents(environment)}`;

/** `before` has the old values of the messages, `changed` the rows after it. A repeated report is no entry. */
export const logDeliveryEvents = (environment: string): string => `${INSERT_ABOUT_MESSAGES}
  SELECT ${ABOUT_CHANGED},
         CASE e.type WHEN 'message.failed' THEN ${failure('c.error_id', 'c.error_text', 'c.trigger_id')} END
    FROM changed c JOIN before b ON b.id = c.id${whichOf({
      'message.delivered': 'c.delivered_at IS NOT NULL AND b.delivered_at IS NULL',
      'message.seen': 'c.seen AND NOT b.seen',
      'message.read': 'c.read AND NOT b.read',
      'message.failed': `c.status = 'error' AND b.status <> 'error'`,
    })}
   WHERE e.happened AND ${recordsEvents(environment)}`;

/** The workflows in `head`, which the statement created, changed or deleted. */
export const logWorkflows = (types: LogEntryType[], environment: string): string => `
  INSERT INTO new_log_entry (environment_id, type, workflow_id, data)
  SELECT head.environment_id, e.type, head.id,
         jsonb_build_object('name', head.name, 'version', head.current_version, 'active', head.active)
    FROM head CROSS JOIN (VALUES ${types.map((type) => `('${type}')`).join(', ')}) AS e (type)
   WHERE ${recordsEvents(environment)}`;

/** The preferences in `written`, which the statement created or changed. */
export const logPreferences = (environment: string): string => `
  INSERT INTO new_log_entry (environment_id, type, subscriber_id, workflow_id, data)
  SELECT environment_id, 'preference.updated', subscriber_id, workflow_id,
         jsonb_strip_nulls(jsonb_build_object(
           'level', CASE WHEN workflow_id IS NULL THEN 'global' ELSE 'template' END,
           'channels', (SELECT jsonb_object_agg(key, value -> 'enabled') FROM jsonb_each(preferences -> 'channels')),
           'schedule', schedule))
    FROM written WHERE ${recordsEvents(environment)}`;
