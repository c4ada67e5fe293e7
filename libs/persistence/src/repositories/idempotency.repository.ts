import type { Database } from '../database';
import type { IdempotencyRecord } from '../entities';

/** A key counts within one environment, method and path. */
export type IdempotencyScope = { environmentId: string; method: string; path: string; key: string };

export type StoredAnswer = Pick<IdempotencyRecord, 'fingerprint' | 'status' | 'contentType' | 'body'>;

const KEEP_HOURS = 24;

export class IdempotencyRepository {
  constructor(private readonly database: Database) {}

  /**
   * Must run inside a transaction: takes the key for as long as it lasts, so a crash frees it at once, and looks whether an
   * answer is stored. Not `free` means that another request with this key is running now.
   */
  async claim(scope: IdempotencyScope): Promise<{ free: boolean; answer?: StoredAnswer }> {
    const [row] = await this.database.query<{
      free: boolean;
      fingerprint: Buffer | null;
      status: number;
      content_type: string;
      body: string;
    }>(
      `SELECT lock.free, r.fingerprint, r.status, r.content_type, r.body
         FROM (SELECT pg_try_advisory_xact_lock(hashtext($1::text || $2), hashtext($3 || ' ' || $4)) AS free) lock
         LEFT JOIN idempotency_record r
           ON r.environment_id = $1::uuid AND r.key = $2 AND r.method = $3 AND r.path = $4
          AND r.created_at > now() - interval '${KEEP_HOURS} hours'`,
      [scope.environmentId, scope.key, scope.method, scope.path],
    );
    const { free, fingerprint, status, content_type: contentType, body } = row!;
    return fingerprint ? { free, answer: { fingerprint, status, contentType, body } } : { free };
  }

  /**
   * Stores the answer in the open transaction; an expired record is replaced. False when another request with this key
   * committed between our look and now: the caller must then undo its work.
   */
  async store(scope: IdempotencyScope, answer: StoredAnswer): Promise<boolean> {
    const stored = await this.database.execute(
      `INSERT INTO idempotency_record AS r (environment_id, key, method, path, fingerprint, status, content_type, body)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT ON CONSTRAINT idempotency_record_pkey DO UPDATE
         SET fingerprint = excluded.fingerprint, status = excluded.status, content_type = excluded.content_type,
             body = excluded.body, created_at = now()
       WHERE r.created_at <= now() - interval '${KEEP_HOURS} hours'`,
      [
        scope.environmentId,
        scope.key,
        scope.method,
        scope.path,
        answer.fingerprint,
        answer.status,
        answer.contentType,
        answer.body,
      ],
    );
    return stored > 0;
  }
}
