import type { StepId } from '@clarion/contracts/core';
import type { Database } from '../../connection/database';
import type { HeldStep, WindowName } from './step-rows';
import { columnArrays } from '../../sql/column-arrays';

export const nameOfWindow = (name: WindowName): string =>
  [name.environmentId, name.workflowId, name.stepKey, name.subscriberId, name.windowKey].join(' ');

/** Locks the steps that the caller still holds until its transaction ends. Only these may be counted into windows. */
export async function lockHeldSteps<T extends HeldStep>(database: Database, requests: T[]): Promise<T[]> {
  const rows = await database.query<{ id: StepId }>(LOCK_HELD_STEPS, [...columnArrays(requests, 'id', 'fence')]);
  const held = new Set(rows.map(({ id }) => id));
  return requests.filter(({ id }) => held.has(id));
}

/** A window that has ended starts again. With `sliding`, every event moves the end of its window. */
export function countEvents(
  database: Database,
  windows: (WindowName & { windowMs: number; events: number })[],
  sliding: boolean,
): Promise<(WindowName & { events: number; expiresAt: Date })[]> {
  if (windows.length === 0) return Promise.resolve([]);
  return database.rows(COUNT_EVENTS, [JSON.stringify(windows), sliding]);
}

const LOCK_HELD_STEPS = `
SELECT w.id FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
  JOIN work w ON w.id = i.id AND w.id = ANY ($1::uuid[]) AND w.fence = i.fence AND NOT w.is_delayed
 ORDER BY w.id FOR UPDATE OF w`;

const COUNT_EVENTS = `
INSERT INTO step_window AS w (environment_id, workflow_id, step_key, subscriber_id, window_key, events, expires_at)
SELECT "environmentId", "workflowId", "stepKey", "subscriberId", "windowKey", events,
       now() + "windowMs" * interval '1 millisecond'
  FROM json_to_recordset($1::json) AS i ("environmentId" uuid, "workflowId" uuid, "stepKey" text, "subscriberId" uuid,
                                         "windowKey" text, events int, "windowMs" float8)
 ORDER BY 1, 2, 3, 4, 5
ON CONFLICT ON CONSTRAINT step_window_pkey DO UPDATE SET
  events = CASE WHEN w.expires_at <= now() THEN excluded.events ELSE w.events + excluded.events END,
  expires_at = CASE WHEN $2 OR w.expires_at <= now() THEN excluded.expires_at ELSE w.expires_at END
RETURNING w.*`;
