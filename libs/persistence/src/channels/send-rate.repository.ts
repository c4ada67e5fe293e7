import { Repository } from '../connection/repository';

/** The next calls of an integration: how many, and at most how many a second. */
export type RateRequest = { integrationId: string; count: number; perSecond: number };

/** A later end is from before the clock of the database was set back, for example by a failover. */
const LATEST_START = `clock_timestamp() + interval '5 minutes'`;

/** The time goes on where the last reservation ended, or now. Rows are locked in one order. */
const RESERVE = `
WITH request AS MATERIALIZED (
  SELECT *, clock_timestamp() AS now
    FROM unnest($1::uuid[], $2::float8[], $3::float8[]) AS r (integration_id, seconds, per_second)
   ORDER BY integration_id
)
INSERT INTO send_rate AS s (integration_id, starts_at, ends_at, per_second)
SELECT integration_id, now, now + seconds * interval '1 second', per_second FROM request
ON CONFLICT (integration_id) DO UPDATE SET
  starts_at = least(greatest(s.ends_at, clock_timestamp()), ${LATEST_START}),
  per_second = excluded.per_second,
  ends_at = least(greatest(s.ends_at, clock_timestamp()), ${LATEST_START}) + (excluded.ends_at - excluded.starts_at)
RETURNING integration_id AS "integrationId",
          extract(epoch FROM starts_at - clock_timestamp())::float8 * 1000 AS "startsInMs"`;

/** How all workers share the limits of integrations on messages a second. */
export class SendRateRepository extends Repository {
  /** Returns in how many milliseconds each part begins. The requests name different integrations. */
  async reserve(requests: RateRequest[]): Promise<number[]> {
    const rows = await this.database.query<{ integrationId: string; startsInMs: number }>(RESERVE, [
      requests.map(({ integrationId }) => integrationId),
      requests.map(({ count, perSecond }) => count / perSecond),
      requests.map(({ perSecond }) => perSecond),
    ]);
    const startOf = new Map(rows.map(({ integrationId, startsInMs }) => [integrationId, startsInMs]));
    return requests.map(({ integrationId }) => Math.max(0, startOf.get(integrationId)!));
  }
}
