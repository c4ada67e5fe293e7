import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Open rows that wait for an integration name it, so that they wait and go on together. */
export class AccountWaits1763294000000 implements MigrationInterface {
  readonly name = 'AccountWaits1763294000000';
  /** An index cannot be built concurrently inside a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE work ADD COLUMN IF NOT EXISTS waits_for uuid`);
    // An earlier attempt that was interrupted leaves an invalid index.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_waits_for_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY work_waits_for_idx ON work (waits_for, lane, due_at) WHERE waits_for IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS work_waits_for_idx`);
    await runner.query(`ALTER TABLE work DROP COLUMN waits_for`);
  }
}
