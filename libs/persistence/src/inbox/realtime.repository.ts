import { type EnvironmentId, LIMITS, type Severity, SEVERITIES, type SubscriberRowId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Subscriber } from '../entities';
import { leadingPages, leadingRows } from '../sql/page-bytes';
import type { InboxMessage } from './inbox.repository';
import { columnArrays } from '../sql/column-arrays';

/** The inbox of one subscriber in exactly these contexts, which are sorted. */
export type WatchedInbox = { environmentId: EnvironmentId; subscriberId: SubscriberRowId; contextKeys: string[] };

/** A message that came into an inbox: the same one comes again when its snooze ends. */
export type Arrival = { id: string; createdAt: Date };

/** `isGone`: the subscriber or its environment was deleted. */
export type ArrivalPage = { arrivals: Arrival[]; hasMore: boolean; isGone: boolean };

export type RealtimeMessage = Omit<InboxMessage, 'payload' | 'overrides'> & {
  to: Pick<Subscriber, 'id' | 'subscriberId' | 'firstName' | 'lastName' | 'avatar'>;
};

export type InboxCounts = { unread: number; unseen: number; severity: Record<Severity, number> };

const MESSAGES_AT_ONCE = 500;
/** Messages that one read of one inbox returns. */
const PAGE = 100;
/** One more than what is shown tells that there are more. */
const COUNTED = LIMITS.inboxCount + 1;

const hasSameContexts = `(CASE WHEN cardinality(t.contexts) = 0 THEN m.context_keys IS NULL OR m.context_keys = '{}'
       ELSE m.context_keys @> t.contexts AND m.context_keys <@ t.contexts END)`;

/** The inboxes $1 to $3 as `t`: environment, subscriber and contexts, which are JSON because arrays are rectangular. */
const INBOXES = `(
  SELECT environment_id, subscriber_id, position, ARRAY(SELECT jsonb_array_elements_text(keys)) AS contexts
    FROM unnest($1::uuid[], $2::uuid[], $3::jsonb[]) WITH ORDINALITY
      AS given (environment_id, subscriber_id, keys, position)) t`;

const VISIBLE = `m.environment_id = t.environment_id AND m.subscriber_id = t.subscriber_id AND m.channel = 'in_app'
      AND m.snoozed_until IS NULL AND ${hasSameContexts}`;

const MESSAGES = leadingRows(`
SELECT m.*, notification_of(m.step_id) AS notification_id, coalesce(m.cta, '{}') AS cta, g.transaction_id,
       w.workflow_id AS workflow_identifier, w.name AS workflow_name, w.severity AS workflow_severity,
       jsonb_build_object('id', s.id, 'subscriberId', s.subscriber_id, 'firstName', s.first_name,
         'lastName', s.last_name, 'avatar', s.avatar) AS to
  FROM message m
  JOIN subscriber s ON s.id = m.subscriber_id AND s.environment_id = m.environment_id
  LEFT JOIN workflow w ON w.environment_id = m.environment_id AND w.id = m.workflow_id
  LEFT JOIN LATERAL (
    SELECT transaction_id FROM trigger
     WHERE environment_id = m.environment_id AND id = m.trigger_id LIMIT 1) g ON true
 WHERE m.id = ANY ($1::uuid[]) AND m.channel = 'in_app' AND m.snoozed_until IS NULL
 ORDER BY m.created_at, m.id`);

/** Reads for many inboxes at once. Each row is joined to the environment and subscriber of its inbox. */
export class RealtimeRepository extends Repository {
  now(): Promise<Date> {
    return this.database.value<Date>(`SELECT now()::timestamptz(3) AS now`);
  }

  /** The messages with these ids that inboxes show, each with its subscriber, in pages that are limited in bytes. */
  async *messages(ids: string[]): AsyncGenerator<RealtimeMessage[]> {
    const read = (left: string[]) => this.database.apart(() => this.database.rows<RealtimeMessage>(MESSAGES, [left]));
    for (let at = 0; at < ids.length; at += MESSAGES_AT_ONCE) {
      yield* leadingPages(ids.slice(at, at + MESSAGES_AT_ONCE), read, ({ id }) => id);
    }
  }

  /** Which messages came into each inbox after its time: the oldest first, a page for each. */
  async arrivals(inboxes: (WatchedInbox & { since: Date })[]): Promise<{ now: Date; pages: ArrivalPage[] }> {
    const rows = await this.database.apart(() =>
      this.database.query<{
        now: Date;
        position: number;
        isGone: boolean;
        ids: string[] | null;
        times: Date[] | null;
      }>(
        `SELECT now()::timestamptz(3) AS now, t.position::int, found.ids, found.times,
                NOT EXISTS (SELECT 1 FROM subscriber s JOIN environment e ON e.id = s.environment_id
                             WHERE s.id = t.subscriber_id AND s.environment_id = t.environment_id
                               AND e.deleted_at IS NULL) AS "isGone"
           FROM ${INBOXES} JOIN unnest($4::timestamptz[]) WITH ORDINALITY AS times (since, position) USING (position)
           LEFT JOIN LATERAL (
             SELECT array_agg(page.id) AS ids, array_agg(page.created_at) AS times FROM (
               SELECT m.id, m.created_at FROM message m
                WHERE ${VISIBLE} AND m.created_at > times.since AND NOT m.archived
                ORDER BY m.created_at, m.id LIMIT ${PAGE + 1}) page) found ON true`,
        [...columnsOf(inboxes), inboxes.map(({ since }) => since)],
      ),
    );
    const pages: ArrivalPage[] = inboxes.map(() => ({ arrivals: [], hasMore: false, isGone: true }));
    for (const { position, ids, times, isGone } of rows) {
      const arrivals = (ids ?? []).map((id, index) => ({ id, createdAt: times![index]! }));
      pages[position - 1] = { arrivals: arrivals.slice(0, PAGE), hasMore: arrivals.length > PAGE, isGone };
    }
    return { now: rows[0]!.now, pages };
  }

  /** Unread and unseen messages of each inbox. Each number stops at one more than what is shown. */
  async counts(inboxes: WatchedInbox[]): Promise<InboxCounts[]> {
    const severities = SEVERITIES.map((severity) => `count(*) FILTER (WHERE severity = '${severity}')::int`);
    const rows = await this.database.apart(() =>
      this.database.query<{ position: number; unread: number; unseen: number; severities: number[] }>(
        `SELECT t.position::int, counted.* FROM ${INBOXES} CROSS JOIN LATERAL (
           SELECT count(*)::int AS unread, count(*) FILTER (WHERE NOT seen)::int AS unseen,
                  ARRAY[${severities.join(', ')}] AS severities
             FROM (SELECT m.seen, m.severity FROM message m
                    WHERE ${VISIBLE} AND NOT m.read ORDER BY m.created_at DESC LIMIT ${COUNTED}) unread) counted`,
        columnsOf(inboxes),
      ),
    );
    const counts = new Map(rows.map((row) => [row.position - 1, row]));
    return inboxes.map((_, index) => {
      const { unread, unseen, severities } = counts.get(index)!;
      return { unread, unseen, severity: Object.fromEntries(SEVERITIES.map((name, at) => [name, severities[at]!])) };
    }) as InboxCounts[];
  }
}

const columnsOf = (inboxes: WatchedInbox[]): unknown[] => [
  ...columnArrays(inboxes, 'environmentId', 'subscriberId'),
  inboxes.map(({ contextKeys }) => JSON.stringify(contextKeys)),
];
