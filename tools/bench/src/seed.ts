import type { Pool } from 'pg';
import { progress } from './report';

/**
 * Drops trigram indexes during the seeding and creates them again afterwards, which is far faster than updating them
 * row by row.
 */
export async function withoutGin(pool: Pool, table: string, work: () => Promise<unknown>): Promise<void> {
  const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
    `SELECT indexname AS name, indexdef AS definition FROM pg_indexes
      WHERE schemaname = current_schema() AND tablename = $1 AND indexdef LIKE '% USING gin %'`,
    [table],
  );
  for (const { name } of indexes) await pool.query(`DROP INDEX ${name}`);
  await work();
  for (const { definition } of indexes) await pool.query(definition);
}

const TICK_MS = 10_000;

export async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const begin = performance.now();
  const tell = (): void => progress(`${what} ... ${((performance.now() - begin) / 1000).toFixed(1)} s`);
  const ticking = setInterval(tell, TICK_MS);
  try {
    return await work();
  } finally {
    clearInterval(ticking);
    tell();
  }
}
