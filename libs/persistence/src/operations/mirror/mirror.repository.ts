import type { UnchangingOrder } from '@clarion/contracts';
import type { EnvironmentId, EnvironmentKind, MirrorDifferenceKind } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import type { Mirror, MirrorDifference } from '../../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../../sql/keyset';
import { COPY_CANCELLATION } from './mirror.sql';

/** The fields that a caller sets. */
export type MirrorSettings = Pick<Mirror, 'url' | 'key' | 'delivers' | 'comparePercent' | 'settleSeconds' | 'until'>;

/** A mirror with what is left to do, and the time of the database. */
export type MirrorStatus = Mirror & {
  isRunning: boolean;
  waiting: number;
  oldestWaitingSeconds: number | null;
  settling: number;
};

export type DifferenceFilter = { kinds?: MirrorDifferenceKind[]; transactionId?: string };

const STATUS = `
SELECT m.*, m.ended_at IS NULL AND m.until > now() AS is_running, w.waiting, w.oldest_waiting_seconds, s.settling
  FROM mirror m
 CROSS JOIN LATERAL (
   SELECT count(*)::int AS waiting, round(extract(epoch FROM now() - min(created_at)))::int AS oldest_waiting_seconds
     FROM mirror_copy WHERE environment_id = m.environment_id AND state = 'waiting') w
 CROSS JOIN LATERAL (
   SELECT count(*)::int AS settling FROM mirror_copy
    WHERE environment_id = m.environment_id AND state = 'settling') s
 WHERE m.environment_id = $1`;

export class MirrorRepository extends Repository {
  /** The kind of the environment, which is locked until the open transaction ends: of two starts, one comes first. */
  lockEnvironment(environmentId: EnvironmentId): Promise<EnvironmentKind> {
    return this.database.value<EnvironmentKind>(`SELECT kind FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [
      environmentId,
    ]);
  }

  find(environmentId: EnvironmentId): Promise<MirrorStatus | undefined> {
    return this.database.row<MirrorStatus>(STATUS, [environmentId]);
  }

  /** Replaces an ended mirror with its results. Must run under the lock of the environment. */
  async start(environmentId: EnvironmentId, settings: MirrorSettings): Promise<void> {
    for (const table of ['mirror_copy', 'mirror_difference', 'mirror']) {
      await this.database.execute(`DELETE FROM ${table} WHERE environment_id = $1`, [environmentId]);
    }
    await this.database.execute(
      `INSERT INTO mirror (environment_id, url, key, delivers, compare_percent, settle_seconds, until)
       VALUES ($1, $2, $3, $4, $5, $6, $7)`,
      [
        environmentId,
        settings.url,
        settings.key,
        settings.delivers,
        settings.comparePercent,
        settings.settleSeconds,
        settings.until,
      ],
    );
  }

  /** No more copies are made. Must run under the lock of the environment. */
  async stop(environmentId: EnvironmentId, reason: string): Promise<void> {
    await this.database.execute(
      `UPDATE mirror SET ended_at = now(), ended_reason = $2
        WHERE environment_id = $1 AND ended_at IS NULL AND until > now()`,
      [environmentId, reason],
    );
  }

  /** Copies that were not sent are deleted; returns how many. */
  discard(environmentId: EnvironmentId): Promise<number> {
    return this.database.execute(`DELETE FROM mirror_copy WHERE environment_id = $1 AND state = 'waiting'`, [
      environmentId,
    ]);
  }

  /** Must run in the transaction of the cancellation. `hasCanceled`: something waited here and was canceled. */
  async copyCancellation(
    environmentId: EnvironmentId,
    id: string,
    transactionId: string,
    hasCanceled: boolean,
  ): Promise<void> {
    await this.database.execute(COPY_CANCELLATION, [environmentId, id, transactionId, hasCanceled]);
  }

  hasKey(environmentId: EnvironmentId, hash: Buffer): Promise<boolean> {
    return this.database.matches(`SELECT 1 FROM api_key WHERE environment_id = $1 AND hash = $2`, [
      environmentId,
      hash,
    ]);
  }

  listDifferences(
    environmentId: EnvironmentId,
    { kinds, transactionId }: DifferenceFilter,
    page: CursorPage<UnchangingOrder>,
  ): Promise<CursorResult<MirrorDifference>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (kinds) where.push(`t.kind = ANY ($${parameters.push(kinds)}::text[])`);
    if (transactionId !== undefined) where.push(`t.transaction_id = $${parameters.push(transactionId)}`);
    const list = { name: 'mirror-differences', select: 't.*', from: 'mirror_difference t' };
    return readKeyset(this.database, { ...list, where, parameters }, page);
  }
}
