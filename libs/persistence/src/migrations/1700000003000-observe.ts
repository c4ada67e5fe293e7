import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The trace that a trigger came with, and its notifications with it, so that it goes on wherever and whenever they do;
 * and since when a step waits, however often it was given back.
 */
export class Observe1700000003000 implements MigrationInterface {
  name = 'Observe1700000003000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN traceparent text, ADD COLUMN tracestate text`);
    }
    await runner.query(`ALTER TABLE step ADD COLUMN waiting_since timestamp(3) with time zone`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE step DROP COLUMN waiting_since`);
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN traceparent, DROP COLUMN tracestate`);
    }
  }
}

const TABLES = ['trigger', 'notification'];
