import type { QueryRunner } from 'typeorm';

/**
 * Gives `work` its first statistics, from rows that are never committed. Postgres keeps them while the table is empty,
 * but has none before an ANALYZE that finds rows. Until then it expects the open rows of an environment to be as few as
 * those of one notification, and reads all of them for each notification. With `n_distinct` every later ANALYZE
 * expects an environment that it did not see to have many rows too.
 */
export async function ensureWorkStatistics(runner: QueryRunner): Promise<void> {
  const known = (await runner.query(
    `SELECT 1 FROM pg_stats WHERE schemaname = current_schema() AND tablename = 'work' AND attname = 'environment_id'`,
  )) as unknown[];
  if (known.length > 0) return;
  await runner.startTransaction();
  try {
    await runner.query(`ALTER TABLE work ALTER COLUMN environment_id SET (n_distinct = 5)`);
    await runner.query(
      `INSERT INTO work (id, environment_id, trigger_id, type, due_at)
       SELECT id, id, id, CASE n % 2 WHEN 0 THEN 'email' ELSE 'delay' END, now() + n * interval '1 minute'
         FROM (SELECT n, uuid_v7() AS id FROM generate_series(1, 300) AS n OFFSET 0) AS made`,
    );
    await runner.query(`ANALYZE work`);
    await runner.query(`DELETE FROM work WHERE id = environment_id`);
    await runner.commitTransaction();
  } catch (error) {
    await runner.rollbackTransaction();
    throw error;
  }
}
