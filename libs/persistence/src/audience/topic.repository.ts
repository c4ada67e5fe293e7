import { BULK_MEMBERS, type EnvironmentId, LIMITS, newId } from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { Topic } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { contains } from '../sql/substrings';
import { smallestIdSince } from '../sql/pages';
import { searchable } from '../schema/row-level-security';

export type TopicInput = { key: string; name?: string };

export type TopicUsage = { subscribers: number; notifications: number; lastUsedAt: Date | null };

export type TopicFilter = { key?: string; name?: string };

export class TopicRepository extends Repository {
  find(environmentId: EnvironmentId, key: string): Promise<Topic | undefined> {
    return this.database.row<Topic>(`SELECT * FROM topic WHERE environment_id = $1 AND key = $2`, [environmentId, key]);
  }

  /** Those of the keys that have a topic, and whether an event for it is bulk. */
  existing(environmentId: EnvironmentId, keys: string[]): Promise<{ key: string; isLarge: boolean }[]> {
    return this.database.rows(
      `SELECT key,
              EXISTS (SELECT 1 FROM topic_subscription WHERE topic_id = topic.id OFFSET ${BULK_MEMBERS}) AS is_large
         FROM topic WHERE environment_id = $1 AND key = ANY ($2::text[])`,
      [environmentId, keys],
    );
  }

  /** Undefined when the key is taken: the unique constraint decides between concurrent callers. */
  insert(environmentId: EnvironmentId, { key, name }: TopicInput): Promise<Topic | undefined> {
    return this.database.row<Topic>(
      `INSERT INTO topic (id, environment_id, key, name) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT topic_key_key DO NOTHING RETURNING *`,
      [newId(), environmentId, key, name ?? null],
    );
  }

  /** Creates the topic, or renames the existing one unless the name is empty; `created` shows which. */
  upsert(environmentId: EnvironmentId, { key, name }: TopicInput): Promise<Topic & { created: boolean }> {
    return this.database.one<Topic & { created: boolean }>(
      `INSERT INTO topic AS t (id, environment_id, key, name) VALUES ($1, $2, $3, $4)
       ON CONFLICT ON CONSTRAINT topic_key_key DO UPDATE
         SET name = coalesce(nullif(excluded.name, ''), t.name),
             updated_at = CASE WHEN nullif(excluded.name, '') IS NULL THEN t.updated_at ELSE now() END
       RETURNING t.*, (t.xmax = 0) AS created`,
      [newId(), environmentId, key, name ?? null],
    );
  }

  /** Creates and renames topics in one statement. An empty name keeps an existing one; `created` shows new ones. */
  saveMany(environmentId: EnvironmentId, topics: TopicInput[]): Promise<{ key: string; created: boolean }[]> {
    const records = topics.map(({ key, name }) => ({ id: newId(), key, name: name ?? null }));
    return this.database.rows<{ key: string; created: boolean }>(
      `INSERT INTO topic AS t (id, environment_id, key, name)
       SELECT id, $1, key, name FROM jsonb_to_recordset($2) AS given (id uuid, key text, name text) ORDER BY key
       ON CONFLICT ON CONSTRAINT topic_key_key DO UPDATE SET name = excluded.name, updated_at = now()
         WHERE excluded.name <> '' AND excluded.name IS DISTINCT FROM t.name
       RETURNING t.key, (t.xmax = 0) AS created`,
      [environmentId, JSON.stringify(records)],
    );
  }

  /** The topic, created if missing, and locked against deletion. Must run inside a transaction. */
  async hold(environmentId: EnvironmentId, input: TopicInput): Promise<Topic> {
    for (;;) {
      const [existing] = await this.database.rows<Topic>(
        `SELECT * FROM topic WHERE environment_id = $1 AND key = $2 FOR KEY SHARE`,
        [environmentId, input.key],
      );
      const topic = existing ?? (await this.insert(environmentId, input));
      // Neither there nor free: another request made it between the two statements.
      if (topic) return topic;
    }
  }

  rename(environmentId: EnvironmentId, key: string, name: string): Promise<Topic | undefined> {
    return this.database.row<Topic>(
      `UPDATE topic SET name = $3, updated_at = now() WHERE environment_id = $1 AND key = $2 RETURNING *`,
      [environmentId, key, name],
    );
  }

  /** Subscriptions are deleted by foreign key. In a transaction, which is retried after a deadlock. */
  delete(environmentId: EnvironmentId, key: string): Promise<boolean> {
    return this.database.transaction(async () => {
      return this.database.matches(`DELETE FROM topic WHERE environment_id = $1 AND key = $2`, [environmentId, key]);
    });
  }

  /** The subscribers of the topic and its notifications since a time. Undefined when the topic does not exist. */
  usage(environmentId: EnvironmentId, key: string, since: Date): Promise<TopicUsage | undefined> {
    return this.database.row<TopicUsage>(
      `SELECT (SELECT count(*)::int FROM (
                 SELECT DISTINCT subscriber_id FROM topic_subscription WHERE environment_id = $1 AND topic_id = t.id
                  LIMIT ${LIMITS.countCap}) counted) AS subscribers,
              used.notifications, used.last_used_at
         FROM topic t
        CROSS JOIN LATERAL (
          SELECT count(*)::int AS notifications, max(created_at) AS last_used_at
            FROM (SELECT created_at FROM ${searchable('notification')}
                   WHERE environment_id = $1 AND topic_keys @> ARRAY[$2::text] AND id >= $3
                   ORDER BY id DESC LIMIT ${LIMITS.topicUsage}) newest) used
        WHERE t.environment_id = $1 AND t.key = $2`,
      [environmentId, key, smallestIdSince(since.getTime())],
    );
  }

  /** Substrings, in any case. */
  list(environmentId: EnvironmentId, filter: TopicFilter, page: CursorPage): Promise<CursorResult<Topic>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.key !== undefined) where.push(contains('t.key', filter.key, parameters, 'ILIKE'));
    if (filter.name !== undefined) where.push(contains('t.name', filter.name, parameters, 'ILIKE'));
    const isSearch = filter.key !== undefined || filter.name !== undefined;
    const from = `${isSearch ? searchable('topic') : 'topic'} t`;
    return readKeyset(this.database, { name: 'topics', select: 't.*', from, where, parameters }, page);
  }
}
