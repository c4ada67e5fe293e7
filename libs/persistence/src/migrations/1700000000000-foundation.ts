import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The whole schema of the foundation. * Times are `timestamptz(3)`: a cursor carries them through JavaScript dates,
 * which know milliseconds only, and a value that comes back rounded would skip or repeat rows. * The five tables that
 * grow without end are partitioned by ranges of their UUIDv7 id (see partitions.ts), so a lookup by id prunes, `ORDER
 * BY id DESC` reads the newest partition first, and retention drops a partition instead of deleting. A unique
 * constraint cannot span partitions: `transaction` and `open_digest` are the narrow tables that hold those promises.
 */
export class Foundation1700000000000 implements MigrationInterface {
  name = 'Foundation1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const statement of DOWN) await runner.query(statement);
  }
}

const STAMPS = `
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()`;

const UP = [
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
  `CREATE EXTENSION IF NOT EXISTS btree_gin`,

  `CREATE TABLE organization (
     id uuid PRIMARY KEY,
     name text NOT NULL,
     ${STAMPS}
   )`,

  `CREATE TABLE environment (
     id uuid PRIMARY KEY,
     organization_id uuid NOT NULL REFERENCES organization (id) ON DELETE CASCADE,
     name text NOT NULL,
     identifier text NOT NULL,
     type text NOT NULL DEFAULT 'dev',
     color text,
     parent_id uuid,
     ${STAMPS},
     CONSTRAINT environment_name_key UNIQUE (organization_id, name),
     CONSTRAINT environment_identifier_key UNIQUE (identifier)
   )`,

  `CREATE TABLE api_key (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     name text NOT NULL,
     prefix text NOT NULL,
     hash bytea NOT NULL,
     encrypted_key text NOT NULL,
     scope text NOT NULL DEFAULT 'full',
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     last_used_at timestamptz(3),
     revoked_at timestamptz(3),
     CONSTRAINT api_key_hash_key UNIQUE (hash)
   )`,
  `CREATE INDEX api_key_environment_idx ON api_key (environment_id)`,

  `CREATE TABLE subscriber (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     subscriber_id text NOT NULL,
     first_name text,
     last_name text,
     email text,
     phone text,
     avatar text,
     locale text,
     timezone text,
     data jsonb,
     is_online boolean,
     last_online_at timestamptz(3),
     version integer NOT NULL DEFAULT 0,
     ${STAMPS},
     CONSTRAINT subscriber_external_key UNIQUE (environment_id, subscriber_id)
   )`,
  `CREATE INDEX subscriber_list_idx ON subscriber (environment_id, id)`,
  `CREATE INDEX subscriber_updated_idx ON subscriber (environment_id, updated_at, id)`,
  `CREATE INDEX subscriber_email_idx ON subscriber (environment_id, email)`,
  // Without the environment: such an index would hold it as a list of all its rows, and read that list in every search.
  `CREATE INDEX subscriber_email_trgm_idx ON subscriber USING gin (email gin_trgm_ops)`,
  `CREATE INDEX subscriber_phone_trgm_idx ON subscriber USING gin (phone gin_trgm_ops)`,
  // Search by name reads this very expression (SUBSCRIBER_NAME in the repository).
  `CREATE INDEX subscriber_name_trgm_idx ON subscriber
     USING gin (btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')) gin_trgm_ops)`,

  `CREATE TABLE integration (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     name text NOT NULL,
     identifier text NOT NULL,
     provider_id text NOT NULL,
     channel text NOT NULL,
     credentials jsonb NOT NULL DEFAULT '{}',
     configurations jsonb NOT NULL DEFAULT '{}',
     conditions jsonb NOT NULL DEFAULT '[]',
     active boolean NOT NULL DEFAULT false,
     "primary" boolean NOT NULL DEFAULT false,
     priority integer NOT NULL DEFAULT 0,
     deleted boolean NOT NULL DEFAULT false,
     deleted_at timestamptz(3),
     deleted_by text,
     ${STAMPS}
   )`,
  `CREATE UNIQUE INDEX integration_identifier_key ON integration (environment_id, identifier) WHERE NOT deleted`,
  `CREATE UNIQUE INDEX integration_primary_key ON integration (environment_id, channel) WHERE "primary" AND NOT deleted`,
  `CREATE UNIQUE INDEX integration_in_app_key ON integration (environment_id) WHERE channel = 'in_app' AND NOT deleted`,
  `CREATE UNIQUE INDEX integration_demo_key ON integration (environment_id, provider_id)
     WHERE provider_id IN ('platform-email', 'platform-sms') AND NOT deleted`,
  `CREATE INDEX integration_list_idx ON integration (environment_id, id) WHERE NOT deleted`,

  `CREATE TABLE subscriber_channel (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL,
     subscriber_id uuid NOT NULL REFERENCES subscriber (id) ON DELETE CASCADE,
     integration_id uuid NOT NULL REFERENCES integration (id) ON DELETE CASCADE,
     integration_identifier text NOT NULL,
     provider_id text NOT NULL,
     credentials text NOT NULL,
     ${STAMPS},
     CONSTRAINT subscriber_channel_key UNIQUE (subscriber_id, provider_id, integration_id)
   )`,
  `CREATE INDEX subscriber_channel_integration_idx ON subscriber_channel (integration_id)`,

  `CREATE TABLE topic (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     key text NOT NULL,
     name text,
     ${STAMPS},
     CONSTRAINT topic_key_key UNIQUE (environment_id, key)
   )`,
  `CREATE INDEX topic_list_idx ON topic (environment_id, id)`,
  `CREATE INDEX topic_created_idx ON topic (environment_id, created_at, id)`,
  `CREATE INDEX topic_updated_idx ON topic (environment_id, updated_at, id)`,
  `CREATE INDEX topic_key_trgm_idx ON topic USING gin (key gin_trgm_ops)`,
  `CREATE INDEX topic_name_trgm_idx ON topic USING gin (name gin_trgm_ops)`,

  `CREATE TABLE topic_subscription (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL,
     topic_id uuid NOT NULL REFERENCES topic (id) ON DELETE CASCADE,
     subscriber_id uuid NOT NULL REFERENCES subscriber (id) ON DELETE CASCADE,
     identifier text NOT NULL,
     name text,
     context_keys text[] NOT NULL DEFAULT '{}',
     preferences jsonb,
     ${STAMPS},
     CONSTRAINT topic_subscription_key UNIQUE (topic_id, identifier)
   )`,
  `CREATE INDEX topic_subscription_list_idx ON topic_subscription (topic_id, id)`,
  `CREATE INDEX topic_subscription_subscriber_idx ON topic_subscription (subscriber_id, topic_id)`,

  `CREATE TABLE workflow (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     workflow_id text NOT NULL,
     name text NOT NULL,
     description text,
     tags text[] NOT NULL DEFAULT '{}',
     active boolean NOT NULL DEFAULT true,
     status text NOT NULL DEFAULT 'ACTIVE',
     origin text NOT NULL DEFAULT 'platform-cloud',
     severity text NOT NULL DEFAULT 'none',
     validate_payload boolean NOT NULL DEFAULT false,
     payload_schema jsonb,
     preferences jsonb NOT NULL DEFAULT '{}',
     current_version integer NOT NULL DEFAULT 1,
     last_triggered_at timestamptz(3),
     deleted_at timestamptz(3),
     ${STAMPS}
   )`,
  // A deleted workflow keeps its row, for the notifications that still run a version of it; its workflowId is free
  // again.
  `CREATE UNIQUE INDEX workflow_identifier_key ON workflow (environment_id, workflow_id) WHERE deleted_at IS NULL`,
  `CREATE INDEX workflow_created_idx ON workflow (environment_id, created_at, id)`,

  // The version of a workflow that a running notification keeps, also after later edits.
  `CREATE TABLE workflow_version (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL,
     workflow_id uuid NOT NULL REFERENCES workflow (id) ON DELETE CASCADE,
     version integer NOT NULL,
     steps jsonb NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT workflow_version_key UNIQUE (workflow_id, version)
   )`,
  `CREATE FUNCTION refuse_update() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN RAISE EXCEPTION '% rows are immutable', TG_TABLE_NAME; END $$`,
  `CREATE TRIGGER workflow_version_immutable BEFORE UPDATE ON workflow_version
     FOR EACH ROW EXECUTE FUNCTION refuse_update()`,

  `CREATE TABLE layout (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     layout_id text NOT NULL,
     name text NOT NULL,
     is_default boolean NOT NULL DEFAULT false,
     control_values jsonb NOT NULL DEFAULT '{}',
     ${STAMPS},
     CONSTRAINT layout_identifier_key UNIQUE (environment_id, layout_id)
   )`,
  `CREATE UNIQUE INDEX layout_default_key ON layout (environment_id) WHERE is_default`,

  `CREATE TABLE tenant (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     identifier text NOT NULL,
     name text,
     data jsonb,
     ${STAMPS},
     CONSTRAINT tenant_identifier_key UNIQUE (environment_id, identifier)
   )`,

  `CREATE TABLE context (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     type text NOT NULL,
     context_id text NOT NULL,
     data jsonb,
     ${STAMPS},
     CONSTRAINT context_identifier_key UNIQUE (environment_id, type, context_id)
   )`,

  // workflow_id is null for a subscriber's global preference, context_key is '' without contexts.
  `CREATE TABLE preference (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL,
     subscriber_id uuid NOT NULL REFERENCES subscriber (id) ON DELETE CASCADE,
     workflow_id uuid REFERENCES workflow (id) ON DELETE CASCADE,
     context_key text NOT NULL DEFAULT '',
     preferences jsonb NOT NULL DEFAULT '{}',
     schedule jsonb,
     ${STAMPS},
     CONSTRAINT preference_key UNIQUE NULLS NOT DISTINCT (subscriber_id, workflow_id, context_key)
   )`,

  `CREATE TABLE transaction (
     environment_id uuid NOT NULL,
     transaction_id text NOT NULL,
     trigger_id uuid NOT NULL,
     fingerprint bytea NOT NULL,
     CONSTRAINT transaction_pkey PRIMARY KEY (environment_id, transaction_id)
   )`,
  `CREATE INDEX transaction_trigger_idx ON transaction (trigger_id)`,

  `CREATE TABLE open_digest (
     environment_id uuid NOT NULL,
     workflow_id uuid NOT NULL,
     step_key text NOT NULL,
     subscriber_id uuid NOT NULL,
     digest_key text NOT NULL,
     step_id uuid NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT open_digest_pkey PRIMARY KEY (environment_id, workflow_id, step_key, subscriber_id, digest_key)
   )`,
  `CREATE INDEX open_digest_step_idx ON open_digest (step_id)`,

  `CREATE TABLE idempotency_record (
     environment_id uuid NOT NULL,
     method text NOT NULL,
     path text NOT NULL,
     key text NOT NULL,
     fingerprint bytea NOT NULL,
     status integer NOT NULL,
     content_type text NOT NULL,
     body text NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT idempotency_record_pkey PRIMARY KEY (environment_id, key, method, path)
   )`,
  `CREATE INDEX idempotency_record_created_idx ON idempotency_record (created_at)`,

  `CREATE TABLE trigger (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     transaction_id text NOT NULL,
     workflow_id uuid NOT NULL,
     workflow_version integer NOT NULL,
     recipients jsonb NOT NULL,
     payload jsonb NOT NULL,
     overrides jsonb,
     actor jsonb,
     tenant text,
     context jsonb,
     state text NOT NULL DEFAULT 'accepted',
     cursor jsonb,
     fence integer NOT NULL DEFAULT 0,
     crash_count integer NOT NULL DEFAULT 0,
     lease_until timestamptz(3),
     request_id text,
     ${STAMPS},
     CONSTRAINT trigger_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX trigger_transaction_idx ON trigger (environment_id, transaction_id)`,
  `CREATE INDEX trigger_open_idx ON trigger (environment_id, id) WHERE state IN ('accepted', 'running')`,

  `CREATE TABLE notification (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     transaction_id text NOT NULL,
     workflow_id uuid NOT NULL,
     workflow_version integer NOT NULL,
     subscriber_id uuid NOT NULL,
     channels text[] NOT NULL DEFAULT '{}',
     "to" jsonb,
     payload jsonb,
     overrides jsonb,
     controls jsonb,
     actor jsonb,
     tenant text,
     tags text[] NOT NULL DEFAULT '{}',
     topics jsonb,
     topic_keys text[],
     severity text NOT NULL DEFAULT 'none',
     critical boolean NOT NULL DEFAULT false,
     context_keys text[],
     digested_notification_id uuid,
     ${STAMPS},
     CONSTRAINT notification_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX notification_list_idx ON notification (environment_id, id)`,
  `CREATE INDEX notification_subscriber_idx ON notification (environment_id, subscriber_id, id)`,
  `CREATE INDEX notification_transaction_idx ON notification (environment_id, transaction_id, id)`,
  `CREATE INDEX notification_workflow_idx ON notification (environment_id, workflow_id, id)`,
  `CREATE INDEX notification_severity_idx ON notification (environment_id, severity, id) WHERE severity <> 'none'`,
  `CREATE INDEX notification_topics_idx ON notification USING gin (environment_id, topic_keys) WHERE topic_keys IS NOT NULL`,
  `CREATE INDEX notification_contexts_idx ON notification USING gin (environment_id, context_keys)
     WHERE context_keys IS NOT NULL`,

  `CREATE TABLE step (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     notification_id uuid NOT NULL,
     transaction_id text NOT NULL,
     subscriber_id uuid NOT NULL,
     position smallint NOT NULL,
     step_key text NOT NULL,
     type text NOT NULL,
     provider_id text NOT NULL DEFAULT 'platform',
     state text NOT NULL DEFAULT 'pending',
     due_at timestamptz(3),
     attempt integer NOT NULL DEFAULT 0,
     fence integer NOT NULL DEFAULT 0,
     crash_count integer NOT NULL DEFAULT 0,
     lease_until timestamptz(3),
     digest jsonb,
     overrides jsonb,
     output jsonb,
     error jsonb,
     schedule_extensions_count integer,
     ${STAMPS},
     CONSTRAINT step_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX step_notification_idx ON step (notification_id)`,
  `CREATE INDEX step_transaction_idx ON step (environment_id, transaction_id)`,
  `CREATE INDEX step_due_idx ON step (due_at) WHERE state IN ('queued', 'running', 'delayed')`,

  `CREATE TABLE message (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     notification_id uuid NOT NULL,
     step_id uuid NOT NULL,
     subscriber_id uuid NOT NULL,
     workflow_id uuid,
     workflow_identifier text,
     message_template_id text,
     transaction_id text NOT NULL,
     channel text NOT NULL,
     provider_id text,
     integration_id uuid,
     provider_message_id text,
     title text,
     subject text,
     content jsonb NOT NULL DEFAULT '""',
     email text,
     phone text,
     direct_webhook_url text,
     device_tokens text[],
     cta jsonb NOT NULL DEFAULT '{}',
     actor jsonb,
     avatar text,
     status text NOT NULL DEFAULT 'sent',
     error_id text,
     error_text text,
     payload jsonb,
     overrides jsonb,
     data jsonb,
     tags text[],
     severity text NOT NULL DEFAULT 'none',
     critical boolean NOT NULL DEFAULT false,
     context_keys text[],
     read boolean NOT NULL DEFAULT false,
     seen boolean NOT NULL DEFAULT false,
     archived boolean NOT NULL DEFAULT false,
     first_seen_at timestamptz(3),
     last_seen_at timestamptz(3),
     last_read_at timestamptz(3),
     archived_at timestamptz(3),
     snoozed_until timestamptz(3),
     delivered_at timestamptz[],
     ${STAMPS},
     CONSTRAINT message_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX message_list_idx ON message (environment_id, id)`,
  `CREATE INDEX message_subscriber_idx ON message (environment_id, subscriber_id, id)`,
  `CREATE INDEX message_channel_idx ON message (environment_id, channel, id)`,
  `CREATE INDEX message_transaction_idx ON message (environment_id, transaction_id, id)`,
  `CREATE INDEX message_feed_idx ON message (environment_id, subscriber_id, created_at, id) WHERE channel = 'in_app'`,
  `CREATE INDEX message_contexts_idx ON message USING gin (environment_id, context_keys) WHERE context_keys IS NOT NULL`,
  `CREATE INDEX message_notification_idx ON message (notification_id)`,

  `CREATE TABLE execution_detail (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     notification_id uuid NOT NULL,
     step_id uuid NOT NULL,
     message_id uuid,
     status text NOT NULL,
     detail text NOT NULL,
     source text NOT NULL DEFAULT 'Internal',
     is_retry boolean NOT NULL DEFAULT false,
     is_test boolean NOT NULL DEFAULT false,
     provider_id text,
     raw text,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT execution_detail_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX execution_detail_notification_idx ON execution_detail (notification_id)`,
];

const DOWN = [
  ...[
    'execution_detail',
    'message',
    'step',
    'notification',
    'trigger',
    'idempotency_record',
    'open_digest',
    'transaction',
    'preference',
    'context',
    'tenant',
    'layout',
    'workflow_version',
    'workflow',
    'topic_subscription',
    'topic',
    'subscriber_channel',
    'integration',
    'subscriber',
    'api_key',
    'environment',
    'organization',
  ].map((table) => `DROP TABLE ${table}`),
  `DROP FUNCTION refuse_update()`,
  // The extensions stay: they may have been there before us, and others may use them.
];
