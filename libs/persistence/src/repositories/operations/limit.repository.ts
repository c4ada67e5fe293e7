import type { EnvironmentId } from '@clarion/contracts/core';
import type { Database } from '../../database';
import type { EnvironmentLimit, LimitSource } from '../../entities';
import type { EnvironmentIds } from './usage.repository';

export type LimitValues = Pick<EnvironmentLimit, 'eventsPerSecond' | 'messagesPerDay' | 'renderMsPerSecond'>;

/** Who set each limit that is set. */
export type LimitSources = { [Limit in keyof LimitValues]?: LimitSource | undefined };

export type LimitWithUse = LimitValues & {
  sources: LimitSources;
  environmentId: EnvironmentId;
  environment: string;
  /** Channel steps of notifications that were made today, UTC, without those that were skipped. */
  messagesToday: number;
};

/** A limit, and what the other gateways were asked for. */
export type SharedLimit = LimitWithUse & { otherGateways: number; otherEventsPerSecond: number };

const LISTED = 1_000;

/** A gateway that was not seen for this long shares no limit. */
const SEEN_WITHIN = `interval '5 seconds'`;

/** Of the day that began at midnight UTC: in one of the two tables, as the overview reads them. */
const messagesToday = (environmentId: string): string => `
  (SELECT coalesce(sum(accepted - skipped), 0)::float8 FROM (
     SELECT accepted, skipped FROM outcome_count
      WHERE environment_id = ${environmentId} AND at >= date_trunc('day', now(), 'UTC')
     UNION ALL
     SELECT accepted, skipped FROM outcome_delta
      WHERE environment_id = ${environmentId} AND at >= date_trunc('day', now(), 'UTC')) counts)`;

/** $1 is this gateway, $2 what it was asked for, by environment. Only limits on messages need the count. */
const SHARE = `
WITH seen AS (
  INSERT INTO gateway_process (id, seen_at, events_per_second)
  SELECT $1, now(), $2::jsonb WHERE EXISTS (SELECT 1 FROM environment_limit)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), events_per_second = excluded.events_per_second
), gone AS (
  DELETE FROM gateway_process WHERE seen_at < now() - interval '1 minute' AND id <> $1
), others AS MATERIALIZED (
  SELECT events_per_second FROM gateway_process WHERE id <> $1 AND seen_at > now() - ${SEEN_WITHIN}
)
SELECT l.environment_id, e.name AS environment, l.events_per_second, l.messages_per_day, l.render_ms_per_second,
       l.sources,
       CASE WHEN l.messages_per_day IS NULL THEN 0 ELSE ${messagesToday('l.environment_id')} END AS messages_today,
       (SELECT count(*)::int FROM others) AS other_gateways,
       (SELECT coalesce(sum((events_per_second ->> l.environment_id::text)::float8), 0) FROM others)
         AS other_events_per_second
  FROM environment_limit l JOIN environment e ON e.id = l.environment_id
 ORDER BY l.environment_id`;

/** The limits of environments. They belong to the operator, so no statement here is one of a tenant. */
export class LimitRepository {
  constructor(private readonly database: Database) {}

  list(environmentIds: EnvironmentIds): Promise<LimitWithUse[]> {
    return this.database.asSystem(() =>
      this.database.rows<LimitWithUse>(
        `SELECT e.id AS environment_id, e.name AS environment, l.events_per_second, l.messages_per_day,
                l.render_ms_per_second, coalesce(l.sources, '{}') AS sources,
                ${messagesToday('e.id')} AS messages_today
           FROM environment e LEFT JOIN environment_limit l ON l.environment_id = e.id
          WHERE e.deleted_at IS NULL AND ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[]))
          ORDER BY e.id LIMIT ${LISTED}`,
        [environmentIds ?? null],
      ),
    );
  }

  /** Lets one change of the limits of the environment wait for another, until the transaction ends. */
  async lock(environmentId: EnvironmentId): Promise<void> {
    await this.database.asSystem(() =>
      this.database.query(`SELECT 1 FROM environment WHERE id = $1 FOR NO KEY UPDATE`, [environmentId]),
    );
  }

  /** Replaces all limits of the environment; without any, its row is deleted. */
  async replace(environmentId: EnvironmentId, values: LimitValues, sources: LimitSources): Promise<void> {
    const { eventsPerSecond, messagesPerDay, renderMsPerSecond } = values;
    const isEmpty = eventsPerSecond === null && messagesPerDay === null && renderMsPerSecond === null;
    await this.database.asSystem(() =>
      isEmpty
        ? this.database.query(`DELETE FROM environment_limit WHERE environment_id = $1`, [environmentId])
        : this.database.query(
            `INSERT INTO environment_limit AS l
                    (environment_id, events_per_second, messages_per_day, render_ms_per_second, sources)
             VALUES ($1, $2, $3, $4, $5)
             ON CONFLICT (environment_id) DO UPDATE SET events_per_second = excluded.events_per_second,
               messages_per_day = excluded.messages_per_day, render_ms_per_second = excluded.render_ms_per_second,
               sources = excluded.sources, updated_at = now()`,
            [environmentId, eventsPerSecond, messagesPerDay, renderMsPerSecond, JSON.stringify(sources)],
          ),
    );
  }

  /** The limits on render time, in milliseconds a second, by environment. */
  async renderBudgets(): Promise<Map<string, number>> {
    const rows = await this.database.rows<{ environmentId: string; renderMsPerSecond: number }>(
      `SELECT environment_id, render_ms_per_second FROM environment_limit WHERE render_ms_per_second IS NOT NULL`,
    );
    return new Map(rows.map(({ environmentId, renderMsPerSecond }) => [environmentId, renderMsPerSecond]));
  }

  /** Tells the other gateways what this one was asked for, and reads the limits with what they were asked for. */
  share(gatewayId: string, eventsPerSecond: Record<string, number>): Promise<SharedLimit[]> {
    return this.database.asSystem(() =>
      this.database.rows<SharedLimit>(SHARE, [gatewayId, JSON.stringify(eventsPerSecond)]),
    );
  }
}
