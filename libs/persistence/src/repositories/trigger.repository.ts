import {
  type EnvironmentId,
  executionDetail,
  type Json,
  type JsonObject,
  type StepId,
  type TraceContext,
  type TriggerId,
} from '@clarion/contracts/core';
import type { Database } from '../database';
import { withPartitions } from '../partitions';
import { textOf } from './detail-text';
import { passDigestsOn } from './steps/pass-digests-on';

export type NewTrigger = {
  id: TriggerId;
  transactionId: string;
  /** The fingerprint of the event itself, without its transactionId, in hex. */
  fingerprint: string;
  workflowId: string;
  workflowVersion: number;
  recipients: Json;
  payload: JsonObject;
  overrides?: JsonObject;
  controls?: JsonObject;
  actor?: Json;
  tenant?: string;
  context?: JsonObject;
  attachments?: NewAttachment[];
};

/** The request that posted the triggers. */
export type TriggerOrigin = { requestId?: string; trace?: TraceContext };

/** A file of a trigger, identified by its position in the list. */
export type NewAttachment = { id: string; name: string; mime: string; content: Buffer };

/** `stored`: this call stored the trigger. Otherwise the transactionId existed, with the given fingerprint. */
export type AcceptedTrigger = { transactionId: string; stored: boolean; fingerprint: string };

/**
 * A statement that also returns the existing transactions makes Postgres choose a plan that reads the whole table; they
 * are rare, so a second statement reads them.
 */
const insertTriggers = (files: string): string =>
  `WITH input AS MATERIALIZED (
     SELECT * FROM json_to_recordset($5::json) AS i (
       id uuid, "transactionId" text, fingerprint text, "workflowId" uuid, "workflowVersion" int, recipients jsonb,
       payload jsonb, overrides jsonb, controls jsonb, actor jsonb, tenant text, context jsonb)
   ), fresh AS (
     INSERT INTO transaction (environment_id, transaction_id, trigger_id, fingerprint)
     SELECT $1::uuid, "transactionId", id, decode(fingerprint, 'hex') FROM input
     ON CONFLICT DO NOTHING
     RETURNING trigger_id
   ), stored AS (
     INSERT INTO trigger (id, environment_id, transaction_id, workflow_id, workflow_version, recipients, payload,
                          overrides, controls, actor, tenant, context, request_id, traceparent, tracestate)
     SELECT id, $1::uuid, "transactionId", "workflowId", "workflowVersion", recipients, payload,
            overrides, controls, actor, tenant, context, $2::text, $3::text, $4::text
       FROM input JOIN fresh ON fresh.trigger_id = input.id
   )${files}
   SELECT trigger_id FROM fresh`;

const INSERT = insertTriggers('');

/** The contents are sent as one concatenated parameter, because bytes inside an array or JSON would be sent as text. */
const INSERT_WITH_FILES = insertTriggers(`, files AS (
     INSERT INTO attachment (id, environment_id, trigger_id, position, name, mime, content)
     SELECT f.id, $1::uuid, f."triggerId", f.position, f.name, f.mime, substring($7::bytea FROM f.start FOR f.size)
       FROM json_to_recordset($6::json) AS f (
              id uuid, "triggerId" uuid, position smallint, name text, mime text, start int, size int)
       JOIN fresh ON fresh.trigger_id = f."triggerId"
   )`);

/** The last three parameters: the triggers without their files, the files without their contents, the contents. */
function withFiles(triggers: NewTrigger[]): [string, string, Buffer] {
  const contents: Buffer[] = [];
  let start = 1;
  const files = triggers.flatMap(({ id: triggerId, attachments = [] }) =>
    attachments.map(({ content, ...file }, position) => {
      const place = { start, size: content.length };
      contents.push(content);
      start += content.length;
      return { ...file, triggerId, position, ...place };
    }),
  );
  const rows = triggers.map(({ attachments: _, ...row }) => row);
  return [JSON.stringify(rows), JSON.stringify(files), Buffer.concat(contents)];
}

export class TriggerRepository {
  constructor(private readonly database: Database) {}

  /**
   * Stores a batch of accepted events in one statement. The primary key of `transaction` decides which of them are new;
   * only those become rows of `trigger`. Sorted by transactionId, so that two batches with the same ids wait for each
   * other instead of deadlocking.
   */
  async insertMany(
    environmentId: EnvironmentId,
    triggers: NewTrigger[],
    origin: TriggerOrigin = {},
  ): Promise<AcceptedTrigger[]> {
    const fresh = await withPartitions(this.database, () => this.insertStatement(environmentId, triggers, origin));
    const used = triggers.filter(({ id }) => !fresh.has(id)).map(({ transactionId }) => transactionId);
    const known = used.length === 0 ? new Map<string, string>() : await this.findTransactions(environmentId, used);
    return triggers.map(({ id, transactionId, fingerprint }) => {
      const stored = fresh.has(id);
      return { transactionId, stored, fingerprint: stored ? fingerprint : known.get(transactionId)! };
    });
  }

  /** The hot statement of the gateway: prepared, one parameter for all rows. */
  private async insertStatement(
    environmentId: EnvironmentId,
    triggers: NewTrigger[],
    { requestId, trace }: TriggerOrigin,
  ): Promise<Set<string>> {
    const input = triggers.toSorted((a, b) => (a.transactionId < b.transactionId ? -1 : 1));
    const common = [environmentId, requestId ?? null, trace?.traceparent ?? null, trace?.tracestate ?? null];
    const rows = triggers.some(({ attachments }) => attachments)
      ? await this.database.prepared<{ trigger_id: string }>('insert-triggers-with-files', INSERT_WITH_FILES, [
          ...common,
          ...withFiles(input),
        ])
      : await this.database.prepared<{ trigger_id: string }>('insert-triggers', INSERT, [
          ...common,
          JSON.stringify(input),
        ]);
    return new Set(rows.map((row) => row.trigger_id));
  }

  /** Fingerprints of the transactionIds that exist. */
  async findTransactions(environmentId: EnvironmentId, transactionIds: string[]): Promise<Map<string, string>> {
    const rows = await this.database.rows<{ transactionId: string; fingerprint: string }>(
      `SELECT transaction_id, encode(fingerprint, 'hex') AS fingerprint FROM transaction WHERE environment_id = $1
          AND transaction_id = ANY ($2)`,
      [environmentId, transactionIds],
    );
    return new Map(rows.map((row) => [row.transactionId, row.fingerprint]));
  }

  /**
   * Cancels the part of a transaction that has not run: the trigger while it waits or while its recipients are
   * resolved, and steps that wait for a timer with the steps behind them. A digest that other steps have joined
   * continues without this event: the oldest of them replaces it. True when something was canceled.
   */
  cancel(environmentId: EnvironmentId, transactionId: string): Promise<boolean> {
    return this.database.transaction(async () => {
      const [row] = await this.database.query<{ triggers: number; steps: StepId[] }>(
        `WITH waiting AS (
           UPDATE trigger SET state = 'canceled', updated_at = now()
            WHERE id = (SELECT trigger_id FROM transaction WHERE environment_id = $1 AND transaction_id = $2)
              AND environment_id = $1 AND state IN ('accepted', 'running')
            RETURNING 1
         ), timers AS MATERIALIZED (
           SELECT DISTINCT s.notification_id
             FROM notification n JOIN step s ON s.notification_id = n.id
            WHERE n.environment_id = $1 AND n.transaction_id = $2 AND s.state IN ('delayed', 'merged')
         ), steps AS (
           UPDATE step SET state = 'canceled', updated_at = now()
            WHERE environment_id = $1 AND state IN ('delayed', 'merged', 'pending')
              AND notification_id IN (SELECT notification_id FROM timers)
            RETURNING id, environment_id, notification_id
         ), details AS (
           INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail)
           SELECT uuid_v7(), environment_id, notification_id, id, $3::text, $4::text FROM steps
         )
         SELECT (SELECT count(*)::int FROM waiting) AS triggers, ARRAY(SELECT id FROM steps) AS steps`,
        [environmentId, transactionId, ...textOf(executionDetail('stepCanceledByRequest'))],
      );
      const { triggers, steps } = row!;
      if (steps.length > 0) await passDigestsOn(this.database, steps);
      return triggers > 0 || steps.length > 0;
    });
  }
}
