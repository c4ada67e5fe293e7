import { EARLIER_STEP_STATUSES, type EarlierStepState, type StepId } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import type { ClaimedStep } from './step-rows';
import { columnArrays } from '../../sql/column-arrays';

export type EarlierStep = EarlierStepState & { id: StepId; messageIds: string[] };

/** By step key. */
export type EarlierSteps = Record<string, EarlierStep>;

/** Steps of these channels may have several messages; that of any other step has the id of the step. */
const CHANNELS_WITH_MANY_MESSAGES = `('chat', 'push')`;

/** The best of several messages comes first. */
const ORDER = `'{${EARLIER_STEP_STATUSES.join()}}'::text[]`;

/** The messages `m` of the step `s` of the claimed step `i`. */
const MESSAGES = `
  SELECT m.* FROM message m WHERE m.environment_id = i.environment_id AND m.id = s.id
  UNION ALL
  SELECT m.* FROM message m
   WHERE s.type IN ${CHANNELS_WITH_MANY_MESSAGES} AND m.subscriber_id = i.subscriber_id AND m.channel = s.type
     AND m.environment_id = i.environment_id AND m.created_at <= s.ended_at AND m.step_id = s.id AND m.id <> s.id`;

const MESSAGE_STATUS = `CASE WHEN m.status = 'sent' AND m.delivered_at IS NOT NULL THEN 'delivered'
  WHEN m.status = 'sent' THEN 'sent' WHEN m.error_id = 'message_bounced' THEN 'bounced'
  WHEN m.error_id = 'message_rejected' THEN 'rejected' ELSE 'failed' END`;

const LOAD = `
SELECT i.id AS "readerId", s.step_key AS "stepKey", s.id,
       CASE WHEN s.state = 'completed' THEN coalesce(m.status, 'completed') WHEN s.state = 'failed' THEN 'failed'
            ELSE 'skipped' END AS status,
       coalesce(m.seen, false) AS seen, coalesce(m.read, false) AS read, coalesce(m.clicked, false) AS clicked,
       coalesce(m.ids, '{}') AS "messageIds"
  FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[]) AS i (id, environment_id, notification_id, subscriber_id)
  JOIN step s ON s.id > i.notification_id AND s.id < i.id AND s.environment_id = i.environment_id
  LEFT JOIN LATERAL (
    SELECT (array_agg(status ORDER BY array_position(${ORDER}, status)))[1] AS status, bool_or(seen) AS seen,
           bool_or(read) AS read, bool_or(clicked) AS clicked, array_agg(id) AS ids
      FROM (SELECT m.id, m.seen, m.read, m.clicked_at IS NOT NULL AS clicked, ${MESSAGE_STATUS} AS status
              FROM (${MESSAGES}) m) described) m ON true`;

/** The states of the earlier steps of running notifications. */
export class EarlierStepRepository extends Repository {
  /** By the id of the claimed step. */
  async load(steps: ClaimedStep[]): Promise<Map<StepId, EarlierSteps>> {
    const rows = await this.database.prepared<EarlierStep & { readerId: StepId; stepKey: string }>(
      'load-earlier-steps',
      LOAD,
      [
        ...columnArrays(steps, 'id', 'environmentId', 'notificationId'),
        steps.map(({ subscriber }) => subscriber?.id ?? null),
      ],
    );
    const found = new Map<StepId, EarlierSteps>();
    for (const { readerId, stepKey, ...state } of rows) {
      found.set(readerId, { ...found.get(readerId), [stepKey]: state });
    }
    return found;
  }
}
