import type { UnchangingOrder } from '@clarion/contracts';
import { type EnvironmentId, newId, type SubscriberRowId, type SubscriptionPreferences } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Subscriber, TopicSubscription } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';

export type SubscriptionRow = TopicSubscription &
  Pick<Subscriber, 'firstName' | 'lastName' | 'email' | 'avatar'> & {
    topicKey: string;
    topicName: string | null;
    topicCreatedAt: Date;
    topicUpdatedAt: Date;
    externalSubscriberId: string;
  };

export type SubscriptionPage = CursorPage<UnchangingOrder>;

export type NewSubscription = {
  subscriberId: string;
  identifier: string;
  name?: string;
  contextKeys: string[];
  preferences?: SubscriptionPreferences;
};

/** Absent fields keep their values. */
export type SubscriptionChange = { name?: string; preferences?: SubscriptionPreferences };

/** Selects one subscription by its identifier, all of a subscriber, or the one that both name. */
export type SubscriptionSelector = { subscriberId?: string; identifier?: string };

const COLUMNS = `t.*, o.key AS topic_key, o.name AS topic_name, o.created_at AS topic_created_at,
    o.updated_at AS topic_updated_at,
  s.subscriber_id AS external_subscriber_id, s.first_name, s.last_name, s.email, s.avatar`;

/** Foreign keys guarantee that both exist. With LEFT, Postgres leaves the joins out of a count. */
const joined = (subscriptions: string): string =>
  `${subscriptions} t LEFT JOIN topic o ON o.id = t.topic_id LEFT JOIN subscriber s ON s.id = t.subscriber_id`;

export class TopicSubscriptionRepository extends Repository {
  /**
   * Subscribes the existing subscribers in one statement and returns every subscription that now has one of the given
   * identifiers, old or new. Rows are written in the order of their identifiers, so that callers with the same ones
   * wait for each other instead of deadlocking; the subscribers cannot be deleted meanwhile. Must run inside a
   * transaction that has locked the topic.
   */
  async insertMany(
    environmentId: EnvironmentId,
    topicId: string,
    subscriptions: NewSubscription[],
  ): Promise<SubscriptionRow[]> {
    const records = subscriptions.map(({ subscriberId, contextKeys, ...given }) => ({
      id: newId(),
      subscriber_id: subscriberId,
      context_keys: contextKeys,
      ...given,
    }));
    await this.database.query(
      `INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier, name, context_keys,
          preferences)
       SELECT given.id, $1, $2, s.id, given.identifier, given.name, given.context_keys, given.preferences
         FROM jsonb_to_recordset($3)
              AS given (id uuid, subscriber_id text, identifier text, name text, context_keys text[], preferences jsonb)
         JOIN subscriber s ON s.environment_id = $1 AND s.subscriber_id = given.subscriber_id
        ORDER BY given.identifier, given.id
          FOR KEY SHARE OF s
       ON CONFLICT ON CONSTRAINT topic_subscription_key DO NOTHING`,
      [environmentId, topicId, JSON.stringify(records)],
    );
    const identifiers = subscriptions.map(({ identifier }) => identifier);
    return this.findMany(environmentId, topicId, identifiers);
  }

  findMany(environmentId: EnvironmentId, topicId: string, identifiers: string[]): Promise<SubscriptionRow[]> {
    return this.database.rows<SubscriptionRow>(
      `SELECT ${COLUMNS} FROM ${joined('topic_subscription')}
        WHERE t.environment_id = $1 AND t.topic_id = $2 AND t.identifier = ANY ($3)`,
      [environmentId, topicId, identifiers],
    );
  }

  /** Creates missing topics. Must run inside a transaction that has locked the subscribers. */
  async subscribeMany(
    environmentId: EnvironmentId,
    wanted: { topicKey: string; subscriberId: string; identifier: string }[],
  ): Promise<void> {
    if (wanted.length === 0) return;
    const keys = [...new Set(wanted.map(({ topicKey }) => topicKey))].toSorted();
    await this.database.query(
      `INSERT INTO topic (id, environment_id, key)
       SELECT id, $1, key FROM unnest($2::uuid[], $3::text[]) AS given (id, key) ORDER BY key
       ON CONFLICT ON CONSTRAINT topic_key_key DO NOTHING`,
      [environmentId, keys.map(() => newId()), keys],
    );
    const records = wanted.map((element) => ({ id: newId(), ...element }));
    await this.database.query(
      `INSERT INTO topic_subscription (id, environment_id, topic_id, subscriber_id, identifier)
       SELECT given.id, $1, o.id, given."subscriberId", given.identifier
         FROM jsonb_to_recordset($2) AS given (id uuid, "topicKey" text, "subscriberId" uuid, identifier text)
         JOIN topic o ON o.environment_id = $1 AND o.key = given."topicKey"
        ORDER BY o.id, given.identifier
          FOR KEY SHARE OF o
       ON CONFLICT ON CONSTRAINT topic_subscription_key DO NOTHING`,
      [environmentId, JSON.stringify(records)],
    );
  }

  update(
    environmentId: EnvironmentId,
    topicId: string,
    identifier: string,
    { name, preferences }: SubscriptionChange,
  ): Promise<SubscriptionRow | undefined> {
    return this.database.row<SubscriptionRow>(
      `WITH changed AS (
         UPDATE topic_subscription
            SET name = coalesce($4, name), preferences = coalesce($5, preferences), updated_at = now()
          WHERE environment_id = $1 AND topic_id = $2 AND identifier = $3 RETURNING *
       )
       SELECT ${COLUMNS} FROM ${joined('changed')}`,
      [environmentId, topicId, identifier, name ?? null, preferences ? JSON.stringify(preferences) : null],
    );
  }

  /** Deletes the selected subscriptions in one statement and returns them, oldest first. */
  deleteMany(
    environmentId: EnvironmentId,
    topicId: string,
    selectors: SubscriptionSelector[],
  ): Promise<SubscriptionRow[]> {
    const records = selectors.map(({ subscriberId, identifier }) => ({ subscriber_id: subscriberId, identifier }));
    return this.database.rows<SubscriptionRow>(
      `WITH given AS (
         SELECT * FROM jsonb_to_recordset($3) AS given (subscriber_id text, identifier text)
       ), named AS (
         SELECT t.id FROM given
           JOIN topic_subscription t ON t.topic_id = $2 AND t.identifier = given.identifier
           JOIN subscriber s ON s.id = t.subscriber_id
          WHERE s.subscriber_id = coalesce(given.subscriber_id, s.subscriber_id)
         UNION
         SELECT t.id FROM given
           JOIN subscriber s ON s.environment_id = $1 AND s.subscriber_id = given.subscriber_id
           JOIN topic_subscription t ON t.subscriber_id = s.id AND t.topic_id = $2
          WHERE given.identifier IS NULL
       ), locked AS (
         SELECT id FROM topic_subscription
          WHERE environment_id = $1 AND id IN (SELECT id FROM named) ORDER BY id FOR UPDATE
       ), ended AS (
         DELETE FROM topic_subscription WHERE id IN (SELECT id FROM locked) RETURNING *
       )
       SELECT ${COLUMNS} FROM ${joined('ended')} ORDER BY t.id`,
      [environmentId, topicId, JSON.stringify(records)],
    );
  }

  find(environmentId: EnvironmentId, topicId: string, identifier: string): Promise<SubscriptionRow | undefined> {
    return this.database.row<SubscriptionRow>(
      `SELECT ${COLUMNS} FROM ${joined('topic_subscription')}
        WHERE t.environment_id = $1 AND t.topic_id = $2 AND t.identifier = $3`,
      [environmentId, topicId, identifier],
    );
  }

  /** The subscription of one subscriber with this identifier or id, in this topic or, without one, in any. */
  findOwn(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    { identifier, topicKey = null }: { identifier: string; topicKey?: string | null },
    /** Until the open transaction ends. */
    isLocked = false,
  ): Promise<SubscriptionRow | undefined> {
    return this.database.row<SubscriptionRow>(
      `SELECT ${COLUMNS} FROM ${joined('topic_subscription')}
        WHERE t.environment_id = $1 AND t.subscriber_id = $2 AND (t.identifier = $3 OR t.id::text = $3)
          AND ($4::text IS NULL OR o.key = $4)
        ORDER BY t.id LIMIT 1${isLocked ? ' FOR UPDATE OF t' : ''}`,
      [environmentId, subscriberId, identifier, topicKey],
    );
  }

  countOfSubscriber(environmentId: EnvironmentId, subscriberId: SubscriberRowId, cap: number): Promise<number> {
    return this.database.value<number>(
      `SELECT count(*)::int AS count FROM (
         SELECT 1 FROM topic_subscription WHERE environment_id = $1 AND subscriber_id = $2 LIMIT $3) counted`,
      [environmentId, subscriberId, cap],
    );
  }

  /** Any one subscription of the subscriber to the topic. */
  findAny(environmentId: EnvironmentId, topicId: string, subscriberId: string): Promise<TopicSubscription | undefined> {
    return this.database.row<TopicSubscription>(
      `SELECT t.* FROM topic_subscription t JOIN subscriber s ON s.id = t.subscriber_id
        WHERE s.environment_id = $1 AND s.subscriber_id = $3 AND t.topic_id = $2 ORDER BY t.id LIMIT 1`,
      [environmentId, topicId, subscriberId],
    );
  }

  /** The topic keys of each subscriber, each once, at most `limit`: those of the oldest topics. */
  async topicKeysOf(
    environmentId: EnvironmentId,
    subscriberIds: SubscriberRowId[],
    limit: number,
  ): Promise<Map<string, string[]>> {
    if (subscriberIds.length === 0) return new Map();
    const rows = await this.database.query<{ id: string; keys: string[] }>(
      `SELECT s.id, ARRAY(
         SELECT o.key FROM (
           SELECT DISTINCT t.topic_id FROM topic_subscription t
            WHERE t.subscriber_id = s.id AND t.environment_id = $1 ORDER BY t.topic_id LIMIT $3) member
           JOIN topic o ON o.id = member.topic_id
          ORDER BY o.id) AS keys
         FROM unnest($2::uuid[]) AS s (id)`,
      [environmentId, subscriberIds, limit],
    );
    return new Map(rows.map(({ id, keys }) => [id, keys]));
  }

  listOfTopic(
    environmentId: EnvironmentId,
    topicId: string,
    filter: { subscriberId?: string; contextKeys?: string[] },
    page: SubscriptionPage,
  ): Promise<CursorResult<SubscriptionRow>> {
    const parameters: unknown[] = [environmentId, topicId];
    const where = ['t.environment_id = $1', 't.topic_id = $2'];
    if (filter.subscriberId !== undefined) {
      const subscriberId = `$${parameters.push(filter.subscriberId)}`;
      where.push(
        `t.subscriber_id = (SELECT id FROM subscriber WHERE environment_id = $1 AND subscriber_id = ${subscriberId})`,
      );
    }
    return this.list('topic-subscriptions', where, parameters, filter.contextKeys, page);
  }

  listOfSubscriber(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    filter: { key?: string; contextKeys?: string[] },
    page: SubscriptionPage,
  ): Promise<CursorResult<SubscriptionRow>> {
    const parameters: unknown[] = [environmentId, subscriberId];
    const where = ['t.environment_id = $1', 't.subscriber_id = $2'];
    if (filter.key !== undefined) {
      where.push(
        `t.topic_id = (SELECT id FROM topic WHERE environment_id = $1 AND key = $${parameters.push(filter.key)})`,
      );
    }
    return this.list('subscriber-subscriptions', where, parameters, filter.contextKeys, page);
  }

  private list(
    name: string,
    where: string[],
    parameters: unknown[],
    contextKeys: string[] | undefined,
    page: SubscriptionPage,
  ): Promise<CursorResult<SubscriptionRow>> {
    if (contextKeys) {
      const keys = `$${parameters.push(contextKeys)}::text[]`;
      where.push(`t.context_keys @> ${keys} AND t.context_keys <@ ${keys}`);
    }
    return readKeyset(
      this.database,
      { name, select: COLUMNS, from: joined('topic_subscription'), where, parameters },
      page,
    );
  }
}
