import type { ListOutboxQuery, UnchangingOrder } from '@clarion/contracts';
import {
  type Channel,
  type EnvironmentId,
  type JsonObject,
  type NotificationId,
  type ProviderId,
  SIGNED_LINK,
} from '@clarion/contracts/core';
import { Repository } from '../connection/repository';
import type { OutboxMessage } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { storableJson } from '../sql/storable-json';
import { likeSubstring } from '../sql/substrings';
import { triggersOf } from '../work/transactions';

export type NewOutboxMessage = {
  messageId: string;
  channel: Channel;
  providerId: ProviderId;
  to: readonly string[];
  subject?: string;
  html?: string;
  text?: string;
  more: JsonObject;
};

export type OutboxFilter = Pick<ListOutboxQuery, 'channel' | 'to' | 'transactionId' | 'search'> & {
  /** The search does not look into the tokens of links: it would tell a caller that may not see them what they are. */
  hidesLinks?: boolean;
};

/** A message with the notification that it belongs to, unless the message was deleted meanwhile. */
export type StoredOutboxMessage = OutboxMessage & { notificationId: NotificationId | null };

const COLUMNS = `t.*, (SELECT notification_of(m.step_id) FROM message m
  WHERE m.environment_id = $1 AND m.id = t.id) AS notification_id`;

/** The messages that the demo providers delivered. `Maintenance` limits their number. */
export class OutboxRepository extends Repository {
  /** A message that exists is not changed. */
  async put(environmentId: EnvironmentId, messages: readonly NewOutboxMessage[]): Promise<void> {
    await this.database.prepared('put-outbox', PUT, [environmentId, storableJson(messages)]);
  }

  list(
    environmentId: EnvironmentId,
    filter: OutboxFilter,
    page: CursorPage<UnchangingOrder>,
  ): Promise<CursorResult<StoredOutboxMessage>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.channel !== undefined) where.push(`t.channel = $${parameters.push(filter.channel)}`);
    if (filter.to !== undefined) where.push(`$${parameters.push(filter.to)} = ANY (t."to")`);
    if (filter.transactionId !== undefined) {
      const triggers = triggersOf(`ARRAY[$${parameters.push(filter.transactionId)}::text]`);
      where.push(`t.id IN (SELECT id FROM message WHERE environment_id = $1 AND trigger_id = ANY (${triggers}))`);
    }
    if (filter.search !== undefined) {
      const part = `$${parameters.push(likeSubstring(filter.search))}`;
      const link = filter.hidesLinks ? `$${parameters.push(SIGNED_LINK)}` : undefined;
      const [subject, text] = ['t.subject', 't.text'].map((column) =>
        link ? `regexp_replace(${column}, ${link}, '', 'gi')` : column,
      );
      where.push(`(array_to_string(t."to", ' ') ILIKE ${part} OR ${subject} ILIKE ${part} OR ${text} ILIKE ${part})`);
    }
    return readKeyset(this.database, { name: 'outbox', select: COLUMNS, from: 'outbox t', where, parameters }, page);
  }

  find(environmentId: EnvironmentId, messageId: string): Promise<StoredOutboxMessage | undefined> {
    return this.database.row<StoredOutboxMessage>(
      `SELECT ${COLUMNS} FROM outbox t WHERE t.environment_id = $1 AND t.id = $2`,
      [environmentId, messageId],
    );
  }

  async empty(environmentId: EnvironmentId): Promise<void> {
    await this.database.query(`DELETE FROM outbox WHERE environment_id = $1`, [environmentId]);
  }
}

const PUT = `
  INSERT INTO outbox (environment_id, id, channel, provider_id, "to", subject, html, text, more)
  SELECT $1, m."messageId", m.channel, m."providerId", m."to", m.subject, m.html, m.text, m.more
    FROM jsonb_to_recordset($2) AS m ("messageId" uuid, channel text, "providerId" text, "to" text[], subject text,
                                      html text, text text, more jsonb)
  ON CONFLICT ON CONSTRAINT outbox_pkey DO NOTHING`;
