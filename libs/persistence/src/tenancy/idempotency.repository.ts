import type { EnvironmentId } from '@clarion/contracts/core';
import { randomUUID } from 'node:crypto';
import { Repository } from '../connection/repository';

/** A key counts within one environment, method and path. */
export type IdempotencyScope = { environmentId: EnvironmentId; method: string; path: string; key: string };

export type Answer = { status: number; contentType: string; body: string };
export type StoredAnswer = Answer & { fingerprint: Buffer };

/** `claim`: this request does the work. `answer`: it was done before. Neither: another request holds the key. */
export type KeyState = { claim?: string; answer?: StoredAnswer };

const KEEP_HOURS = 24;

/** How long a claim counts after its last renewal; `renew` must be called more often. */
export const CLAIM_LEASE_MS = 10_000;

export class IdempotencyRepository extends Repository {
  /**
   * Claims the key in one statement that commits at once: no transaction stays open for it. A claim whose lease has
   * ended is taken over; its former holder then cannot store its answer and rolls its work back. The commit does not
   * wait for the disk: a claim lost in a crash of Postgres has the same effect as one that ended.
   */
  async claim(scope: IdempotencyScope, fingerprint: Buffer): Promise<KeyState> {
    const [row] = await this.database.query<{
      claim: string | null;
      fingerprint: Buffer | null;
      status: number | null;
      content_type: string | null;
      body: string | null;
    }>(
      `WITH settings AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
            taken AS (
              INSERT INTO idempotency_record AS r (environment_id, key, method, path, fingerprint, claim, lease_until)
              SELECT $1, $2, $3, $4, $5::bytea, $6::uuid, now() + ${CLAIM_LEASE_MS} * interval '1 millisecond'
                FROM settings
              ON CONFLICT ON CONSTRAINT idempotency_record_pkey DO UPDATE
                SET fingerprint = excluded.fingerprint, claim = excluded.claim, lease_until = excluded.lease_until,
                    status = NULL, content_type = NULL, body = NULL, created_at = now()
              WHERE r.created_at <= now() - interval '${KEEP_HOURS} hours' OR (r.status IS NULL
                AND r.lease_until <= now())
              RETURNING r.claim)
       SELECT taken.claim, r.fingerprint, r.status, r.content_type, r.body
         FROM (SELECT) one
         LEFT JOIN taken ON true
         LEFT JOIN idempotency_record r ON r.environment_id = $1 AND r.key = $2 AND r.method = $3 AND r.path = $4`,
      [scope.environmentId, scope.key, scope.method, scope.path, fingerprint, randomUUID()],
    );
    const { claim, fingerprint: stored, status, content_type: contentType, body } = row!;
    if (claim !== null) return { claim };
    if (stored === null || status === null) return {};
    return { answer: { fingerprint: stored, status, contentType: contentType!, body: body! } };
  }

  /** Stores the answer in the transaction of the work. False: the claim was taken over, so roll back. */
  store(scope: IdempotencyScope, claim: string, answer: Answer): Promise<boolean> {
    return this.database.matches(
      `UPDATE idempotency_record SET status = $6, content_type = $7, body = $8, claim = NULL, lease_until = NULL
        WHERE environment_id = $1 AND key = $2 AND method = $3 AND path = $4 AND claim = $5`,
      [scope.environmentId, scope.key, scope.method, scope.path, claim, answer.status, answer.contentType, answer.body],
    );
  }

  async renew(scope: IdempotencyScope, claim: string): Promise<void> {
    await this.database.execute(
      `UPDATE idempotency_record SET lease_until = now() + ${CLAIM_LEASE_MS} * interval '1 millisecond'
        WHERE environment_id = $1 AND key = $2 AND method = $3 AND path = $4 AND claim = $5`,
      [scope.environmentId, scope.key, scope.method, scope.path, claim],
    );
  }

  /** Frees the key: the work failed and may be retried. */
  async release(scope: IdempotencyScope, claim: string): Promise<void> {
    await this.database.execute(
      `DELETE FROM idempotency_record
        WHERE environment_id = $1 AND key = $2 AND method = $3 AND path = $4 AND claim = $5`,
      [scope.environmentId, scope.key, scope.method, scope.path, claim],
    );
  }
}
