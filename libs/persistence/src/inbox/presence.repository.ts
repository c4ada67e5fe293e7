import type { EnvironmentId, SubscriberRowId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { columnArrays } from '../sql/column-arrays';

export type PresentSubscriber = { environmentId: EnvironmentId; subscriberId: SubscriberRowId };

/** How long a gateway counts as running after its last renewal, by the clock of the database. */
const LEASE = `interval '20 seconds'`;
const BATCH = 1_000;

/** A subscriber who is here or not, as its row says. Only rows that change are written. */
const STORE_ONLINE = `
UPDATE subscriber s
   SET is_online = now_is.online,
       last_online_at = CASE WHEN now_is.online OR s.is_online IS FALSE THEN s.last_online_at ELSE now() END
  FROM (SELECT given.id, EXISTS (SELECT 1 FROM presence p WHERE p.subscriber_id = given.id) AS online
          FROM unnest($1::uuid[]) AS given (id)) now_is
 WHERE s.id = now_is.id AND s.is_online IS DISTINCT FROM now_is.online`;

/**
 * Which subscribers are connected, across environments and gateways. `is_online` follows from the rows of `presence`.
 * Every change locks the rows of its subscribers first, so two gateways that change the same subscriber do it one after
 * the other and the second sees what the first wrote. `updated_at` is not changed: a connection is no edit.
 */
export class PresenceRepository extends Repository {
  /** Returns false when the lease had ended: the gateway has to join its presences again. */
  async renew(gatewayId: string): Promise<boolean> {
    const [row] = await this.database.apart(() =>
      this.database.query<{ was_valid: boolean }>(
        `WITH before AS (SELECT lease_until > now() AS is_valid FROM presence_lease WHERE gateway_id = $1)
         INSERT INTO presence_lease (gateway_id, lease_until) VALUES ($1, now() + ${LEASE})
         ON CONFLICT (gateway_id) DO UPDATE SET lease_until = excluded.lease_until
         RETURNING coalesce((SELECT is_valid FROM before), false) AS was_valid`,
        [gatewayId],
      ),
    );
    return row!.was_valid;
  }

  /** Returns the subscribers of `joined` that exist. Without a lease nothing is stored. */
  change(gatewayId: string, joined: PresentSubscriber[], left: SubscriberRowId[]): Promise<Set<SubscriberRowId>> {
    const ids = [...joined.map(({ subscriberId }) => subscriberId), ...left];
    return this.settle(ids, async () => {
      return new Set(
        await this.database.column<SubscriberRowId>(
          `WITH gone AS (
           DELETE FROM presence WHERE gateway_id = $1 AND subscriber_id = ANY ($2::uuid[])
         ), here AS MATERIALIZED (
           SELECT s.id, s.environment_id FROM unnest($3::uuid[], $4::uuid[]) AS given (id, environment_id)
             JOIN subscriber s ON s.id = given.id AND s.environment_id = given.environment_id
         ), joined AS (
           INSERT INTO presence (gateway_id, subscriber_id, environment_id)
           SELECT $1, id, environment_id FROM here
            WHERE EXISTS (SELECT 1 FROM presence_lease WHERE gateway_id = $1 AND lease_until > now())
           ON CONFLICT DO NOTHING
         )
         SELECT id FROM here`,
          [gatewayId, left, ...columnArrays(joined, 'subscriberId', 'environmentId')],
        ),
      );
    });
  }

  /** Deletes the presences of gateways whose lease has ended. Any process may call it at any time. */
  async endLapsed(): Promise<void> {
    for (;;) {
      const rows = await this.database.apart(() =>
        this.database.query<{ gateway_id: string; subscriber_id: SubscriberRowId }>(
          `SELECT p.gateway_id, p.subscriber_id FROM presence_lease l JOIN presence p ON p.gateway_id = l.gateway_id
            WHERE l.lease_until < now() LIMIT ${BATCH}`,
        ),
      );
      if (rows.length > 0) await this.deleteLapsed(rows);
      if (rows.length < BATCH) break;
    }
    await this.database.apart(() =>
      this.database.query(
        `DELETE FROM presence_lease l WHERE lease_until < now()
            AND NOT EXISTS (SELECT 1 FROM presence p WHERE p.gateway_id = l.gateway_id)`,
      ),
    );
  }

  private deleteLapsed(rows: { gateway_id: string; subscriber_id: SubscriberRowId }[]): Promise<void> {
    return this.settle(
      rows.map((row) => row.subscriber_id),
      async () => {
        await this.database.query(
          `DELETE FROM presence p USING unnest($1::uuid[], $2::uuid[]) AS given (gateway_id, subscriber_id),
                  presence_lease l
            WHERE p.gateway_id = given.gateway_id AND p.subscriber_id = given.subscriber_id
              AND l.gateway_id = p.gateway_id AND l.lease_until < now()`,
          [rows.map((row) => row.gateway_id), rows.map((row) => row.subscriber_id)],
        );
      },
    );
  }

  /** Ends the lease of a gateway that stops. Its presences are deleted before. */
  async end(gatewayId: string): Promise<void> {
    await this.database.apart(() =>
      this.database.query(`UPDATE presence_lease SET lease_until = now() - interval '1 second' WHERE gateway_id = $1`, [
        gatewayId,
      ]),
    );
    await this.endLapsed();
  }

  private settle<T>(ids: SubscriberRowId[], change: () => Promise<T>): Promise<T> {
    return this.database.apart(() =>
      this.database.transaction(async () => {
        await this.database.query(
          `SELECT 1 FROM subscriber WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
          [ids],
        );
        const result = await change();
        await this.database.query(STORE_ONLINE, [ids]);
        return result;
      }),
    );
  }
}
