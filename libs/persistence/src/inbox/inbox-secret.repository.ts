import type { EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { InboxSecret } from '../entities';

/** What signs the sessions of inboxes: a secret of the environment, or one of its API keys. */
export type InboxSigner = { table: 'inbox_secret' | 'api_key'; id: string; sealed: string };

/** Each session tries all of them, so their number is limited. All usable keys and some secrets (`LIMITS.apiKeys`). */
const MOST_SIGNERS = 100;

const UNEXPIRED = '(expires_at IS NULL OR expires_at > now())';

/**
 * The signers of the environment that `environmentId` names. Those without an end come first, then the oldest: a new
 * key must not end the sessions that another one has signed. A key of a narrower scope would become a way to read and
 * change what its scope excludes. So would a key that is limited to addresses: the signature is used by a browser,
 * which may be anywhere.
 */
const signersOf = (environmentId: string): string =>
  `SELECT s."table", s.id, s.sealed
     FROM (SELECT 'inbox_secret' AS "table", id, environment_id, expires_at, secret AS sealed
             FROM inbox_secret WHERE ${UNEXPIRED}
            UNION ALL
           SELECT 'api_key', id, environment_id, expires_at, encrypted_key FROM api_key
            WHERE scope IN ('full', 'admin') AND allowed_addresses IS NULL AND revoked_at IS NULL AND ${UNEXPIRED}) s
    WHERE s.environment_id = ${environmentId}
    ORDER BY s.expires_at IS NOT NULL, s."table" DESC, s.id LIMIT ${MOST_SIGNERS}`;

/** The ids of the signers as an array. */
export const signerIdsOf = (environmentId: string): string => `ARRAY(SELECT id FROM (${signersOf(environmentId)}) ids)`;

export class InboxSecretRepository extends Repository {
  listSigners(environmentId: EnvironmentId): Promise<InboxSigner[]> {
    return this.database.rows<InboxSigner>(signersOf('$1'), [environmentId]);
  }

  /** The secret that signs now. */
  find(environmentId: EnvironmentId): Promise<InboxSecret | undefined> {
    return this.database.row<InboxSecret>(
      `SELECT * FROM inbox_secret WHERE environment_id = $1 AND expires_at IS NULL`,
      [environmentId],
    );
  }

  insert(environmentId: EnvironmentId, id: string, sealed: string): Promise<InboxSecret> {
    return this.database.one<InboxSecret>(
      `INSERT INTO inbox_secret (environment_id, id, secret) VALUES ($1, $2, $3) RETURNING *`,
      [environmentId, id, sealed],
    );
  }

  /** Ends all secrets of the environment after these hours at the latest, and deletes those that have ended. */
  async expire(environmentId: EnvironmentId, hours: number): Promise<void> {
    await this.database.execute(
      `UPDATE inbox_secret
          SET expires_at = least(expires_at, date_trunc('milliseconds', now()) + $2 * interval '1 hour')
        WHERE environment_id = $1`,
      [environmentId, hours],
    );
    await this.database.execute(`DELETE FROM inbox_secret WHERE environment_id = $1 AND expires_at <= now()`, [
      environmentId,
    ]);
  }
}
