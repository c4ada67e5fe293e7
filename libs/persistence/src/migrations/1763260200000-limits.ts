import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Limits that an operator sets for an environment, and the gateways that share them. */
export class Limits1763260200000 implements MigrationInterface {
  readonly name = 'Limits1763260200000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE environment_limit (
         environment_id uuid NOT NULL,
         -- NULL is no limit.
         events_per_second integer,
         messages_per_day integer,
         render_ms_per_second integer,
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT environment_limit_pkey PRIMARY KEY (environment_id),
         CONSTRAINT environment_limit_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE
       )`,
    );
    await protectTable(runner, 'environment_limit', { rights: 'SELECT' });
    // Written by each gateway every second while there are limits: what it was asked for, by environment.
    await runner.query(
      `CREATE UNLOGGED TABLE gateway_process (
         id uuid NOT NULL,
         seen_at timestamptz(3) NOT NULL DEFAULT now(),
         events_per_second jsonb NOT NULL,
         CONSTRAINT gateway_process_pkey PRIMARY KEY (id)
       )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE gateway_process`);
    await unprotectTable(runner, 'environment_limit');
    await runner.query(`DROP TABLE environment_limit`);
  }
}
