import { type EnvironmentId, isId, LIMITS, toNotificationId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { selectPageIds } from '../sql/pages';
import { searchable } from '../schema/row-level-security';
import { shownSteps, spanOf } from './activity.sql';
import { notificationList } from './notification.repository';
import { selectTransactions } from '../work/transactions';

/** Something that has the id; `name` is the identifier by which its page is found. */
export type LookupMatch = {
  kind: 'notification' | 'step' | 'message' | 'transaction' | 'subscriber' | 'workflow';
  id: string;
  name: string;
  title: string;
};

/** Matches of each kind. */
const EACH = 5;

const TRACE_ID = /^[0-9a-f]{32}$/;

const titleOf = (notification: string): string => `
  concat_ws(' to ',
    (SELECT name FROM workflow w WHERE w.environment_id = $1 AND w.id = ${notification}.workflow_id),
    (SELECT subscriber_id FROM subscriber s WHERE s.environment_id = $1 AND s.id = ${notification}.subscriber_id))`;

/** `$2` is the text, `$3` the same as a UUID or null, `$4` the id of the notification that a step `$3` belongs to. */
const BY_NAME = `
  (SELECT CASE n.id WHEN $3::uuid THEN 'notification' ELSE 'step' END AS kind, $3::text AS id, n.id::text AS name,
          ${titleOf('n')} AS title
     FROM notification n CROSS JOIN LATERAL ${spanOf('n.id')}
    WHERE n.environment_id = $1 AND n.id = $4::uuid
      AND (n.id = $3::uuid OR EXISTS (SELECT 1 FROM (${shownSteps()}) s WHERE s.id = $3::uuid)))
  UNION ALL
  (SELECT 'message', m.id::text, notification_of(m.step_id)::text, coalesce(m.subject, ${titleOf('m')})
     FROM message m WHERE m.environment_id = $1 AND m.id = $3::uuid LIMIT 1)
  UNION ALL
  (SELECT 'message', m.id::text, notification_of(m.step_id)::text, coalesce(m.subject, ${titleOf('m')})
     FROM message m
    WHERE m.environment_id = $1 AND m.provider_message_id = $2::text
      AND m.integration_id = ANY (ARRAY(
        SELECT i.id FROM integration i WHERE i.environment_id = $1 ORDER BY i.id DESC LIMIT ${LIMITS.integrations}))
    LIMIT ${EACH})
  UNION ALL
  SELECT 'transaction', x.transaction_id, x.transaction_id, x.transaction_id
    FROM (${selectTransactions('ARRAY[$2::text]')}) x
  UNION ALL
  (SELECT 'transaction', t.transaction_id, t.transaction_id, t.transaction_id
     FROM trigger t WHERE t.environment_id = $1 AND t.id = $3::uuid LIMIT 1)
  UNION ALL
  SELECT 'subscriber', s.id::text, s.subscriber_id,
         coalesce(nullif(concat_ws(' ', s.first_name, s.last_name), ''), s.email, s.subscriber_id)
    FROM (
      (SELECT * FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2::text)
      UNION
      (SELECT * FROM subscriber WHERE environment_id = $1 AND id = $3::uuid)
      UNION
      (SELECT * FROM subscriber WHERE environment_id = $1 AND email = $2::text LIMIT ${EACH})
      UNION
      (SELECT * FROM ${searchable('subscriber')} WHERE environment_id = $1 AND phone = $2::text LIMIT ${EACH})) s
  UNION ALL
  (SELECT 'workflow', w.id::text, w.workflow_id, w.name
     FROM workflow w
    WHERE w.environment_id = $1 AND w.deleted_at IS NULL AND (w.workflow_id = $2::text OR w.id = $3::uuid)
    LIMIT ${EACH})`;

export class LookupRepository extends Repository {
  /** Everything with this id or identifier; each kind has an index. */
  find(environmentId: EnvironmentId, text: string): Promise<LookupMatch[]> {
    const id = isId(text) ? text.toLowerCase() : null;
    const notificationId = id === null ? null : toNotificationId(id);
    return this.database.rows<LookupMatch>(BY_NAME, [environmentId, text, id, notificationId]);
  }

  /** The transactions of a trace or a request, without an index: found in the newest notifications. */
  findByRequest(environmentId: EnvironmentId, text: string): Promise<LookupMatch[]> {
    const { parameters, ...list } = notificationList(environmentId, {});
    const newest = selectPageIds({ ...list, parameters }, { offset: 0, limit: LIMITS.searchedHistory - 1 });
    const wanted = [
      `t.request_id = $${parameters.push(text)}`,
      ...(TRACE_ID.test(text) ? [`t.traceparent LIKE $${parameters.push(`00-${text}-%`)}`] : []),
    ];
    return this.database.rows<LookupMatch>(
      `SELECT DISTINCT 'transaction' AS kind, t.transaction_id AS id, t.transaction_id AS name,
              t.transaction_id AS title
         FROM (${newest}) newest
        CROSS JOIN LATERAL (
          SELECT trigger_id FROM notification WHERE environment_id = $1 AND id = newest.id LIMIT 1) n
        CROSS JOIN LATERAL (
          SELECT * FROM trigger t WHERE t.environment_id = $1 AND t.id = n.trigger_id LIMIT 1) t
        WHERE ${wanted.join(' OR ')} LIMIT ${EACH}`,
      parameters,
    );
  }
}
