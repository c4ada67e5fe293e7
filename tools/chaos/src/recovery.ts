import { setTimeout as delay } from 'node:timers/promises';
import type { Stores } from './stores';

/**
 * Measures how long rows wait after the process that had claimed them was killed: from the kill to the record of their
 * outcome, by the clock of the database.
 */
export type RecoveryWatch = {
  /** A process was killed now. */
  crashed(): void;
  /** The waiting times, once everything has ended. */
  recoveries(): Promise<Recovery[]>;
};

/** `kills` is the number of processes that were killed while they had the row. */
export type Recovery = { milliseconds: number; kills: number };

/** Claims of running processes end sooner than this, because the provider answers in a fraction of it. */
const SETTLED_MS = 5_000;

export function openRecoveryWatch(stores: Stores): RecoveryWatch {
  const crashed = new Map<string, { at: number; claims: Set<string> }>();
  const looking: Promise<void>[] = [];
  const look = async (): Promise<void> => {
    const [moment] = await stores.query<{ now: number; claims: string[] }>(
      `SELECT extract(epoch FROM now())::float8 * 1000 AS now, coalesce(array_agg(id::text), '{}') AS claims
         FROM claim`,
    );
    await delay(SETTLED_MS);
    const rows = await stores.query<{ id: string; claim: string }>(
      `SELECT w.id, c.id AS claim FROM claim c JOIN work w ON w.id = ANY (c.work_ids) WHERE c.id = ANY ($1::uuid[])`,
      [moment!.claims],
    );
    for (const { id, claim } of rows) {
      const row = crashed.get(id) ?? { at: moment!.now, claims: new Set() };
      crashed.set(id, row);
      row.claims.add(claim);
    }
  };
  return {
    crashed: () => void looking.push(look()),
    async recoveries() {
      await Promise.all(looking);
      const ended = await stores.query<{ id: string; at: number }>(
        `SELECT id, extract(epoch FROM ended_at)::float8 * 1000 AS at FROM step WHERE id = ANY ($1::uuid[])
         UNION ALL
         SELECT trigger_id, extract(epoch FROM max(created_at))::float8 * 1000 FROM notification
          WHERE trigger_id = ANY ($1::uuid[]) GROUP BY trigger_id`,
        [[...crashed.keys()]],
      );
      return ended.map(({ id, at }) => {
        const row = crashed.get(id)!;
        return { milliseconds: at - row.at, kills: row.claims.size };
      });
    },
  };
}
