import { EXECUTION_DETAILS, type StepId } from '@clarion/contracts/core';
import type { Database } from '../../connection/database';
import { unpackDetails } from '../../history/activity.sql';
import { uncountOutcomes } from '../../history/count-outcomes.sql';
import { textOf } from '../../history/detail-text';
import { LANE_OF_REOPENED } from '../open-work';

/** A digest step that ended without collecting, and when its window would have ended. */
export type EndedDigest = { stepId: StepId; dueAt: Date };

/** The oldest step that joined takes over window and due time. Must run in the transaction of the ends. */
export async function passDigestsOn(database: Database, ended: EndedDigest[]): Promise<void> {
  const stepIds = ended.map(({ stepId }) => stepId);
  await database.query(LOCK_WINDOWS, [stepIds]);
  await database.query(LOCK_MEMBERS, [stepIds]);
  const dueAt = ended.map((each) => each.dueAt);
  await database.query(PASS_WINDOWS_ON, [stepIds, dueAt, ...textOf(EXECUTION_DETAILS.digestTakenOver)]);
}

/** While the windows are locked, no step can join them. A window may be closed already. */
const LOCK_WINDOWS = `SELECT 1 FROM open_digest WHERE step_id = ANY ($1) ORDER BY step_id FOR UPDATE`;

/** A cancellation may end a member at the same time: afterwards it is not merged any more and cannot take over. */
const LOCK_MEMBERS = `
SELECT 1 FROM step WHERE digest_master_id = ANY ($1::uuid[]) AND state = 'merged' ORDER BY id FOR UPDATE`;

/** Opens the successor and the steps behind it again. $3 and $4 are the status and text of its detail. */
const PASS_WINDOWS_ON = `
WITH successors AS MATERIALIZED (
  SELECT DISTINCT ON (s.digest_master_id) s.digest_master_id AS master_id, s.id,
         notification_of(s.id) AS notification_id, step_id(s.id, 254) AS last, m.due_at
    FROM step s JOIN unnest($1::uuid[], $2::timestamptz[]) AS m (id, due_at) ON m.id = s.digest_master_id
   WHERE s.digest_master_id = ANY ($1::uuid[]) AND s.state = 'merged'
   ORDER BY s.digest_master_id, s.id
), gone AS (
  DELETE FROM step t USING successors s
   WHERE t.id >= s.id AND t.id <= s.last AND t.state = 'merged'
  RETURNING t.*
), kept_details AS (${unpackDetails('gone')}
), reopened AS (
  INSERT INTO work (id, environment_id, trigger_id, notification_id, subscriber_id, due_at, queued_at, fence,
                    is_delayed, type, step_key, workflow_id, lane, progress, later_steps)
  SELECT s.id, g.environment_id, n.trigger_id, n.id, n.subscriber_id, s.due_at, g.queued_at,
         nextval('reopened_fence'), true, g.type, g.step_key, n.workflow_id, ${LANE_OF_REOPENED},
         jsonb_build_object('digest', g.digest),
         (SELECT jsonb_agg(jsonb_build_array(position_of(l.id), l.step_key, l.type) ORDER BY l.id)
            FROM gone l WHERE l.id > s.id AND notification_of(l.id) = s.notification_id)
    FROM successors s JOIN gone g ON g.id = s.id
    JOIN notification n ON n.environment_id = g.environment_id AND n.id = s.notification_id
), taken_over AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
  SELECT uuid_v7(), g.environment_id, s.notification_id, s.id, $3::text, $4::text
    FROM successors s JOIN gone g ON g.id = s.id
), uncounted AS (${uncountOutcomes(`
  SELECT g.environment_id, n.workflow_id, g.id, g.type, 'skipped' AS outcome
    FROM gone g JOIN notification n ON n.environment_id = g.environment_id AND n.id = notification_of(g.id)`)}
), followers AS (
  UPDATE step t SET digest_master_id = s.id
    FROM successors s WHERE t.digest_master_id = s.master_id AND t.id <> s.id AND t.state = 'merged'
  RETURNING t.environment_id, notification_of(t.id) AS notification_id, s.notification_id AS successor_notification_id
), notifications AS (
  UPDATE notification n SET digested_notification_id = c.digested_notification_id
    FROM (SELECT environment_id, notification_id, successor_notification_id AS digested_notification_id FROM followers
          UNION ALL
          SELECT g.environment_id, s.notification_id, NULL FROM successors s JOIN gone g ON g.id = s.id) c
   WHERE n.environment_id = c.environment_id AND n.id = c.notification_id
), windows AS (
  UPDATE open_digest o SET step_id = s.id FROM successors s WHERE o.step_id = s.master_id
)
DELETE FROM open_digest WHERE step_id = ANY ($1::uuid[]) AND step_id NOT IN (SELECT master_id FROM successors)`;
