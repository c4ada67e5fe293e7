import type { EnvironmentId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { EnvironmentLimit, LimitSource } from '../entities';
import type { EnvironmentIds } from '../operations/usage.repository';

export type LimitValues = Pick<EnvironmentLimit, 'eventsPerSecond' | 'messagesPerDay' | 'renderMsPerSecond'>;

/** The limits, and whose use counts for them. */
export type LimitRow = LimitValues & Pick<EnvironmentLimit, 'counts'>;

export type LimitSources = { [Limit in keyof LimitValues]?: LimitSource | undefined };

export type LimitWithUse = LimitRow & {
  sources: LimitSources;
  environmentId: EnvironmentId;
  organizationId: string;
  environment: string;
  /** Channel steps of notifications that were made today, UTC, without those that were skipped; of all that count. */
  messagesToday: number;
};

/** A limit, and what the other gateways were asked for. */
export type SharedLimit = LimitWithUse & { otherGateways: number; otherEventsPerSecond: number };

const LISTED = 1_000;

/** A gateway that was not seen for this long shares no limit. */
const SEEN_WITHIN = `interval '5 seconds'`;

/** Of the day that began at midnight UTC: in one of the two tables, as the overview reads them. */
const MESSAGES_TODAY = `
  (SELECT coalesce(sum(accepted - skipped), 0)::float8
     FROM (SELECT e.id UNION SELECT id FROM environment
            WHERE l.counts = 'organization' AND organization_id = e.organization_id) counted
    CROSS JOIN LATERAL (
      SELECT accepted, skipped FROM outcome_count
       WHERE environment_id = counted.id AND at >= date_trunc('day', now(), 'UTC')
      UNION ALL
      SELECT accepted, skipped FROM outcome_delta
       WHERE environment_id = counted.id AND at >= date_trunc('day', now(), 'UTC')) counts)`;

const COLUMNS = `e.id AS environment_id, e.organization_id, e.name AS environment, l.events_per_second,
       l.messages_per_day, l.render_ms_per_second, coalesce(l.counts, 'environment') AS counts,
       coalesce(l.sources, '{}') AS sources`;

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
SELECT ${COLUMNS}, CASE WHEN l.messages_per_day IS NULL THEN 0 ELSE ${MESSAGES_TODAY} END AS messages_today,
       (SELECT count(*)::int FROM others) AS other_gateways,
       (SELECT coalesce(sum((events_per_second ->> l.environment_id::text)::float8), 0) FROM others)
         AS other_events_per_second
  FROM environment_limit l JOIN environment e ON e.id = l.environment_id
 ORDER BY l.environment_id`;

/** The limits of environments. They belong to the operator, so no statement here is one of a tenant. */
export class LimitRepository extends Repository {
  list(environmentIds: EnvironmentIds): Promise<LimitWithUse[]> {
    return this.database.asSystem(() =>
      this.database.rows<LimitWithUse>(
        `SELECT ${COLUMNS}, ${MESSAGES_TODAY} AS messages_today
           FROM environment e LEFT JOIN environment_limit l ON l.environment_id = e.id
          WHERE e.deleted_at IS NULL AND ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[]))
          ORDER BY e.id LIMIT ${LISTED}`,
        [environmentIds ?? null],
      ),
    );
  }

  /** The limits that apply to the environment: its own, and those that count all of its organization. */
  async applyingTo(environmentId: EnvironmentId): Promise<LimitWithUse[]> {
    return this.database.asSystem(() =>
      this.database.rows<LimitWithUse>(
        `SELECT ${COLUMNS}, ${MESSAGES_TODAY} AS messages_today
           FROM environment own JOIN environment e ON e.organization_id = own.organization_id
           JOIN environment_limit l ON l.environment_id = e.id
          WHERE own.id = $1 AND (e.id = own.id OR l.counts = 'organization') ORDER BY e.id <> own.id, e.id`,
        [environmentId],
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
  async replace(environmentId: EnvironmentId, values: LimitRow, sources: LimitSources): Promise<void> {
    const { eventsPerSecond, messagesPerDay, renderMsPerSecond, counts } = values;
    const isEmpty = eventsPerSecond === null && messagesPerDay === null && renderMsPerSecond === null;
    await this.database.asSystem(() =>
      isEmpty
        ? this.database.query(`DELETE FROM environment_limit WHERE environment_id = $1`, [environmentId])
        : this.database.query(
            `INSERT INTO environment_limit AS l
                    (environment_id, events_per_second, messages_per_day, render_ms_per_second, sources, counts)
             VALUES ($1, $2, $3, $4, $5, $6)
             ON CONFLICT (environment_id) DO UPDATE SET events_per_second = excluded.events_per_second,
               messages_per_day = excluded.messages_per_day, render_ms_per_second = excluded.render_ms_per_second,
               sources = excluded.sources, counts = excluded.counts, updated_at = now()`,
            [environmentId, eventsPerSecond, messagesPerDay, renderMsPerSecond, JSON.stringify(sources), counts],
          ),
    );
  }

  /** The limits on render time, in milliseconds a second, by environment or organization. */
  async renderBudgets(): Promise<Map<string, number>> {
    return renderBudgetsOf(
      await this.database.rows<LimitWithUse>(
        `SELECT ${COLUMNS} FROM environment_limit l JOIN environment e ON e.id = l.environment_id
          WHERE l.render_ms_per_second IS NOT NULL`,
      ),
    );
  }

  /** Tells the other gateways what this one was asked for, and reads the limits with what they were asked for. */
  share(gatewayId: string, eventsPerSecond: Record<string, number>): Promise<SharedLimit[]> {
    return this.database.asSystem(() =>
      this.database.rows<SharedLimit>(SHARE, [gatewayId, JSON.stringify(eventsPerSecond)]),
    );
  }
}

/** Of several limits that count one organization, the lowest. */
export function renderBudgetsOf(rows: LimitWithUse[]): Map<string, number> {
  const budgets = new Map<string, number>();
  for (const { counts, environmentId, organizationId, renderMsPerSecond } of rows) {
    if (renderMsPerSecond === null) continue;
    const id = counts === 'organization' ? organizationId : environmentId;
    budgets.set(id, Math.min(budgets.get(id) ?? Infinity, renderMsPerSecond));
  }
  return budgets;
}
