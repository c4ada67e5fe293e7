import { DEMO_PROVIDERS, type EnvironmentId, isId, kindOfType, LIMITS, newId } from '@clarion/contracts/core';
import { columnName } from '../connection/column-names';
import { Repository } from '../connection/repository';
import { RAISE_CONTENT_VERSION } from '../authoring/environment-content.sql';
import { IN_APP } from '../channels/integration.sql';
import { signerIdsOf } from '../inbox/inbox-secret.repository';
import type { ApiKey, Environment, Integration, Organization } from '../entities';
import { LOCK_SPACE, LOCKS } from '../schema/partitions';
import { isMirrored } from '../operations/mirror/mirror.sql';

/** The owners of the API keys with the hashes $1. */
const KEY_OWNERS = `
SELECT k.hash, k.id AS key_id, k.name AS key_name, k.prefix AS key_prefix, k.scope, k.expires_at, k.allowed_addresses,
       e.id AS environment_id, e.name AS environment_name, e.dialect, e.allow_recipient_overrides,
       e.allow_raised_priority, e.organization_id, ${isMirrored('e.id')} AS is_mirrored
  FROM api_key k JOIN environment e ON e.id = k.environment_id AND e.deleted_at IS NULL
 WHERE k.hash = ANY ($1::bytea[]) AND k.revoked_at IS NULL`;

/** The caller: an API key gives access to one environment of one organization. */
export type KeyOwner = Pick<ApiKey, 'scope' | 'expiresAt' | 'allowedAddresses' | 'environmentId'> &
  Pick<Environment, 'dialect' | 'allowRecipientOverrides' | 'allowRaisedPriority' | 'organizationId'> & {
    keyId: string;
    keyName: string;
    /** The first characters of the key, which are shown to people. */
    keyPrefix: string;
    environmentName: string;
    /** Another system gets copies of the triggers. */
    isMirrored: boolean;
    /** Set if the caller is a page of the dashboard, with a session instead of the key. */
    isBrowser?: true;
  };

export type NewApiKey = Pick<
  ApiKey,
  'id' | 'name' | 'prefix' | 'hash' | 'encryptedKey' | 'scope' | 'expiresAt' | 'allowedAddresses'
>;

const CHANGEABLE_FIELDS = [
  'name',
  'identifier',
  'parentId',
  'color',
  'kind',
  'withoutIntegration',
  'sandboxEmail',
  'sandboxPhone',
  'dialect',
  'allowRecipientOverrides',
  'allowRaisedPriority',
  'allowedOrigins',
  'inboxSignatures',
  'eventLog',
  'trackOpens',
  'trackClicks',
  'oneClickUnsubscribe',
  'defaultLocale',
] as const satisfies (keyof Environment)[];

/** Absent fields keep their values; null is a value. */
export type EnvironmentChanges = Partial<Pick<Environment, (typeof CHANGEABLE_FIELDS)[number]>>;

/** Absent fields get the default of their column. */
export type NewEnvironmentRow = Pick<Environment, 'organizationId' | 'type' | 'name' | 'identifier'> &
  EnvironmentChanges;

export type InboxEnvironment = Pick<
  Environment,
  'id' | 'organizationId' | 'identifier' | 'kind' | 'allowedOrigins' | 'inboxSignatures'
> & {
  /** The ids of the secrets and keys that sign sessions now. A session ends with its signer. */
  signers: string[];
  /** The integration that shows the inbox; null without one. */
  inApp: Pick<Integration, 'id' | 'environmentId' | 'credentials' | 'configurations'> | null;
};

export type BuiltInIntegration = Pick<Integration, 'providerId' | 'channel' | 'name' | 'priority' | 'active'>;

const KEY_COLUMNS =
  'id, environment_id, name, prefix, scope, expires_at, allowed_addresses, created_at, last_used_at, revoked_at';
export type ApiKeySummary = Omit<ApiKey, 'hash' | 'encryptedKey'>;

/** Keys that were not revoked and have not expired. */
const USABLE = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

const EXISTING = 'deleted_at IS NULL';

export class EnvironmentRepository extends Repository {
  /** The default organization, which the first start creates. */
  findOrganization(): Promise<Organization | undefined> {
    return this.database.row<Organization>(`SELECT * FROM organization ORDER BY id LIMIT 1`);
  }

  listOrganizations(): Promise<Organization[]> {
    return this.database.rows<Organization>(`SELECT * FROM organization ORDER BY id`);
  }

  insertOrganization(name: string): Promise<Organization> {
    return this.database.one<Organization>(`INSERT INTO organization (id, name) VALUES ($1, $2) RETURNING *`, [
      newId(),
      name,
    ]);
  }

  /** Serialises the creation of organizations: the process that holds the lock may look which there are. */
  async lockOrganizations(): Promise<void> {
    await this.database.query(`SELECT pg_advisory_xact_lock($1, $2)`, [LOCK_SPACE, LOCKS.bootstrap]);
  }

  private async lockOrganization(organizationId: string): Promise<void> {
    await this.database.query(`SELECT 1 FROM organization WHERE id = $1 FOR NO KEY UPDATE`, [organizationId]);
  }

  /** Locks the organization: of two creations or deletions, the second counts what the first one left. */
  async countLocked(organizationId: string): Promise<{ existing: number; deleted: number }> {
    await this.lockOrganization(organizationId);
    return this.database.one<{ existing: number; deleted: number }>(
      `SELECT (count(*) FILTER (WHERE ${EXISTING}))::int AS existing, count(deleted_at)::int AS deleted
         FROM environment WHERE organization_id = $1`,
      [organizationId],
    );
  }

  list(organizationId: string): Promise<Environment[]> {
    return this.database.rows<Environment>(
      `SELECT * FROM environment WHERE organization_id = $1 AND ${EXISTING} ORDER BY id`,
      [organizationId],
    );
  }

  find(organizationId: string, environmentId: EnvironmentId): Promise<Environment | undefined> {
    return this.database.row<Environment>(
      `SELECT * FROM environment WHERE organization_id = $1 AND id = $2 AND ${EXISTING}`,
      [organizationId, environmentId],
    );
  }

  /** Undefined when the organization has an environment of that name. */
  insert({ organizationId, type, ...row }: NewEnvironmentRow): Promise<Environment | undefined> {
    const kind = row.kind ?? kindOfType(type);
    const given = columnsOf({ ...row, kind, eventLog: row.eventLog ?? true });
    const columns = ['id', 'organization_id', 'type', ...given.map(([column]) => column)];
    const values = [newId(), organizationId, type, ...given.map(([, value]) => value)];
    return this.database.row<Environment>(
      `INSERT INTO environment (${columns.join(', ')}) VALUES (${values.map((_, at) => `$${at + 1}`).join(', ')})
       ON CONFLICT ON CONSTRAINT environment_name_key DO NOTHING RETURNING *`,
      values,
    );
  }

  /** Locks the row, so that the result stays true until the transaction ends. */
  lock(organizationId: string, environmentId: EnvironmentId): Promise<Environment | undefined> {
    return this.database.row<Environment>(
      `SELECT * FROM environment WHERE organization_id = $1 AND id = $2 AND ${EXISTING} FOR NO KEY UPDATE`,
      [organizationId, environmentId],
    );
  }

  /** Fails on `environment_name_key` or `environment_identifier_key` when the name or the identifier is taken. */
  async update(
    organizationId: string,
    environmentId: EnvironmentId,
    changes: EnvironmentChanges,
  ): Promise<Environment> {
    const given = columnsOf(changes);
    const assignments = given.map(([column], at) => `${column} = $${at + 3}`);
    return this.database.one<Environment>(
      `UPDATE environment SET ${[...assignments, 'updated_at = now()'].join(', ')}
        WHERE organization_id = $1 AND id = $2 RETURNING *`,
      [organizationId, environmentId, ...given.map(([, value]) => value)],
    );
  }

  /** Reserves an identifier that the environment no longer has. Returns how many the organization has reserved. */
  reserveIdentifier(organizationId: string, identifier: string): Promise<number> {
    return this.database.value<number>(
      `WITH added AS (
         INSERT INTO former_identifier (identifier, organization_id) VALUES ($2, $1)
         ON CONFLICT (identifier) DO NOTHING RETURNING 1
       )
       SELECT ((SELECT count(*) FROM added) + count(*))::int AS count
         FROM former_identifier WHERE organization_id = $1`,
      [organizationId, identifier],
    );
  }

  /** False when another organization has reserved it. Runs after the write, which waits for who gives it up. */
  takeIdentifier(organizationId: string, identifier: string): Promise<boolean> {
    return this.database.value<boolean>(
      `WITH taken AS (DELETE FROM former_identifier WHERE identifier = $2 AND organization_id = $1)
       SELECT NOT EXISTS (SELECT 1 FROM former_identifier WHERE identifier = $2 AND organization_id <> $1) AS "isFree"`,
      [organizationId, identifier],
    );
  }

  /** Revokes its keys and sessions and frees its name. Maintenance deletes its rows (`deleteEnvironments`). */
  markDeleted(organizationId: string, environmentId: EnvironmentId): Promise<Date> {
    return this.database.value<Date>(
      `WITH keys AS (
         UPDATE api_key SET revoked_at = now() WHERE environment_id = $2 AND revoked_at IS NULL
       ), sessions AS (
         UPDATE session SET revoked_at = now() WHERE environment_id = $2 AND revoked_at IS NULL
       ), children AS (
         UPDATE environment SET parent_id = NULL, updated_at = now() WHERE organization_id = $1 AND parent_id = $2
       ), reserved AS (
         INSERT INTO former_identifier (identifier, organization_id)
         SELECT identifier, organization_id FROM environment WHERE organization_id = $1 AND id = $2
         ON CONFLICT (identifier) DO NOTHING
       )
       UPDATE environment SET deleted_at = now(), updated_at = now(), name = name || ' ' || id,
              identifier = 'deleted_' || id
        WHERE organization_id = $1 AND id = $2 RETURNING deleted_at`,
      [organizationId, environmentId],
    );
  }

  listTags(environmentId: EnvironmentId): Promise<string[]> {
    return this.database.column<string>(
      `SELECT DISTINCT unnest(tags) AS name FROM workflow WHERE environment_id = $1 AND deleted_at IS NULL
        ORDER BY 1 LIMIT ${LIMITS.environmentTags}`,
      [environmentId],
    );
  }

  /** Makes workers read the variables and translations of the environment again. */
  async raiseContentVersion(environmentId: EnvironmentId): Promise<void> {
    await this.database.execute(RAISE_CONTENT_VERSION, [[environmentId]]);
  }

  /** Every new environment gets the built-in integrations. */
  async insertBuiltInIntegrations(environmentId: EnvironmentId, integrations: BuiltInIntegration[]): Promise<void> {
    const rows = integrations.map(({ name, ...integration }) => {
      const id = newId();
      return { id, name, identifier: `${name.toLowerCase().replace(/\W/g, '-')}-${id.slice(-6)}`, ...integration };
    });
    await this.database.query(
      `INSERT INTO integration (id, environment_id, name, identifier, provider_id, channel, active, priority)
       SELECT i.id, $1, i.name, i.identifier, i."providerId", i.channel, i.active, i.priority
         FROM jsonb_to_recordset($2) AS i (id uuid, name text, identifier text, "providerId" text, channel text,
           priority int, active boolean)`,
      [environmentId, JSON.stringify(rows)],
    );
  }

  /** Switches the demo providers of the environment off. */
  async deactivateDemoIntegrations(environmentId: EnvironmentId): Promise<void> {
    await this.database.query(
      `UPDATE integration SET active = false, updated_at = now()
        WHERE environment_id = $1 AND active AND provider_id = ANY ($2) AND NOT deleted`,
      [environmentId, DEMO_PROVIDERS],
    );
  }

  /** Undefined when the environment has as many usable keys as it may have. */
  insertKey(environmentId: EnvironmentId, key: NewApiKey): Promise<ApiKeySummary | undefined> {
    const { id, name, prefix, hash, encryptedKey, scope, expiresAt, allowedAddresses } = key;
    return this.database.row<ApiKeySummary>(
      `INSERT INTO api_key (id, environment_id, name, prefix, hash, encrypted_key, scope, expires_at, allowed_addresses)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9
        WHERE (SELECT count(*) FROM api_key WHERE environment_id = $2 AND ${USABLE}) < ${LIMITS.apiKeys}
       RETURNING ${KEY_COLUMNS}`,
      [id, environmentId, name, prefix, hash, encryptedKey, scope, expiresAt, allowedAddresses],
    );
  }

  /** Oldest first. Of many, those that can be used, and the newest of the others. */
  listKeys(environmentId: EnvironmentId): Promise<ApiKeySummary[]> {
    return this.database.rows<ApiKeySummary>(
      `SELECT * FROM (
         SELECT ${KEY_COLUMNS} FROM api_key WHERE environment_id = $1
          ORDER BY (${USABLE}) DESC, id DESC LIMIT ${LIMITS.listedKeys}) listed ORDER BY id`,
      [environmentId],
    );
  }

  /** The newest copy under each encryption key in use: a process that can open these can open all. */
  sampleSealedKeys(): Promise<{ id: string; environmentId: EnvironmentId; encryptedKey: string }[]> {
    return this.database.rows(
      `SELECT DISTINCT ON (split_part(encrypted_key, '.', 2)) id, environment_id, encrypted_key FROM api_key
        WHERE revoked_at IS NULL ORDER BY split_part(encrypted_key, '.', 2), id DESC`,
    );
  }

  /** A key that was not revoked. */
  findKey(environmentId: EnvironmentId, keyId: string): Promise<ApiKeySummary | undefined> {
    return this.database.row<ApiKeySummary>(
      `SELECT ${KEY_COLUMNS} FROM api_key WHERE environment_id = $1 AND id = $2 AND revoked_at IS NULL`,
      [environmentId, keyId],
    );
  }

  /** Locks the organization first: two transactions must not revoke each other's last admin key. */
  async countOtherAdminKeys(organizationId: string, keyId: string): Promise<number> {
    await this.lockOrganization(organizationId);
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM api_key k JOIN environment e ON e.id = k.environment_id
        WHERE e.organization_id = $1 AND k.id <> $2 AND k.scope = 'admin' AND ${USABLE}`,
      [organizationId, keyId],
    );
  }

  /** False when the key does not exist or is revoked. */
  revokeKey(environmentId: EnvironmentId, keyId: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE api_key SET revoked_at = now() WHERE environment_id = $1 AND id = $2 AND revoked_at IS NULL`,
      [environmentId, keyId],
    );
  }

  /** The environment of each name, in order: an id or an identifier. Undefined for a name that none has. */
  async findForInbox(names: string[]): Promise<(InboxEnvironment | undefined)[]> {
    const rows = await this.database.rows<InboxEnvironment>(
      `SELECT id, organization_id, identifier, kind, allowed_origins, inbox_signatures,
              ${signerIdsOf('e.id')} AS signers,
              ${IN_APP} AS in_app
         FROM environment e WHERE (identifier = ANY ($1) OR id = ANY ($2::uuid[])) AND ${EXISTING}`,
      [names, names.filter(isId)],
    );
    this.database.organizations.learn(rows.map(({ id, organizationId }) => ({ environmentId: id, organizationId })));
    return names.map((name) => rows.find(({ id, identifier }) => identifier === name || id === name));
  }

  /** The owner of each hash, in order; undefined for a hash that no key has. */
  async findKeyOwners(hashes: Buffer[]): Promise<(KeyOwner | undefined)[]> {
    const rows = await this.database.rows<KeyOwner & { hash: Buffer }>(KEY_OWNERS, [hashes]);
    this.database.organizations.learn(rows);
    const owners = new Map(rows.map(({ hash, ...owner }) => [hash.toString('base64'), owner]));
    return hashes.map((hash) => owners.get(hash.toString('base64')));
  }

  /** Writes the last use of many keys in one statement: use is collected in memory and not written at each request. */
  async touchKeys(usedAt: Map<string, Date>): Promise<void> {
    await this.database.query(
      `UPDATE api_key k SET last_used_at = greatest(k.last_used_at, used.at)
         FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
      [[...usedAt.keys()], [...usedAt.values()]],
    );
  }
}

const columnsOf = (fields: EnvironmentChanges): [column: string, value: unknown][] =>
  CHANGEABLE_FIELDS.filter((field) => fields[field] !== undefined).map((field) => [columnName(field), fields[field]]);
