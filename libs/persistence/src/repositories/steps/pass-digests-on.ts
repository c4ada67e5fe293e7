import type { StepId } from '@clarion/contracts/core';
import type { Database } from '../../database';

/**
 * Digest steps ended without collecting: the oldest step that joined each of them takes over its window and its due
 * time. Must run in the transaction that ended the steps.
 */
export async function passDigestsOn(database: Database, endedStepIds: StepId[]): Promise<void> {
  await database.query(LOCK_WINDOWS, [endedStepIds]);
  await database.query(PASS_WINDOWS_ON, [endedStepIds]);
}

/**
 * While the windows are locked, no step can join them. A window may be closed already, with its step about to collect.
 */
const LOCK_WINDOWS = `SELECT 1 FROM open_digest WHERE step_id = ANY ($1) ORDER BY step_id FOR UPDATE`;

const PASS_WINDOWS_ON = `
WITH successors AS MATERIALIZED (
  SELECT DISTINCT ON (f.digest_master_id) f.digest_master_id AS master_id, f.id, f.notification_id, f.position, m.due_at
    FROM step f JOIN step m ON m.id = f.digest_master_id
   WHERE f.digest_master_id = ANY ($1) AND f.state = 'merged'
   ORDER BY f.digest_master_id, f.id
), reopened AS (
  UPDATE step t SET state = 'delayed', due_at = s.due_at, digest_master_id = NULL, updated_at = now()
    FROM successors s WHERE t.id = s.id
), later_steps AS (
  UPDATE step t SET state = 'pending', updated_at = now()
    FROM successors s WHERE t.notification_id = s.notification_id AND t.position > s.position AND t.state = 'merged'
), followers AS (
  UPDATE step t SET digest_master_id = s.id
    FROM successors s WHERE t.digest_master_id = s.master_id AND t.id <> s.id AND t.state = 'merged'
  RETURNING t.notification_id, s.notification_id AS successor_notification_id
), followers_notifications AS (
  UPDATE notification n SET digested_notification_id = f.successor_notification_id
    FROM followers f WHERE n.id = f.notification_id
), successors_notifications AS (
  UPDATE notification n SET digested_notification_id = NULL FROM successors s WHERE n.id = s.notification_id
), windows AS (
  UPDATE open_digest o SET step_id = s.id, notification_id = s.notification_id
    FROM successors s WHERE o.step_id = s.master_id
)
DELETE FROM open_digest WHERE step_id = ANY ($1) AND step_id NOT IN (SELECT master_id FROM successors)`;
