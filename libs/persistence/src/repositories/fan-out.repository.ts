import {
  type EnvironmentId,
  executionDetail,
  type Json,
  type JsonObject,
  type NotificationId,
  type ProviderId,
  type Severity,
  type StepId,
  type StepType,
  type SubscriberRowId,
  type SubscriptionPreferences,
  type TraceContext,
  type TriggerId,
} from '@clarion/contracts/core';
import type { Database } from '../database';
import type { NotificationTopic, TriggerState } from '../entities';
import { OFFER_MS, TRIGGER_LEASE_MS } from '../leases';
import { withPartitions } from '../partitions';
import { textOf } from './detail-text';
import { byId } from './ids-with-bounds';
import type { SubscriberProfile } from './subscriber.repository';

/** How far the walk over the members of topics, or over all subscribers, has come. */
export type FanOutCursor = { after: string };

/** A trigger that is ours until its lease ends. `fence` proves it: whoever claims it later has a higher one. */
export type ClaimedTrigger = {
  id: TriggerId;
  environmentId: EnvironmentId;
  transactionId: string;
  workflowId: string;
  workflowVersion: number;
  workflowUpdatedAt: Date;
  recipients: JsonObject[];
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: Json;
  tenant: string | null;
  context: JsonObject | null;
  cursor: FanOutCursor | null;
  fence: number;
  /** Claims since the last one that ended well, this one included. */
  crashCount: number;
  createdAt: Date;
  trace: TraceContext | null;
};

export type RecipientInput = {
  environmentId: EnvironmentId;
  subscriberId: string;
  newId: SubscriberRowId;
  profile: SubscriberProfile;
  /** The one who did it, of whom templates tell: the stored profile is wanted. */
  isActor?: boolean;
};
export type Recipient = {
  environmentId: EnvironmentId;
  subscriberId: string;
  id: SubscriberRowId;
  avatar: string | null;
  /** Of an actor, without what is not there. */
  profile?: JsonObject | null;
};

export type Member = {
  id: SubscriberRowId;
  subscriberId: string;
  topics: NotificationTopic[];
  /** Of each of the member's subscriptions to the topics; null where a subscription has none. */
  preferences: (SubscriptionPreferences | null)[];
  /** Of members whose subscriptions may have rules about it. */
  profile?: JsonObject | null;
};
export type MemberPage = { members: Member[]; cursor: FanOutCursor | null };

export type NewNotification = {
  id: NotificationId;
  triggerId: TriggerId;
  subscriberId: SubscriberRowId;
  to: JsonObject;
  topics?: NotificationTopic[];
  topicKeys?: string[];
};

/** The first step of a notification is queued, or handed on to the engine; the others wait for the one before them. */
export type NewStep = {
  id: StepId;
  triggerId: TriggerId;
  notificationId: NotificationId;
  subscriberId: SubscriberRowId;
  position: number;
  stepKey: string;
  type: StepType;
  providerId: ProviderId;
  state: 'queued' | 'pending';
  nextStepId?: StepId;
  overrides?: JsonObject;
  /** The id of its "Step queued" detail, when it gets one. */
  detailId?: string;
};

/** What all notifications of a trigger have in common, and where the trigger stands after this page. */
export type TriggerProgress = {
  id: TriggerId;
  fence: number;
  state: Extract<TriggerState, 'running' | 'done' | 'failed'>;
  cursor?: FanOutCursor | null;
  error?: string;
  actor?: Json;
  channels: StepType[];
  tags: string[];
  severity: Severity;
  critical: boolean;
  contextKeys?: string[];
};

export type StepWarning = { stepId: StepId; raw: string };

export type FanOutPage = { triggers: TriggerProgress[]; notifications: NewNotification[]; steps: NewStep[] };

/** Of a trigger or a notification; null when it has none. */
export const TRACE = (row: string): string =>
  `CASE WHEN ${row}.traceparent IS NOT NULL
        THEN json_build_object('traceparent', ${row}.traceparent, 'tracestate', ${row}.tracestate) END`;

/** From accepted triggers to notifications with their steps. Every method is one statement, whatever the number of rows. */
export class FanOutRepository {
  constructor(private readonly database: Database) {}

  /**
   * (`'' || state`: see BY_ID of the steps.)
   * What another process holds, or has finished, is left out. So is, unless it is asked for alone, a trigger whose last
   * holder died: it may have been the cause, and must not take others with it again (see `suspects`).
   */
  claim(triggerIds: TriggerId[], alone = false): Promise<ClaimedTrigger[]> {
    return this.database
      .prepared<Record<string, unknown>>(
        'claim-triggers',
        `WITH picked AS MATERIALIZED (
           SELECT id FROM trigger
            WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND '' || state IN ('accepted', 'running') AND (lease_until IS NULL OR lease_until <= now())
              AND (crash_count = 0 OR $4)
            ORDER BY id FOR UPDATE SKIP LOCKED
         ), claimed AS (
           UPDATE trigger t SET fence = t.fence + 1, crash_count = t.crash_count + 1, lease_until = now() + interval '${TRIGGER_LEASE_MS} milliseconds'
             FROM picked WHERE t.id = picked.id
           RETURNING t.id, t.environment_id, t.transaction_id, t.workflow_id, t.workflow_version, t.recipients, t.payload,
                     t.overrides, t.actor, t.tenant, t.context, t.cursor, t.fence, t.crash_count, t.created_at,
                     t.traceparent, t.tracestate
         )
         SELECT c.id, c.environment_id AS "environmentId", c.transaction_id AS "transactionId", c.workflow_id AS "workflowId",
                c.workflow_version AS "workflowVersion", w.updated_at AS "workflowUpdatedAt", c.recipients, c.payload,
                c.overrides, c.actor, c.tenant, c.context, c.cursor, c.fence, c.crash_count AS "crashCount",
                c.created_at AS "createdAt", ${TRACE('c')} AS trace
           FROM claimed c JOIN workflow w ON w.id = c.workflow_id
          ORDER BY c.id`,
        [...byId(triggerIds), alone],
      )
      .then((rows) => rows as unknown as ClaimedTrigger[]);
  }

  /** Of these triggers, the ones to be claimed one at a time. */
  async suspects(triggerIds: TriggerId[]): Promise<TriggerId[]> {
    const rows = await this.database.query<{ id: TriggerId }>(
      `SELECT id FROM trigger
        WHERE id = ANY ($1::uuid[]) AND state IN ('accepted', 'running') AND crash_count > 0
          AND (lease_until IS NULL OR lease_until <= now())`,
      [triggerIds],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Subscribers by their caller's id, of any number of environments: made where they are missing, updated where a given
   * field differs, only read where nothing changes. Written in the order of ids, so that two batches with the same
   * recipients follow each other instead of deadlocking.
   */
  async resolve(recipients: RecipientInput[]): Promise<Recipient[]> {
    if (recipients.length === 0) return [];
    return this.database.prepared<Recipient>(
      'resolve-recipients',
      `WITH input AS MATERIALIZED (
         SELECT i.*, s.id AS known,
                s.id IS NULL OR (i.profile IS NOT NULL AND i.profile <> '{}' AND NOT to_jsonb(s) @> ${RENAMED}) AS changes
           FROM json_to_recordset($1::json) AS i ("environmentId" uuid, "subscriberId" text, "newId" uuid, profile jsonb)
           LEFT JOIN subscriber s ON s.environment_id = i."environmentId" AND s.subscriber_id = i."subscriberId"
       ), made AS (
         INSERT INTO subscriber AS t (id, environment_id, subscriber_id, first_name, last_name, email, phone, avatar, locale,
                                      timezone, data)
         SELECT "newId", "environmentId", "subscriberId", profile ->> 'firstName', profile ->> 'lastName',
                profile ->> 'email', profile ->> 'phone', profile ->> 'avatar', profile ->> 'locale', profile ->> 'timezone',
                nullif(profile -> 'data', 'null')
           FROM input WHERE known IS NULL ORDER BY "environmentId", "subscriberId"
         -- Somebody made it a moment ago: what is given here comes on top.
         ON CONFLICT (environment_id, subscriber_id) DO UPDATE SET ${PROFILE.map(({ column }) => `${column} = coalesce(excluded.${column}, t.${column})`).join(', ')}
         RETURNING t.*
       ), changed AS (
         UPDATE subscriber t SET ${PROFILE.map(({ column, value }) => `${column} = ${value}`).join(', ')},
                updated_at = now(), version = t.version + 1
           FROM input i WHERE t.id = i.known AND i.changes
         RETURNING t.*
       ), resolved AS (
         SELECT * FROM made UNION ALL SELECT * FROM changed
         UNION ALL
         SELECT s.* FROM input JOIN subscriber s ON s.id = input.known WHERE NOT changes
       )
       SELECT environment_id AS "environmentId", subscriber_id AS "subscriberId", id, avatar,
              CASE WHEN subscriber_id = ANY ($2::text[]) THEN ${SHOWN_PROFILE} END AS profile
         FROM resolved`,
      [JSON.stringify(recipients), recipients.filter(({ isActor }) => isActor).map(({ subscriberId }) => subscriberId)],
    );
  }

  /** The next members of the topics, each once however many subscriptions it has, without the ones left out. */
  async topicMembers(
    environmentId: EnvironmentId,
    topicKeys: string[],
    cursor: FanOutCursor | null,
    leftOut: string[],
    limit: number,
  ): Promise<MemberPage> {
    const rows = await this.database.prepared<Member & { last: string }>(
      'topic-members',
      `WITH topics AS MATERIALIZED (
         SELECT id, key FROM topic WHERE environment_id = $1 AND key = ANY ($2::text[])
       ), page AS MATERIALIZED (
         SELECT DISTINCT m.subscriber_id
           FROM topics CROSS JOIN LATERAL (
             SELECT subscriber_id FROM topic_subscription
              WHERE topic_id = topics.id AND subscriber_id > $3::uuid ORDER BY subscriber_id LIMIT $4) m
          ORDER BY 1 LIMIT $4
       ), subscriptions AS (
         SELECT ts.subscriber_id, jsonb_agg(DISTINCT jsonb_build_object('_topicId', topics.id, 'topicKey', topics.key)) AS topics,
                jsonb_agg(ts.preferences) AS preferences
           FROM page JOIN topic_subscription ts ON ts.subscriber_id = page.subscriber_id
           JOIN topics ON topics.id = ts.topic_id
          GROUP BY 1
       )
       SELECT s.id, s.subscriber_id AS "subscriberId", t.topics, t.preferences,
              CASE WHEN t.preferences <> '[null]' THEN ${SHOWN_PROFILE} END AS profile,
              CASE WHEN (SELECT count(*) FROM page) = $4 THEN (SELECT max(subscriber_id::text) FROM page) END AS last
         FROM subscriptions t JOIN subscriber s ON s.id = t.subscriber_id AND s.environment_id = $1
        ORDER BY s.id`,
      [environmentId, topicKeys, cursor?.after ?? NO_ID, limit],
    );
    return toMemberPage(rows, leftOut);
  }

  /** The next subscribers of the environment. */
  async subscribers(
    environmentId: EnvironmentId,
    cursor: FanOutCursor | null,
    leftOut: string[],
    limit: number,
  ): Promise<MemberPage> {
    const rows = await this.database.prepared<Member & { last: string }>(
      'all-subscribers',
      `WITH page AS MATERIALIZED (
         SELECT id, subscriber_id FROM subscriber WHERE environment_id = $1 AND id > $2::uuid ORDER BY id LIMIT $3
       )
       SELECT id, subscriber_id AS "subscriberId", '[]'::jsonb AS topics, '[]'::jsonb AS preferences,
              CASE WHEN (SELECT count(*) FROM page) = $3 THEN (SELECT max(id::text) FROM page) END AS last
         FROM page ORDER BY id`,
      [environmentId, cursor?.after ?? NO_ID, limit],
    );
    return toMemberPage(rows, leftOut);
  }

  /**
   * A page of notifications with their steps and the trigger's progress, all or nothing. A trigger whose fence has moved
   * on belongs to somebody else by now: nothing of it is written. Returns the triggers that were.
   */
  async commit(page: FanOutPage): Promise<Set<string>> {
    const rows = await withPartitions(this.database, () =>
      this.database.prepared<{ id: string }>('commit-fan-out', COMMIT, [
        JSON.stringify(page.triggers),
        JSON.stringify(page.notifications),
        JSON.stringify(page.steps),
        ...textOf(executionDetail('stepQueued')),
      ]),
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives triggers back that nobody has begun with, so that another process can take them at once. */
  async release(triggers: { id: TriggerId; fence: number }[]): Promise<void> {
    if (triggers.length === 0) return;
    await this.database.query(
      `UPDATE trigger t SET lease_until = NULL, offered_until = NULL, crash_count = greatest(crash_count - 1, 0)
         FROM unnest($1::uuid[], $2::int[]) AS i (id, fence) WHERE t.id = i.id AND t.fence = i.fence`,
      [triggers.map(({ id }) => id), triggers.map(({ fence }) => fence)],
    );
  }

  /** Something on the side went wrong, which the record of the step should tell. */
  async warn(warnings: StepWarning[], detail: string): Promise<void> {
    await this.database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, source, raw)
       SELECT uuid_v7(), t.environment_id, t.notification_id, t.id, 'Warning', $3, 'Payload', i.raw
         FROM unnest($1::uuid[], $2::text[]) AS i (step_id, raw) JOIN step t ON t.id = i.step_id`,
      [warnings.map(({ stepId }) => stepId), warnings.map(({ raw }) => raw), detail],
    );
  }

  /** At most once in a while per workflow: a busy one would otherwise be written without end. */
  async markTriggered(workflowIds: string[]): Promise<void> {
    await this.database.query(
      `UPDATE workflow SET last_triggered_at = now()
        WHERE id = ANY ($1) AND (last_triggered_at IS NULL OR last_triggered_at < now() - interval '1 minute')`,
      [workflowIds],
    );
  }
}

/** Of a subscriber, without what is not there. */
const SHOWN_PROFILE = `jsonb_strip_nulls(jsonb_build_object(
                'firstName', first_name, 'lastName', last_name, 'email', email, 'phone', phone, 'avatar', avatar,
                'locale', locale, 'timezone', timezone, 'data', data))`;

const NO_ID = '00000000-0000-0000-0000-000000000000';

/** The profile with the names of the columns, to be compared with the row. */
const RENAMED = `(
  SELECT coalesce(jsonb_object_agg(CASE key WHEN 'firstName' THEN 'first_name' WHEN 'lastName' THEN 'last_name' ELSE key END, value), '{}')
    FROM jsonb_each(i.profile))`;

/** A field that was given replaces the stored one, also when it was given as null. */
const PROFILE = [
  ...Object.entries({
    first_name: 'firstName',
    last_name: 'lastName',
    email: 'email',
    phone: 'phone',
    avatar: 'avatar',
    locale: 'locale',
    timezone: 'timezone',
  }).map(([column, field]) => ({
    column,
    value: `CASE WHEN i.profile ? '${field}' THEN i.profile ->> '${field}' ELSE t.${column} END`,
  })),
  { column: 'data', value: `CASE WHEN i.profile ? 'data' THEN nullif(i.profile -> 'data', 'null') ELSE t.data END` },
];

function toMemberPage(rows: (Member & { last: string | null })[], leftOut: string[]): MemberPage {
  const out = new Set(leftOut);
  const last = rows[0]?.last;
  return { members: rows.filter((row) => !out.has(row.subscriberId)), cursor: last ? { after: last } : null };
}

const COMMIT = `
WITH held AS (
  UPDATE trigger t SET
    state = i.state, cursor = i.cursor, error = i.error, crash_count = 0, updated_at = now(),
    lease_until = CASE WHEN i.state = 'running' THEN now() + interval '${TRIGGER_LEASE_MS} milliseconds' END
    FROM json_to_recordset($1::json) AS i (id uuid, fence int, state text, cursor jsonb, error text, actor jsonb,
      channels jsonb, tags jsonb, severity text, critical boolean, "contextKeys" jsonb)
   WHERE t.id = i.id AND t.fence = i.fence AND '' || t.state IN ('accepted', 'running')
  RETURNING t.id, t.environment_id, t.transaction_id, t.workflow_id, t.workflow_version, t.payload, t.overrides, t.controls,
            coalesce(i.actor, t.actor) AS actor, t.tenant, t.traceparent, t.tracestate,
            ARRAY(SELECT jsonb_array_elements_text(i.channels)) AS channels,
            ARRAY(SELECT jsonb_array_elements_text(i.tags)) AS tags, i.severity, i.critical,
            CASE WHEN i."contextKeys" IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(i."contextKeys")) END AS context_keys
), notifications AS (
  INSERT INTO notification (id, environment_id, trigger_id, transaction_id, workflow_id, workflow_version, subscriber_id,
                            channels, "to", payload, overrides, controls, actor, tenant, tags, topics, topic_keys, severity, critical,
                            context_keys, traceparent, tracestate)
  SELECT i.id, h.environment_id, h.id, h.transaction_id, h.workflow_id, h.workflow_version, i."subscriberId",
         h.channels, i."to", h.payload, h.overrides, h.controls, h.actor, h.tenant, h.tags, i.topics,
         CASE WHEN i."topicKeys" IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(i."topicKeys")) END,
         h.severity, h.critical, h.context_keys, h.traceparent, h.tracestate
    FROM json_to_recordset($2::json) AS i (id uuid, "triggerId" uuid, "subscriberId" uuid, "to" jsonb, topics jsonb,
                                           "topicKeys" jsonb)
    JOIN held h ON h.id = i."triggerId"
), steps AS (
  SELECT i.*, h.environment_id, h.transaction_id
    FROM json_to_recordset($3::json) AS i (id uuid, "triggerId" uuid, "notificationId" uuid, "subscriberId" uuid,
      position smallint, "stepKey" text, type text, "providerId" text, state text, "nextStepId" uuid, overrides jsonb,
      "detailId" uuid)
    JOIN held h ON h.id = i."triggerId"
), inserted AS (
  INSERT INTO step (id, environment_id, notification_id, transaction_id, subscriber_id, position, step_key, type,
                    provider_id, state, due_at, offered_until, next_step_id, overrides)
  SELECT id, environment_id, "notificationId", transaction_id, "subscriberId", position, "stepKey", type, "providerId", state,
         CASE WHEN state = 'queued' THEN now() END, CASE WHEN state = 'queued' THEN now() + interval '${OFFER_MS} milliseconds' END, "nextStepId", overrides
    FROM steps
), details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
  SELECT "detailId", environment_id, "notificationId", id, $4::text, $5::text FROM steps WHERE "detailId" IS NOT NULL
)
SELECT id FROM held`;
