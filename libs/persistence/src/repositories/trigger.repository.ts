import type { Json, JsonObject } from '@clarion/contracts';
import type { Database } from '../database';
import { isMissingPartition } from '../database-errors';
import { ensurePartitions } from '../partitions';

export type NewTrigger = {
  id: string;
  transactionId: string;
  fingerprint: Buffer;
  workflowId: string;
  workflowVersion: number;
  recipients: Json;
  payload: JsonObject;
  overrides?: JsonObject;
  actor?: Json;
  tenant?: string;
  context?: JsonObject;
};

/** `stored`: this call made it. Otherwise the transactionId was there before, with the fingerprint it came with. */
export type AcceptedTrigger = { transactionId: string; stored: boolean; fingerprint: Buffer };

export class TriggerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a batch of accepted events in one statement, whatever their number. The primary key of `transaction` decides
   * which of them are new; only those become rows of `trigger`. Sorted by transactionId, so that two batches with the same
   * ids wait for each other instead of deadlocking.
   */
  async insertMany(environmentId: string, triggers: NewTrigger[], requestId?: string): Promise<AcceptedTrigger[]> {
    const rows = await this.withPartitions(() => this.insertStatement(environmentId, triggers, requestId));
    // A transactionId that another call committed while this statement waited for it is not in the statement's snapshot.
    const unseen = rows.filter((row) => !row.stored && !row.fingerprint).map((row) => row.transactionId);
    if (unseen.length === 0) return rows as AcceptedTrigger[];
    const known = await this.findTransactions(environmentId, unseen);
    return rows.map((row) => ({ ...row, fingerprint: row.fingerprint ?? known.get(row.transactionId)! }));
  }

  private insertStatement(environmentId: string, triggers: NewTrigger[], requestId?: string) {
    const sorted = triggers.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
    const column = <T>(valueOf: (trigger: NewTrigger) => T): T[] => sorted.map(valueOf);
    const json = (value: unknown): string | null => (value === undefined ? null : JSON.stringify(value));
    return this.database.rows<{ transactionId: string; stored: boolean; fingerprint: Buffer | null }>(
      `WITH input AS MATERIALIZED (
         SELECT * FROM unnest($3::uuid[], $4::text[], $5::text[], $6::uuid[], $7::int[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])
           AS i (id, transaction_id, fingerprint, workflow_id, workflow_version, recipients, payload, overrides, actor, tenant, context)
       ), fresh AS (
         INSERT INTO transaction (environment_id, transaction_id, trigger_id, fingerprint)
         SELECT $1, transaction_id, id, decode(fingerprint, 'hex') FROM input
         ON CONFLICT DO NOTHING
         RETURNING trigger_id
       ), stored AS (
         INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload, overrides, actor, tenant, context, request_id)
         SELECT id, $1, transaction_id, workflow_id, workflow_version, recipients::jsonb, payload::jsonb, overrides::jsonb, actor::jsonb, tenant, context::jsonb, $2
           FROM input JOIN fresh ON fresh.trigger_id = input.id
       )
       SELECT input.transaction_id, fresh.trigger_id IS NOT NULL AS stored, known.fingerprint
         FROM input
         LEFT JOIN fresh ON fresh.trigger_id = input.id
         LEFT JOIN transaction known
           ON fresh.trigger_id IS NULL AND known.environment_id = $1 AND known.transaction_id = input.transaction_id`,
      [
        environmentId,
        requestId ?? null,
        column((trigger) => trigger.id),
        column((trigger) => trigger.transactionId),
        column((trigger) => trigger.fingerprint.toString('hex')),
        column((trigger) => trigger.workflowId),
        column((trigger) => trigger.workflowVersion),
        column((trigger) => json(trigger.recipients)),
        column((trigger) => json(trigger.payload)),
        column((trigger) => json(trigger.overrides)),
        column((trigger) => json(trigger.actor)),
        column((trigger) => trigger.tenant ?? null),
        column((trigger) => json(trigger.context)),
      ],
    );
  }

  /** Fingerprints of the transactionIds that exist. */
  async findTransactions(environmentId: string, transactionIds: string[]): Promise<Map<string, Buffer>> {
    const rows = await this.database.rows<{ transactionId: string; fingerprint: Buffer }>(
      `SELECT transaction_id, fingerprint FROM transaction WHERE environment_id = $1 AND transaction_id = ANY ($2)`,
      [environmentId, transactionIds],
    );
    return new Map(rows.map((row) => [row.transactionId, row.fingerprint]));
  }

  /** Of these tenant identifiers, the ones that exist. */
  async findTenants(environmentId: string, identifiers: string[]): Promise<Set<string>> {
    const rows = await this.database.query<{ identifier: string }>(
      `SELECT identifier FROM tenant WHERE environment_id = $1 AND identifier = ANY ($2)`,
      [environmentId, identifiers],
    );
    return new Set(rows.map((row) => row.identifier));
  }

  /**
   * Cancels what has not happened yet: the trigger itself while it waits, and steps that wait for a timer (with the steps
   * behind them). True when there was anything to cancel.
   */
  async cancel(environmentId: string, transactionId: string): Promise<boolean> {
    const [row] = await this.database.query<{ canceled: boolean }>(
      `WITH waiting AS (
         UPDATE trigger SET state = 'canceled', updated_at = now()
          WHERE environment_id = $1 AND transaction_id = $2 AND state = 'accepted'
          RETURNING 1
       ), timers AS (
         SELECT DISTINCT notification_id FROM step
          WHERE environment_id = $1 AND transaction_id = $2 AND state IN ('delayed', 'merged')
       ), steps AS (
         UPDATE step SET state = 'canceled', updated_at = now()
          WHERE environment_id = $1 AND transaction_id = $2 AND state IN ('delayed', 'merged', 'pending')
            AND notification_id IN (SELECT notification_id FROM timers)
          RETURNING id
       ), digests AS (
         DELETE FROM open_digest WHERE step_id IN (SELECT id FROM steps)
       )
       SELECT EXISTS (SELECT 1 FROM waiting) OR EXISTS (SELECT 1 FROM steps) AS canceled`,
      [environmentId, transactionId],
    );
    return row!.canceled;
  }

  /** A week without a partition is made on the spot: an accepted event must not depend on maintenance having run. */
  private async withPartitions<T>(insert: () => Promise<T>): Promise<T> {
    try {
      return await insert();
    } catch (error) {
      if (!isMissingPartition(error)) throw error;
      await this.database.outsideTransaction(() => ensurePartitions(this.database));
      return this.database.again(insert);
    }
  }
}
