import type { Json, JsonObject } from '@clarion/contracts';
import type { Database } from '../database';
import { isMissingPartition } from '../database-errors';
import { ensurePartitions } from '../partitions';

export type NewTrigger = {
  id: string;
  transactionId: string;
  /** Hex of what identifies the event itself, under whatever transactionId. */
  fingerprint: string;
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
export type AcceptedTrigger = { transactionId: string; stored: boolean; fingerprint: string };

export class TriggerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a batch of accepted events in one statement, whatever their number. The primary key of `transaction` decides
   * which of them are new; only those become rows of `trigger`. Sorted by transactionId, so that two batches with the same
   * ids wait for each other instead of deadlocking.
   */
  async insertMany(environmentId: string, triggers: NewTrigger[], requestId?: string): Promise<AcceptedTrigger[]> {
    const fresh = await this.withPartitions(() => this.insertStatement(environmentId, triggers, requestId));
    const used = triggers.filter(({ id }) => !fresh.has(id)).map(({ transactionId }) => transactionId);
    const known = used.length === 0 ? new Map<string, string>() : await this.findTransactions(environmentId, used);
    return triggers.map(({ id, transactionId, fingerprint }) => {
      const stored = fresh.has(id);
      return { transactionId, stored, fingerprint: stored ? fingerprint : known.get(transactionId)! };
    });
  }

  /**
   * The hot statement of the gateway: prepared, one parameter for all rows. (Asking here for the transactions that lost as
   * well makes Postgres settle on a plan that reads the whole table; they are rare enough for a statement of their own.)
   */
  private async insertStatement(
    environmentId: string,
    triggers: NewTrigger[],
    requestId?: string,
  ): Promise<Set<string>> {
    const input = triggers.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
    const rows = await this.database.prepared<{ trigger_id: string }>(
      'insert-triggers',
      `WITH input AS MATERIALIZED (
         SELECT * FROM json_to_recordset($3::json) AS i (
           id uuid, "transactionId" text, fingerprint text, "workflowId" uuid, "workflowVersion" int, recipients jsonb,
           payload jsonb, overrides jsonb, actor jsonb, tenant text, context jsonb)
       ), fresh AS (
         INSERT INTO transaction (environment_id, transaction_id, trigger_id, fingerprint)
         SELECT $1::uuid, "transactionId", id, decode(fingerprint, 'hex') FROM input
         ON CONFLICT DO NOTHING
         RETURNING trigger_id
       ), stored AS (
         INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload,
                              overrides, actor, tenant, context, request_id)
         SELECT id, $1::uuid, "transactionId", "workflowId", "workflowVersion", recipients, payload,
                overrides, actor, tenant, context, $2::text
           FROM input JOIN fresh ON fresh.trigger_id = input.id
       )
       SELECT trigger_id FROM fresh`,
      [environmentId, requestId ?? null, JSON.stringify(input)],
    );
    return new Set(rows.map((row) => row.trigger_id));
  }

  /** Fingerprints of the transactionIds that exist. */
  async findTransactions(environmentId: string, transactionIds: string[]): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ transactionId: string; fingerprint: string }>(
      `SELECT transaction_id, encode(fingerprint, 'hex') AS fingerprint FROM transaction WHERE environment_id = $1 AND transaction_id = ANY ($2)`,
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
