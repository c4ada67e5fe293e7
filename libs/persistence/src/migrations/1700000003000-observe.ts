import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The trace that a trigger came with, and its notifications with it, so that it goes on wherever and whenever they do. */
export class Observe1700000003000 implements MigrationInterface {
  name = 'Observe1700000003000';

  async up(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} ADD COLUMN traceparent text, ADD COLUMN tracestate text`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`ALTER TABLE ${table} DROP COLUMN traceparent, DROP COLUMN tracestate`);
    }
  }
}

const TABLES = ['trigger', 'notification'];
