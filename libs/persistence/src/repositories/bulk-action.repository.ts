import type { ReplayableStatus } from '@clarion/contracts';
import {
  type BulkActionKind,
  type EnvironmentId,
  newId,
  type NotificationId,
  type StepId,
  type UnchangedReason,
} from '@clarion/contracts/core';
import { QueryFailedError } from 'typeorm';
import type { Database } from '../database';
import { isDatabaseUnavailable, isRetryableConflict } from '../database-errors';
import type { BulkAction, BulkActionItem } from '../entities';
import { type CursorPage, type CursorResult, type OrderColumn, readKeyset } from '../keyset';
import { freeze, notificationItems, stepItems, WHY_NOT_CANCELED, WHY_NOT_REPLAYED } from './bulk-action.sql';
import { cancelSteps } from './cancel-steps';
import { matchingSteps, type ReplayedStep, type ReplayedSteps, ReplayRepository } from './replay.repository';
import { CANCEL_NOTIFICATIONS } from './trigger.sql';

export type NewBulkAction = {
  action: BulkActionKind;
  /** Notifications. */
  ids: string[];
  /** Of a replay: the states of the steps. */
  statuses: ReplayableStatus[];
  /** Of a replay: only these of their steps. */
  steps?: ReplayedSteps;
  perSecond: number;
  /** The caller wanted more notifications than are named here. */
  hasMore: boolean;
};

/** Items of one batch at most. At a higher rate the next batch comes sooner. */
const BATCH_SIZE = 1_000;
/** How long an action waits after a batch of it failed; twice as long after each further failure. */
const RETRY_MS = 5_000;
const MOST_FAILURES = 6;

type Item = Pick<BulkActionItem, 'id' | 'endedAt'>;
type Outcome = 'done' | 'failed' | UnchangedReason;
/** What a batch did: the outcome of each item, and the steps that were queued. */
type Batch = { outcomes: Map<string, Outcome>; queued: ReplayedStep[] };

/** Replays and cancellations of frozen sets. */
export class BulkActionRepository {
  private readonly replays: ReplayRepository;
  /** How often in a row batches of an action have failed here. */
  private readonly failures = new Map<string, number>();

  constructor(private readonly database: Database) {
    this.replays = new ReplayRepository(database);
  }

  /** Freezes the items that the action can change now. Nothing runs before `run`. */
  async create(environmentId: EnvironmentId, given: NewBulkAction): Promise<BulkAction> {
    const { action, ids, statuses, steps, perSecond, hasMore } = given;
    const matching = action === 'replay' && matchingSteps(environmentId, { ids, statuses, steps });
    const parameters: unknown[] = matching ? matching.parameters : [environmentId, ids];
    const place = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
    const [row] = await this.database.rows<BulkAction>(
      freeze(matching ? stepItems(matching.sql) : notificationItems('$2'), {
        id: place(newId(), 'uuid'),
        action: place(action, 'text'),
        selected: place(new Set(ids).size, 'int'),
        per_second: place(perSecond, 'int'),
        has_more: place(hasMore, 'boolean'),
      }),
      parameters,
    );
    return row!;
  }

  /** The actions that were neither run nor stopped yet. */
  async countPlanned(environmentId: EnvironmentId): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM bulk_action WHERE environment_id = $1 AND state = 'planned'`,
      [environmentId],
    );
    return row!.count;
  }

  async find(environmentId: EnvironmentId, id: string): Promise<BulkAction | undefined> {
    const [row] = await this.database.rows<BulkAction>(
      `SELECT * FROM bulk_action WHERE environment_id = $1 AND id = $2`,
      [environmentId, id],
    );
    return row;
  }

  list(
    environmentId: EnvironmentId,
    page: CursorPage & { orderBy: Exclude<OrderColumn, 'updated_at'> },
  ): Promise<CursorResult<BulkAction>> {
    const list = { name: 'bulk-actions', select: 't.*', from: 'bulk_action t', orderBy: page.orderBy };
    return readKeyset(this.database, { ...list, where: ['t.environment_id = $1'], parameters: [environmentId] }, page);
  }

  /** How many items were left unchanged for which reason. */
  unchanged(environmentId: EnvironmentId, id: string): Promise<{ reason: UnchangedReason; count: number }[]> {
    return this.database.rows(
      `SELECT outcome AS reason, count(*)::int AS count FROM bulk_action_item
        WHERE environment_id = $1 AND bulk_action_id = $2 AND outcome NOT IN ('done', 'failed')
        GROUP BY 1 ORDER BY 2 DESC, 1`,
      [environmentId, id],
    );
  }

  /** Starts a planned action, at another rate if one is given. Undefined when it is in another state. */
  async run(environmentId: EnvironmentId, id: string, perSecond?: number): Promise<BulkAction | undefined> {
    const [row] = await this.database.rows<BulkAction>(
      `UPDATE bulk_action
          SET state = 'running', started_at = now(), next_at = now(), per_second = coalesce($3, per_second)
        WHERE environment_id = $1 AND id = $2 AND state = 'planned' RETURNING *`,
      [environmentId, id, perSecond ?? null],
    );
    return row;
  }

  /**
   * Stops a planned or running action. It waits for the batch that is running, so its counts are final. Undefined when
   * it is in another state.
   */
  async stop(environmentId: EnvironmentId, id: string): Promise<BulkAction | undefined> {
    const [row] = await this.database.rows<BulkAction>(
      `UPDATE bulk_action SET state = 'stopped', ended_at = now(), next_at = NULL
        WHERE environment_id = $1 AND id = $2 AND state IN ('planned', 'running') RETURNING *`,
      [environmentId, id],
    );
    return row;
  }

  /** The time until the next batch of any action is due; undefined when none runs. */
  async nextDueInMs(): Promise<number | undefined> {
    const [row] = await this.database.query<{ ms: number | null }>(
      `SELECT (extract(epoch FROM min(next_at) - now()) * 1000)::float8 AS ms FROM bulk_action WHERE state = 'running'`,
    );
    return row!.ms ?? undefined;
  }

  /**
   * Works off one batch that is due, in one transaction with its progress, and returns the steps that it queued. The
   * lock on the action keeps other processes out; after a crash nothing of the batch has happened. Undefined when no
   * batch is due or another process has it. An action whose batch fails waits, so that the others go on, and then tries
   * a smaller batch: a statement that took too long may then be short enough.
   */
  async runNextBatch(): Promise<ReplayedStep[] | undefined> {
    let id: string | undefined;
    try {
      const queued = await this.runBatch((started) => (id = started));
      if (id !== undefined) this.failures.delete(id);
      return queued;
    } catch (error) {
      if (id !== undefined) await this.postpone(id);
      throw error;
    }
  }

  private async postpone(id: string): Promise<void> {
    const failures = Math.min((this.failures.get(id) ?? 0) + 1, MOST_FAILURES);
    this.failures.set(id, failures);
    await this.database.query(
      `UPDATE bulk_action SET next_at = now() + $2 * interval '1 millisecond' WHERE id = $1 AND state = 'running'`,
      [id, RETRY_MS * 2 ** (failures - 1)],
    );
  }

  private runBatch(onStart: (id: string) => void): Promise<ReplayedStep[] | undefined> {
    return this.database.transaction(async () => {
      const [action] = await this.database.rows<BulkAction>(
        `SELECT * FROM bulk_action WHERE state = 'running' AND next_at <= now()
          ORDER BY next_at LIMIT 1 FOR UPDATE SKIP LOCKED`,
      );
      if (!action) return undefined;
      onStart(action.id);
      const size = Math.max(1, Math.min(action.perSecond, BATCH_SIZE) >> (this.failures.get(action.id) ?? 0));
      const items = await this.database.rows<Item>(
        `SELECT id, ended_at FROM bulk_action_item
          WHERE bulk_action_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
        [action.id, action.cursorId, size],
      );
      const { outcomes, queued } = await this.workOff(action, items);
      await this.record(action, outcomes, size);
      return queued;
    });
  }

  /** An item that Postgres rejects fails alone: the items of the batch then run one after the other. */
  private async workOff(action: BulkAction, items: Item[]): Promise<Batch> {
    if (items.length === 0) return { outcomes: new Map(), queued: [] };
    try {
      return await this.database.attempt(() => this.change(action, items));
    } catch (error) {
      const isOfItem =
        error instanceof QueryFailedError && !isRetryableConflict(error) && !isDatabaseUnavailable(error);
      if (!isOfItem) throw error;
      if (items.length === 1) return { outcomes: new Map([[items[0]!.id, 'failed']]), queued: [] };
      const batch: Batch = { outcomes: new Map(), queued: [] };
      for (const item of items) {
        const { outcomes, queued } = await this.workOff(action, [item]);
        for (const [id, outcome] of outcomes) batch.outcomes.set(id, outcome);
        batch.queued.push(...queued);
      }
      return batch;
    }
  }

  private async change({ action, environmentId }: BulkAction, items: Item[]): Promise<Batch> {
    const ids = items.map(({ id }) => id);
    const queued =
      action === 'replay'
        ? await this.replays.replayEnded(
            environmentId,
            items.map(({ id, endedAt }) => ({ id: id as StepId, endedAt: endedAt! })),
          )
        : [];
    const changed =
      action === 'replay'
        ? queued.map(({ id }) => id)
        : await cancelSteps<NotificationId[]>(this.database, CANCEL_NOTIFICATIONS, environmentId, ids);
    const outcomes = new Map<string, Outcome>(changed.map((id) => [id, 'done']));
    const left = ids.filter((id) => !outcomes.has(id));
    if (left.length > 0) {
      const why = action === 'replay' ? WHY_NOT_REPLAYED : WHY_NOT_CANCELED;
      const reasons = await this.database.rows<{ id: string; reason: UnchangedReason }>(why, [environmentId, left]);
      for (const { id, reason } of reasons) outcomes.set(id, reason);
    }
    return { outcomes, queued };
  }

  /** A batch with fewer items than its size was the last one. */
  private async record(action: BulkAction, outcomes: Map<string, Outcome>, size: number): Promise<void> {
    const all = [...outcomes.values()];
    const done = all.filter((outcome) => outcome === 'done').length;
    const failed = all.filter((outcome) => outcome === 'failed').length;
    const ids = [...outcomes.keys()].sort();
    const isLast = ids.length < size || action.done + action.unchanged + action.failed + ids.length === action.count;
    await this.database.query(
      `WITH items AS (
         UPDATE bulk_action_item i SET outcome = o.outcome
           FROM unnest($2::uuid[], $3::text[]) AS o (id, outcome) WHERE i.bulk_action_id = $1 AND i.id = o.id)
       UPDATE bulk_action SET done = done + $4, failed = failed + $5, unchanged = unchanged + $6,
              cursor_id = coalesce($7, cursor_id),
              state = CASE WHEN $8 THEN 'done' ELSE state END, ended_at = CASE WHEN $8 THEN now() END,
              next_at = CASE WHEN NOT $8 THEN now() + $9::float8 * interval '1 second' END
        WHERE id = $1`,
      [
        action.id,
        ids,
        ids.map((id) => outcomes.get(id)),
        done,
        failed,
        all.length - done - failed,
        ids.at(-1) ?? null,
        isLast,
        size / action.perSecond,
      ],
    );
  }
}
