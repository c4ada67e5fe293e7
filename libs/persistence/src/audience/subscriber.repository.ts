import type { SearchSubscribersQuery, SubscriberProfileDto } from '@clarion/contracts';
import { type EnvironmentId, groupBy, LIMITS, newId, PROFILE_FIELDS } from '@clarion/contracts/core';
import { columnName } from '../connection/column-names';
import { Repository } from '../connection/repository';
import { Subscriber } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { type LeftOut, type ListedColumns, listedColumns, withoutLargeValues } from '../sql/page-bytes';
import { contains } from '../sql/substrings';
import { searchable } from '../schema/row-level-security';
import { spanOf } from '../history/activity.sql';

/** Profile fields from a caller: an absent field keeps its value, null clears it. */
export type SubscriberProfile = SubscriberProfileDto;

export type SubscriberInput = { subscriberId: string } & SubscriberProfile;

/** `search` is a part of any of the others, in any case. */
export type SubscriberFilter = Pick<SearchSubscribersQuery, 'email' | 'phone' | 'name' | 'subscriberId' | 'search'>;

export type SubscriberUsage = { topics: number; channels: number; messages: number; openSteps: number };

type ProfileField = (typeof PROFILE_FIELDS)[number];

const LISTED: ListedColumns = listedColumns(Subscriber, { data: 'NULL', avatar: 'NULL' });

/** Must be equivalent to the expression of subscriber_name_trgm_idx. */
const SUBSCRIBER_NAME = `btrim(coalesce(t.first_name, '') || ' ' || coalesce(t.last_name, ''))`;

export class SubscriberRepository extends Repository {
  find(environmentId: EnvironmentId, subscriberId: string): Promise<Subscriber | undefined> {
    return this.database.row<Subscriber>(`SELECT * FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2`, [
      environmentId,
      subscriberId,
    ]);
  }

  findByIds(environmentId: EnvironmentId, ids: string[]): Promise<Subscriber[]> {
    if (ids.length === 0) return Promise.resolve([]);
    return this.database.rows<Subscriber>(`SELECT * FROM subscriber WHERE environment_id = $1 AND id = ANY ($2)`, [
      environmentId,
      ids,
    ]);
  }

  /** The subscribers, without values that are too large for a page. */
  findListed(environmentId: EnvironmentId, ids: string[]): Promise<(Subscriber & LeftOut)[]> {
    if (ids.length === 0) return Promise.resolve([]);
    const rows = `SELECT * FROM subscriber WHERE environment_id = $1 AND id = ANY ($2)`;
    return this.database.rows<Subscriber & LeftOut>(withoutLargeValues(rows, LISTED), [environmentId, ids]);
  }

  findMany(environmentId: EnvironmentId, subscriberIds: string[]): Promise<Subscriber[]> {
    if (subscriberIds.length === 0) return Promise.resolve([]);
    return this.database.rows<Subscriber>(
      `SELECT * FROM subscriber WHERE environment_id = $1 AND subscriber_id = ANY ($2)`,
      [environmentId, subscriberIds],
    );
  }

  /** Undefined when the subscriberId is taken: the unique constraint decides between concurrent callers. */
  async insert(environmentId: EnvironmentId, input: SubscriberInput): Promise<Subscriber | undefined> {
    const [row] = await this.write(environmentId, [input], 'DO NOTHING');
    return row;
  }

  /** Creates or updates; `created` shows which. */
  async upsert(environmentId: EnvironmentId, input: SubscriberInput): Promise<Subscriber & { created: boolean }> {
    const [row] = await this.upsertMany(environmentId, [input]);
    return row!;
  }

  /**
   * Set-based upsert: one statement for all inputs that give the same fields. Rows are written in the order of their
   * ids, so that callers with the same subscribers wait for each other instead of deadlocking. When a subscriberId
   * occurs twice, the last input wins.
   */
  async upsertMany(
    environmentId: EnvironmentId,
    inputs: SubscriberInput[],
  ): Promise<(Subscriber & { created: boolean })[]> {
    const bySubscriber = new Map(inputs.map((input) => [input.subscriberId, input]));
    const byFields = groupBy([...bySubscriber.values()], (input) => givenFields(input).join());
    const rows = [];
    for (const group of byFields.values()) {
      const fields = givenFields(group[0]!);
      const assignments = fields.map((field) => `${columnName(field)} = excluded.${columnName(field)}`);
      rows.push(
        ...(await this.write(
          environmentId,
          group,
          `(environment_id, subscriber_id) DO UPDATE
              SET ${[...assignments, 'updated_at = now()', 'version = t.version + 1'].join(', ')}`,
        )),
      );
    }
    return rows;
  }

  update(
    environmentId: EnvironmentId,
    subscriberId: string,
    profile: SubscriberProfile,
  ): Promise<Subscriber | undefined> {
    const fields = givenFields(profile);
    if (fields.length === 0) return this.find(environmentId, subscriberId);
    const parameters: unknown[] = [environmentId, subscriberId];
    const assignments = fields.map(
      (field) => `${columnName(field)} = $${parameters.push(columnValue(field, profile))}`,
    );
    return this.database.row<Subscriber>(
      `UPDATE subscriber SET ${assignments.join(', ')}, updated_at = now(), version = version + 1
        WHERE environment_id = $1 AND subscriber_id = $2 RETURNING *`,
      parameters,
    );
  }

  /** Stores the time of going offline; a subscriber who was offline keeps the stored time. */
  setOnline(environmentId: EnvironmentId, subscriberId: string, isOnline: boolean): Promise<Subscriber | undefined> {
    return this.database.row<Subscriber>(
      `UPDATE subscriber
          SET last_online_at = CASE WHEN $3 OR is_online IS FALSE THEN last_online_at ELSE now() END,
              is_online = $3, updated_at = now(), version = version + 1
        WHERE environment_id = $1 AND subscriber_id = $2 RETURNING *`,
      [environmentId, subscriberId, isOnline],
    );
  }

  /** Foreign keys delete channels, subscriptions and preferences; messages and outbox copies are deleted here. */
  delete(environmentId: EnvironmentId, subscriberId: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<{ id: string }>(
        `DELETE FROM subscriber WHERE environment_id = $1 AND subscriber_id = $2 RETURNING id`,
        [environmentId, subscriberId],
      );
      if (!row) return false;
      await this.database.query(
        `WITH gone AS (DELETE FROM message WHERE environment_id = $1 AND subscriber_id = $2 RETURNING id)
         DELETE FROM outbox o USING gone WHERE o.environment_id = $1 AND o.id = gone.id`,
        [environmentId, row.id],
      );
      return true;
    });
  }

  /** What is deleted with the subscriber, and what of it is still open. Undefined if the subscriber does not exist. */
  usage(environmentId: EnvironmentId, subscriberId: string): Promise<SubscriberUsage | undefined> {
    return this.database.row<SubscriberUsage>(
      `SELECT (SELECT count(*)::int FROM topic_subscription t
                WHERE t.environment_id = $1 AND t.subscriber_id = s.id) AS topics,
              (SELECT count(*)::int FROM subscriber_channel c
                WHERE c.environment_id = $1 AND c.subscriber_id = s.id) AS channels,
              (SELECT count(*)::int FROM (
                 SELECT 1 FROM message m WHERE m.environment_id = $1 AND m.subscriber_id = s.id
                  LIMIT ${LIMITS.countCap}) counted) AS messages,
              -- Open rows have no index by subscriber: they are found by the ids of the notifications.
              (SELECT count(*)::int
                 FROM (SELECT n.id FROM notification n WHERE n.environment_id = $1 AND n.subscriber_id = s.id
                        ORDER BY n.id DESC LIMIT ${LIMITS.usageNotifications}) n
                CROSS JOIN LATERAL ${spanOf('n.id')}
                CROSS JOIN LATERAL (
                  SELECT 1 FROM work w WHERE w.environment_id = $1 AND w.id > span.id AND w.id <= span.last) w
              ) AS open_steps
         FROM subscriber s WHERE s.environment_id = $1 AND s.subscriber_id = $2`,
      [environmentId, subscriberId],
    );
  }

  /** Case-sensitive; part of email, phone and name, exact for subscriberId. `search` finds any part in any case. */
  search(
    environmentId: EnvironmentId,
    filter: SubscriberFilter,
    page: CursorPage,
  ): Promise<CursorResult<Subscriber & Partial<LeftOut>>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.subscriberId !== undefined) where.push(`t.subscriber_id = $${parameters.push(filter.subscriberId)}`);
    if (filter.email !== undefined) where.push(contains('t.email', filter.email, parameters));
    if (filter.phone !== undefined) where.push(contains('t.phone', filter.phone, parameters));
    if (filter.name !== undefined) where.push(contains(SUBSCRIBER_NAME, filter.name, parameters));
    const { search } = filter;
    if (search !== undefined) {
      const anywhere = ['t.subscriber_id', SUBSCRIBER_NAME, 't.email', 't.phone'];
      const parts = anywhere.map((column) => `(${contains(column, search, parameters, 'ILIKE')})`);
      where.push(`(${parts.join(' OR ')})`);
    }
    const isSearch = [filter.email, filter.phone, filter.name, search].some((text) => text !== undefined);
    const from = `${isSearch ? searchable('subscriber') : 'subscriber'} t`;
    return readKeyset(
      this.database,
      { name: 'subscribers', select: 't.*', from, where, parameters, columns: LISTED },
      page,
    );
  }

  private write(
    environmentId: EnvironmentId,
    inputs: SubscriberInput[],
    onConflict: string,
  ): Promise<(Subscriber & { created: boolean })[]> {
    const fields = givenFields(inputs[0]!);
    const columns = ['id', 'environment_id', 'subscriber_id', ...fields.map((field) => columnName(field))];
    const records = inputs
      .toSorted((a, b) => (a.subscriberId < b.subscriberId ? -1 : 1))
      .map((input) => ({
        id: newId(),
        environment_id: environmentId,
        subscriber_id: input.subscriberId,
        ...Object.fromEntries(fields.map((field) => [columnName(field), input[field]])),
      }));
    return this.database.rows(
      `INSERT INTO subscriber AS t (${columns.join(', ')})
       SELECT ${columns.join(', ')} FROM jsonb_populate_recordset(NULL::subscriber, $1)
       ON CONFLICT ${onConflict}
       RETURNING t.*, (t.xmax = 0) AS created`,
      [JSON.stringify(records)],
    );
  }
}

function givenFields(profile: SubscriberProfile): ProfileField[] {
  return PROFILE_FIELDS.filter((field) => profile[field] !== undefined);
}

function columnValue(field: ProfileField, profile: SubscriberProfile): unknown {
  const value = profile[field];
  return field === 'data' && value !== null ? JSON.stringify(value) : value;
}
