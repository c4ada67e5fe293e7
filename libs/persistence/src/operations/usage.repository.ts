import type { UsageDto } from '@clarion/contracts';
import { type EnvironmentId, idAtTime, type IntegrationHealth, type UsageGroup } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { GIVEN_BACK } from '../work/account-waits.sql';
import { isClaimedOfMany, LANES, OF_LANE } from '../work/open-work';

/** Of an environment, workflow, integration or channel. Accepted are channel steps; of an integration, ended ones. */
export type Usage = Omit<UsageDto, 'environmentId' | 'oldestDueSeconds' | 'state' | 'stateSince' | 'stateReason'> & {
  environmentId: EnvironmentId | null;
  oldestDueAt: Date | null;
  /** Of an integration that is paused, or whose calls are stopped. */
  health: IntegrationHealth | null;
  /** More work is open, in any row, than was counted. */
  isBounded: boolean;
};

/** The environments whose rows are read; undefined means all. */
export type EnvironmentIds = EnvironmentId[] | undefined;

/** Open rows that are counted at most, over all environments and types. A longer backlog is counted to here. */
const COUNTED_WORK = 200_000;
/** Ended steps that are read to count what integrations did. */
const COUNTED_STEPS = 50_000;
const LISTED_ENVIRONMENTS = 100;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** `$1` are the environments, or NULL for all. An older schema knows no deleted ones. */
export const WANTED = `wanted AS MATERIALIZED (
  SELECT e.id, e.name FROM environment e
   WHERE to_jsonb(e) ->> 'deleted_at' IS NULL AND ($1::uuid[] IS NULL OR e.id = ANY ($1::uuid[]))
)`;

/** The counts since the times `$2`: those that are added up and those that are not yet. */
const COUNTS = `counts AS MATERIALIZED (
  SELECT e.id AS environment_id, c.* FROM wanted e CROSS JOIN LATERAL (
    SELECT at, workflow_id, channel, accepted, failed + in_doubt + replayed AS failed
      FROM outcome_count
     WHERE environment_id = e.id AND at >= $2::timestamptz) c
  UNION ALL
  SELECT d.environment_id, d.at, d.workflow_id, d.channel, d.accepted, d.failed + d.in_doubt + d.replayed
    FROM outcome_delta d JOIN wanted e ON e.id = d.environment_id WHERE d.at >= $2::timestamptz
)`;

const OPEN_STATES = ['due', 'waiting', 'running', 'delayed', 'held'];

/** The open rows of each environment and type, those that are due first and no more than the cap. */
const OPEN = `${LANES}, open AS MATERIALIZED (
  SELECT l.environment_id, l.type, w.workflow_id, w.integration_id, count(*) AS rows, max(l.cap) AS cap,
         ${OPEN_STATES.map((state) => `count(*) FILTER (WHERE state = '${state}') AS ${state}`).join(', ')},
         min(w.since) FILTER (WHERE state = 'due') AS oldest
    FROM (SELECT l.*, greatest(${COUNTED_WORK} / count(*) OVER (), 1000) AS cap
            FROM lanes l JOIN wanted e ON e.id = l.environment_id) l
   CROSS JOIN LATERAL (
     SELECT coalesce(w.workflow_id, CASE WHEN w.type = 'trigger' THEN
              (SELECT t.workflow_id FROM trigger t WHERE t.id = w.trigger_id) END) AS workflow_id,
            coalesce(w.waits_for, (w.progress ->> 'integrationId')::uuid) AS integration_id,
            coalesce(w.waiting_since, w.due_at) AS since,
            CASE WHEN w.hold_id IS NOT NULL THEN 'held' WHEN ${isClaimedOfMany('w')} THEN 'running'
                 WHEN ${GIVEN_BACK} THEN 'waiting'
                 WHEN coalesce(w.waiting_since, w.due_at) > now() THEN 'delayed' ELSE 'due' END AS state
       FROM work w WHERE ${OF_LANE} ORDER BY w.due_at LIMIT l.cap) w
   GROUP BY 1, 2, 3, 4
)`;

const ACCEPTED = `coalesce(sum(accepted) FILTER (WHERE at >= $3::timestamptz), 0) AS accepted1,
                  sum(accepted) AS accepted5, sum(failed) AS failed`;
const OPEN_SUMS = OPEN_STATES.map((state) => `sum(${state}) AS ${state}`).join(', ');
const NOTHING_ACCEPTED = `0 AS accepted1, 0 AS accepted5, 0 AS failed`;
const NOTHING_OPEN = `${OPEN_STATES.map((state) => `0 AS ${state}`).join(', ')}, NULL::timestamptz AS oldest`;

/** The channels are those of all environments together. */
const KEYS: Record<Exclude<UsageGroup, 'integration'>, { counts: string; open: string; name: string }> = {
  environment: {
    counts: 'environment_id, NULL::uuid AS id, NULL AS type',
    open: 'environment_id, NULL::uuid AS id, NULL AS type',
    name: '(SELECT name FROM wanted WHERE wanted.id = f.environment_id)',
  },
  workflow: {
    counts: 'environment_id, workflow_id AS id, NULL AS type',
    open: 'environment_id, workflow_id AS id, NULL AS type',
    name: '(SELECT workflow_id FROM workflow w WHERE w.environment_id = f.environment_id AND w.id = f.id)',
  },
  channel: {
    counts: 'NULL::uuid AS environment_id, NULL::uuid AS id, channel AS type',
    open: 'NULL::uuid AS environment_id, NULL::uuid AS id, type',
    name: 'f.type',
  },
};

/** The parts of a group are added up, ordered by use, and cut to `$6` rows. `$4` and `$5` are lengths in seconds. */
const summed = (figures: string, name: string, health: string): string => `figures AS (
  SELECT environment_id, id, type, sum(accepted1) AS accepted1, sum(accepted5) AS accepted5, sum(failed) AS failed,
         ${OPEN_SUMS}, min(oldest) AS oldest
    FROM (${figures}) f GROUP BY 1, 2, 3
)
SELECT f.environment_id, (SELECT name FROM wanted WHERE wanted.id = f.environment_id) AS environment,
       coalesce(${name}, 'unknown') AS name, f.id, round(f.accepted1 / $4::numeric, 3)::float8 AS accepted_per_second,
       round(f.accepted5 / $5::numeric, 3)::float8 AS accepted_per_second5m,
       coalesce(f.accepted5 / nullif(sum(f.accepted5) OVER (), 0), 0)::float8 AS share, f.failed::int AS failed5m,
       ${OPEN_STATES.map((state) => `f.${state}::int`).join(', ')}, f.oldest AS oldest_due_at, ${health} AS health,
       (SELECT EXISTS (SELECT 1 FROM open GROUP BY environment_id, type HAVING sum(rows) >= max(cap))) AS is_bounded
  FROM figures f ORDER BY f.accepted5 DESC, f.due + f.waiting DESC, name LIMIT $6`;

const byCounts = ({ counts, open, name }: (typeof KEYS)['channel']): string => `
WITH RECURSIVE ${WANTED}, ${COUNTS}, ${OPEN}, ${summed(
  `SELECT ${counts}, ${ACCEPTED}, ${NOTHING_OPEN} FROM counts GROUP BY 1, 2, 3
   UNION ALL
   SELECT ${open}, ${NOTHING_ACCEPTED}, ${OPEN_SUMS}, min(oldest) FROM open GROUP BY 1, 2, 3`,
  name,
  'NULL::jsonb',
)}`;

/** What integrations did is counted from the newest ended steps, `$7` being the smallest id. */
const BY_INTEGRATION = `
WITH RECURSIVE ${WANTED}, ${OPEN}, ended AS MATERIALIZED (
  SELECT s.environment_id, s.integration_id, s.provider_id, minute_of(s.id) AS at, 1 AS accepted,
         (s.state = 'failed')::int AS failed
    FROM step s WHERE s.id >= $7::uuid AND s.environment_id IN (SELECT id FROM wanted)
     AND s.integration_id IS NOT NULL AND $2::timestamptz IS NOT NULL
   ORDER BY s.id DESC LIMIT ${COUNTED_STEPS}
), ${summed(
  `SELECT environment_id, integration_id AS id, NULL AS type, ${ACCEPTED}, ${NOTHING_OPEN} FROM ended GROUP BY 1, 2
   UNION ALL
   SELECT environment_id, integration_id, NULL, ${NOTHING_ACCEPTED}, ${OPEN_SUMS}, min(oldest) FROM open
    WHERE integration_id IS NOT NULL GROUP BY 1, 2
   UNION ALL
   SELECT i.environment_id, i.id, NULL, ${NOTHING_ACCEPTED}, ${NOTHING_OPEN} FROM integration i
    WHERE i.environment_id IN (SELECT id FROM wanted) AND i.active AND NOT i.deleted AND i.health IS NOT NULL`,
  `(SELECT i.provider_id || ' (' || i.identifier || ')' FROM integration i
     WHERE i.environment_id = f.environment_id AND i.id = f.id)`,
  `(SELECT i.health FROM integration i WHERE i.environment_id = f.environment_id AND i.id = f.id)`,
)}`;

/** Who and what uses the system now. One statement for each question. */
export class UsageRepository extends Repository {
  async read(by: UsageGroup, environmentIds: EnvironmentIds, limit: number, now = new Date()): Promise<Usage[]> {
    const minute = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
    const [from1, from5] = [minute - MINUTE_MS, minute - 5 * MINUTE_MS];
    const seconds = (from: number): number => (now.getTime() - from) / 1000;
    const parameters: unknown[] = [
      environmentIds ?? null,
      new Date(from5),
      new Date(from1),
      seconds(from1),
      seconds(from5),
      limit,
    ];
    if (by !== 'integration') return this.database.rows<Usage>(byCounts(KEYS[by]), parameters);
    return this.database.rows<Usage>(BY_INTEGRATION, [...parameters, idAtTime(from5)]);
  }

  /** The environments whose notifications since that time have failed or doubtful steps; the most failures first. */
  withFailures(environmentIds: EnvironmentIds, since: Date): Promise<EnvironmentId[]> {
    return this.database.column<EnvironmentId>(
      `WITH ${WANTED}, ${COUNTS}
       SELECT environment_id FROM counts GROUP BY 1 HAVING sum(failed) > 0
        ORDER BY sum(failed) DESC LIMIT ${LISTED_ENVIRONMENTS}`,
      [environmentIds ?? null, hourOf(since)],
    );
  }

  /** The environments that accepted something since that time, and until the other, the most first. */
  async active(environmentIds: EnvironmentIds, since: Date, until?: Date): Promise<EnvironmentId[]> {
    const from = Date.now() - since.getTime() < HOUR_MS ? new Date(since.getTime() - MINUTE_MS) : hourOf(since);
    return this.database.column<EnvironmentId>(
      `WITH ${WANTED}, ${COUNTS}
       SELECT environment_id FROM counts WHERE $3::timestamptz IS NULL OR at < $3
        GROUP BY 1 ORDER BY sum(accepted) DESC, 1 LIMIT ${LISTED_ENVIRONMENTS}`,
      [environmentIds ?? null, from, until ?? null],
    );
  }
}

/** Older minutes are added up by the hour. */
const hourOf = (time: Date): Date => new Date(Math.floor(time.getTime() / HOUR_MS) * HOUR_MS);
