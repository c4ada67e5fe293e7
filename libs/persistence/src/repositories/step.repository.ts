import type {
  Channel,
  DetailSource,
  DetailStatus,
  EnvironmentId,
  Json,
  JsonObject,
  MessageStatus,
  NotificationId,
  ProviderId,
  Severity,
  StepId,
  StepStatus,
  StepType,
  StoredPreference,
  SubscriberRowId,
  TraceContext,
  TriggerId,
} from '@clarion/contracts/core';
import type { Database } from '../database';
import type { Subscriber } from '../entities';
import { isoTime } from '../iso-time';
import { OFFER_MS, STEP_LEASE_MS } from '../leases';
import { withPartitions } from '../partitions';
import { storableJson } from '../storable-json';
import { TRACE } from './fan-out.repository';
import { byId } from './ids-with-bounds';

/** A step that is ours until its lease ends, with everything that deciding about it takes. */
export type ClaimedStep = {
  id: StepId;
  environmentId: EnvironmentId;
  notificationId: NotificationId;
  transactionId: string;
  position: number;
  stepKey: string;
  type: StepType;
  state: Extract<StepStatus, 'queued' | 'delayed'>;
  nextStepId: StepId | null;
  overrides: JsonObject | null;
  digest: JsonObject | null;
  error: JsonObject | null;
  integrationId: string | null;
  scheduleExtensionsCount: number | null;
  /** Tries so far, this one included. */
  attempt: number;
  fence: number;
  /** Claims since the last one that ended well, this one included. */
  crashCount: number;
  /** Whoever held it before was gone in the middle of a call: the message may have been sent. */
  inDoubt: boolean;
  /** The time of the database. */
  now: Date;
  /** How long it was due before it was claimed. */
  waitedMs: number;
  notification: ClaimedNotification;
  /** Null when the subscriber was deleted meanwhile. */
  subscriber: ClaimedSubscriber | null;
  preferences: StoredPreference[];
  /** Of chat and push steps: where the subscriber can be reached, as stored. */
  channels: ClaimedChannel[];
  /** What earlier steps left behind, by their names. */
  outputs: Record<string, JsonObject> | null;
  workflowUpdatedAt: Date;
  /** Changes whenever an integration or a layout of the environment does. */
  settingsStamp: string | null;
  /** Whether the environment has addresses on the channel of the step that nothing is sent to. */
  hasSuppressions: boolean;
};

export type ClaimedNotification = {
  triggerId: TriggerId;
  workflowId: string;
  workflowVersion: number;
  payload: JsonObject;
  overrides: JsonObject | null;
  actor: JsonObject | null;
  tenant: string | null;
  severity: Severity;
  critical: boolean;
  contextKeys: string[] | null;
  tags: string[];
  trace: TraceContext | null;
};

export type ClaimedSubscriber = Pick<
  Subscriber,
  | 'id'
  | 'subscriberId'
  | 'firstName'
  | 'lastName'
  | 'email'
  | 'phone'
  | 'avatar'
  | 'locale'
  | 'timezone'
  | 'data'
  | 'isOnline'
> & { lastOnlineAt: string | null };

export type ClaimedChannel = { id: string; integrationId: string; providerId: ProviderId; credentials: string };

export type NewDetail = {
  id: string;
  status: DetailStatus;
  detail: string;
  source?: DetailSource;
  isRetry?: boolean;
  providerId?: ProviderId;
  messageId?: string;
  raw?: string;
};

/** A message as its step leaves it; sent again under the same id it replaces the one before. */
export type NewMessage = {
  id: string;
  channel: Channel;
  providerId?: ProviderId;
  integrationId?: string;
  providerMessageId?: string;
  workflowIdentifier?: string;
  messageTemplateId?: string;
  title?: string;
  subject?: string;
  content: Json;
  email?: string;
  phone?: string;
  /** Every address that it goes to, in the spelling of suppressions. */
  recipients?: string[];
  directWebhookUrl?: string;
  deviceTokens?: string[];
  cta?: JsonObject;
  actor?: JsonObject;
  avatar?: string;
  data?: JsonObject;
  overrides?: JsonObject;
  severity?: Severity;
  status: MessageStatus;
  errorId?: string;
  errorText?: string;
  delivered?: boolean;
};

/** How a claimed step is left. The details are its record: there is no way out of a step without one. */
export type StepOutcome = {
  id: StepId;
  fence: number;
  state: StepStatus;
  /** When it runs again, for `queued` and `delayed`. */
  dueAt?: string;
  dueInMs?: number;
  attempt?: number;
  providerId?: ProviderId;
  integrationId?: string;
  output?: JsonObject;
  digest?: JsonObject;
  error?: JsonObject;
  scheduleExtensionsCount?: number;
  /** It was the open window of a digest and ends without collecting it: the oldest of those that joined takes its place. */
  passesDigestOn?: boolean;
  /** What becomes of the steps behind it. */
  then: 'wait' | 'advance' | 'halt' | 'skip';
  nextStepId?: StepId | null;
  /** The id of the "Step queued" detail of the next step. */
  nextDetailId?: string;
  details: NewDetail[];
  messages?: NewMessage[];
};

export type QueuedStep = { id: StepId; type: StepType; environmentId: EnvironmentId };

export type Recorded = {
  /** Steps whose outcome was written; of the others somebody else has taken charge. */
  held: Set<StepId>;
  /** Steps that are due now, because the one before them has ended. */
  queued: QueuedStep[];
};

/** A digest step that wants to open a window, or to join the one that is open for its key. */
export type DigestRequest = {
  id: StepId;
  fence: number;
  environmentId: EnvironmentId;
  workflowId: string;
  stepKey: string;
  subscriberId: SubscriberRowId;
  notificationId: NotificationId;
  digestKey: string;
  dueAt: string;
  lookBackMs?: number;
  digest: JsonObject;
  nextStepId: StepId | null;
};
export type DigestVerdict = 'opened' | 'joined' | 'first' | 'lost';

export type ThrottleRequest = {
  id: StepId;
  fence: number;
  environmentId: EnvironmentId;
  workflowId: string;
  stepKey: string;
  subscriberId: SubscriberRowId;
  windowKey: string;
  windowMs: number;
  threshold: number;
  nextStepId: StepId | null;
};
export type ThrottleVerdict = { id: StepId; throttled: boolean; events: number; until: Date };

export type DigestEvent = { id: string; time: string; payload: JsonObject };

/** What a digest collected: the first events, how many there were, and some of the traces that they came with. */
export type CollectedDigest = { events: DigestEvent[]; count: number; traces: TraceContext[] };

/** Traces that are worth naming: more do not fit into the links of a span. */
const DIGEST_TRACES = 128;

/** Characters of a provider's id of a message: more does not fit into the index that finds the message by it. */
const PROVIDER_MESSAGE_ID = 500;

const CLAIMED = (
  columns: string,
): string => `SELECT c.id, c.environment_id AS "environmentId", c.notification_id AS "notificationId",
       c.transaction_id AS "transactionId", c.position, c.step_key AS "stepKey", c.type, c.state,
       c.next_step_id AS "nextStepId", c.overrides, c.digest, c.error, c.integration_id AS "integrationId",
       c.schedule_extensions_count AS "scheduleExtensionsCount", c.attempt, c.fence, c.crash_count AS "crashCount",
       c.in_doubt AS "inDoubt", clock_timestamp() AS now,
       (extract(epoch FROM clock_timestamp() - c.due_since) * 1000)::float8 AS "waitedMs",
       json_build_object('triggerId', n.trigger_id, 'workflowId', n.workflow_id, 'workflowVersion', n.workflow_version,
                         'payload', n.payload, 'overrides', n.overrides, 'actor', n.actor, 'tenant', n.tenant,
                         'severity', n.severity, 'critical', n.critical, 'contextKeys', n.context_keys,
                         'tags', n.tags, 'trace', ${TRACE('n')}) AS notification,
       CASE WHEN s.id IS NOT NULL THEN
         json_build_object('id', s.id, 'subscriberId', s.subscriber_id, 'firstName', s.first_name, 'lastName', s.last_name,
                           'email', s.email, 'phone', s.phone, 'avatar', s.avatar, 'locale', s.locale,
                           'timezone', s.timezone, 'data', s.data, 'isOnline', s.is_online,
                           'lastOnlineAt', s.last_online_at) END AS subscriber,
       coalesce((SELECT json_agg(json_build_object('workflowId', p.workflow_id, 'contextKey', p.context_key,
                                                   'preferences', p.preferences, 'schedule', p.schedule))
                   FROM preference p
                  WHERE p.subscriber_id = c.subscriber_id AND p.environment_id = c.environment_id
                    AND (p.workflow_id IS NULL OR p.workflow_id = n.workflow_id)), '[]') AS preferences,
       CASE WHEN c.position > 0 THEN
         (SELECT json_object_agg(o.step_key, o.output) FROM step o
           WHERE o.notification_id = c.notification_id AND o.position < c.position AND o.output IS NOT NULL) END AS outputs,
       w.updated_at AS "workflowUpdatedAt", ${columns}
  FROM claimed c
  JOIN notification n ON n.id = c.notification_id
  JOIN workflow w ON w.id = n.workflow_id
  LEFT JOIN subscriber s ON s.id = c.subscriber_id AND s.environment_id = c.environment_id`;

/**
 * Rows are named by their ids. The partial indexes over open rows look just as good to the planner, but they hold the whole
 * backlog; an expression in place of the column keeps it from them.
 */
const BY_ID = `'' || `;

const claimedBy = (condition: string): string => `WITH picked AS MATERIALIZED (
  SELECT id FROM step
   WHERE id = ANY ($1::uuid[]) AND id BETWEEN $2 AND $3 AND ${condition} AND due_at <= now() AND (lease_until IS NULL OR lease_until <= now())
     AND (crash_count = 0 OR $4)
   ORDER BY id FOR UPDATE SKIP LOCKED
), claimed AS (
  UPDATE step t SET fence = t.fence + 1, attempt = t.attempt + 1, crash_count = t.crash_count + 1,
                    lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
    FROM picked WHERE t.id = picked.id
  RETURNING t.id, t.environment_id, t.notification_id, t.transaction_id, t.subscriber_id, t.position, t.step_key, t.type,
            t.state, t.next_step_id, t.overrides, t.digest, t.error, t.integration_id, t.schedule_extensions_count, t.attempt, t.fence,
            t.crash_count, t.sending_since IS NOT NULL AS in_doubt, coalesce(t.waiting_since, t.due_at) AS due_since
)`;

/** One look for each environment, not for each step. */
const STAMPS = `, stamps AS MATERIALIZED (
  SELECT e.environment_id,
         (SELECT count(*) || ' ' || max(updated_at) FROM integration i WHERE i.environment_id = e.environment_id)
           || ' ' || (SELECT count(*) || ' ' || coalesce(max(updated_at)::text, '') FROM layout l
                       WHERE l.environment_id = e.environment_id)
           || ' ' || (SELECT coalesce(dialect, '') FROM environment WHERE id = e.environment_id) AS stamp,
         EXISTS (SELECT 1 FROM suppression s
                  WHERE s.environment_id = e.environment_id AND s.channel = $5) AS has_suppressions
    FROM (SELECT DISTINCT environment_id FROM claimed) e
)`;
const STAMP = `(SELECT stamp FROM stamps WHERE stamps.environment_id = c.environment_id) AS "settingsStamp",
       (SELECT has_suppressions FROM stamps WHERE stamps.environment_id = c.environment_id) AS "hasSuppressions"`;
const CHANNELS = `coalesce((SELECT json_agg(json_build_object('id', sc.id, 'integrationId', sc.integration_id,
                              'providerId', sc.provider_id, 'credentials', sc.credentials) ORDER BY sc.id)
                     FROM subscriber_channel sc
                    WHERE sc.subscriber_id = c.subscriber_id AND sc.environment_id = c.environment_id), '[]') AS channels`;

/** Channel steps with and without the places where a subscriber can be reached; and the steps that the engine runs. */
const CLAIM_PLAIN = `${claimedBy(`${BY_ID}state = 'queued' AND type = $5`)}${STAMPS}
${CLAIMED(`'[]'::json AS channels, ${STAMP}`)} ORDER BY c.id`;
const CLAIM_ADDRESSED = `${claimedBy(`${BY_ID}state = 'queued' AND type = $5`)}${STAMPS}
${CLAIMED(`${CHANNELS}, ${STAMP}`)} ORDER BY c.id`;
const CLAIM_TIMERS = `${claimedBy(`${BY_ID}state IN ('queued', 'delayed') AND type IN ('digest', 'delay', 'throttle', 'custom')`)}
${CLAIMED(`'[]'::json AS channels, NULL AS "settingsStamp", false AS "hasSuppressions"`)} ORDER BY c.id`;

/** Steps from due to done. Every method is one statement, whatever the number of rows. */
export class StepRepository {
  constructor(private readonly database: Database) {}

  /**
   * What another worker holds, or has finished, is left out. So is, unless it is asked for alone, a step whose last holder
   * died: it may have been the cause, and must not take others with it again (see `suspects`).
   */
  claimChannel(channel: Channel, stepIds: StepId[], alone = false): Promise<ClaimedStep[]> {
    const addressed = channel === 'chat' || channel === 'push';
    return this.database.prepared(
      addressed ? 'claim-addressed-steps' : 'claim-plain-steps',
      addressed ? CLAIM_ADDRESSED : CLAIM_PLAIN,
      [...byId(stepIds), alone, channel],
    );
  }

  /** Of these steps, the ones to be claimed one at a time. */
  async suspects(stepIds: StepId[]): Promise<StepId[]> {
    const rows = await this.database.query<{ id: StepId }>(
      `SELECT id FROM step
        WHERE id = ANY ($1::uuid[]) AND state IN ('queued', 'delayed') AND crash_count > 0 AND due_at <= now()
          AND (lease_until IS NULL OR lease_until <= now())`,
      [stepIds],
    );
    return rows.map(({ id }) => id);
  }

  claimTimers(stepIds: StepId[], alone = false): Promise<ClaimedStep[]> {
    return this.database.prepared('claim-timers', CLAIM_TIMERS, [...byId(stepIds), alone]);
  }

  /**
   * The mark that is set before a provider is called. A step whose fence has moved on is not ours any more and must not
   * be sent; the others are returned.
   */
  async markSending(steps: { id: StepId; fence: number }[]): Promise<Set<StepId>> {
    const rows = await this.database.prepared<{ id: StepId }>(
      'mark-sending',
      `UPDATE step t SET sending_since = now(), lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
         FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
        WHERE t.id = i.id AND t.id = ANY ($1::uuid[]) AND t.fence = i.fence AND t.state = 'queued'
          AND t.lease_until IS NOT NULL
       RETURNING t.id`,
      [steps.map(({ id }) => id), steps.map(({ fence }) => fence)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** A sign of life for steps that wait for their turn in this process; returns the ones that are still ours. */
  async renew(steps: { id: StepId; fence: number }[]): Promise<Set<StepId>> {
    const rows = await this.database.prepared<{ id: StepId }>(
      'renew-steps',
      `UPDATE step t SET lease_until = now() + interval '${STEP_LEASE_MS} milliseconds'
         FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
        WHERE t.id = i.id AND t.id = ANY ($1::uuid[]) AND t.fence = i.fence AND t.state IN ('queued', 'delayed')
          AND t.lease_until IS NOT NULL
       RETURNING t.id`,
      [steps.map(({ id }) => id), steps.map(({ fence }) => fence)],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /** Gives steps back that nobody has begun with: neither a try nor a crash is counted. */
  async release(steps: { id: StepId; fence: number; inDoubt: boolean }[], delayMs = 0): Promise<void> {
    if (steps.length === 0) return;
    await this.database.prepared(
      'release-steps',
      `UPDATE step t SET lease_until = NULL, offered_until = NULL,
                         sending_since = CASE WHEN i.in_doubt THEN t.sending_since END,
                         attempt = greatest(t.attempt - 1, 0), crash_count = greatest(t.crash_count - 1, 0),
                         waiting_since = coalesce(t.waiting_since, t.due_at),
                         due_at = greatest(t.due_at, now() + $3 * interval '1 millisecond')
         FROM unnest($1::uuid[], $2::int[], $4::boolean[]) AS i (id, fence, in_doubt)
        WHERE t.id = i.id AND t.fence = i.fence AND t.state IN ('queued', 'delayed') AND t.lease_until IS NOT NULL`,
      [steps.map(({ id }) => id), steps.map(({ fence }) => fence), delayMs, steps.map(({ inDoubt }) => inDoubt)],
    );
  }

  /** Messages, details, the steps themselves and what follows them, all or nothing. */
  async record(outcomes: StepOutcome[]): Promise<Recorded> {
    if (outcomes.length === 0) return { held: new Set(), queued: [] };
    if (!outcomes.some(({ passesDigestOn }) => passesDigestOn)) return this.write(outcomes);
    return this.database.transaction(async () => {
      const recorded = await this.write(outcomes);
      const ended = outcomes.filter(({ id, passesDigestOn }) => passesDigestOn && recorded.held.has(id));
      await this.passDigestsOn(ended.map(({ id }) => id));
      return recorded;
    });
  }

  private async write(outcomes: StepOutcome[]): Promise<Recorded> {
    const messages = outcomes.flatMap(({ id, messages = [] }) =>
      messages.map((message) => ({ ...message, stepId: id })),
    );
    const details = outcomes.flatMap(({ id, details: rows }) => rows.map((detail) => ({ ...detail, stepId: id })));
    const steps = outcomes.map(({ messages: _, details: __, ...step }) => step);
    const ends = outcomes.some(({ then }) => then === 'halt' || then === 'skip');
    const rows = await withPartitions(this.database, () =>
      this.database.prepared<{ id: StepId; type: StepType | null; environmentId: EnvironmentId }>(
        `record-steps${messages.length > 0 ? '-messages' : ''}${ends ? '-ends' : ''}`,
        recordStatement(messages.length > 0, ends),
        [storableJson(steps), storableJson(details), ...(messages.length > 0 ? [storableJson(messages)] : [])],
      ),
    );
    return {
      held: new Set(rows.filter(({ type }) => type === null).map(({ id }) => id)),
      queued: rows.filter((row): row is QueuedStep => row.type !== null),
    };
  }

  /**
   * Each request opens the window of its key or joins the one that is open; the primary key of `open_digest` decides, so
   * there is one, however many try at once. The row stays locked until the members are written, and closing deletes it:
   * a step is in the window, or the window is closed and the step opens the next one.
   */
  async joinDigests(
    requests: DigestRequest[],
  ): Promise<{ verdicts: Map<StepId, DigestVerdict>; queued: QueuedStep[] }> {
    return this.database.transaction(async () => {
      const ours = await this.lockOurs(requests);
      const first = await this.firstOfLookBack(ours.filter(({ lookBackMs }) => lookBackMs !== undefined));
      const joining = ours.filter(({ id }) => !first.has(id));
      const verdicts = new Map<StepId, DigestVerdict>();
      for (const row of joining.length > 0 ? await this.openOrJoin(joining) : []) {
        verdicts.set(row.id, row.opened ? 'opened' : 'joined');
      }
      const { held, queued } = await this.record(
        ours
          .filter(({ id }) => first.has(id))
          .map((request) => ({
            id: request.id,
            fence: request.fence,
            state: 'skipped',
            digest: request.digest,
            then: 'advance',
            nextStepId: request.nextStepId,
            details: [],
          })),
      );
      if (held.size > 0) await this.addDetails([...held], 'Success', 'Digest was skipped, first backoff event');
      for (const id of held) verdicts.set(id, 'first');
      for (const { id } of requests) if (!verdicts.has(id)) verdicts.set(id, 'lost');
      return { verdicts, queued };
    });
  }

  /** The steps that are still ours, held until the transaction ends: only these may be counted. */
  private async lockOurs<T extends { id: StepId; fence: number }>(requests: T[]): Promise<T[]> {
    const rows = await this.database.query<{ id: StepId }>(
      `SELECT t.id FROM unnest($1::uuid[], $2::int[]) AS i (id, fence)
         JOIN step t ON t.id = i.id AND t.fence = i.fence AND t.state = 'queued'
        ORDER BY t.id FOR UPDATE OF t`,
      [requests.map(({ id }) => id), requests.map(({ fence }) => fence)],
    );
    const ours = new Set(rows.map(({ id }) => id));
    return requests.filter(({ id }) => ours.has(id));
  }

  /** Of the requests that look back, the ones that had no event of their key before them. */
  private async firstOfLookBack(requests: DigestRequest[]): Promise<Set<StepId>> {
    const keyed = groupBy(requests, windowKey);
    const rows = await this.countEvents(
      [...keyed.values()].map((group) => ({
        ...group[0]!,
        windowKey: group[0]!.digestKey,
        windowMs: group[0]!.lookBackMs!,
        events: group.length,
      })),
      true,
    );
    const first = new Set<StepId>();
    for (const row of rows) {
      const group = keyed.get(windowKey({ ...row, digestKey: row.windowKey }))!;
      if (row.events === group.length) first.add(group[0]!.id);
    }
    return first;
  }

  private openOrJoin(requests: DigestRequest[]): Promise<{ id: StepId; opened: boolean }[]> {
    return this.database.query(
      `WITH input AS MATERIALIZED (
         SELECT i.* FROM json_to_recordset($1::json) AS i (id uuid, fence int, "environmentId" uuid, "workflowId" uuid,
           "stepKey" text, "subscriberId" uuid, "notificationId" uuid, "digestKey" text, "dueAt" timestamptz, digest jsonb)
           JOIN step t ON t.id = i.id AND t.fence = i.fence AND t.state = 'queued'
       ), opened AS (
         INSERT INTO open_digest AS o (environment_id, workflow_id, step_key, subscriber_id, digest_key, step_id, notification_id)
         SELECT DISTINCT ON ("environmentId", "workflowId", "stepKey", "subscriberId", "digestKey")
                "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id, "notificationId"
           FROM input ORDER BY "environmentId", "workflowId", "stepKey", "subscriberId", "digestKey", id
         -- Changes nothing, but locks the row that is there and returns it.
         ON CONFLICT ON CONSTRAINT open_digest_pkey DO UPDATE SET step_id = o.step_id
         RETURNING o.*
       ), placed AS (
         SELECT i.*, o.step_id AS master_id, o.notification_id AS master_notification_id, o.step_id = i.id AS opens
           FROM input i JOIN opened o ON o.environment_id = i."environmentId" AND o.workflow_id = i."workflowId"
            AND o.step_key = i."stepKey" AND o.subscriber_id = i."subscriberId" AND o.digest_key = i."digestKey"
       ), steps AS (
         UPDATE step t SET
           state = CASE WHEN p.opens THEN 'delayed' ELSE 'merged' END,
           due_at = CASE WHEN p.opens THEN p."dueAt" ELSE NULL END,
           digest = p.digest, digest_master_id = CASE WHEN p.opens THEN NULL ELSE p.master_id END,
           attempt = 0, crash_count = 0, lease_until = NULL, offered_until = NULL, updated_at = now()
           FROM placed p WHERE t.id = p.id AND t.fence = p.fence
         RETURNING t.id, t.notification_id, t.environment_id, p.opens, p.digest, p."dueAt", t.position, p.master_id,
                   p.master_notification_id
       ), children AS (
         UPDATE step t SET state = 'merged', updated_at = now()
           FROM steps s WHERE NOT s.opens AND t.notification_id = s.notification_id AND t.position > s.position
            AND t.state = 'pending'
       ), notifications AS (
         UPDATE notification n SET digested_notification_id = s.master_notification_id, updated_at = now()
           FROM steps s WHERE NOT s.opens AND n.id = s.notification_id
       ), details AS (
         INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
         SELECT uuid_v7(), s.environment_id, s.notification_id, s.id, CASE WHEN s.opens THEN 'Pending' ELSE 'Success' END,
                CASE WHEN s.opens THEN 'Step digested' ELSE 'Digest was merged with other digest' END,
                CASE WHEN s.opens
                     THEN json_build_object('delay', floor(extract(epoch FROM s."dueAt" - now()) * 1000), 'untilDate', ${isoTime('s."dueAt"')})
                     ELSE json_build_object('digestStepId', s.master_id, 'notificationId', s.master_notification_id) END::text
           FROM steps s
       )
       SELECT id, opens AS opened FROM steps`,
      [JSON.stringify(requests)],
    );
  }

  /**
   * Digest steps that ended without collecting: of those that joined them the oldest opens in their place. Must run in the
   * transaction that ended them.
   */
  async passDigestsOn(ended: StepId[]): Promise<void> {
    // Locked first, so that nobody joins in between. A window may be closed already, and its master about to collect.
    await this.database.query(`SELECT 1 FROM open_digest WHERE step_id = ANY ($1) ORDER BY step_id FOR UPDATE`, [
      ended,
    ]);
    await this.database.query(
      `WITH heirs AS MATERIALIZED (
         SELECT DISTINCT ON (f.digest_master_id) f.digest_master_id AS master_id, f.id, f.notification_id, f.position, m.due_at
           FROM step f JOIN step m ON m.id = f.digest_master_id
          WHERE f.digest_master_id = ANY ($1) AND f.state = 'merged'
          ORDER BY f.digest_master_id, f.id
       ), masters AS (
         UPDATE step t SET state = 'delayed', due_at = h.due_at, digest_master_id = NULL, updated_at = now()
           FROM heirs h WHERE t.id = h.id
       ), children AS (
         UPDATE step t SET state = 'pending', updated_at = now()
           FROM heirs h WHERE t.notification_id = h.notification_id AND t.position > h.position AND t.state = 'merged'
       ), followers AS (
         UPDATE step t SET digest_master_id = h.id
           FROM heirs h WHERE t.digest_master_id = h.master_id AND t.id <> h.id AND t.state = 'merged'
         RETURNING t.notification_id, h.notification_id AS heir_notification_id
       ), theirs AS (
         UPDATE notification n SET digested_notification_id = f.heir_notification_id
           FROM followers f WHERE n.id = f.notification_id
       ), own AS (
         UPDATE notification n SET digested_notification_id = NULL FROM heirs h WHERE n.id = h.notification_id
       ), moved AS (
         UPDATE open_digest o SET step_id = h.id, notification_id = h.notification_id FROM heirs h WHERE o.step_id = h.master_id
         RETURNING h.master_id
       )
       DELETE FROM open_digest WHERE step_id = ANY ($1) AND step_id NOT IN (SELECT master_id FROM heirs)`,
      [ended],
    );
  }

  /**
   * Ends windows: whoever comes later opens a new one. A statement of its own, before the members are read, so that the
   * read sees everybody who got in.
   */
  async closeDigests(steps: { id: StepId; fence: number }[]): Promise<void> {
    await this.database.query(
      `DELETE FROM open_digest o USING unnest($1::uuid[], $2::int[]) AS i (id, fence), step t
        WHERE o.step_id = i.id AND t.id = i.id AND t.fence = i.fence AND t.state = 'delayed'`,
      [steps.map(({ id }) => id), steps.map(({ fence }) => fence)],
    );
  }

  /** What a digest collected: the payload of its own trigger and of those that joined, in the order in which they were posted. */
  async digestEvents(stepIds: StepId[], limit: number): Promise<Map<StepId, CollectedDigest>> {
    const rows = await this.database.query<{
      master: StepId;
      events: DigestEvent[] | null;
      count: number;
      traceparents: string[] | null;
    }>(
      `SELECT master, count(*)::int AS count,
              (jsonb_agg(jsonb_build_object('id', id, 'time', time, 'payload', payload) ORDER BY trigger_id, id)
                FILTER (WHERE place <= $2)) AS events,
              array_agg(traceparent) FILTER (WHERE traceparent IS NOT NULL AND place <= ${DIGEST_TRACES}) AS traceparents
         FROM (SELECT coalesce(t.digest_master_id, t.id) AS master, t.id, n.trigger_id, n.payload, n.traceparent,
                      ${isoTime('t.created_at')} AS time,
                      row_number() OVER (PARTITION BY coalesce(t.digest_master_id, t.id) ORDER BY n.trigger_id, t.id) AS place
                 FROM step t JOIN notification n ON n.id = t.notification_id
                WHERE t.id = ANY ($1) OR (t.digest_master_id = ANY ($1) AND t.state = 'merged')) members
        GROUP BY master`,
      [stepIds, limit],
    );
    return new Map(
      rows.map(({ master, events, count, traceparents }) => [
        master,
        { events: events ?? [], count, traces: (traceparents ?? []).map((traceparent) => ({ traceparent })) },
      ]),
    );
  }

  /** Counts the steps into the windows of their keys and leaves each as passed or throttled, in one transaction. */
  throttle(requests: ThrottleRequest[]): Promise<{ verdicts: ThrottleVerdict[]; queued: QueuedStep[] }> {
    return this.database.transaction(async () => {
      const ours = await this.lockOurs(requests);
      const keyed = groupBy(ours, windowKey);
      const counted = await this.countEvents(
        [...keyed.values()].map((group) => ({ ...group[0]!, events: group.length })),
        false,
      );
      const verdicts = counted.flatMap((row): ThrottleVerdict[] => {
        const group = keyed.get(windowKey(row))!;
        return group.map(({ id, threshold }, index) => {
          const events = row.events - group.length + index + 1;
          return { id, throttled: events > threshold, events, until: row.expiresAt };
        });
      });
      const byId = new Map(ours.map((request) => [request.id, request]));
      const { held, queued } = await this.record(
        verdicts.map(({ id, throttled }) => {
          const { fence, nextStepId } = byId.get(id)!;
          return throttled
            ? { id, fence, state: 'skipped', then: 'skip', details: [] }
            : { id, fence, state: 'completed', then: 'advance', nextStepId, details: [] };
        }),
      );
      const written = verdicts.filter(({ id }) => held.has(id));
      await this.describeThrottled(
        written.map(({ id, throttled, events, until }) => ({
          id,
          throttled,
          raw: JSON.stringify({
            shouldSkip: throttled,
            executionCount: events,
            threshold: byId.get(id)!.threshold,
            throttledUntil: until.toISOString(),
          }),
        })),
      );
      return { verdicts: written, queued };
    });
  }

  private async describeThrottled(rows: { id: string; throttled: boolean; raw: string }[]): Promise<void> {
    await this.database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
       SELECT uuid_v7(), t.environment_id, t.notification_id, t.id, 'Success',
              CASE WHEN i.throttled THEN 'Throttle limit exceeded for the given window' ELSE 'Step completed' END, i.raw
         FROM json_to_recordset($1::json) AS i (id uuid, throttled boolean, raw text) JOIN step t ON t.id = i.id`,
      [JSON.stringify(rows)],
    );
  }

  private async addDetails(stepIds: StepId[], status: DetailStatus, detail: string): Promise<void> {
    await this.database.query(
      `INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
       SELECT uuid_v7(), environment_id, notification_id, id, $2, $3 FROM step WHERE id = ANY ($1)`,
      [stepIds, status, detail],
    );
  }

  /** Adds events to windows; one that has ended starts again. `sliding`: every event moves the end. */
  private countEvents(
    windows: (WindowName & { windowMs: number; events: number })[],
    sliding: boolean,
  ): Promise<(WindowName & { events: number; expiresAt: Date })[]> {
    if (windows.length === 0) return Promise.resolve([]);
    return this.database.rows(
      `INSERT INTO step_window AS w (environment_id, workflow_id, step_key, subscriber_id, window_key, events, expires_at)
       SELECT "environmentId", "workflowId", "stepKey", "subscriberId", "windowKey", events,
              now() + "windowMs" * interval '1 millisecond'
         FROM json_to_recordset($1::json) AS i ("environmentId" uuid, "workflowId" uuid, "stepKey" text, "subscriberId" uuid,
                                                "windowKey" text, events int, "windowMs" float8)
        ORDER BY 1, 2, 3, 4, 5
       ON CONFLICT ON CONSTRAINT step_window_pkey DO UPDATE SET
         events = CASE WHEN w.expires_at <= now() THEN excluded.events ELSE w.events + excluded.events END,
         expires_at = CASE WHEN $2 OR w.expires_at <= now() THEN excluded.expires_at ELSE w.expires_at END
       RETURNING w.*`,
      [JSON.stringify(windows), sliding],
    );
  }
}

type WindowName = {
  environmentId: EnvironmentId;
  workflowId: string;
  stepKey: string;
  subscriberId: string;
  windowKey: string;
};

const windowKey = (name: Omit<WindowName, 'windowKey'> & { windowKey?: string; digestKey?: string }): string =>
  [name.environmentId, name.workflowId, name.stepKey, name.subscriberId, name.windowKey ?? name.digestKey].join(' ');

function groupBy<T>(items: T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}

/**
 * The hot statement of the workers. Parts that a batch does not need are left out, so that Postgres does not run them; each
 * form is prepared under a name of its own.
 */
function recordStatement(messages: boolean, ends: boolean): string {
  return `
WITH held AS (
  UPDATE step t SET
    state = i.state, attempt = coalesce(i.attempt, t.attempt), crash_count = 0, lease_until = NULL, sending_since = NULL,
    waiting_since = NULL, offered_until = NULL, updated_at = now(),
    due_at = coalesce(i."dueAt", now() + i."dueInMs" * interval '1 millisecond', t.due_at),
    provider_id = coalesce(i."providerId", t.provider_id), integration_id = coalesce(i."integrationId", t.integration_id),
    output = coalesce(i.output, t.output), digest = coalesce(i.digest, t.digest), error = i.error,
    schedule_extensions_count = coalesce(i."scheduleExtensionsCount", t.schedule_extensions_count)
    FROM json_to_recordset($1::json) AS i (id uuid, fence int, state text, "dueAt" timestamptz, "dueInMs" float8, attempt int,
      "providerId" text, "integrationId" uuid, output jsonb, digest jsonb, error jsonb, "scheduleExtensionsCount" int,
      "then" text, "nextStepId" uuid, "nextDetailId" uuid)
   WHERE t.id = i.id AND t.fence = i.fence AND ${BY_ID}t.state IN ('queued', 'delayed')
     AND t.lease_until IS NOT NULL
  RETURNING t.id, t.environment_id, t.notification_id, t.transaction_id, t.subscriber_id, t.position, i."then",
            i."nextStepId", i."nextDetailId"
), nexts AS (
  UPDATE step t SET state = 'queued', due_at = now(), offered_until = now() + interval '${OFFER_MS} milliseconds', updated_at = now()
    FROM held h WHERE h."then" = 'advance' AND t.id = h."nextStepId" AND t.state = 'pending'
  RETURNING t.id, t.type, t.environment_id, t.notification_id, h."nextDetailId"
)${
    ends
      ? `, ended AS (
  UPDATE step t SET state = CASE WHEN h."then" = 'skip' THEN 'skipped' ELSE 'canceled' END, updated_at = now()
    FROM held h
   WHERE h."then" IN ('halt', 'skip') AND t.notification_id = h.notification_id AND t.position > h.position
     AND t.state = 'pending'
  RETURNING t.id, t.environment_id, t.notification_id, h."then"
)`
      : ''
  }${
    messages
      ? `, messages AS (
  INSERT INTO message AS m (id, environment_id, notification_id, step_id, subscriber_id, workflow_id, workflow_identifier,
                       message_template_id, transaction_id, channel, provider_id, integration_id, provider_message_id, title,
                       subject, content, email, phone, recipients, direct_webhook_url, device_tokens, cta, actor, avatar, status, error_id,
                       error_text, payload, overrides, data, tags, severity, critical, context_keys, delivered_at)
  SELECT i.id, h.environment_id, h.notification_id, h.id, h.subscriber_id, n.workflow_id, i."workflowIdentifier",
         i."messageTemplateId", h.transaction_id, i.channel, i."providerId", i."integrationId",
         left(i."providerMessageId", ${PROVIDER_MESSAGE_ID}), i.title, i.subject, i.content, i.email, i.phone, i.recipients, i."directWebhookUrl",
         CASE WHEN i."deviceTokens" IS NOT NULL THEN ARRAY(SELECT jsonb_array_elements_text(i."deviceTokens")) END,
         coalesce(i.cta, '{}'), i.actor, i.avatar, i.status, i."errorId", i."errorText", n.payload,
         coalesce(i.overrides, n.overrides), i.data, n.tags, coalesce(i.severity, n.severity), n.critical, n.context_keys,
         CASE WHEN i.delivered THEN ARRAY[now()] END
    FROM json_to_recordset($3::json) AS i (id uuid, "stepId" uuid, channel text, "providerId" text, "integrationId" uuid,
           "providerMessageId" text, "workflowIdentifier" text, "messageTemplateId" text, title text, subject text,
           content jsonb, email text, phone text, recipients text[], "directWebhookUrl" text, "deviceTokens" jsonb, cta jsonb, actor jsonb,
           avatar text, data jsonb, overrides jsonb, severity text, status text, "errorId" text, "errorText" text,
           delivered boolean)
    JOIN held h ON h.id = i."stepId"
    JOIN notification n ON n.id = h.notification_id
  ON CONFLICT (id) DO UPDATE SET
    provider_id = excluded.provider_id, integration_id = excluded.integration_id,
    provider_message_id = excluded.provider_message_id, title = excluded.title, subject = excluded.subject,
    content = excluded.content, email = excluded.email, phone = excluded.phone, recipients = excluded.recipients,
    direct_webhook_url = excluded.direct_webhook_url, device_tokens = excluded.device_tokens, cta = excluded.cta,
    actor = excluded.actor, avatar = excluded.avatar, status = excluded.status, error_id = excluded.error_id,
    error_text = excluded.error_text, data = excluded.data, delivered_at = excluded.delivered_at, seen = false,
    updated_at = now()
)`
      : ''
  }, details AS (
  INSERT INTO execution_detail (id, environment_id, notification_id, step_id, message_id, status, detail, source, is_retry,
                                provider_id, raw)
  SELECT i.id, h.environment_id, h.notification_id, h.id, i."messageId", i.status, i.detail, coalesce(i.source, 'Internal'),
         coalesce(i."isRetry", false), i."providerId", i.raw
    FROM json_to_recordset($2::json) AS i (id uuid, "stepId" uuid, status text, detail text, source text, "isRetry" boolean,
           "providerId" text, "messageId" uuid, raw text)
    JOIN held h ON h.id = i."stepId"
  UNION ALL
  SELECT coalesce("nextDetailId", uuid_v7()), environment_id, notification_id, id, NULL, 'Pending', 'Step queued', 'Internal',
         false, NULL, NULL
    FROM nexts WHERE type NOT IN ('digest', 'delay')${
      ends
        ? `
  UNION ALL
  SELECT uuid_v7(), environment_id, notification_id, id, NULL, CASE WHEN "then" = 'halt' THEN 'Failed' ELSE 'Success' END,
         CASE WHEN "then" = 'halt' THEN 'Step was canceled because a previous step failed'
              ELSE 'Throttle limit exceeded for the given window' END, 'Internal', false, NULL, NULL
    FROM ended`
        : ''
    }
)
SELECT id, NULL AS type, environment_id AS "environmentId" FROM held
UNION ALL SELECT id, type, environment_id FROM nexts`;
}
