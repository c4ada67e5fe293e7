import type { ActivityStepDto, ErrorGroupDto } from '@clarion/contracts';
import {
  CHANNELS,
  type EnvironmentId,
  groupBy,
  LIMITS,
  type NotificationId,
  type Outcome,
  type Severity,
  type StepStatus,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { leadingRows, readLeading } from '../sql/page-bytes';
import { selectPageIds } from '../sql/pages';
import { type ActivityFilter, type ActivityPage, searchActivity, stepFilter } from './activity-filter';
import { spanOf } from './activity.sql';
import { notificationList } from './notification.repository';
import { barOf, channelSteps, combinedOutcome, countBars, errorGroupOf } from './outcomes.sql';

export type ActivityRowStep = Omit<ActivityStepDto, '_id' | 'stepId' | 'status'> & {
  id: string;
  stepKey: string;
  state: StepStatus;
};

/** A notification as the activity lists it: without payload, details and contents. */
export type ActivityRow = {
  id: NotificationId;
  createdAt: Date;
  severity: Severity;
  topicKeys: string[] | null;
  transactionId: string | null;
  outcome: Outcome;
  subscriber: { id: string; subscriberId: string; name: string | null; email: string | null } | null;
  workflow: { id: string; workflowId: string; name: string } | null;
  steps: ActivityRowStep[] | null;
};

/** `next` is the cursor of the next page; `searched` and `isBounded` say how far a search without an index went. */
type Walk = { next: NotificationId | null; searched: number | null; isBounded: boolean };
export type ActivityRows = Walk & { rows: ActivityRow[] };

/** Steps of one channel and provider that ended for one reason. */
export type ErrorGroup = Omit<ErrorGroupDto, 'firstAt' | 'lastAt' | 'sampleNotificationId' | 'bars'> & {
  firstAt: Date;
  lastAt: Date;
  sampleNotificationId: NotificationId;
  /** How many of them ended in each equal part of the time from `since` until `until`. */
  counts: number[];
  since: Date;
  until: Date;
};

/** What the reader of one environment knows: only what came since, and is not in `known`, is new. */
export type NewsQuestion = {
  environmentId: EnvironmentId;
  since: string;
  known?: string[];
  /** Notifications whose rows are wanted in any case. */
  watched?: string[];
  /** How many rows of new notifications are wanted. */
  newest?: number;
};

/** `fresh` are at most `LIMITS.streamedIds` ids, newest first; `rows` has the newest of them and those watched. */
export type ActivityNews = { fresh: NotificationId[]; rows: ActivityRow[] };

type Edge = { searched: number; isFull: boolean; edge: NotificationId | null };

/** A group, or only the extent of the search if there is none. */
type GroupRow = (ErrorGroup | { [Name in keyof ErrorGroup]: null }) & { notifications: number; walk: Edge | null };
const isGroup = (row: GroupRow): row is GroupRow & ErrorGroup => row.count !== null;

/** Reads the activity for people: many light rows, each page in one statement. */
export class ActivityRepository extends Repository {
  /** Newest first. A page is limited in bytes too. */
  async list(environmentId: EnvironmentId, filter: ActivityFilter, page: ActivityPage): Promise<ActivityRows> {
    const { sql, parameters, toRows } = selectList(environmentId, filter, page, '$1');
    return toRows(await this.database.rows<ListedRow>(leadingRows(sql), parameters));
  }

  /** The same list of several environments, in their order and in one statement, whose bytes they share. */
  async lists(environmentIds: EnvironmentId[], filter: ActivityFilter, page: ActivityPage): Promise<ActivityRows[]> {
    const { sql, parameters, toRows } = selectList(environmentIds[0]!, filter, page, ASKED, CUT_REASON);
    const found = await this.database.rows<ListedRow & { environmentId: EnvironmentId }>(
      `SELECT asked.environment_id, own.* FROM unnest($1::uuid[]) AS asked (environment_id)
        CROSS JOIN LATERAL (${sharedRows(sql, environmentIds.length)}) own`,
      [environmentIds, ...parameters.slice(1)],
    );
    const own = groupBy(found, ({ environmentId }) => environmentId);
    return environmentIds.map((id) => toRows((own.get(id) ?? []).map(({ environmentId: _, ...row }) => row)));
  }

  /** What is new in each environment, in one statement for all of them. */
  async news(questions: NewsQuestion[]): Promise<ActivityNews[]> {
    if (questions.length === 0) return [];
    const list = notificationList(questions[0]!.environmentId, {}, ASKED);
    list.where.push(`t.id > asked.since`, `t.id <> ALL (asked.known)`);
    type NewsRow = ActivityRow & { place: number; fresh: NotificationId[] | null; pageRows?: number };
    const found = await this.database.rows<NewsRow>(
      `SELECT asked.place, own.*
         FROM jsonb_to_recordset($1) AS asked (
           place int, environment_id uuid, since uuid, known uuid[], watched uuid[], newest int)
         CROSS JOIN LATERAL (${sharedRows(
           `
           WITH fresh AS MATERIALIZED (${selectPageIds(list, { offset: 0, limit: LIMITS.streamedIds - 1 })}),
                page AS MATERIALIZED (
                  (SELECT id FROM fresh ORDER BY id DESC LIMIT asked.newest) UNION SELECT unnest(asked.watched))
           SELECT shown.*, CASE row_number() OVER (ORDER BY shown.id DESC)
                           WHEN 1 THEN ARRAY(SELECT id::text FROM fresh ORDER BY id DESC) END AS fresh
             FROM (${selectRows(ASKED, CUT_REASON)}) shown ORDER BY shown.id DESC`,
           questions.length,
         )}) own
        ORDER BY asked.place, own.id DESC`,
      [
        JSON.stringify(
          questions.map(({ environmentId, since, known = [], watched = [], newest }, place) => ({
            place,
            environment_id: environmentId,
            since,
            known,
            watched,
            newest: Math.max(1, newest ?? LIMITS.streamedRows),
          })),
        ),
      ],
    );
    const own = groupBy(found, ({ place }) => String(place));
    return questions.map((_, index) => {
      const { rows } = readLeading(own.get(String(index)) ?? []);
      return { fresh: rows[0]?.fresh ?? [], rows: rows.map(({ place: _place, fresh: _fresh, ...row }) => row) };
    });
  }

  /** The ids of all matches, newest first; undefined when too much of the history had to be read for them. */
  async ids(
    environmentId: EnvironmentId,
    filter: ActivityFilter,
    limit: number,
  ): Promise<{ ids: NotificationId[]; hasMore: boolean } | undefined> {
    const ids: NotificationId[] = [];
    let cursor: NotificationId | undefined;
    for (let searched = 0; searched < LIMITS.bulkActionSearch; searched += LIMITS.searchedHistory) {
      const page = { limit: Math.min(limit - ids.length, LIMITS.searchedHistory), cursor };
      const found = await this.idsOfPage(environmentId, filter, page);
      ids.push(...found.ids);
      if (found.next === null || ids.length >= limit) return { ids, hasMore: found.next !== null };
      cursor = found.next;
    }
    return undefined;
  }

  private async idsOfPage(
    environmentId: EnvironmentId,
    filter: ActivityFilter,
    page: ActivityPage,
  ): Promise<Walk & { ids: NotificationId[] }> {
    const { ids, edge, parameters } = searchActivity(environmentId, filter, page);
    const [row] = await this.database.rows<{ ids: NotificationId[]; walk: Edge | null }>(
      `WITH page AS MATERIALIZED (${ids})${edge ? `, edge AS (${edge})` : ''}
       SELECT ARRAY(SELECT id::text FROM page ORDER BY id DESC) AS ids, ${walkOf(edge, page.limit)} AS walk`,
      parameters,
    );
    const { ids: found, walk } = row!;
    return { ids: found.slice(0, page.limit), ...walkFrom(found, page.limit, walk ?? undefined, edge) };
  }

  /** Of the newest notifications that match; with a filter of outcomes, the steps with one of them. */
  async groups(
    environmentId: EnvironmentId,
    given: ActivityFilter,
    endedSince?: Date,
  ): Promise<{ groups: ErrorGroup[]; searched: number; isBounded: boolean }> {
    const limit = LIMITS.searchedHistory;
    // Each step counts by its own outcome, so that the filter of a group finds the same steps.
    const filter = given.outcomes ? { ...given, channels: given.channels ?? [...CHANNELS] } : given;
    const { ids, edge, parameters } = searchActivity(environmentId, filter, { limit });
    const wanted = stepFilter(filter, parameters) ?? [
      `s.outcome = ANY ($${parameters.push(filter.outcomes ?? ['failed', 'in_doubt', 'skipped'])}::text[])`,
    ];
    const place = (time: Date | undefined): string => `$${parameters.push(time ?? null)}::timestamptz`;
    if (endedSince) wanted.push(`s.updated_at >= ${place(endedSince)}`);
    const rows = await this.database.rows<GroupRow>(
      `WITH page AS MATERIALIZED (${ids})${edge ? `, edge AS (${edge})` : ''}, ended AS MATERIALIZED (
         SELECT n.id AS notification_id, n.subscriber_id, s.*, s.outcome = 'delivered' AS is_delivered
           FROM page CROSS JOIN LATERAL (${notificationOfPage('$1')}) n
          CROSS JOIN LATERAL ${spanOf('n.id')}
          CROSS JOIN LATERAL (${channelSteps()}) s
       ), reached AS MATERIALIZED (
         SELECT notification_id, array_agg(DISTINCT type) AS channels FROM ended WHERE is_delivered GROUP BY 1
       ), counted AS MATERIALIZED (
         SELECT s.* FROM ended s WHERE NOT s.is_delivered AND ${wanted.join(' AND ')}
       ), range AS MATERIALIZED (
         SELECT coalesce(${place(endedSince ?? filter.after)}, min(updated_at)) AS since,
                least(${place(filter.before)}, now()) AS until
           FROM counted
       ), grouped AS (
         SELECT s.reason, s.outcome, nullif(s.provider_id, 'platform') AS provider_id, s.type AS channel, s.code,
                ${errorGroupOf('s')} AS error_group,
                count(*)::int AS count, count(DISTINCT s.subscriber_id)::int AS people,
                count(DISTINCT s.subscriber_id) FILTER (WHERE r.channels <> ARRAY[s.type])::int AS reached_otherwise,
                min(s.updated_at) AS first_at, max(s.updated_at) AS last_at,
                max(s.notification_id::text) AS sample_notification_id, false AS is_replayed, 0 AS recovered,
                ${countBars('s.bar')} AS counts, min(s.since) AS since, min(s.until) AS until
           FROM (SELECT counted.*, range.*, ${barOf('counted.updated_at', 'range')} AS bar
                   FROM counted CROSS JOIN range) s
           LEFT JOIN reached r ON r.notification_id = s.notification_id
          GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY count(*) DESC, last_at DESC LIMIT ${LIMITS.errorGroups}
       )
       SELECT grouped.*, (SELECT count(*)::int FROM page) AS notifications, ${walkOf(edge, limit)} AS walk
         FROM (SELECT 1) one LEFT JOIN grouped ON true`,
      parameters,
    );
    const { notifications, walk } = rows[0]!;
    return {
      groups: rows.filter(isGroup).map(({ notifications: _, walk: __, ...group }) => group),
      searched: walk?.searched ?? Math.min(notifications, limit),
      isBounded: notifications > limit || walk?.isFull === true,
    };
  }
}

type ListedRow = ActivityRow & { walk: Edge | null; pageRows?: number };

/** Lists of several environments show the first words of a reason: one statement reads hundreds of rows of each. */
const CUT_REASON = `CASE WHEN length(s.reason) > ${LIMITS.streamedReason}
  THEN left(s.reason, ${LIMITS.streamedReason}) || '…' ELSE s.reason END`;

/** The leading rows of one environment of several, which share the bytes of a page. */
const sharedRows = (rows: string, environments: number): string =>
  leadingRows(rows, { bytes: Math.floor(LIMITS.pageBytes / environments) });

/** The statement of a page, and how its rows are read; `environment` is SQL. */
function selectList(
  environmentId: EnvironmentId,
  filter: ActivityFilter,
  page: ActivityPage,
  environment: string,
  reason?: string,
): { sql: string; parameters: unknown[]; toRows(found: ListedRow[]): ActivityRows } {
  const { ids, edge, parameters } = searchActivity(environmentId, filter, page, environment);
  return {
    parameters,
    sql: `WITH page AS MATERIALIZED (${ids})${edge ? `, edge AS (${edge})` : ''}
       SELECT shown.*, ${walkOf(edge, page.limit)} AS walk
         FROM (SELECT 1) one LEFT JOIN (${selectRows(environment, reason)}) shown ON true ORDER BY shown.id DESC`,
    toRows(listed) {
      const { rows: found, isCut } = readLeading(listed);
      const rows = found.filter(({ id }) => id !== null).map(({ walk: _, ...row }) => row);
      if (isCut && rows.length <= page.limit) {
        return { rows, next: rows.at(-1)!.id, searched: null, isBounded: false };
      }
      const allIds = rows.map(({ id }) => id);
      return { rows: rows.slice(0, page.limit), ...walkFrom(allIds, page.limit, found[0]?.walk ?? undefined, edge) };
    },
  };
}

/** The environment of a statement about many. */
const ASKED = 'asked.environment_id';

/** The edge of a search, read only if the page is not full: then the search went there. */
const walkOf = (edge: string | undefined, limit: number): string =>
  edge
    ? `CASE WHEN (SELECT count(*) FROM page) <= ${limit} THEN (
         SELECT json_build_object('searched', searched, 'isFull', is_full, 'edge', edge) FROM edge) END`
    : 'NULL::json';

function walkFrom(found: NotificationId[], limit: number, walk: Edge | undefined, edge: string | undefined): Walk {
  if (found.length > limit) return { next: found[limit - 1]!, searched: null, isBounded: false };
  if (!edge || !walk) return { next: null, searched: null, isBounded: false };
  return { next: walk.isFull ? walk.edge : null, searched: walk.searched, isBounded: walk.isFull };
}

/**
 * The notification of a row of `page`. LIMIT lets Postgres plan nothing but one lookup per row. It would otherwise read
 * the steps of every notification first, while the table is small, and join them with the page afterwards.
 */
const notificationOfPage = (environment: string): string =>
  `SELECT * FROM notification WHERE environment_id = ${environment} AND id = page.id LIMIT 1`;

/** The rows of the notifications of `page`. */
const selectRows = (environment: string, reason = 's.reason'): string => `
  SELECT n.id, n.created_at, n.severity, n.topic_keys, shared.transaction_id, steps.outcome, steps.steps,
         to_jsonb(s) AS subscriber, to_jsonb(w) AS workflow
    FROM page
   CROSS JOIN LATERAL (${notificationOfPage(environment)}) n
   CROSS JOIN LATERAL ${spanOf('n.id')}
   CROSS JOIN LATERAL (
     SELECT ${combinedOutcome('s.outcome')} AS outcome,
            json_agg(json_build_object(
              'id', s.id, 'stepKey', s.step_key, 'type', s.type, 'outcome', s.outcome, 'state', s.state,
              'providerId', nullif(s.provider_id, 'platform'), 'reason', ${reason}, 'code', s.code,
              'endedAt', CASE WHEN s.outcome <> 'in_flight' THEN s.updated_at END) ORDER BY s.id) AS steps
       FROM (${channelSteps(environment)}) s) steps
    LEFT JOIN LATERAL (
      SELECT transaction_id FROM trigger
       WHERE environment_id = ${environment} AND id = n.trigger_id LIMIT 1) shared ON true
    LEFT JOIN LATERAL (
      SELECT id, subscriber_id AS "subscriberId", nullif(concat_ws(' ', first_name, last_name), '') AS name, email
        FROM subscriber WHERE environment_id = ${environment} AND id = n.subscriber_id) s ON true
    LEFT JOIN LATERAL (
      SELECT id, workflow_id AS "workflowId", name
        FROM workflow WHERE environment_id = ${environment} AND id = n.workflow_id) w ON true`;
