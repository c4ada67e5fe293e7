import {
  type EnvironmentId,
  LANE_NUMBERS,
  type Lane,
  type StepId,
  type StepType,
  type TriggerId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { isClaimedOfMany, LANES, OF_LANE } from '../work/open-work';
import { type EnvironmentIds, WANTED } from './usage.repository';

/** The open rows of a type that a queue should have jobs for. */
export type QueuedRows = {
  type: StepType;
  /** Due, and not taken by a process. */
  due: number;
  /** The same for each lane, the first lane first. */
  dueByLane: number[];
  /** Taken by a process. */
  running: number;
  /** Due later, those of holds included. */
  later: number;
  oldestDueAt: Date | null;
  /** More rows are open than were counted. */
  isBounded: boolean;
};

export type OfferableRow = { id: TriggerId | StepId; environmentId: EnvironmentId; type: StepType; lane: Lane };

/** Rows that are counted for each environment and type. A longer backlog is counted to here. */
const COUNTED = 50_000;
const PAGE = 5_000;

const dueInLane = (lane: Lane): string => `count(*) FILTER (WHERE is_due AND NOT is_claimed AND lane = ${lane})::int`;

/** The open work beside the queues: the rows from which the queues can be built again. */
export class QueuedRowsRepository extends Repository {
  read(environmentIds: EnvironmentIds): Promise<QueuedRows[]> {
    return this.database.rows<QueuedRows>(
      `WITH RECURSIVE ${WANTED}, ${LANES}, counted AS (
         SELECT l.*, c.* FROM lanes l JOIN wanted e ON e.id = l.environment_id CROSS JOIN LATERAL (
           SELECT w.due_at <= now() AS is_due, ${isClaimedOfMany('w')} AS is_claimed, w.due_at FROM work w
            WHERE ${OF_LANE} ORDER BY w.due_at LIMIT ${COUNTED}) c
       )
       SELECT type, count(*) FILTER (WHERE is_due AND NOT is_claimed)::int AS due,
              ARRAY[${Object.values(LANE_NUMBERS).map(dueInLane).join(', ')}] AS due_by_lane,
              count(*) FILTER (WHERE is_claimed)::int AS running,
              count(*) FILTER (WHERE NOT is_due AND NOT is_claimed)::int AS later,
              min(due_at) FILTER (WHERE is_due AND NOT is_claimed) AS oldest_due_at,
              (SELECT EXISTS (SELECT 1 FROM counted same WHERE same.type = counted.type
                              GROUP BY same.environment_id HAVING count(*) >= ${COUNTED})) AS is_bounded
         FROM counted GROUP BY 1`,
      [environmentIds ?? null],
    );
  }

  /** Marks the next due rows after the id as offered now. Taken or locked rows are left out. */
  offerAgain(environmentIds: EnvironmentIds, afterId: string): Promise<OfferableRow[]> {
    return this.database.rows<OfferableRow>(
      `WITH ${WANTED}, due AS (
         SELECT w.id FROM work w
          WHERE w.id > $2::uuid AND w.due_at <= now() AND w.environment_id IN (SELECT id FROM wanted)
            AND NOT ${isClaimedOfMany('w')}
          ORDER BY w.id LIMIT ${PAGE} FOR UPDATE OF w SKIP LOCKED
       ), offered AS (
         UPDATE work w SET offered_at = now(), was_offered_again = true FROM due WHERE w.id = due.id
         RETURNING w.id, w.environment_id, w.type, w.lane
       )
       SELECT * FROM offered ORDER BY id`,
      [environmentIds ?? null, afterId],
    );
  }
}
