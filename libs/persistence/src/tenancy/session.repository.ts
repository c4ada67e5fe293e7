import { type EnvironmentId, type KeyScope, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Session } from '../entities';
import type { ApiKeySummary, KeyOwner } from './environment.repository';
import { isMirrored } from '../operations/mirror/mirror.sql';

export type RequestSession = { id: string; expiresAt: Date; keyName: string; keyEnvironmentId: EnvironmentId };

/** The rights of its key, in this or another environment. Without an owner if the key may not act there. */
export type SessionOwner = RequestSession & { owner: KeyOwner | undefined };

/** The columns of one row: those of the session, of its key and of the wanted environment. */
type OwnerRow = RequestSession & KeyOwner & { position: string; keyExpiresAt: Date | null };

/** What a key may do, for how long and from where. */
export type KeyRights = Pick<ApiKeySummary, 'scope' | 'expiresAt' | 'allowedAddresses'>;

export type SessionLookup = { hash: Buffer; environmentId: EnvironmentId | undefined };

export type NewSession = Pick<Session, 'keyId' | 'hash' | 'address' | 'userAgent'>;

export type SessionSummary = Omit<Session, 'hash' | 'environmentId'> & {
  keyName: string;
  keyPrefix: string;
  scope: KeyScope;
};

const IS_OPEN = 's.revoked_at IS NULL AND s.expires_at > now() AND k.revoked_at IS NULL';

export class SessionRepository extends Repository {
  /**
   * Opens a session that ends after these hours, or with its key. The oldest sessions of the key beyond the limit are
   * deleted, so that no program that signs in again and again fills the table. Undefined if the key is revoked.
   */
  open(
    { keyId, hash, address, userAgent }: NewSession,
    { hours, sessionsPerKey }: { hours: number; sessionsPerKey: number },
  ): Promise<RequestSession | undefined> {
    return this.database.row<RequestSession>(
      `WITH k AS (SELECT * FROM api_key WHERE id = $2 AND revoked_at IS NULL),
            old AS (DELETE FROM session WHERE id IN (
              SELECT id FROM session WHERE key_id = $2 ORDER BY id DESC OFFSET $7)),
            opened AS (
              INSERT INTO session (id, environment_id, key_id, hash, address, user_agent, expires_at)
              SELECT $1, environment_id, id, $3, $4, $5, least(now() + $6::int * interval '1 hour', expires_at) FROM k
              RETURNING id, expires_at)
       SELECT opened.id, opened.expires_at, k.name AS key_name, k.environment_id AS key_environment_id
         FROM opened, k`,
      [newId(), keyId, hash, address, userAgent, hours, sessionsPerKey - 1],
    );
  }

  /** The owner of each session that is open, in order; undefined for every other hash. */
  async findOwners(lookups: SessionLookup[]): Promise<(SessionOwner | undefined)[]> {
    const rows = await this.database.rows<OwnerRow>(
      `SELECT wanted.position, s.id, s.expires_at, k.name AS key_name, own.id AS key_environment_id,
              k.id AS key_id, k.prefix AS key_prefix, k.scope, k.expires_at AS key_expires_at, k.allowed_addresses,
              e.id AS environment_id, e.name AS environment_name, e.dialect, e.allow_recipient_overrides,
              e.allow_raised_priority, own.organization_id, ${isMirrored('e.id')} AS is_mirrored
         FROM unnest($1::bytea[], $2::uuid[]) WITH ORDINALITY AS wanted (hash, environment_id, position)
         JOIN session s ON s.hash = wanted.hash
         JOIN api_key k ON k.id = s.key_id
         JOIN environment own ON own.id = k.environment_id
         LEFT JOIN environment e ON e.id = coalesce(wanted.environment_id, own.id)
              AND e.organization_id = own.organization_id AND e.deleted_at IS NULL
              AND (e.id = own.id OR k.scope = 'admin')
        WHERE ${IS_OPEN}`,
      [lookups.map(({ hash }) => hash), lookups.map(({ environmentId }) => environmentId ?? null)],
    );
    const found = new Map(rows.map((row) => [Number(row.position), toSessionOwner(row)]));
    this.database.organizations.learn([...found.values()].flatMap(({ owner }) => (owner ? [owner] : [])));
    return lookups.map((_, index) => found.get(index + 1));
  }

  /** The open sessions of the keys of an environment, newest first. */
  list(environmentId: EnvironmentId, limit: number): Promise<SessionSummary[]> {
    return this.database.rows<SessionSummary>(
      `SELECT s.id, s.key_id, s.address, s.user_agent, s.created_at, s.last_used_at, s.expires_at, s.revoked_at,
              k.name AS key_name, k.prefix AS key_prefix, k.scope
         FROM session s JOIN api_key k ON k.id = s.key_id
        WHERE s.environment_id = $1 AND ${IS_OPEN} ORDER BY s.id DESC LIMIT $2`,
      [environmentId, limit],
    );
  }

  findKey(environmentId: EnvironmentId, id: string): Promise<KeyRights | undefined> {
    return this.database.row<KeyRights>(
      `SELECT k.scope, k.expires_at, k.allowed_addresses FROM session s JOIN api_key k ON k.id = s.key_id
        WHERE s.environment_id = $1 AND s.id = $2 AND ${IS_OPEN}`,
      [environmentId, id],
    );
  }

  /** False when there is no such session or it was revoked before. */
  revoke(environmentId: EnvironmentId, id: string): Promise<boolean> {
    return this.database.matches(
      `UPDATE session SET revoked_at = now() WHERE environment_id = $1 AND id = $2 AND revoked_at IS NULL`,
      [environmentId, id],
    );
  }

  /** Writes the last use of many sessions in one statement. */
  async touch(usedAt: Map<string, Date>): Promise<void> {
    await this.database.query(
      `UPDATE session s SET last_used_at = greatest(s.last_used_at, used.at)
         FROM unnest($1::uuid[], $2::timestamptz[]) AS used (id, at) WHERE s.id = used.id`,
      [[...usedAt.keys()], [...usedAt.values()]],
    );
  }

  /** Stores a sign-in token of a key. Its earlier ones become invalid. */
  async replaceToken(keyId: string, hash: Buffer, hours: number): Promise<void> {
    await this.database.query(
      `WITH earlier AS (DELETE FROM sign_in_token WHERE key_id = $2)
       INSERT INTO sign_in_token (hash, key_id, expires_at) VALUES ($1, $2, now() + $3::int * interval '1 hour')`,
      [hash, keyId, hours],
    );
  }

  /** Uses a token, which works once, and returns the hash of its key. */
  async useToken(hash: Buffer): Promise<Buffer | undefined> {
    const [row] = await this.database.rows<{ hash: Buffer }>(
      `UPDATE sign_in_token t SET used_at = now() FROM api_key k
        WHERE t.hash = $1 AND t.used_at IS NULL AND t.expires_at > now() AND k.id = t.key_id AND k.revoked_at IS NULL
       RETURNING k.hash`,
      [hash],
    );
    return row?.hash;
  }
}

function toSessionOwner({
  id,
  expiresAt,
  keyName,
  keyEnvironmentId,
  keyExpiresAt,
  position: _,
  ...owner
}: OwnerRow): SessionOwner {
  return {
    id,
    expiresAt,
    keyName,
    keyEnvironmentId,
    owner: owner.environmentId ? { ...owner, keyName, expiresAt: keyExpiresAt } : undefined,
  };
}
