import { LANE_NUMBERS, NORMAL_LANE } from '@clarion/contracts/core';
import { CAN_BE_LIVE, CAN_BE_OPEN } from './oldest-open';

const COLUMNS = 'environment_id, type, lane';

/** Each environment, type and lane with open rows, found by skipping through the index. */
export const findLanes = (canBeOpen: string): string => `lanes AS (
  (SELECT ${COLUMNS}, due_at AS first_due_at FROM work w WHERE ${canBeOpen}
    ORDER BY ${COLUMNS}, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM lanes l CROSS JOIN LATERAL (
    SELECT ${COLUMNS}, due_at AS first_due_at FROM work w
     WHERE (${COLUMNS}) > (l.environment_id, l.type, l.lane) AND ${canBeOpen}
     ORDER BY ${COLUMNS}, due_at LIMIT 1) next
)`;

export const LANES = findLanes(CAN_BE_OPEN);

/** The same for the environments `wanted`: those of other tenants cost the reader nothing. */
export const WANTED_LANES = `lanes AS (
  SELECT first.* FROM wanted e CROSS JOIN LATERAL (
    SELECT ${COLUMNS}, due_at AS first_due_at FROM work w WHERE w.environment_id = e.id AND ${CAN_BE_OPEN}
     ORDER BY ${COLUMNS}, due_at LIMIT 1) first
  UNION ALL
  SELECT next.* FROM lanes l CROSS JOIN LATERAL (
    SELECT ${COLUMNS}, due_at AS first_due_at FROM work w
     WHERE w.environment_id = l.environment_id AND (type, lane) > (l.type, l.lane) AND ${CAN_BE_OPEN}
     ORDER BY ${COLUMNS}, due_at LIMIT 1) next
)`;

/** The open rows `w` of the lane `l`: none is due before the first one. */
export const OF_LANE = `w.environment_id = l.environment_id AND w.type = l.type AND w.lane = l.lane
  AND w.due_at >= l.first_due_at`;

/** Whether a live claim holds the row of `work` with this alias, as SQL. Tenants may ask it too. */
export const isClaimed = (work: string): string => `is_claimed(${work}.id, ${work}.fence, ${work}.claim_id)`;

/** The same for statements about many rows: Postgres reads the live claims once. */
export const isClaimedOfMany = (work: string): string => `
  ((${work}.id, ${work}.fence) IN (
     SELECT held.id, held.fence FROM claim c CROSS JOIN LATERAL unnest(c.work_ids, c.fences) AS held (id, fence)
      WHERE ${CAN_BE_LIVE} AND c.lease_until > now())
   OR (${work}.claim_id IS NOT NULL AND ${work}.claim_id IN (
     SELECT c.id FROM claim c WHERE ${CAN_BE_LIVE} AND c.lease_until > now())))`;

/** The lane of a step of the notification `n` that is opened again: the priority of the event is not kept. */
export const LANE_OF_REOPENED = `CASE WHEN n.critical THEN ${LANE_NUMBERS.critical} ELSE ${NORMAL_LANE} END`;
