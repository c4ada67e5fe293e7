import type { EnvironmentId, StepId, StepType, TriggerId } from '@clarion/contracts/core';
import type { Database } from '../database';
import { OFFER_AGAIN_MS, SMALLEST_SHARE, TRIGGER_OFFER_MS } from '../leases';

/** `lapsed`: the row was claimed, and its lease ended without a renewal. */
export type OfferedTrigger = { id: TriggerId; environmentId: EnvironmentId; lapsed: boolean };
export type OfferedStep = Omit<OfferedTrigger, 'id'> & { id: StepId; type: StepType };

/** Each environment with open rows, found by skipping through the index instead of reading it. */
export const walk = (columns: string[], from: string, first: string): string => `
  (SELECT ${columns.join(', ')} FROM ${from} WHERE ${first} ORDER BY ${columns.join(', ')} LIMIT 1)
  UNION ALL
  SELECT next.* FROM lanes l CROSS JOIN LATERAL (
    SELECT ${columns.join(', ')} FROM ${from}
     WHERE ${first} AND (${columns.join(', ')}) > (${columns.map((column) => `l.${column}`).join(', ')})
     ORDER BY ${columns.join(', ')} LIMIT 1) next`;

export const OPEN_TRIGGER = `state IN ('accepted', 'running')`;
export const OPEN_STEP = `state IN ('queued', 'delayed')`;
export const IDLE = `(lease_until IS NULL OR lease_until <= now())`;

/** The number of rows in flight is shared among the environments with open rows; each gets at least its part. */
const SHARE = `(SELECT greatest($2 / greatest(count(*), 1), ${SMALLEST_SHARE})::int AS cap FROM lanes) share`;

/**
 * Due rows without a fresh offer, round-robin over the environments: the first of each, then the second of each. No
 * environment (for steps: no channel of an environment) has more rows in flight than its share, so a large backlog of
 * one tenant does not delay the small one of another. Rows that another sweeper has locked are skipped.
 */
export class SweepRepository {
  constructor(private readonly database: Database) {}

  offerTriggers(limit: number, cap: number): Promise<OfferedTrigger[]> {
    return this.database.rows<OfferedTrigger>(
      `WITH RECURSIVE lanes AS (${walk(['environment_id'], 'trigger', OPEN_TRIGGER)}
       ), due AS (
         SELECT t.id, row_number() OVER (PARTITION BY l.environment_id ORDER BY t.id) AS place
           FROM lanes l
           CROSS JOIN ${SHARE}
           CROSS JOIN LATERAL (
             SELECT count(*)::int AS under_way FROM (
               SELECT 1 FROM trigger WHERE environment_id = l.environment_id AND ${OPEN_TRIGGER}
                  AND (offered_until > now() OR lease_until > now()) LIMIT cap) counted) u
           CROSS JOIN LATERAL (
             SELECT id FROM trigger
              WHERE environment_id = l.environment_id AND ${OPEN_TRIGGER} AND ${IDLE}
                AND coalesce(offered_until, created_at + interval '${TRIGGER_OFFER_MS} milliseconds') <= now()
              ORDER BY id LIMIT least($1, cap - u.under_way)) t
       ), picked AS (
         SELECT id FROM trigger
          WHERE id = ANY (ARRAY(SELECT id FROM due ORDER BY place, id LIMIT $1)) AND ${OPEN_TRIGGER}
          FOR UPDATE SKIP LOCKED
       )
       UPDATE trigger t SET offered_until = now() + interval '${OFFER_AGAIN_MS} milliseconds' FROM picked
        WHERE t.id = picked.id RETURNING t.id, t.environment_id, t.lease_until IS NOT NULL AS lapsed`,
      [limit, cap],
    );
  }

  offerSteps(limit: number, cap: number): Promise<OfferedStep[]> {
    return this.database.rows<OfferedStep>(
      `WITH RECURSIVE lanes AS (${walk(['environment_id', 'type'], 'step', OPEN_STEP)}
       ), due AS (
         SELECT t.id, row_number() OVER (PARTITION BY l.environment_id, l.type ORDER BY t.due_at, t.id) AS place
           FROM lanes l
           CROSS JOIN ${SHARE}
           CROSS JOIN LATERAL (
             SELECT count(*)::int AS under_way FROM (
               SELECT 1 FROM step WHERE environment_id = l.environment_id AND type = l.type AND ${OPEN_STEP}
                  AND due_at <= now() AND (offered_until > now() OR lease_until > now()) LIMIT cap) counted) u
           CROSS JOIN LATERAL (
             SELECT id, due_at FROM step
              WHERE environment_id = l.environment_id AND type = l.type AND ${OPEN_STEP} AND due_at <= now() AND ${IDLE}
                AND (offered_until IS NULL OR offered_until <= now())
              ORDER BY due_at LIMIT least($1, cap - u.under_way)) t
       ), picked AS (
         SELECT id FROM step
          WHERE id = ANY (ARRAY(SELECT id FROM due ORDER BY place, id LIMIT $1)) AND ${OPEN_STEP}
          FOR UPDATE SKIP LOCKED
       )
       UPDATE step t SET offered_until = now() + interval '${OFFER_AGAIN_MS} milliseconds' FROM picked
        WHERE t.id = picked.id RETURNING t.id, t.environment_id, t.type, t.lease_until IS NOT NULL AS lapsed`,
      [limit, cap],
    );
  }
}
