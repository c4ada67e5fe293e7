import {
  type EnvironmentId,
  LIMITS,
  type NotificationId,
  type StepId,
  type StoredPreference,
  type SubscriberRowId,
  type SubscriptionPreferences,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { chatEndpoints } from '../channels/channel-endpoint.sql';
import { leadingPages, leadingRows } from '../sql/page-bytes';
import type { ClaimedEndpoint, ClaimedSubscriber } from '../work/steps/step-rows';

/** A subscriber with all fields that decide how a step reaches it. */
export type KnownSubscriber = ClaimedSubscriber & { preferences: StoredPreference[]; channels: ClaimedEndpoint[] };

export type MemberQuestion = { topicKeys: string[]; leftOut: string[] };

export type MemberSample = {
  /** Up to one more than `LIMITS.countCap`. */
  count: number;
  /** The first of them. */
  members: { subscriberId: string; topicKeys: string[]; preferences: (SubscriptionPreferences | null)[] }[];
};

export type WindowQuestion = { workflowId: string; stepKey: string; subscriberId: SubscriberRowId; key: string };

/** The open windows of a key: the digest that other steps have joined, and the events counted so far. */
export type OpenWindow = {
  digest: { stepId: StepId; notificationId: NotificationId } | null;
  events: number | null;
  expiresAt: Date | null;
};

/** Reads what a trigger would find. Every method is one statement; large subscribers are read in pages. */
export class DryRunRepository extends Repository {
  /** The existing subscribers among these, with their global preferences and those for these workflows. */
  async subscribers(
    environmentId: EnvironmentId,
    subscriberIds: string[],
    workflowIds: string[],
  ): Promise<KnownSubscriber[]> {
    const sql = leadingRows(
      `SELECT s.id, s.subscriber_id, s.first_name, s.last_name, s.email, s.phone, s.avatar, s.locale, s.timezone,
          s.data,
              s.is_online, to_json(s.last_online_at) AS last_online_at,
              coalesce((SELECT json_agg(json_build_object('workflowId', p.workflow_id, 'contextKey', p.context_key,
                                                          'preferences', p.preferences, 'schedule', p.schedule))
                          FROM preference p
                         WHERE p.subscriber_id = s.id AND p.environment_id = $1
                           AND (p.workflow_id IS NULL OR p.workflow_id = ANY ($3::uuid[]))), '[]') AS preferences,
              coalesce(${chatEndpoints('s.id', '$1')}, '[]') AS channels
         FROM subscriber s WHERE s.environment_id = $1 AND s.subscriber_id = ANY ($2)`,
    );
    const read = (left: string[]) => this.database.rows<KnownSubscriber>(sql, [environmentId, left, workflowIds]);
    const known: KnownSubscriber[] = [];
    for await (const page of leadingPages(subscriberIds, read, ({ subscriberId }) => subscriberId)) {
      known.push(...page);
    }
    return known;
  }

  /** For each question, in order: the number of members of the topics together, and the first of them. */
  async members(environmentId: EnvironmentId, questions: MemberQuestion[], limit: number): Promise<MemberSample[]> {
    if (questions.length === 0) return [];
    return this.database.rows<MemberSample>(
      `SELECT counted.count, coalesce(sample.members, '[]') AS members
         FROM ROWS FROM (json_to_recordset($2::json) AS ("topicKeys" jsonb, "leftOut" jsonb)) WITH ORDINALITY
              AS q (topic_keys, left_out, place)
        CROSS JOIN LATERAL (
          SELECT ARRAY(SELECT id FROM topic WHERE environment_id = $1
                          AND key IN (SELECT jsonb_array_elements_text(q.topic_keys))) AS topics,
                 ARRAY(SELECT id FROM subscriber WHERE environment_id = $1
                          AND subscriber_id IN (SELECT jsonb_array_elements_text(q.left_out))) AS left_out) ids
        -- Of each topic no more is read than is asked for.
        CROSS JOIN LATERAL (
          SELECT count(DISTINCT m.subscriber_id)::int AS count
            FROM unnest(ids.topics) AS o (id) CROSS JOIN LATERAL (
              SELECT subscriber_id FROM topic_subscription
               WHERE topic_id = o.id AND NOT subscriber_id = ANY (ids.left_out) LIMIT $4) m) counted
        CROSS JOIN LATERAL (
          SELECT ARRAY(
            SELECT DISTINCT m.subscriber_id FROM unnest(ids.topics) AS o (id) CROSS JOIN LATERAL (
              SELECT subscriber_id FROM topic_subscription
               WHERE topic_id = o.id AND NOT subscriber_id = ANY (ids.left_out) ORDER BY subscriber_id LIMIT $3) m
             ORDER BY 1 LIMIT $3) AS ids) page
        CROSS JOIN LATERAL (
          SELECT json_agg(json_build_object('subscriberId', subscriber_id, 'topicKeys', topic_keys,
                                            'preferences', preferences) ORDER BY id) AS members
            FROM (SELECT s.id, s.subscriber_id, jsonb_agg(DISTINCT o.key) AS topic_keys,
                         json_agg(ts.preferences) AS preferences
                    FROM topic_subscription ts JOIN subscriber s ON s.id = ts.subscriber_id
                    JOIN topic o ON o.id = ts.topic_id
                   WHERE ts.topic_id = ANY (ids.topics) AND ts.subscriber_id = ANY (page.ids)
                   GROUP BY s.id) first) sample
        ORDER BY q.place`,
      [environmentId, JSON.stringify(questions), limit, LIMITS.countCap + 1],
    );
  }

  /** The same for all subscribers of the environment. */
  async allSubscribers(environmentId: EnvironmentId, limit: number): Promise<MemberSample> {
    const [row] = await this.database.rows<{ count: number; subscriberIds: string[] }>(
      `SELECT (SELECT count(*)::int FROM (
                SELECT 1 FROM subscriber WHERE environment_id = $1 LIMIT $3) counted) AS count,
              ARRAY(SELECT subscriber_id FROM subscriber WHERE environment_id = $1 ORDER BY id
                LIMIT $2) AS subscriber_ids`,
      [environmentId, limit, LIMITS.countCap + 1],
    );
    const { count, subscriberIds } = row!;
    return { count, members: subscriberIds.map((subscriberId) => ({ subscriberId, topicKeys: [], preferences: [] })) };
  }

  /** The open windows, for each question in order. A window that has ended counts as none. */
  windows(environmentId: EnvironmentId, questions: WindowQuestion[]): Promise<OpenWindow[]> {
    if (questions.length === 0) return Promise.resolve([]);
    return this.database.rows<OpenWindow>(
      `SELECT CASE WHEN o.step_id IS NOT NULL
                   THEN json_build_object('stepId', o.step_id, 'notificationId', notification_of(o.step_id))
               END AS digest,
              w.events, w.expires_at
         FROM ROWS FROM (json_to_recordset($2::json) AS ("workflowId" uuid, "stepKey" text, "subscriberId" uuid,
           key text))
              WITH ORDINALITY AS q (workflow_id, step_key, subscriber_id, key, place)
         LEFT JOIN open_digest o ON o.environment_id = $1 AND o.workflow_id = q.workflow_id AND o.step_key = q.step_key
               AND o.subscriber_id = q.subscriber_id AND o.digest_key = q.key
         LEFT JOIN step_window w ON w.environment_id = $1 AND w.workflow_id = q.workflow_id AND w.step_key = q.step_key
               AND w.subscriber_id = q.subscriber_id AND w.window_key = q.key AND w.expires_at > now()
        ORDER BY q.place`,
      [environmentId, JSON.stringify(questions)],
    );
  }
}
