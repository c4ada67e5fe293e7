import type { Pool } from 'pg';
import { type EnvironmentId, toNotificationId } from '@clarion/contracts';

/**
 * Every question of the benchmarks about progress. The answers come from the tables, so that one benchmark can measure
 * two commits with different schemas: with a table `work`, open triggers and open steps are its rows, and rows of
 * `step` are final; without it, `trigger` and `step` hold open rows and their state.
 */
const FINAL_STATES = ['completed', 'failed', 'skipped', 'canceled', 'merged'];

const knownPools = new WeakMap<Pool, Promise<boolean>>();

function hasWorkTable(sql: Pool): Promise<boolean> {
  let known = knownPools.get(sql);
  if (known === undefined) {
    known = sql
      .query<{ found: boolean }>(`SELECT to_regclass('work') IS NOT NULL AS found`)
      .then(({ rows }) => rows[0]!.found);
    knownPools.set(sql, known);
  }
  return known;
}

export type Ended = { completed: number; others: { state: string; count: number }[] };

/** The steps with this id or a later one that have ended, by how they ended. */
export async function countEnded(sql: Pool, environmentId: EnvironmentId, firstId: string): Promise<Ended> {
  const { rows } = await sql.query<{ state: string; count: number }>(
    `SELECT state, count(*)::int AS count FROM step
      WHERE id >= $1 AND environment_id = $2 AND state = ANY($3) GROUP BY 1`,
    [firstId, environmentId, FINAL_STATES],
  );
  return {
    completed: rows.find(({ state }) => state === 'completed')?.count ?? 0,
    others: rows.filter(({ state }) => state !== 'completed'),
  };
}

/** A notification of this environment whose step was completed, the newest one. */
export async function newestCompleted(sql: Pool, environmentId: EnvironmentId): Promise<string | undefined> {
  const isDerived = await hasWorkTable(sql);
  const { rows } = await sql.query<{ id: string }>(
    `SELECT ${isDerived ? 'id::text' : 'notification_id AS id'} FROM step
      WHERE environment_id = $1 AND state = 'completed' ORDER BY step.id DESC LIMIT 1`,
    [environmentId],
  );
  const [newest] = rows;
  return newest && isDerived ? toNotificationId(newest.id) : newest?.id;
}

/** The triggers of this environment that the engine has not finished. */
export async function countOpenTriggers(sql: Pool, environmentId: EnvironmentId): Promise<number> {
  const { rows } = await sql.query<{ open: number }>(
    (await hasWorkTable(sql))
      ? `SELECT count(*)::int AS open FROM work WHERE environment_id = $1 AND type = 'trigger'`
      : `SELECT count(*)::int AS open FROM trigger WHERE environment_id = $1 AND state IN ('accepted', 'running')`,
    [environmentId],
  );
  return rows[0]!.open;
}

/** The notifications with a later id than this one, and their steps, open or not. */
export async function countFannedOut(
  sql: Pool,
  environmentId: EnvironmentId,
  afterId: string,
): Promise<{ notifications: number; steps: number }> {
  const open = (await hasWorkTable(sql))
    ? `(SELECT count(*)::int FROM work WHERE id > $1 AND environment_id = $2 AND type <> 'trigger')`
    : '0';
  const { rows } = await sql.query<{ notifications: number; steps: number }>(
    `SELECT (SELECT count(*)::int FROM notification WHERE id > $1 AND environment_id = $2) AS notifications,
            (SELECT count(*)::int FROM step WHERE id > $1 AND environment_id = $2) + ${open} AS steps`,
    [afterId, environmentId],
  );
  return rows[0]!;
}
