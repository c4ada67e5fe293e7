import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The search for any part of a subscriber combines the indexes of four columns. Without one for the subscriberId,
 * Postgres would read all subscribers.
 */
export class SubscriberSearch1763250500000 implements MigrationInterface {
  name = 'SubscriberSearch1763250500000';
  /** An index cannot be built concurrently inside a transaction. */
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // An earlier attempt that was interrupted leaves an invalid index.
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS subscriber_external_trgm_idx`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY subscriber_external_trgm_idx
         ON subscriber USING gin (subscriber_id gin_trgm_ops)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS subscriber_external_trgm_idx`);
  }
}
