import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the providers need beside their accounts. */
export class Providers1700000002000 implements MigrationInterface {
  name = 'Providers1700000002000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const DEMO = `('platform-email', 'platform-sms', 'platform-slack')`;

const UP = [
  // Messages that the demo providers accepted, for people to look at.
  `CREATE TABLE outbox (
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     id uuid NOT NULL,
     channel text NOT NULL,
     provider_id text NOT NULL,
     "to" text[] NOT NULL,
     subject text,
     html text,
     text text,
     more jsonb NOT NULL DEFAULT '{}',
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT outbox_pkey PRIMARY KEY (environment_id, id)
   )`,
  `CREATE INDEX outbox_list_idx ON outbox (environment_id, created_at, id)`,

  // New environments are born with the demo providers. Those that were there before get them now, unless they had them.
  `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active)
   SELECT uuid_v7(), e.id, p.name, p.slug || '-' || right(e.id::text, 6), p.provider_id, p.channel, true
     FROM environment e
    CROSS JOIN (VALUES ('platform-email', 'email', 'Clarion Email', 'clarion-email'),
                       ('platform-sms', 'sms', 'Clarion SMS', 'clarion-sms'),
                       ('platform-slack', 'chat', 'Clarion Slack', 'clarion-slack'))
               AS p (provider_id, channel, name, slug)
    WHERE NOT EXISTS (SELECT 1 FROM integration i WHERE i.environment_id = e.id AND i.provider_id = p.provider_id)`,
  // They are never primary; where one was, the next in order takes its place.
  `UPDATE integration SET "primary" = false, priority = 0 WHERE provider_id IN ${DEMO} AND ("primary" OR priority <> 0)`,
  `UPDATE integration i SET "primary" = true
     FROM (SELECT DISTINCT ON (environment_id, channel) id FROM integration
            WHERE channel IN ('email', 'sms') AND provider_id NOT IN ${DEMO} AND active AND NOT deleted AND conditions = '[]'
            ORDER BY environment_id, channel, "primary" DESC, priority DESC, id) first
    WHERE i.id = first.id AND NOT i."primary"`,

  // The promise "one effect per event": what a provider told about a message, and the message once it is known.
  `CREATE TABLE delivery_event (
     integration_id uuid NOT NULL,
     event_id text NOT NULL,
     environment_id uuid NOT NULL,
     message_id uuid,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT delivery_event_pkey PRIMARY KEY (integration_id, event_id)
   )`,
  `CREATE INDEX delivery_event_created_idx ON delivery_event (created_at)`,
  // Providers call a message by their own name for it.
  `CREATE INDEX message_provider_idx ON message (integration_id, provider_message_id) WHERE provider_message_id IS NOT NULL`,

  // Addresses that nothing is sent to any more.
  `CREATE TABLE suppression (
     id uuid NOT NULL,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     channel text NOT NULL,
     address text NOT NULL,
     reason text NOT NULL,
     provider_id text,
     integration_id uuid,
     message_id uuid,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT suppression_pkey PRIMARY KEY (id),
     CONSTRAINT suppression_address_key UNIQUE (environment_id, channel, address)
   )`,
  `CREATE INDEX suppression_list_idx ON suppression (environment_id, id)`,
];

const DOWN = [
  `DROP TABLE suppression`,
  `DROP INDEX message_provider_idx`,
  `DROP TABLE delivery_event`,
  // To older code they are providers that cannot send.
  `DELETE FROM integration WHERE provider_id IN ${DEMO}`,
  `DROP TABLE outbox`,
];
