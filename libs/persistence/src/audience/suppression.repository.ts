import type { UnchangingOrder } from '@clarion/contracts';
import { type EnvironmentId, newId, type NotificationId, type SuppressibleChannel } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Suppression } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';

/** In the spelling of libs/rules. */
export type SuppressibleAddress = { channel: SuppressibleChannel; address: string };

export type SuppressionFilter = { channel?: SuppressibleChannel; addresses?: string[] };

export type ListedSuppression = Suppression & { notificationId: NotificationId | null };

const LISTED = `t.*, (SELECT notification_of(m.step_id) FROM message m
  WHERE m.environment_id = $1 AND m.id = t.message_id) AS notification_id`;

export class SuppressionRepository extends Repository {
  /** The suppressed addresses among these, in one statement for any number of environments. */
  find(
    channel: SuppressibleChannel,
    wanted: { environmentId: EnvironmentId; address: string }[],
  ): Promise<Pick<Suppression, 'environmentId' | 'address' | 'reason' | 'createdAt'>[]> {
    if (wanted.length === 0) return Promise.resolve([]);
    return this.database.rows(
      `SELECT s.environment_id, s.address, s.reason, s.created_at
         FROM suppression s JOIN unnest($2::uuid[], $3::text[]) AS w (environment_id, address)
           ON s.environment_id = w.environment_id AND s.address = w.address
        WHERE s.channel = $1`,
      [channel, wanted.map(({ environmentId }) => environmentId), wanted.map(({ address }) => address)],
    );
  }

  /** Adds a suppression by request; an existing one is not changed, and `created` shows which. */
  add(
    environmentId: EnvironmentId,
    { channel, address }: SuppressibleAddress,
  ): Promise<Suppression & { created: boolean }> {
    return this.database.one<Suppression & { created: boolean }>(
      `INSERT INTO suppression AS s (id, environment_id, channel, address, reason) VALUES ($1, $2, $3, $4, 'manual')
       ON CONFLICT ON CONSTRAINT suppression_address_key DO UPDATE SET address = s.address
       RETURNING s.*, (s.xmax = 0) AS created`,
      [newId(), environmentId, channel, address],
    );
  }

  /** Returns the deleted row; undefined when the address was not suppressed. */
  delete(environmentId: EnvironmentId, { channel, address }: SuppressibleAddress): Promise<Suppression | undefined> {
    return this.database.row<Suppression>(
      `DELETE FROM suppression WHERE environment_id = $1 AND channel = $2 AND address = $3 RETURNING *`,
      [environmentId, channel, address],
    );
  }

  list(
    environmentId: EnvironmentId,
    filter: SuppressionFilter,
    page: CursorPage<UnchangingOrder>,
  ): Promise<CursorResult<ListedSuppression>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.channel !== undefined) where.push(`t.channel = $${parameters.push(filter.channel)}`);
    if (filter.addresses !== undefined) where.push(`t.address = ANY ($${parameters.push(filter.addresses)})`);
    return readKeyset(
      this.database,
      { name: 'suppressions', select: LISTED, from: 'suppression t', where, parameters },
      page,
    );
  }
}
