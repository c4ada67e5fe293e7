import type { MigrationInterface, QueryRunner } from 'typeorm';
import {
  dropSearchViews,
  listTenantTables,
  type Protection,
  protectTable,
  unprotectTable,
} from '../schema/row-level-security';
import { TENANT_ROLE } from '../connection/tenant-scope';

/**
 * The whole schema. Times are `timestamptz(3)`: a cursor carries them through JavaScript dates, which know milliseconds
 * only, and a value that comes back rounded would skip or repeat rows.
 *
 * The tables of the history (trigger, notification, step, message, execution_detail, attachment) are partitioned by
 * ranges of their UUIDv7 id (see partitions.ts), so a lookup by id prunes, the newest partition is read first, and
 * retention drops a partition instead of deleting. Their rows are inserted once, in their final form; `work` has a
 * narrow row for everything that is still open. A unique constraint cannot span partitions: `transaction` and
 * `open_digest` are the narrow tables for those. Wide columns of fixed length come first in the large tables, so that
 * little is lost to alignment. The comment of an index of a large table names the queries that need it.
 *
 * Row-level security covers every table with an `environment_id`, for the role that the gateway acts as on behalf of
 * its callers (`migrate` creates the role before). What has no policy and no right here (organizations, the list of
 * migrations, partitions by their own names) is closed to tenants.
 */
export class Foundation1700000000000 implements MigrationInterface {
  name = 'Foundation1700000000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const statement of UP) await runner.query(statement);
    for (const table of await listTenantTables(runner)) await protectTable(runner, table, NARROWER[table]);
    // Callers change their own environment, and lock its row to put their changes in order.
    await protectTable(runner, 'environment', { column: 'id', rights: 'SELECT, UPDATE' });
    await runner.query(`GRANT USAGE ON SEQUENCE reopened_fence TO ${TENANT_ROLE}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropSearchViews(runner);
    for (const table of ['environment', ...(await listTenantTables(runner))]) await unprotectTable(runner, table);
    await runner.query(
      `DO $$ BEGIN EXECUTE format('REVOKE ALL ON SCHEMA %I FROM ${TENANT_ROLE}', current_schema()); END $$`,
    );
    await runner.query(`REVOKE ALL ON SEQUENCE reopened_fence FROM ${TENANT_ROLE}`);
    for (const statement of DOWN) await runner.query(statement);
    // The role and the extensions stay: other databases of the server may use the role, and others the extensions.
  }
}

const NARROWER: Record<string, Protection> = {
  api_key: { rights: 'SELECT, INSERT, UPDATE' },
  audit_log: { rights: 'SELECT, INSERT' },
  workflow_version: { rights: 'SELECT, INSERT' },
};

const STAMPS = `
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now()`;

const UP = [
  `CREATE EXTENSION IF NOT EXISTS pg_trgm`,
  `CREATE EXTENSION IF NOT EXISTS btree_gin`,

  // Ids of rows that are made inside a statement; time first, like the ids that the application makes.
  `CREATE FUNCTION uuid_v7() RETURNS uuid LANGUAGE sql VOLATILE AS $$
     SELECT encode(
       set_byte(
         overlay(uuid_send(gen_random_uuid()) PLACING
                 substring(int8send(floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3) FROM 1 FOR 6),
         6, 112 + floor(random() * 16)::int),
       'hex')::uuid $$`,
  // The last byte of the id of a notification is 0, that of its steps is their position + 1 (see ids.ts in contracts).
  `CREATE FUNCTION step_id(notification uuid, "position" int) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT encode(set_byte(uuid_send(notification), 15, "position" + 1), 'hex')::uuid $$`,
  `CREATE FUNCTION notification_of(step uuid) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT encode(set_byte(uuid_send(step), 15, 0), 'hex')::uuid $$`,
  `CREATE FUNCTION position_of(step uuid) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT get_byte(uuid_send(step), 15) - 1 $$`,
  // The id of an execution detail that has no row: the same whenever it is read. It has the time of its step, then its
  // place, so that the ids of one outcome are in order.
  `CREATE FUNCTION detail_id(step uuid, at timestamptz, place int) RETURNS uuid
     LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
     SELECT encode(
       set_byte(
         overlay(h PLACING substring(uuid_send(step) FROM 1 FOR 6) || int2send((28672 + place)::int2) FROM 1 FOR 8),
         8, get_byte(h, 8) & 63 | 128),
       'hex')::uuid
       FROM (SELECT decode(md5(step::text || ' ' || (extract(epoch FROM at) * 1000)::bigint || ' ' || place),
                           'hex') AS h) AS hashed $$`,

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
     dialect text,
     allow_recipient_overrides boolean NOT NULL DEFAULT false,
     ${STAMPS},
     CONSTRAINT environment_dialect_check CHECK (dialect IN ('spec', 'novu')),
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
     expires_at timestamptz(3),
     allowed_addresses text[],
     CONSTRAINT api_key_scope_check CHECK (scope IN ('admin', 'full', 'read', 'trigger')),
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
  `CREATE INDEX subscriber_created_idx ON subscriber (environment_id, created_at, id)`,
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
     -- What the workers know about the account: its circuit breaker, and until when it asked for a pause.
     health jsonb,
     ${STAMPS}
   )`,
  `CREATE UNIQUE INDEX integration_identifier_key ON integration (environment_id, identifier) WHERE NOT deleted`,
  `CREATE UNIQUE INDEX integration_primary_key ON integration (environment_id, channel)
     WHERE "primary" AND NOT deleted`,
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
  `CREATE INDEX topic_subscription_created_idx ON topic_subscription (topic_id, created_at, id)`,
  // Fan-out walks the members of a topic in the order of their ids, each of them once.
  `CREATE INDEX topic_subscription_member_idx ON topic_subscription (topic_id, subscriber_id)`,
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
     -- Whether values that templates write into HTML are escaped; imported workflows may rely on values that are HTML.
     escape_html boolean NOT NULL DEFAULT true,
     -- The variables that the workflow reads, found when it is saved.
     variables jsonb NOT NULL DEFAULT '{}',
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
  `CREATE INDEX tenant_list_idx ON tenant (environment_id, id)`,

  `CREATE TABLE context (
     id uuid PRIMARY KEY,
     environment_id uuid NOT NULL REFERENCES environment (id) ON DELETE CASCADE,
     type text NOT NULL,
     context_id text NOT NULL,
     data jsonb,
     ${STAMPS},
     CONSTRAINT context_identifier_key UNIQUE (environment_id, type, context_id)
   )`,
  `CREATE INDEX context_list_idx ON context (environment_id, id)`,
  `CREATE INDEX context_created_idx ON context (environment_id, created_at, id)`,
  `CREATE INDEX context_updated_idx ON context (environment_id, updated_at, id)`,
  `CREATE INDEX context_id_idx ON context (environment_id, context_id)`,
  // A context is searched by its key, which is type and id.
  `CREATE INDEX context_key_trgm_idx ON context USING gin ((type || ':' || context_id) gin_trgm_ops)`,

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

  // One row per transactionId that a caller chose: one effect each. An id that the gateway made (`txn_` and the id of
  // the trigger) needs none.
  `CREATE TABLE transaction (
     environment_id uuid NOT NULL,
     transaction_id text NOT NULL,
     trigger_id uuid NOT NULL,
     CONSTRAINT transaction_pkey PRIMARY KEY (environment_id, transaction_id)
   )`,
  // Retention deletes the rows of old triggers. Rows arrive in the order of these ids, so a summary of pages is enough.
  `CREATE INDEX transaction_trigger_idx ON transaction USING brin (trigger_id)`,

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
  // Closing a window, and passing it on, find it by its step.
  `CREATE INDEX open_digest_step_idx ON open_digest (step_id)`,

  // Counts of events per key: throttles, and digests that look back. A window that has ended starts again at one.
  `CREATE TABLE step_window (
     environment_id uuid NOT NULL,
     workflow_id uuid NOT NULL,
     step_key text NOT NULL,
     subscriber_id uuid NOT NULL,
     window_key text NOT NULL,
     events integer NOT NULL,
     expires_at timestamptz(3) NOT NULL,
     CONSTRAINT step_window_pkey PRIMARY KEY (environment_id, workflow_id, step_key, subscriber_id, window_key)
   )`,
  `CREATE INDEX step_window_expires_idx ON step_window (expires_at)`,

  // A record without a status is the claim of a request that still runs. Its lease ends by itself when the process is
  // gone.
  `CREATE TABLE idempotency_record (
     environment_id uuid NOT NULL,
     method text NOT NULL,
     path text NOT NULL,
     key text NOT NULL,
     fingerprint bytea NOT NULL,
     status integer,
     content_type text,
     body text,
     claim uuid,
     lease_until timestamptz(3),
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT idempotency_record_pkey PRIMARY KEY (environment_id, key, method, path)
   )`,
  `CREATE INDEX idempotency_record_created_idx ON idempotency_record (created_at)`,

  // What is open: accepted triggers and due, delayed or running steps. The statement that writes the outcome of a row
  // deletes it. Every change raises the fence. No column that a claim, a mark or an offer changes is in an index, so
  // Postgres can keep the new version of the row on its page. Dead rows soon fill the pages: they are vacuumed early.
  `CREATE TABLE work (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     notification_id uuid,
     subscriber_id uuid,
     due_at timestamptz(3) NOT NULL DEFAULT now(),
     queued_at timestamptz(3),
     waiting_since timestamptz(3),
     offered_at timestamptz(3),
     sending_since timestamptz(3),
     claim_id uuid,
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     fence integer NOT NULL DEFAULT 1,
     attempt smallint NOT NULL DEFAULT 0,
     crash_count smallint NOT NULL DEFAULT 0,
     is_delayed boolean NOT NULL DEFAULT false,
     was_offered_again boolean NOT NULL DEFAULT false,
     type text NOT NULL,
     step_key text,
     later_steps jsonb,
     progress jsonb,
     CONSTRAINT work_pkey PRIMARY KEY (id)
   ) WITH (fillfactor = 80, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_scale_factor = 0.05,
           autovacuum_vacuum_cost_delay = 0)`,
  // The sweeper and the lag read each environment and type separately, oldest first: a long queue of one tenant must
  // not hide the short one of another.
  `CREATE INDEX work_due_idx ON work (environment_id, type, due_at)`,

  // The first fence of a row that is opened again: no process that knew the step before has it. In steps of 1,000,
  // because each change of the row adds one.
  `CREATE SEQUENCE reopened_fence AS integer INCREMENT BY 1000 MINVALUE 1000000 MAXVALUE 2147000000 CYCLE`,

  // Who works on which rows: one row for a claimed batch, with the fence of each row at that time.
  `CREATE TABLE claim (
     id uuid NOT NULL,
     lease_until timestamptz(3) NOT NULL,
     first_id uuid NOT NULL,
     last_id uuid NOT NULL,
     work_ids uuid[] NOT NULL,
     fences integer[] NOT NULL,
     CONSTRAINT claim_pkey PRIMARY KEY (id)
   ) WITH (autovacuum_vacuum_threshold = 500, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_cost_delay = 0)`,

  // Whether a live claim holds an open row: the row names the claim, or still has the fence that the claim read. Claims
  // of all environments are in one table, which tenants may not read: they may ask about one row.
  `CREATE FUNCTION is_claimed(row_id uuid, row_fence int, row_claim_id uuid) RETURNS boolean
     LANGUAGE sql STABLE SECURITY DEFINER SET search_path FROM CURRENT AS $$
     SELECT EXISTS (
       SELECT 1 FROM claim c
        WHERE c.lease_until > now()
          AND (c.id = row_claim_id
               OR (row_id BETWEEN c.first_id AND c.last_id
                   AND EXISTS (SELECT 1 FROM unnest(c.work_ids, c.fences) AS held (id, fence)
                                WHERE held.id = row_id AND held.fence = row_fence)))) $$`,

  // An accepted event. The outcome is empty unless it was canceled or has failed.
  `CREATE TABLE trigger (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     workflow_id uuid NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     workflow_version integer NOT NULL,
     transaction_id text NOT NULL,
     fingerprint bytea NOT NULL,
     recipients jsonb NOT NULL,
     payload jsonb NOT NULL,
     overrides jsonb,
     controls jsonb,
     actor jsonb,
     tenant text,
     context jsonb,
     request_id text,
     traceparent text,
     tracestate text,
     outcome text,
     error text,
     CONSTRAINT trigger_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,

  // Files that came with a trigger; the payload keeps their names and sizes.
  `CREATE TABLE attachment (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     position smallint NOT NULL,
     name text NOT NULL,
     mime text NOT NULL,
     content bytea NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT attachment_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  `CREATE INDEX attachment_trigger_idx ON attachment (environment_id, trigger_id)`,

  // Payload, overrides, tenant, trace and transactionId are those of the trigger and are read from it. The primary key
  // begins with the environment: it is also the index of the list.
  `CREATE TABLE notification (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     workflow_id uuid NOT NULL,
     subscriber_id uuid NOT NULL,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3),
     digested_notification_id uuid,
     critical boolean NOT NULL DEFAULT false,
     severity text NOT NULL DEFAULT 'none',
     channels text[] NOT NULL DEFAULT '{}',
     tags text[],
     "to" jsonb,
     actor jsonb,
     topics jsonb,
     topic_keys text[],
     context_keys text[],
     CONSTRAINT notification_pkey PRIMARY KEY (environment_id, id)
   ) PARTITION BY RANGE (id)`,
  // The activity of one subscriber.
  `CREATE INDEX notification_subscriber_idx ON notification (subscriber_id, id)`,
  // The activity of one transaction; cancel, summary and replay find the notifications of a trigger by it.
  `CREATE INDEX notification_trigger_idx ON notification (trigger_id, id)`,
  // The activity of one workflow, and of the channels that few workflows use.
  `CREATE INDEX notification_workflow_idx ON notification (workflow_id, id)`,
  // The activity by severity; most notifications have none and are not in it.
  `CREATE INDEX notification_severity_idx ON notification (environment_id, severity, id) WHERE severity <> 'none'`,
  // The activity by topic and by context; notifications without them are not in these indexes.
  `CREATE INDEX notification_topics_idx ON notification USING gin (environment_id, topic_keys)
     WHERE topic_keys IS NOT NULL`,
  `CREATE INDEX notification_contexts_idx ON notification USING gin (environment_id, context_keys)
     WHERE context_keys IS NOT NULL`,

  // A step that has ended. Its id names its notification and its position, so the primary key finds the steps of a
  // notification. `details` are the execution details of the outcome, as `packed-details.ts` writes them.
  `CREATE TABLE step (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     queued_at timestamptz(3),
     ended_at timestamptz(3) NOT NULL DEFAULT now(),
     state text NOT NULL,
     type text NOT NULL,
     step_key text NOT NULL,
     provider_id text NOT NULL DEFAULT 'platform',
     integration_id uuid,
     digest_master_id uuid,
     schedule_extensions_count integer,
     details json,
     output jsonb,
     digest jsonb,
     error jsonb,
     CONSTRAINT step_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  // A replay of failures finds them without reading the steps that succeeded.
  `CREATE INDEX step_failed_idx ON step (environment_id, id) WHERE state = 'failed'`,
  // A digest reads the steps that joined it.
  `CREATE INDEX step_digest_master_idx ON step (digest_master_id) WHERE digest_master_id IS NOT NULL`,

  // What one channel step sent to one address. Payload and transactionId are those of the trigger, the identifier of
  // the workflow is that of its row, and the id of the step names the notification: none of them is stored again.
  `CREATE TABLE message (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     trigger_id uuid NOT NULL,
     step_id uuid NOT NULL,
     subscriber_id uuid NOT NULL,
     workflow_id uuid,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     updated_at timestamptz(3) NOT NULL DEFAULT now(),
     critical boolean NOT NULL DEFAULT false,
     read boolean NOT NULL DEFAULT false,
     seen boolean NOT NULL DEFAULT false,
     archived boolean NOT NULL DEFAULT false,
     channel text NOT NULL,
     status text NOT NULL DEFAULT 'sent',
     severity text NOT NULL DEFAULT 'none',
     integration_id uuid,
     message_template_id text,
     provider_id text,
     provider_message_id text,
     title text,
     subject text,
     content jsonb NOT NULL DEFAULT '""',
     email text,
     phone text,
     recipients text[],
     direct_webhook_url text,
     device_tokens text[],
     cta jsonb,
     actor jsonb,
     avatar text,
     error_id text,
     error_text text,
     overrides jsonb,
     data jsonb,
     tags text[],
     context_keys text[],
     first_seen_at timestamptz(3),
     last_seen_at timestamptz(3),
     last_read_at timestamptz(3),
     archived_at timestamptz(3),
     snoozed_until timestamptz(3),
     delivered_at timestamptz[],
     CONSTRAINT message_pkey PRIMARY KEY (id)
   ) PARTITION BY RANGE (id)`,
  // The order is that of arrival: the id has the time of the step, and the message comes later, or again after a
  // snooze.
  // The list of an environment, of one channel or of all: few channels, so all of them are merged.
  `CREATE INDEX message_channel_idx ON message (environment_id, channel, created_at, id)`,
  // The feed, the inbox and the messages of one subscriber.
  `CREATE INDEX message_subscriber_idx ON message (subscriber_id, channel, created_at, id)`,
  // The messages of one transaction: list, delete, outbox.
  `CREATE INDEX message_trigger_idx ON message (trigger_id, created_at, id)`,
  // Reports of providers, which call a message by their own name for it.
  `CREATE INDEX message_provider_idx ON message (integration_id, provider_message_id)
     WHERE provider_message_id IS NOT NULL`,
  // The end of snoozes.
  `CREATE INDEX message_snoozed_idx ON message (snoozed_until) WHERE snoozed_until IS NOT NULL`,
  // Lists by context.
  `CREATE INDEX message_contexts_idx ON message USING gin (environment_id, context_keys)
     WHERE context_keys IS NOT NULL`,

  // Execution details that are not part of an outcome: attempts that are repeated, waits, warnings, reports of
  // providers, reads.
  `CREATE TABLE execution_detail (
     id uuid NOT NULL,
     environment_id uuid NOT NULL,
     notification_id uuid NOT NULL,
     step_id uuid NOT NULL,
     message_id uuid,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     is_retry boolean NOT NULL DEFAULT false,
     is_test boolean NOT NULL DEFAULT false,
     status text NOT NULL,
     detail text NOT NULL,
     source text NOT NULL DEFAULT 'Internal',
     provider_id text,
     raw text,
     CONSTRAINT execution_detail_pkey PRIMARY KEY (notification_id, id)
   ) PARTITION BY RANGE (id)`,

  // All execution details that were recorded, for operators. The interface also shows when a step was queued.
  `CREATE VIEW recorded_detail AS
     SELECT created_at, environment_id, notification_id, step_id, message_id, provider_id, status, detail, source,
            is_retry, raw
       FROM execution_detail
     UNION ALL
     SELECT s.ended_at, s.environment_id, notification_of(s.id), s.id,
            CASE WHEN d ->> 'm' = 'true' THEN s.id ELSE (d ->> 'm')::uuid END, d ->> 'p', coalesce(d ->> 's', 'Success'),
            d ->> 'd', coalesce(d ->> 'o', 'Internal'), coalesce((d ->> 't')::boolean, false), d ->> 'r'
       FROM step s CROSS JOIN LATERAL json_array_elements(s.details) d`,

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

  // One effect per event: what a provider told about a message, and the message once it is known. A signature that does
  // not cover the body counts with the first body alone.
  `CREATE TABLE delivery_event (
     integration_id uuid NOT NULL,
     event_id text NOT NULL,
     environment_id uuid NOT NULL,
     message_id uuid,
     report_hash text,
     created_at timestamptz(3) NOT NULL DEFAULT now(),
     CONSTRAINT delivery_event_pkey PRIMARY KEY (integration_id, event_id)
   )`,
  `CREATE INDEX delivery_event_created_idx ON delivery_event (created_at)`,

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
  `CREATE INDEX suppression_created_idx ON suppression (environment_id, created_at, id)`,

  // Without foreign keys: the record of a change outlives what was changed.
  `CREATE TABLE audit_log (
     id uuid PRIMARY KEY,
     organization_id uuid NOT NULL,
     environment_id uuid NOT NULL,
     actor_type text NOT NULL,
     actor_id uuid,
     actor_name text,
     action text NOT NULL,
     resource_type text NOT NULL,
     resource_id text NOT NULL,
     before jsonb,
     after jsonb,
     request_id text,
     created_at timestamptz(3) NOT NULL DEFAULT now()
   )`,
  `CREATE INDEX audit_log_list_idx ON audit_log (environment_id, id)`,
  `CREATE INDEX audit_log_created_idx ON audit_log (environment_id, created_at, id)`,
  `CREATE FUNCTION refuse_audit_log_change() RETURNS trigger LANGUAGE plpgsql AS
   $$ BEGIN RAISE EXCEPTION 'audit_log is append-only: % is refused', TG_OP USING ERRCODE = 'insufficient_privilege'; END $$`,
  `CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
     FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_log_change()`,

  // NULL without a setting, which equals no environment.
  `CREATE FUNCTION clarion_environment() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS
   $$ SELECT nullif(current_setting('clarion.environment_id', true), '')::uuid $$`,
  `DO $$ BEGIN EXECUTE format('GRANT USAGE ON SCHEMA %I TO ${TENANT_ROLE}', current_schema()); END $$`,
];

const DOWN = [
  `DROP VIEW recorded_detail`,
  ...[
    'audit_log',
    'suppression',
    'delivery_event',
    'outbox',
    'execution_detail',
    'message',
    'step',
    'notification',
    'attachment',
    'trigger',
    'claim',
    'work',
    'idempotency_record',
    'step_window',
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
  `DROP SEQUENCE reopened_fence`,
  ...[
    'clarion_environment()',
    'is_claimed(uuid, int, uuid)',
    'refuse_audit_log_change()',
    'refuse_update()',
    'detail_id(uuid, timestamptz, int)',
    'position_of(uuid)',
    'notification_of(uuid)',
    'step_id(uuid, int)',
    'uuid_v7()',
  ].map((name) => `DROP FUNCTION ${name}`),
];
