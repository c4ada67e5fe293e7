import type { Channel, EnvironmentId, JsonObject, MessageStatus, SubscriberRowId } from '@clarion/contracts/core';
import type { Database } from '../database';
import type { Message } from '../entities';
import { contains } from '../substrings';
import { namedWorkflows } from './notification.repository';
import {
  amongNewest,
  countUpToCap,
  hasContexts,
  type NumberedPage,
  oneOf,
  type PagedList,
  type PageResult,
  selectPageIds,
  toPage,
} from '../pages';

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

export type FeedFilter = { read?: boolean; seen?: boolean; payload?: JsonObject };

const DELETE_BATCH = 5_000;

export class MessageRepository {
  constructor(private readonly database: Database) {}

  /** Newest first; counted up to one more than the cap. */
  async list(
    environmentId: EnvironmentId,
    filter: MessageFilter,
    page: NumberedPage,
  ): Promise<PageResult<Message> & { count: number }> {
    const list = this.describeList(environmentId, filter);
    const [rows, count] = await Promise.all([
      this.database.rows<Message>(
        `SELECT m.* FROM (${selectPageIds(list, page)}) page
           JOIN message m ON m.id = page.id AND m.environment_id = $1
          ORDER BY m.created_at DESC, m.id DESC`,
        list.parameters,
      ),
      countUpToCap(this.database, list),
    ]);
    return { ...toPage(rows, page), count };
  }

  private describeList(environmentId: EnvironmentId, filter: MessageFilter): PagedList {
    const parameters: unknown[] = [environmentId];
    const sought = [];
    const sets = [];
    if (filter.transactionIds) sets.push(oneOf('transaction_id', 'text', filter.transactionIds, parameters));
    if (filter.subscriberId) sets.push(oneOf('subscriber_id', 'uuid', [filter.subscriberId], parameters));
    if (filter.channel) sets.push(oneOf('channel', 'text', [filter.channel], parameters));
    if (filter.contextKeys) sought.push(hasContexts(filter.contextKeys, parameters));
    const list: PagedList = { table: 'message', order: 'created_at', where: [], parameters, sets, sought };
    const conditions = outcomeConditions(filter, parameters);
    if (conditions.length === 0) return list;
    if (filter.transactionIds || filter.subscriberId) return { ...list, where: conditions };
    return { ...list, sets: [...sets, amongNewest(list, conditions.join(' AND '))] };
  }

  /**
   * The in-app messages of a subscriber by arrival time, which a snooze moves: so ordered by created_at and not by id.
   * The count is exact.
   */
  async feed(
    environmentId: EnvironmentId,
    subscriberId: SubscriberRowId,
    filter: FeedFilter,
    page: NumberedPage,
  ): Promise<PageResult<Message> & { count: number }> {
    const parameters: unknown[] = [environmentId, subscriberId];
    const where = [`t.environment_id = $1`, `t.subscriber_id = $2`, `t.channel = 'in_app'`];
    if (filter.read !== undefined) where.push(`t.read = $${parameters.push(filter.read)}`);
    if (filter.seen !== undefined) where.push(`t.seen = $${parameters.push(filter.seen)}`);
    if (filter.payload) where.push(`coalesce(t.payload, '{}') @> $${parameters.push(JSON.stringify(filter.payload))}`);
    const matches = `FROM message t WHERE ${where.join(' AND ')}`;
    const [rows, [total]] = await Promise.all([
      this.database.rows<Message>(
        `SELECT m.* FROM (
           SELECT t.id ${matches} ORDER BY t.created_at DESC, t.id DESC
             LIMIT ${page.limit + 1} OFFSET ${page.offset}) page
           JOIN message m ON m.id = page.id AND m.environment_id = $1
          ORDER BY m.created_at DESC, m.id DESC`,
        parameters,
      ),
      this.database.query<{ count: number }>(`SELECT count(*)::int AS count ${matches}`, parameters),
    ]);
    return { ...toPage(rows, page), count: total!.count };
  }

  async delete(environmentId: EnvironmentId, id: string): Promise<boolean> {
    const deleted = await this.database.execute(`DELETE FROM message WHERE environment_id = $1 AND id = $2`, [
      environmentId,
      id,
    ]);
    return deleted > 0;
  }

  /** Deletes in batches: a broadcast has more messages than one statement can delete within its time limit. */
  async deleteTransaction(environmentId: EnvironmentId, transactionId: string, channel?: Channel): Promise<number> {
    for (let total = 0; ;) {
      const deleted = await this.database.execute(
        `DELETE FROM message WHERE environment_id = $1 AND id = ANY (ARRAY(
           SELECT id FROM message
            WHERE environment_id = $1 AND transaction_id = $2 AND ($3::text IS NULL OR channel = $3)
              LIMIT ${DELETE_BATCH}))`,
        [environmentId, transactionId, channel ?? null],
      );
      total += deleted;
      if (deleted < DELETE_BATCH) return total;
    }
  }
}

function outcomeConditions({ workflowIds, statuses, detail }: MessageFilter, parameters: unknown[]): string[] {
  const conditions: string[] = [];
  if (workflowIds) conditions.push(`t.workflow_id = ANY (${namedWorkflows(workflowIds, parameters)})`);
  if (statuses) conditions.push(`t.status = ANY ($${parameters.push(statuses)}::text[])`);
  if (detail !== undefined) {
    const [error, line] = ['t.error_text', 'd.detail'].map((column) => contains(column, detail, parameters, 'ILIKE'));
    conditions.push(
      `(${error} OR EXISTS (SELECT 1 FROM execution_detail d
                             WHERE d.environment_id = $1 AND d.notification_id = t.notification_id
                               AND d.step_id = t.step_id AND ${line}))`,
    );
  }
  return conditions;
}
