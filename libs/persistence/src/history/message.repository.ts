import {
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type JsonObject,
  type MessageStatus,
  type SubscriberRowId,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import { contains } from '../sql/substrings';
import { SHOWN_DETAILS, spanOf } from './activity.sql';
import { logMessages } from './event-log.sql';
import { describeMessages, type FullMessage } from './message.sql';
import { namedWorkflows } from './notification.repository';
import { triggersOf } from '../work/transactions';
import {
  amongNewest,
  countUpToCap,
  hasContexts,
  type NumberedPage,
  oneOf,
  type PagedList,
  type PageResult,
  selectPageIds,
  type SetFilter,
  toPage,
} from '../sql/pages';

export type MessageFilter = {
  /** The id of the row, not the subscriberId of the caller. */
  subscriberId?: string;
  channel?: Channel;
  transactionIds?: string[];
  contextKeys?: string[];
  /** Names of workflows, or ids. */
  workflowIds?: string[];
  statuses?: MessageStatus[];
  /** Part of the error text, or of an execution detail of its step. */
  detail?: string;
};

export type FeedFilter = { read?: boolean; seen?: boolean; payload?: JsonObject; contextKeys?: string[] };

/** Every message has one of these, and each index in the order of arrival begins with the channel. */
const ALL_CHANNELS: SetFilter = { column: 'channel', members: `'{${CHANNELS.join()}}'::text[]` };

const DELETE_BATCH = 5_000;

export type DeletedMessage = Pick<FullMessage, 'id' | 'subscriberId' | 'channel'>;

export class MessageRepository extends Repository {
  /** Newest first; counted up to one more than the cap. */
  async list(
    environmentId: EnvironmentId,
    filter: MessageFilter,
    page: NumberedPage,
  ): Promise<PageResult<FullMessage> & { count: number }> {
    const list = this.describeList(environmentId, filter);
    const [rows, count] = await Promise.all([
      this.database.rows<FullMessage>(
        describeMessages(`(${selectPageIds(list, page)}) page
          JOIN message m ON m.id = page.id AND m.environment_id = $1`),
        list.parameters,
      ),
      countUpToCap(this.database, list),
    ]);
    return { ...toPage(rows, page), count };
  }

  private describeList(environmentId: EnvironmentId, filter: MessageFilter): PagedList {
    const parameters: unknown[] = [environmentId];
    const where: string[] = [];
    const sought: string[] = [];
    const sets: SetFilter[] = [];
    const channels = filter.channel ? oneOf('channel', 'text', [filter.channel], parameters) : ALL_CHANNELS;
    if (filter.transactionIds) {
      const place = `$${parameters.push(filter.transactionIds)}::text[]`;
      sets.push({ column: 'trigger_id', members: triggersOf(place) });
    }
    if (filter.subscriberId) {
      sets.push({ ...oneOf('subscriber_id', 'uuid', [filter.subscriberId], parameters), then: channels });
    } else if (filter.channel) sets.push(channels);
    if (filter.contextKeys) {
      // No index finds messages without a context.
      (filter.contextKeys.length === 0 ? where : sought).push(hasContexts(filter.contextKeys, parameters));
    }
    const list: PagedList = { table: 'message', order: 'created_at', where, parameters, sets, all: channels, sought };
    const conditions = outcomeConditions(filter, parameters);
    if (conditions.length === 0) return list;
    if (filter.transactionIds || filter.subscriberId) return { ...list, where: [...where, ...conditions] };
    return { ...list, sets: [...sets, amongNewest(list, conditions.join(' AND '))] };
  }

  /** The in-app messages of a subscriber by arrival time, which a snooze moves. The count is exact. */
  async feed(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    filter: FeedFilter,
    page: NumberedPage,
  ): Promise<PageResult<FullMessage> & { count: number }> {
    const parameters: unknown[] = [environmentId, subscriberId];
    const where = [`t.environment_id = $1`, `t.subscriber_id = $2`, `t.channel = 'in_app'`];
    if (filter.read !== undefined) where.push(`t.read = $${parameters.push(filter.read)}`);
    if (filter.seen !== undefined) where.push(`t.seen = $${parameters.push(filter.seen)}`);
    if (filter.payload) {
      where.push(`coalesce((SELECT g.payload FROM trigger g
                             WHERE g.environment_id = $1 AND g.id = t.trigger_id LIMIT 1), '{}')
                  @> $${parameters.push(JSON.stringify(filter.payload))}`);
    }
    if (filter.contextKeys) where.push(hasContexts(filter.contextKeys, parameters));
    const matches = `FROM message t WHERE ${where.join(' AND ')}`;
    const [rows, [total]] = await Promise.all([
      this.database.rows<FullMessage>(
        describeMessages(`(
          SELECT t.id ${matches} ORDER BY t.created_at DESC, t.id DESC
           LIMIT ${page.limit + 1} OFFSET ${page.offset}) page
          JOIN message m ON m.id = page.id AND m.environment_id = $1`),
        parameters,
      ),
      this.database.query<{ count: number }>(`SELECT count(*)::int AS count ${matches}`, parameters),
    ]);
    return { ...toPage(rows, page), count: total!.count };
  }

  delete(environmentId: EnvironmentId, id: string): Promise<DeletedMessage | undefined> {
    return this.database.row<DeletedMessage>(deleting(`id = $2`), [environmentId, id]);
  }

  /** Deletes in batches: a broadcast has more messages than one statement can delete within its time limit. */
  async deleteTransaction(
    environmentId: EnvironmentId,
    transactionId: string,
    channel?: Channel,
  ): Promise<DeletedMessage[]> {
    for (const deleted: DeletedMessage[] = []; ;) {
      const batch = await this.database.rows<DeletedMessage>(
        deleting(`id = ANY (ARRAY(
           SELECT id FROM message
            WHERE environment_id = $1 AND trigger_id = ANY (${triggersOf('ARRAY[$2::text]')})
              AND ($3::text IS NULL OR channel = $3)
              LIMIT ${DELETE_BATCH}))`),
        [environmentId, transactionId, channel ?? null],
      );
      for (const each of batch) deleted.push(each);
      if (batch.length < DELETE_BATCH) return deleted;
    }
  }
}

const deleting = (condition: string): string => `
  WITH changed AS (DELETE FROM message WHERE environment_id = $1 AND ${condition} RETURNING *),
       logged AS (${logMessages('message.deleted', '$1')})
  SELECT id, subscriber_id, channel FROM changed`;

function outcomeConditions({ workflowIds, statuses, detail }: MessageFilter, parameters: unknown[]): string[] {
  const conditions: string[] = [];
  if (workflowIds) conditions.push(`t.workflow_id = ANY (${namedWorkflows(workflowIds, parameters)})`);
  if (statuses) conditions.push(`t.status = ANY ($${parameters.push(statuses)}::text[])`);
  if (detail !== undefined) {
    const [error, line] = ['t.error_text', 'd.detail'].map((column) => contains(column, detail, parameters, 'ILIKE'));
    conditions.push(
      `(${error} OR EXISTS (SELECT 1 FROM ${spanOf('notification_of(t.step_id)')}
                              CROSS JOIN LATERAL (${SHOWN_DETAILS}) d
                             WHERE d.step_id = t.step_id AND ${line}))`,
    );
  }
  return conditions;
}
