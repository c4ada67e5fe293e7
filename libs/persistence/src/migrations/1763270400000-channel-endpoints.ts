import type { MigrationInterface, QueryRunner } from 'typeorm';
import { protectTable, unprotectTable } from '../schema/row-level-security';

/** Connections of chat workspaces, the endpoints of subscribers in them, and the links that set them up. */
export class ChannelEndpoints1763270400000 implements MigrationInterface {
  readonly name = 'ChannelEndpoints1763270400000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE channel_connection (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         identifier text NOT NULL,
         integration_id uuid NOT NULL,
         -- NULL for a connection that all subscribers with its contexts share.
         subscriber_id uuid,
         context_keys text[] NOT NULL DEFAULT '{}',
         workspace jsonb NOT NULL,
         -- Ciphertext.
         auth text NOT NULL,
         -- The process that gets the next token has until then to store it.
         refreshing_until timestamptz(3),
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT channel_connection_pkey PRIMARY KEY (id),
         CONSTRAINT channel_connection_identifier_key UNIQUE (environment_id, identifier),
         CONSTRAINT channel_connection_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE,
         CONSTRAINT channel_connection_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration (id)
           ON DELETE CASCADE,
         CONSTRAINT channel_connection_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscriber (id)
           ON DELETE CASCADE
       )`,
    );
    await runner.query(
      `CREATE TABLE channel_endpoint (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         identifier text NOT NULL,
         integration_id uuid NOT NULL,
         subscriber_id uuid NOT NULL,
         connection_id uuid,
         context_keys text[] NOT NULL DEFAULT '{}',
         type text NOT NULL,
         -- Ciphertext.
         endpoint text NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         updated_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT channel_endpoint_pkey PRIMARY KEY (id),
         CONSTRAINT channel_endpoint_identifier_key UNIQUE (environment_id, identifier),
         CONSTRAINT channel_endpoint_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE,
         CONSTRAINT channel_endpoint_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration (id)
           ON DELETE CASCADE,
         CONSTRAINT channel_endpoint_subscriber_id_fkey FOREIGN KEY (subscriber_id) REFERENCES subscriber (id)
           ON DELETE CASCADE,
         CONSTRAINT channel_endpoint_connection_id_fkey FOREIGN KEY (connection_id) REFERENCES channel_connection (id)
           ON DELETE CASCADE
       )`,
    );
    for (const table of ['channel_connection', 'channel_endpoint']) {
      await runner.query(`CREATE INDEX ${table}_list_idx ON ${table} (environment_id, id)`);
      await runner.query(`CREATE INDEX ${table}_created_idx ON ${table} (environment_id, created_at, id)`);
      await runner.query(`CREATE INDEX ${table}_updated_idx ON ${table} (environment_id, updated_at, id)`);
      await runner.query(`CREATE INDEX ${table}_subscriber_idx ON ${table} (subscriber_id)`);
      await protectTable(runner, table);
    }
    await runner.query(
      `CREATE INDEX channel_connection_integration_idx
           ON channel_connection (integration_id, subscriber_id, context_keys)`,
    );
    await runner.query(`CREATE INDEX channel_endpoint_integration_idx ON channel_endpoint (integration_id)`);
    await runner.query(`CREATE INDEX channel_endpoint_connection_idx ON channel_endpoint (connection_id)`);
    await runner.query(
      `CREATE TABLE setup_link (
         id uuid NOT NULL,
         environment_id uuid NOT NULL,
         integration_id uuid NOT NULL,
         purpose text NOT NULL,
         details jsonb NOT NULL,
         expires_at timestamptz(3) NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now(),
         CONSTRAINT setup_link_pkey PRIMARY KEY (id),
         CONSTRAINT setup_link_environment_id_fkey FOREIGN KEY (environment_id) REFERENCES environment (id)
           ON DELETE CASCADE,
         CONSTRAINT setup_link_integration_id_fkey FOREIGN KEY (integration_id) REFERENCES integration (id)
           ON DELETE CASCADE
       )`,
    );
    await runner.query(`CREATE INDEX setup_link_expiry_idx ON setup_link (expires_at)`);
    await protectTable(runner, 'setup_link');
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['setup_link', 'channel_endpoint', 'channel_connection']) {
      await unprotectTable(runner, table);
      await runner.query(`DROP TABLE ${table}`);
    }
  }
}
