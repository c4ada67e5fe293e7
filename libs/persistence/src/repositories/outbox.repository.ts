import type { Channel, EnvironmentId, JsonObject, ProviderId } from '@clarion/contracts/core';
import type { Database } from '../database';
import type { OutboxMessage } from '../entities';
import { type CursorPage, type CursorResult, type OrderColumn, readKeyset } from '../keyset';
import { storableJson } from '../storable-json';
import { triggersOf } from './transactions';

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

export type OutboxFilter = { channel?: Channel; to?: string; transactionId?: string };

/** The messages that the demo providers delivered. `Maintenance` limits their number. */
export class OutboxRepository {
  constructor(private readonly database: Database) {}

  /** A message that exists is not changed. */
  async put(environmentId: EnvironmentId, messages: readonly NewOutboxMessage[]): Promise<void> {
    await this.database.prepared('put-outbox', PUT, [environmentId, storableJson(messages)]);
  }

  list(
    environmentId: EnvironmentId,
    filter: OutboxFilter,
    page: CursorPage & { orderBy: Exclude<OrderColumn, 'updated_at'> },
  ): Promise<CursorResult<OutboxMessage>> {
    const parameters: unknown[] = [environmentId];
    const where = ['t.environment_id = $1'];
    if (filter.channel !== undefined) where.push(`t.channel = $${parameters.push(filter.channel)}`);
    if (filter.to !== undefined) where.push(`$${parameters.push(filter.to)} = ANY (t."to")`);
    if (filter.transactionId !== undefined) {
      const triggers = triggersOf(`ARRAY[$${parameters.push(filter.transactionId)}::text]`);
      where.push(`t.id IN (SELECT id FROM message WHERE environment_id = $1 AND trigger_id = ANY (${triggers}))`);
    }
    return readKeyset<OutboxMessage>(
      this.database,
      { name: 'outbox', select: 't.*', from: 'outbox t', where, parameters, orderBy: page.orderBy },
      page,
    );
  }

  async find(environmentId: EnvironmentId, messageId: string): Promise<OutboxMessage | undefined> {
    const [row] = await this.database.rows<OutboxMessage>(
      `SELECT * FROM outbox WHERE environment_id = $1 AND id = $2`,
      [environmentId, messageId],
    );
    return row;
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
