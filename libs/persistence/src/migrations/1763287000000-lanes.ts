import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The priority of an event decides who goes first: open rows have it as the number of their lane. */
export class Lanes1763287000000 implements MigrationInterface {
  readonly name = 'Lanes1763287000000';
  /** An index cannot be built concurrently inside a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE environment ADD COLUMN IF NOT EXISTS allow_raised_priority boolean NOT NULL DEFAULT false`,
    );
    await runner.query(`ALTER TABLE work ADD COLUMN IF NOT EXISTS lane smallint NOT NULL DEFAULT 2`);
    // An earlier attempt that was interrupted leaves an invalid index.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_lane_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY work_lane_idx ON work (environment_id, type, lane, due_at)`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_due_idx`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_due_idx`);
    await runner.query(`CREATE INDEX CONCURRENTLY work_due_idx ON work (environment_id, type, due_at)`);
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_lane_idx`);
    await runner.query(`ALTER TABLE environment DROP COLUMN allow_raised_priority`);
    await runner.query(`ALTER TABLE work DROP COLUMN lane`);
  }
}
