import {
  type EnvironmentId,
  type Lane,
  LANE_NUMBERS,
  STEP_TYPES,
  type StepId,
  type StepType,
  type TriggerId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { OFFER_AGAIN_MS, OFFER_CRASHED_AGAIN_MS, OFFER_MS, OFFER_TO_BUSY_QUEUE_MS, SMALLEST_SHARE } from './leases';
import { RELEASE_KNOWN_WAITING, RELEASE_WAITING } from './account-waits.sql';
import { END_LAPSED_CLAIMS, END_SWEEP } from './claims.sql';
import { FEW_DEAD_ROWS, MAY_BE_OPEN, moveBound } from './oldest-open';
import { findLanes, isClaimedOfMany, LANES, OF_LANE } from './open-work';
import type { QueuedStep } from './steps/step-rows';
import { columnArrays } from '../sql/column-arrays';

/** `lapsed`: the last holder of the row crashed. `isFirst`: the row was not offered since then, or since it was due. */
export type OfferedTrigger = {
  id: TriggerId;
  environmentId: EnvironmentId;
  lane: Lane;
  lapsed: boolean;
  isFirst: boolean;
};
export type OfferedStep = Omit<OfferedTrigger, 'id'> & { id: StepId; type: StepType };

type Waiting = { kind: 'waiting'; waitsFor: string; lane: Lane; since: Date };
type Released = (QueuedStep & { kind: 'released' }) | Waiting | { kind: 'dead'; dead: number };

/** While there are many dead rows, it may take so long until steps are seen that wait for another account. */
const LOOK_FOR_ALL_MS = 30_000;

type LaneTimes = Partial<Record<Lane, Date>>;

/**
 * The types of rows whose queue has jobs, with the times since when the rows of the oldest job of each lane are due if
 * the queue is long. A row that was offered may still wait there, and an offer would only add a second job for it. So
 * the sweeper leaves rows of a busy queue to it for longer, and those of a long one until the jobs of their lane that
 * were added before them are gone. Processes take jobs before they have room for their rows: rows that are not older
 * than those of the oldest job that was taken (`taken`) may wait in the memory of one.
 */
export type BusyQueues = Map<StepType, { oldest: LaneTimes; taken: LaneTimes }>;

const RUN_STEP_TYPES = STEP_TYPES.filter((type) => type !== 'trigger');

type OfferedRow = Omit<OfferedTrigger, 'id'> & { id: string; type: StepType };

/** Rows (`w`) that wait for a job to be claimed: the queue is trusted for some time after an offer. */
const isOnOffer = (isBusy: string): string => `coalesce(w.offered_at > now()
  - CASE WHEN w.crash_count > 0 THEN interval '${OFFER_CRASHED_AGAIN_MS} ms'
         WHEN w.was_offered_again THEN interval '${OFFER_AGAIN_MS} ms'
         WHEN ${isBusy} THEN interval '${OFFER_TO_BUSY_QUEUE_MS} ms' ELSE interval '${OFFER_MS} ms' END, false)`;

const OLDEST_DUE = `(SELECT floor(extract(epoch FROM min(first_due_at)) * 1000)::bigint FROM lanes)`;

/** The types of rows that wait for an offer, or NULL. Also moves the bound when no row is open. */
const OVERDUE_TYPES = `
WITH RECURSIVE ${findLanes(MAY_BE_OPEN)}, moved AS MATERIALIZED (
  SELECT ${moveBound('oldest_due', OLDEST_DUE)} AS time
)
SELECT DISTINCT CASE WHEN overdue.found THEN l.type END AS type FROM moved LEFT JOIN lanes l ON true
  LEFT JOIN LATERAL (
    SELECT true AS found FROM work w
     WHERE ${OF_LANE} AND w.due_at <= now() AND NOT ${isOnOffer('false')} AND NOT ${isClaimedOfMany('w')}
     LIMIT 1) overdue ON true`;

/** The same for rows of the lane `l`, some of which processes have in memory. */
const IS_ON_OFFER = `(${isOnOffer('l.is_busy')}
  OR w.due_at > l.taken AND w.offered_at IS NOT NULL AND NOT w.was_offered_again AND w.crash_count = 0)`;

/**
 * The number of rows in flight ($2) is shared among the organizations and, in each, among its environments; a channel
 * of an organization has at least its part. $3 are the types to offer, $4 to $7 the types with busy queues, the lanes
 * and the times of their oldest jobs, now and a few seconds ago, or NULL. The rows are updated by their ids, not by a
 * join: statistics from a time without open rows make Postgres expect one row, and it then compares every open row with
 * every picked one.
 */
const OFFER = `
WITH RECURSIVE ${LANES}, offered_lanes AS MATERIALIZED (
  SELECT l.*, q.type IS NOT NULL AS is_busy,
         least(q.since, now()) AS until, least(q.taken, now()) AS taken,
         greatest(floor(greatest($2 / sum(1.0 / siblings) OVER (), ${SMALLEST_SHARE}) / siblings), 1)::int AS cap
    FROM (
      SELECT l.*, organization_id, count(*) OVER (PARTITION BY organization_id, type, lane) AS siblings
        FROM lanes l CROSS JOIN LATERAL (
          SELECT coalesce((SELECT organization_id FROM environment WHERE id = l.environment_id), l.environment_id)
              AS organization_id) o
       WHERE l.type = ANY ($3::text[])) l
    LEFT JOIN unnest($4::text[], $5::int[], $6::timestamptz[], $7::timestamptz[]) AS q (type, lane, since, taken)
           ON q.type = l.type AND q.lane = l.lane
), due AS (
  SELECT t.id,
         row_number() OVER (PARTITION BY l.organization_id, l.type, l.lane ORDER BY t.place, t.due_at, t.id) AS place
    FROM offered_lanes l
    CROSS JOIN LATERAL (
      SELECT count(*)::int AS under_way FROM (
        SELECT 1 FROM work w WHERE ${OF_LANE} AND w.due_at <= l.until
           AND (${IS_ON_OFFER} OR ${isClaimedOfMany('w')}) LIMIT cap) counted) u
    CROSS JOIN LATERAL (
      SELECT w.id, w.due_at, row_number() OVER (ORDER BY w.due_at, w.id) AS place FROM (
        SELECT w.id, w.due_at FROM work w
         WHERE ${OF_LANE} AND w.due_at <= l.until AND NOT ${IS_ON_OFFER}
           AND NOT ${isClaimedOfMany('w')}
         ORDER BY w.due_at LIMIT least($1, cap - u.under_way)) w) t
), picked AS (
  SELECT w.id, w.offered_at IS NULL AS is_first FROM work w
   WHERE w.id = ANY (ARRAY(SELECT id FROM due ORDER BY place, id LIMIT $1)) FOR UPDATE SKIP LOCKED
)
UPDATE work w SET offered_at = now(), was_offered_again = true
 WHERE w.id = ANY (ARRAY(SELECT id FROM picked))
RETURNING w.id, w.environment_id AS "environmentId", w.type, w.lane, w.crash_count > 0 AS lapsed,
          w.id IN (SELECT id FROM picked WHERE is_first) AS "isFirst"`;

/**
 * Due rows without a fresh offer, round-robin over the organizations and, in each, over its environments: the first of
 * each, then the second of each. No environment (for steps: no channel of an environment) has more rows in flight than
 * its share, so a large backlog of one tenant does not delay the small one of another. Rows that another sweeper has
 * locked are skipped. An offer does not raise the fence: a process that claimed the row just before may go on.
 */
export class SweepRepository extends Repository {
  /** For what steps waited at the last look, and when the first of them is due. */
  private waiting: Waiting[] = [];
  private hasFewDeadRows = true;
  private lookedForAllAt = -Infinity;

  /** Ends the claims of crashed processes, then returns the types of rows that wait for an offer. */
  async overdueTypes(): Promise<StepType[]> {
    await this.database.prepared('end-lapsed-claims', END_LAPSED_CLAIMS, []);
    const rows = await this.database.prepared<{ type: StepType | null }>('overdue-types', OVERDUE_TYPES, []);
    return rows.flatMap(({ type }) => type ?? []);
  }

  async offerTriggers(limit: number, cap: number, busyQueues: BusyQueues = new Map()): Promise<OfferedTrigger[]> {
    const rows = await this.offer(limit, cap, ['trigger'], busyQueues);
    return rows.map(({ type: _, id, ...row }) => ({ id: id as TriggerId, ...row }));
  }

  async offerSteps(limit: number, cap: number, busyQueues: BusyQueues = new Map()): Promise<OfferedStep[]> {
    return (await this.offer(limit, cap, RUN_STEP_TYPES, busyQueues)) as OfferedStep[];
  }

  /**
   * Makes steps due again that waited for an account, and marks them as offered. They leave dead rows in front of those
   * that wait. While a long transaction keeps many of them, it goes on where it found the first ones before, and looks
   * for all that wait only now and then.
   */
  async releaseWaiting(): Promise<QueuedStep[]> {
    const looksForAll = this.hasFewDeadRows || performance.now() - this.lookedForAllAt > LOOK_FOR_ALL_MS;
    const rows = looksForAll
      ? await this.database.prepared<Released>('release-waiting', RELEASE_WAITING, [])
      : await this.database.prepared<Released>('release-known-waiting', RELEASE_KNOWN_WAITING, [
          ...columnArrays(this.waiting, 'waitsFor', 'lane', 'since'),
        ]);
    const found = rows.filter((row) => row.kind === 'waiting');
    if (looksForAll) {
      this.waiting = found;
      this.lookedForAllAt = performance.now();
    } else {
      const sinceOf = new Map(found.map(({ waitsFor, lane, since }) => [`${waitsFor} ${lane}`, since]));
      for (const known of this.waiting) known.since = sinceOf.get(`${known.waitsFor} ${known.lane}`) ?? known.since;
    }
    for (const row of rows) if (row.kind === 'dead') this.hasFewDeadRows = row.dead < FEW_DEAD_ROWS;
    return rows.flatMap((row) => {
      if (row.kind !== 'released') return [];
      const { id, type, environmentId, lane } = row;
      return { id, type, environmentId, lane };
    });
  }

  /** The sweep is over: from now on the time counts until the next one. */
  async endSweep(): Promise<void> {
    await this.database.prepared('end-sweep', END_SWEEP, []);
  }

  private offer(limit: number, cap: number, types: readonly StepType[], busyQueues: BusyQueues): Promise<OfferedRow[]> {
    const busy = [...busyQueues].flatMap(([type, { oldest, taken }]) =>
      Object.values(LANE_NUMBERS).map((lane) => ({ type, lane, since: oldest[lane], taken: taken[lane] })),
    );
    return this.database.prepared('offer-work', OFFER, [
      limit,
      cap,
      types,
      ...columnArrays(busy, 'type', 'lane'),
      busy.map(({ since }) => since ?? null),
      busy.map(({ taken }) => taken ?? null),
    ]);
  }
}
