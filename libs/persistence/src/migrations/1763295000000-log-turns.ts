import type { MigrationInterface, QueryRunner } from 'typeorm';

const TABLES = ['new_log_entry', 'new_log_batch'];

/** Rows of the event log without a number, by environment: environments take turns. */
export class LogTurns1763295000000 implements MigrationInterface {
  readonly name = 'LogTurns1763295000000';
  /** An index cannot be built concurrently inside a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      // An earlier attempt that was interrupted leaves an invalid index.
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_turn_idx`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${table}_turn_idx ON ${table} (environment_id, id)`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${table}_turn_idx`);
  }
}
