import { type EnvironmentId, type JsonObject, LIMITS, type SubscriberRowId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { Step } from '../entities';
import { columnsOf, leadingRows, readLeading } from '../sql/page-bytes';
import { SubscriberTraces } from './subscriber-traces';
import type { SuppressibleAddress } from './suppression.repository';
import { entriesBetween } from '../history/log-entries.sql';

/** The rows of each list, in the shape of their entities. */
export type ExportedLists = Record<string, JsonObject[]>;

export type ExportedSubscriber = { id: SubscriberRowId; subscriberId: string; addresses: SuppressibleAddress[] };

/** `next`: the id behind which there are more. */
export type OtherTriggers = { rows: JsonObject[]; next: string | null };

type NamedTriggers = Pick<Awaited<ReturnType<SubscriberTraces['find']>>, 'alone' | 'shared' | 'acted'>;

/** The columns of a trigger that are about its recipient: of several recipients only this one ($3), without secrets. */
const TRIGGER_COLUMNS = `
  t.id, t.transaction_id, t.workflow_id, t.created_at, t.payload, t.overrides, t.controls, t.actor, t.tenant, t.context,
  t.outcome, t.error,
  (SELECT r - 'channels' FROM jsonb_array_elements(t.recipients) r
    WHERE r ->> 'subscriberId' = $3 LIMIT 1) AS recipient`;

const bySubscriber = (table: string): string =>
  `SELECT * FROM ${table} WHERE environment_id = $1 AND subscriber_id = $2 ORDER BY id`;

/** The lists of the first page: $1 is the environment, $2 the row of the subscriber. */
const PROFILE_LISTS: Readonly<Record<string, string>> = {
  topicSubscriptions: `
    SELECT s.*, t.key AS topic_key FROM topic_subscription s JOIN topic t ON t.id = s.topic_id
     WHERE s.environment_id = $1 AND t.environment_id = $1 AND s.subscriber_id = $2 ORDER BY s.id`,
  preferences: bySubscriber('preference'),
  channelConnections: `
    SELECT id, identifier, integration_id, context_keys, workspace, created_at, updated_at FROM channel_connection
     WHERE environment_id = $1 AND subscriber_id = $2 ORDER BY id`,
  channelEndpoints: bySubscriber('channel_endpoint'),
  mirrorDifferences: `
    SELECT * FROM mirror_difference
     WHERE environment_id = $1
       AND subscriber_id = (SELECT subscriber_id FROM subscriber WHERE environment_id = $1 AND id = $2)
     ORDER BY id`,
};

/** The entries with the numbers $2. */
const EVENT_LOG = `
SELECT x.id, x.sequence, x.created_at, x.type, x.data
  FROM unnest($2::bigint[]) AS n (number)
 CROSS JOIN LATERAL (${entriesBetween('$1', 'n.number - 1', 'n.number')}) x ORDER BY x.sequence`;

/** Of the triggers $4, those behind the id $5 without a notification for the subscriber. */
const OTHER_TRIGGERS = `
SELECT ${TRIGGER_COLUMNS} FROM trigger t
 WHERE t.environment_id = $1 AND t.id = ANY ($4::uuid[]) AND ($5::uuid IS NULL OR t.id > $5)
   AND NOT EXISTS (SELECT 1 FROM notification n
                    WHERE n.environment_id = $1 AND n.subscriber_id = $2 AND n.trigger_id = t.id)
 ORDER BY t.id`;

const SUPPRESSIONS = `
SELECT s.* FROM suppression s
 WHERE s.environment_id = $1
   AND ((s.channel, s.address) IN (SELECT * FROM unnest($3::text[], $4::text[]))
        OR s.message_id IN (SELECT id FROM message WHERE environment_id = $1 AND subscriber_id = $2))
 ORDER BY s.id`;

/** The ids of the notifications behind the id $3, newest first, with the bytes of all that belongs to them. */
const SIZES = `
WITH page AS MATERIALIZED (
  SELECT id, step_id(id, 254) AS last, trigger_id, octet_length(n::text) AS bytes FROM notification n
   WHERE environment_id = $1 AND subscriber_id = $2 AND ($3::uuid IS NULL OR id < $3) ORDER BY id DESC LIMIT $4
), messages AS MATERIALIZED (
  SELECT notification_of(step_id) AS id, sum(octet_length(m::text)) AS bytes FROM message m
   WHERE environment_id = $1 AND subscriber_id = $2 AND notification_of(step_id) = ANY (ARRAY(SELECT id FROM page))
   GROUP BY 1
)
SELECT page.id,
       (page.bytes + coalesce(messages.bytes, 0)
        + coalesce((SELECT octet_length(t::text) FROM trigger t
                     WHERE t.environment_id = $1 AND t.id = page.trigger_id LIMIT 1), 0)
        + coalesce((SELECT sum(octet_length(s::text)) FROM step s
                     WHERE s.environment_id = $1 AND s.id > page.id AND s.id <= page.last), 0)
        + coalesce((SELECT sum(octet_length(d::text)) FROM execution_detail d
                     WHERE d.environment_id = $1 AND d.notification_id = page.id), 0))::float8 AS bytes
  FROM page LEFT JOIN messages ON messages.id = page.id ORDER BY page.id DESC`;

const NOTIFICATIONS = `
SELECT * FROM notification WHERE environment_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id DESC`;

/** The events of a digest are triggers of the subscriber, too. */
const STEP_COLUMNS = columnsOf(Step).map((column) =>
  column === 'digest'
    ? `CASE WHEN octet_length(s.digest::text) > ${LIMITS.pageBytes}
            THEN (s.digest - 'events') || '{"eventsLeftOut": true}' ELSE s.digest END AS digest`
    : `s."${column}"`,
);

const SPANS = `spans AS MATERIALIZED (
  SELECT id, step_id(id, 254) AS last, trigger_id, subscriber_id FROM notification
   WHERE environment_id = $1 AND id = ANY ($2::uuid[])
)`;

/** What belongs to the notifications $2 of a page. */
const HISTORY_LISTS: Readonly<Record<string, string>> = {
  triggers: `WITH ${SPANS}
    SELECT ${TRIGGER_COLUMNS} FROM trigger t
     WHERE t.environment_id = $1 AND t.id = ANY (ARRAY(SELECT trigger_id FROM spans)) ORDER BY t.id`,
  steps: `WITH ${SPANS}
    SELECT ${STEP_COLUMNS.join(', ')} FROM spans JOIN step s ON s.id > spans.id AND s.id <= spans.last
     WHERE s.environment_id = $1 ORDER BY s.id`,
  openSteps: `WITH ${SPANS}
    SELECT w.id, w.due_at, w.type, w.step_key, w.progress
      FROM spans JOIN work w ON w.id > spans.id AND w.id <= spans.last
     WHERE w.environment_id = $1 AND w.type <> 'trigger' ORDER BY w.id`,
  executionDetails: `WITH ${SPANS}
    SELECT d.* FROM spans JOIN execution_detail d ON d.notification_id = spans.id
     WHERE d.environment_id = $1 ORDER BY d.id`,
  messages: `WITH ${SPANS}
    SELECT m.* FROM message m
     WHERE m.environment_id = $1 AND m.subscriber_id = (SELECT subscriber_id FROM spans LIMIT 1)
       AND notification_of(m.step_id) = ANY (ARRAY(SELECT id FROM spans)) ORDER BY m.id`,
};

export class SubscriberExportRepository extends Repository {
  private readonly traces = new SubscriberTraces(this.database);

  /** What the first page has beside the channels. The fields of endpoints are ciphertext. */
  async profile(
    environmentId: EnvironmentId,
    subject: ExportedSubscriber,
  ): Promise<{ lists: ExportedLists; truncated: string[]; others: OtherTriggers }> {
    const { id, subscriberId, addresses } = subject;
    const lists: ExportedLists = {};
    const truncated: string[] = [];
    const read = async (name: string, sql: string, parameters: unknown[]): Promise<void> => {
      const { rows, isCut } = await this.leading(sql, parameters);
      if (isCut) truncated.push(name);
      lists[name] = rows;
    };
    for (const [name, sql] of Object.entries(PROFILE_LISTS)) await read(name, sql, [environmentId, id]);
    const traces = await this.traces.find(environmentId, subscriberId);
    await read('eventLog', EVENT_LOG, [environmentId, traces.entries]);
    const others = await this.otherTriggers(environmentId, subject, undefined, traces);
    const [channels, texts] = [addresses.map(({ channel }) => channel), addresses.map(({ address }) => address)];
    await read('suppressions', SUPPRESSIONS, [environmentId, id, channels, texts]);
    return { lists, truncated, others };
  }

  /** Triggers behind `after` that name the subscriber but made no notification for it. */
  async otherTriggers(
    environmentId: EnvironmentId,
    { id, subscriberId }: ExportedSubscriber,
    after?: string,
    traces?: NamedTriggers,
  ): Promise<OtherTriggers> {
    const { alone, shared, acted } = traces ?? (await this.traces.find(environmentId, subscriberId));
    const named = [...alone, ...shared, ...acted];
    const { rows, isCut } = await this.leading(OTHER_TRIGGERS, [environmentId, id, subscriberId, named, after ?? null]);
    return { rows, next: isCut ? (rows.at(-1)!['id'] as string) : null };
  }

  private async leading(sql: string, parameters: unknown[]): Promise<{ rows: JsonObject[]; isCut: boolean }> {
    const found = await this.database.rows<JsonObject & { pageRows?: number }>(
      leadingRows(`${sql} LIMIT ${LIMITS.exportedRows + 1}`),
      parameters,
    );
    const { rows, isCut } = readLeading<JsonObject>(found);
    return { rows: rows.slice(0, LIMITS.exportedRows), isCut: isCut || rows.length > LIMITS.exportedRows };
  }

  /** Notifications older than `after`, newest first, with all that belongs to them: as many as fit on a page. */
  async history(
    environmentId: EnvironmentId,
    { id, subscriberId }: ExportedSubscriber,
    after: string | undefined,
  ): Promise<{ lists: ExportedLists; next: string | null }> {
    const limit = LIMITS.exportedNotifications;
    const sizes = await this.database.rows<{ id: string; bytes: number }>(SIZES, [
      environmentId,
      id,
      after ?? null,
      limit + 1,
    ]);
    let left = LIMITS.pageBytes;
    const fitting = sizes.slice(0, limit).findIndex(({ bytes }, index) => (left -= bytes) < 0 && index > 0);
    const ids = sizes.slice(0, fitting < 0 ? limit : fitting).map((row) => row.id);
    const lists: ExportedLists = {
      notifications: await this.database.rows<JsonObject>(NOTIFICATIONS, [environmentId, ids]),
    };
    for (const [name, sql] of Object.entries(HISTORY_LISTS)) {
      const parameters = usedParameters(sql, [environmentId, ids, subscriberId]);
      lists[name] = await this.database.rows<JsonObject>(sql, parameters);
    }
    const messageIds = lists['messages']!.map((row) => row['id']);
    // Without the content: it is that of the message, but with the secrets of the environment.
    lists['outbox'] = await this.database.rows<JsonObject>(
      `SELECT id, channel, provider_id, "to", created_at FROM outbox
        WHERE environment_id = $1 AND id = ANY ($2::uuid[]) ORDER BY id`,
      [environmentId, messageIds],
    );
    return { lists, next: sizes.length > ids.length ? ids.at(-1)! : null };
  }
}

/** Postgres refuses a parameter that the statement does not use. */
const usedParameters = (sql: string, parameters: [unknown, unknown, unknown]): unknown[] =>
  parameters.slice(0, sql.includes('$3') ? 3 : 2);
