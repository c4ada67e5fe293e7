import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Which subscribers have a connected inbox, and through which gateway. */
export class Presence1763270100000 implements MigrationInterface {
  readonly name = 'Presence1763270100000';

  async up(runner: QueryRunner): Promise<void> {
    // A gateway that has connected inboxes. It renews its lease; when the lease ends, its presences are deleted.
    await runner.query(
      `CREATE TABLE presence_lease (
         gateway_id uuid NOT NULL,
         lease_until timestamptz(3) NOT NULL,
         CONSTRAINT presence_lease_pkey PRIMARY KEY (gateway_id)
       )`,
    );
    await runner.query(
      `CREATE TABLE presence (
         gateway_id uuid NOT NULL,
         subscriber_id uuid NOT NULL,
         environment_id uuid NOT NULL,
         CONSTRAINT presence_pkey PRIMARY KEY (gateway_id, subscriber_id),
         CONSTRAINT presence_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscriber (id)
           ON DELETE CASCADE
       )`,
    );
    // Whether a subscriber is connected anywhere.
    await runner.query(`CREATE INDEX presence_subscriber_idx ON presence (subscriber_id)`);
    await protectTable(runner, 'presence', { rights: 'SELECT' });
  }

  async down(runner: QueryRunner): Promise<void> {
    await unprotectTable(runner, 'presence');
    await runner.query(`DROP TABLE presence`);
    await runner.query(`DROP TABLE presence_lease`);
  }
}
