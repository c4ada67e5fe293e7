import { idAtTime, LIMITS } from '@clarion/contracts/core';
import type { Database } from '../connection/database';
import { mergeMinutes } from '../history/outcome-counts';
import {
  databaseTime,
  ensurePartitions,
  keptSince,
  LOCKS,
  type PartitionLength,
  PARTITIONED_TABLES,
  tryLock,
} from '../schema/partitions';
import { dropExpired } from '../schema/retention';
import type { RetentionObstacle } from './maintenance.entity';

export type MaintenanceReport = {
  partitionsMade: number;
  partitionsDropped: string[];
  retentionObstacles: RetentionObstacle[];
  tablesAnalyzed: string[];
  transactionsDeleted: number;
  idempotencyRecordsDeleted: number;
  outboxMessagesDeleted: number;
  deliveryEventsDeleted: number;
  minutesMerged: number;
  outcomeCountsDeleted: number;
  sessionsDeleted: number;
  bulkActionItemsDeleted: number;
  webhookDeliveriesDeleted: number;
};

const ANALYZED_ROWS = 10_000;
const ANALYZE_MS = 5 * 60 * 1000;
const DELETE_BATCH = 5_000;
const IDEMPOTENCY_HOURS = 24;
/** No provider repeats an event after this time. */
const DELIVERY_EVENT_DAYS = 30;
/** A bulk action that has ended is kept this long. */
const BULK_ACTION_DAYS = 30;

/** Creates and drops partitions and deletes old rows. An advisory lock lets one process do the work. */
export class Maintenance {
  constructor(
    private readonly database: Database,
    /** Days of history to keep; undefined keeps everything. */
    private readonly retentionDays: number | undefined,
    private readonly partitionLength?: PartitionLength,
  ) {}

  /** Undefined when another process is running it. */
  async run(): Promise<MaintenanceReport | undefined> {
    const partitionsMade = await ensurePartitions(this.database, { length: this.partitionLength });
    return this.database.transaction(async () => {
      const held = await tryLock(this.database, LOCKS.maintenance);
      if (!held) return undefined;
      // The transaction only keeps the lock, for as long as the work takes. The driver leaves the result of its last
      // SELECT open, with a snapshot that retention would wait for; a statement that is none closes it.
      await this.database.query(`SET LOCAL idle_in_transaction_session_timeout = 0`);
      return this.database.outsideTransaction(() => this.maintain(partitionsMade));
    });
  }

  private async maintain(partitionsMade: number): Promise<MaintenanceReport> {
    const { dropped, obstacles } = this.retentionDays
      ? await dropExpired(this.database, this.retentionDays)
      : { dropped: [], obstacles: [] };
    const report = {
      partitionsMade,
      partitionsDropped: dropped,
      retentionObstacles: obstacles,
      tablesAnalyzed: await this.analyze(),
      transactionsDeleted: this.retentionDays ? await this.deleteTransactions(this.retentionDays) : 0,
      idempotencyRecordsDeleted: await this.deleteInBatches(
        `DELETE FROM idempotency_record WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM idempotency_record WHERE created_at < now() - $1::int * interval '1 hour'
             LIMIT ${DELETE_BATCH}))`,
        [IDEMPOTENCY_HOURS],
      ),
      outboxMessagesDeleted: await this.trimOutboxes(),
      deliveryEventsDeleted: await this.deleteInBatches(
        `DELETE FROM delivery_event WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM delivery_event WHERE created_at < now() - $1::int * interval '1 day'
             LIMIT ${DELETE_BATCH}))`,
        [DELIVERY_EVENT_DAYS],
      ),
      minutesMerged: await mergeMinutes(this.database),
      outcomeCountsDeleted: this.retentionDays ? await this.deleteOutcomeCounts(this.retentionDays) : 0,
      sessionsDeleted: await this.deleteSessions(),
      bulkActionItemsDeleted: await this.deleteBulkActions(),
      webhookDeliveriesDeleted: await this.deleteInBatches(
        `DELETE FROM webhook_delivery WHERE ctid = ANY (ARRAY(
           SELECT ctid FROM webhook_delivery WHERE id < $1 AND ended_at < now() - $2::int * interval '1 day'
            ORDER BY id LIMIT ${DELETE_BATCH}))`,
        [
          idAtTime((await databaseTime(this.database)) - LIMITS.webhookDeliveryDays * 24 * 3600 * 1000),
          LIMITS.webhookDeliveryDays,
        ],
      ),
    };
    await this.database.execute(
      `INSERT INTO maintenance (id, ended_at, obstacles) VALUES (1, now(), $1)
       ON CONFLICT (id) DO UPDATE SET ended_at = excluded.ended_at, obstacles = excluded.obstacles`,
      [JSON.stringify(obstacles)],
    );
    return report;
  }

  /** Autovacuum analyzes partitions only, so the partitioned tables are analyzed once a day. */
  private async analyze(): Promise<string[]> {
    const tables = await this.database.query<{ name: string }>(
      `SELECT p.relname AS name FROM pg_stat_user_tables p
        WHERE p.relname = ANY ($1) AND p.relid::regclass = to_regclass(quote_ident(p.relname))
          AND coalesce(p.last_analyze < now() - interval '1 day', true)
          AND (SELECT sum(c.n_live_tup) FROM pg_inherits i JOIN pg_stat_user_tables c ON c.relid = i.inhrelid
                WHERE i.inhparent = p.relid) > ${ANALYZED_ROWS}
        ORDER BY 1`,
      [PARTITIONED_TABLES],
    );
    for (const { name } of tables) {
      await this.database.transaction(async () => {
        await this.database.query(`SET LOCAL statement_timeout = '${ANALYZE_MS}ms'`);
        await this.database.query(`ANALYZE "${name}"`);
      });
    }
    return tables.map(({ name }) => name);
  }

  private async deleteTransactions(retentionDays: number): Promise<number> {
    // A transactionId is known as long as its trigger, which open work may keep.
    const cutoff = await this.endOfRetention('trigger', retentionDays);
    return this.deleteInBatches(
      `DELETE FROM transaction WHERE ctid = ANY (ARRAY(
         SELECT n.ctid FROM transaction n WHERE n.trigger_id < $1
            AND NOT EXISTS (SELECT 1 FROM trigger t WHERE t.id = n.trigger_id) LIMIT ${DELETE_BATCH}))`,
      [idAtTime(cutoff)],
    );
  }

  /** Counts and failures before a replay are kept as long as the notifications that they are about. */
  private async deleteOutcomeCounts(retentionDays: number): Promise<number> {
    const cutoff = await this.endOfRetention('notification', retentionDays);
    await this.deleteInBatches(
      `DELETE FROM replayed_failure WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM replayed_failure WHERE step_id < $1 LIMIT ${DELETE_BATCH}))`,
      [idAtTime(cutoff)],
    );
    return this.deleteInBatches(
      `DELETE FROM outcome_count WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM outcome_count WHERE at < to_timestamp($1 / 1000.0) LIMIT ${DELETE_BATCH}))`,
      [cutoff],
    );
  }

  /** Rows of the table before this time are gone, except for those that open work needs. */
  private async endOfRetention(table: 'trigger' | 'notification', retentionDays: number): Promise<number> {
    const oldest = await keptSince(this.database, table);
    return Math.min(oldest, (await databaseTime(this.database)) - retentionDays * 24 * 3600 * 1000);
  }

  /** Keeps the newest messages of each environment and deletes old ones. */
  private trimOutboxes(): Promise<number> {
    return this.deleteInBatches(
      `DELETE FROM outbox WHERE ctid = ANY (ARRAY(
         SELECT o.ctid FROM environment e
           LEFT JOIN LATERAL (SELECT created_at, id FROM outbox WHERE environment_id = e.id
                               ORDER BY created_at DESC, id DESC OFFSET $1 LIMIT 1) first_too_many ON true
           JOIN outbox o ON o.environment_id = e.id
                AND (o.created_at < now() - $2::int * interval '1 day'
                     OR (o.created_at, o.id) <= (first_too_many.created_at, first_too_many.id))
          LIMIT ${DELETE_BATCH}))`,
      [LIMITS.outboxMessages, LIMITS.outboxDays],
    );
  }

  /** Sessions, sign-in links and setup links that can no longer be used. */
  private async deleteSessions(): Promise<number> {
    await this.deleteInBatches(
      `DELETE FROM setup_link WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM setup_link WHERE expires_at <= now() LIMIT ${DELETE_BATCH}))`,
      [],
    );
    await this.database.execute(`DELETE FROM sign_in_token WHERE used_at IS NOT NULL OR expires_at <= now()`);
    return this.deleteInBatches(
      `DELETE FROM session WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM session WHERE revoked_at IS NOT NULL OR expires_at <= now() LIMIT ${DELETE_BATCH}))`,
      [],
    );
  }

  /** The items first, in batches: the cascade of an action would delete all of them in one statement. */
  private async deleteBulkActions(): Promise<number> {
    const days = Math.min(BULK_ACTION_DAYS, this.retentionDays ?? BULK_ACTION_DAYS);
    const old = `(created_at < now() - $1::int * interval '1 day' AND state <> 'running'
                  OR created_at < now() - interval '${LIMITS.plannedBulkActionHours} hours' AND state = 'planned')`;
    const items = await this.deleteInBatches(
      `DELETE FROM bulk_action_item WHERE ctid = ANY (ARRAY(
         SELECT i.ctid FROM bulk_action a JOIN bulk_action_item i ON i.bulk_action_id = a.id WHERE ${old}
          LIMIT ${DELETE_BATCH}))`,
      [days],
    );
    await this.database.execute(`DELETE FROM bulk_action WHERE ${old}`, [days]);
    return items;
  }

  private async deleteInBatches(sql: string, parameters: unknown[]): Promise<number> {
    for (let total = 0; ;) {
      const deleted = await this.database.execute(sql, parameters);
      total += deleted;
      if (deleted < DELETE_BATCH) return total;
    }
  }
}
