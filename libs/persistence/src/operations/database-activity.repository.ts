import type { DatabaseActivityDto } from '@clarion/contracts';
import { Repository } from '../connection/repository';
import { IS_CLIENT, OPEN_TRANSACTIONS, SELECT_STANDBYS } from '../connection/inspect-database';

const LISTED = 50;
const LISTED_STATEMENTS = 10;

/** Our statements have parameters. A text in quotation marks is replaced for the case that one has a value in it. */
const WITHOUT_VALUES = `left(regexp_replace(regexp_replace(query, '''[^'']*(''|$)', '?', 'g'), '\\s+', ' ', 'g'), 80)`;

const SECONDS = (since: string): string =>
  `round(extract(epoch FROM clock_timestamp() - ${since})::numeric, 1)::float8`;

export class DatabaseActivityRepository extends Repository {
  /** One statement, also on a standby. It does not count itself among the statements. */
  read(): Promise<DatabaseActivityDto> {
    return this.database.one<DatabaseActivityDto>(
      `WITH activity AS MATERIALIZED (
         SELECT pid, datname = current_database() AS is_here, application_name AS application,
                coalesce(state, 'hidden') AS state, wait_event_type, wait_event, query_start,
                coalesce(xact_start, query_start) AS since, query,
                datname = current_database() AND application_name LIKE 'clarion%' AND pid <> pg_backend_pid()
                  AND state NOT IN ('idle', 'disabled') AS is_at_work
           FROM pg_stat_activity WHERE ${IS_CLIENT}
       ), application AS (
         SELECT application, state, count(*)::int AS connections FROM activity WHERE is_here
          GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${LISTED}
       ), wait AS (
         SELECT wait_event_type AS type, wait_event AS event, count(*)::int AS statements,
                max(${SECONDS('query_start')}) AS "longestSeconds"
           FROM activity WHERE is_at_work AND wait_event IS NOT NULL
          GROUP BY 1, 2 ORDER BY 3 DESC, 1, 2 LIMIT ${LISTED}
       ), statement AS (
         SELECT pid, application, state, ${SECONDS('since')} AS seconds,
                wait_event_type || ': ' || wait_event AS "waitsFor", ${WITHOUT_VALUES} AS query
           FROM activity WHERE is_at_work ORDER BY since LIMIT ${LISTED_STATEMENTS}
       ), open_transaction AS (
         SELECT kind, name, round(seconds::numeric, 1)::float8 AS seconds, transactions FROM (${OPEN_TRANSACTIONS}) o
          ORDER BY o.seconds DESC NULLS LAST, transactions DESC NULLS LAST, name LIMIT ${LISTED}
       )
       SELECT NOT pg_is_in_recovery() AS "isPrimary",
              (SELECT count(*)::int FROM activity) AS connections,
              current_setting('max_connections')::int AS "maxConnections",
              (SELECT coalesce(json_agg(one), '[]') FROM application one) AS applications,
              (SELECT coalesce(json_agg(one), '[]') FROM wait one) AS waits,
              (SELECT coalesce(json_agg(one), '[]') FROM statement one) AS statements,
              (SELECT coalesce(json_agg(one), '[]') FROM open_transaction one) AS "openTransactions",
              (${SELECT_STANDBYS}) AS standbys`,
    );
  }
}
