import type { UnchangingOrder } from '@clarion/contracts';
import type { ReplayableStatus } from '@clarion/contracts';
import {
  type BulkActionKind,
  type Channel,
  type EnvironmentId,
  LIMITS,
  newId,
  type NotificationId,
  type StepId,
  type UnchangedReason,
} from '@clarion/contracts/core';
import { QueryFailedError } from 'typeorm';
import { Repository } from '../connection/repository';
import { isDatabaseUnavailable, isRetryableConflict, isStatementTimeout } from '../connection/database-errors';
import type { BulkAction, BulkActionItem } from '../entities';
import { type CursorPage, type CursorResult, readKeyset } from '../sql/keyset';
import { freezePage, notificationItems, stepItems, WHY_NOT_CANCELED, WHY_NOT_REPLAYED } from './bulk-action.sql';
import { reasonOf } from '../history/outcomes.sql';
import { cancelSteps } from '../work/cancel-steps';
import type { ReplayThrough } from '../work/work.entity';
import { matchingSteps, type ReplayedStep, type ReplayedSteps, ReplayRepository } from '../work/replay.repository';
import { CANCEL_NOTIFICATIONS } from '../work/trigger.sql';

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

/** Notifications of one page of a set that is frozen. */
const FROZEN_AT_ONCE = 2_000;
/** Items of one batch at most. At a higher rate the next batch comes sooner. */
const BATCH_SIZE = 1_000;
/** Shorter than for other statements: the engine works off one batch of an action at a time. */
const STATEMENT_MS = 5_000;
/** How long the items of a batch that Postgres rejected run one after the other. */
const SINGLE_ITEMS_MS = 5_000;
/** How long an action waits after a batch of it failed; twice as long after each further failure. */
const RETRY_MS = 5_000;
/** Then its batches have one item, and an item that still takes too long fails. */
const MOST_FAILURES = 6;
/** Of an environment. The others that were started wait until one of them ends. */
const RUNNING_AT_ONCE = 3;

/** Organizations whose last batches are remembered. */
const REMEMBERED = 1_000;

/** A batch at a time in each group: what takes long in a failing environment does not delay the others. */
export type BulkActionGroup = 'steady' | 'failing';

/** The actions that may run, of the group $1. Each running action is read once: its environment may have many. */
const MAY_RUN = `
  SELECT id, next_at FROM (
    SELECT id, next_at, row_number() OVER (PARTITION BY environment_id ORDER BY started_at, id) AS place,
           bool_or(failures > 0) OVER (PARTITION BY environment_id) AS is_failing
      FROM bulk_action WHERE state = 'running') running
   WHERE place <= ${RUNNING_AT_ONCE} AND is_failing = ($1 = 'failing')`;

/** A plan that was not confirmed in time cannot be run. */
const IS_PLANNED = `state = 'planned' AND created_at > now() - interval '${LIMITS.plannedBulkActionHours} hours'`;

export type ReplayedReason = { reason: string | null; channel: Channel; providerId: string | null; count: number };

/** Actions that have not ended, of an environment and of its organization. */
export type OpenBulkActions = {
  planned: number;
  plannedItems: number;
  plannedOfOrganization: number;
  started: number;
  startedOfOrganization: number;
};

type Item = Pick<BulkActionItem, 'id' | 'endedAt'>;
type ItemOutcome = 'done' | 'failed' | UnchangedReason;
/** What a batch did: the outcome of each item, and the steps that were queued. */
type Batch = { outcomes: Map<string, ItemOutcome>; queued: ReplayedStep[] };

export class BulkActionRepository extends Repository {
  private readonly replays = new ReplayRepository(this.database);
  /** Organizations in the order of their last batches here: they take turns, however many actions each has. */
  private served: string[] = [];

  /** Freezes the items in pages: the time of a statement does not grow. Nothing runs before `run`. */
  create(environmentId: EnvironmentId, given: NewBulkAction): Promise<BulkAction> {
    const { action, statuses, steps, perSecond, hasMore } = given;
    const ids = [...new Set(given.ids)].sort();
    return this.database.transaction(async () => {
      let [row] = await this.database.rows<BulkAction>(
        `INSERT INTO bulk_action (id, environment_id, action, selected, per_second, has_more, count, notifications,
                                  may_be_duplicates)
         VALUES ($2, $1, $3, $4, $5, $6, 0, 0, 0) RETURNING *`,
        [environmentId, newId(), action, ids.length, perSecond, hasMore],
      );
      for (let at = 0; at < ids.length && row!.count < LIMITS.bulkActionItems; at += FROZEN_AT_ONCE) {
        const page = ids.slice(at, at + FROZEN_AT_ONCE);
        const matching = action === 'replay' && matchingSteps(environmentId, { ids: page, statuses, steps });
        const parameters: unknown[] = matching ? matching.parameters : [environmentId, page];
        const place = (value: unknown, type: string): string => `$${parameters.push(value)}::${type}`;
        const items = matching ? stepItems(matching.sql) : notificationItems('$2');
        const limit = place(LIMITS.bulkActionItems - row!.count, 'int');
        [row] = await this.database.rows<BulkAction>(freezePage(items, place(row!.id, 'uuid'), limit), parameters);
      }
      return row!;
    });
  }

  /** Until the transaction ends, the environment plans and starts no other action, so the result stays true. */
  async countOpen(environmentId: EnvironmentId, organizationId: string): Promise<OpenBulkActions> {
    const lock = `bulk actions of ${environmentId}`;
    await this.database.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [lock]);
    const [row] = await this.database.asSystem(() =>
      this.database.rows<OpenBulkActions>(
        `SELECT count(*) FILTER (WHERE is_own AND state = 'planned')::int AS planned,
                coalesce(sum(count) FILTER (WHERE is_own AND state = 'planned'), 0)::int AS planned_items,
                count(*) FILTER (WHERE state = 'planned')::int AS planned_of_organization,
                count(*) FILTER (WHERE is_own AND state = 'running')::int AS started,
                count(*) FILTER (WHERE state = 'running')::int AS started_of_organization
           FROM (SELECT state, count, environment_id = $1 AS is_own FROM bulk_action
                  WHERE environment_id IN (SELECT id FROM environment WHERE organization_id = $2)
                    AND (state = 'running' OR ${IS_PLANNED})) opened`,
        [environmentId, organizationId],
      ),
    );
    return row!;
  }

  find(environmentId: EnvironmentId, id: string): Promise<BulkAction | undefined> {
    return this.database.row<BulkAction>(`SELECT * FROM bulk_action WHERE environment_id = $1 AND id = $2`, [
      environmentId,
      id,
    ]);
  }

  list(environmentId: EnvironmentId, page: CursorPage<UnchangingOrder>): Promise<CursorResult<BulkAction>> {
    const list = { name: 'bulk-actions', select: 't.*', from: 'bulk_action t' };
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

  /** Whether a planned replay runs a step of the channel. */
  hasChannel(environmentId: EnvironmentId, id: string, channel: Channel): Promise<boolean> {
    return this.database.matches(
      `SELECT FROM bulk_action_item i
        CROSS JOIN LATERAL (SELECT type FROM step WHERE environment_id = $1 AND id = i.id LIMIT 1) s
        WHERE i.environment_id = $1 AND i.bulk_action_id = $2 AND s.type = $3 LIMIT 1`,
      [environmentId, id, channel],
    );
  }

  /** Why the steps of a planned replay ended without success. */
  reasons(environmentId: EnvironmentId, id: string): Promise<ReplayedReason[]> {
    return this.database.rows<ReplayedReason>(
      `SELECT ${reasonOf('s')} AS reason, s.type AS channel, nullif(s.provider_id, 'platform') AS provider_id,
              count(*)::int AS count
         FROM bulk_action_item i
        CROSS JOIN LATERAL (SELECT * FROM step WHERE environment_id = $1 AND id = i.id LIMIT 1) s
        WHERE i.environment_id = $1 AND i.bulk_action_id = $2
        GROUP BY 1, 2, 3 ORDER BY 4 DESC, 1 LIMIT ${LIMITS.errorGroups}`,
      [environmentId, id],
    );
  }

  /** Starts a planned action, at another rate if one is given. Undefined in another state, or when it has expired. */
  run(
    environmentId: EnvironmentId,
    id: string,
    { perSecond, through }: { perSecond?: number; through?: ReplayThrough } = {},
  ): Promise<BulkAction | undefined> {
    return this.database.row<BulkAction>(
      `UPDATE bulk_action
          SET state = 'running', started_at = now(), next_at = now(), per_second = coalesce($3, per_second),
              through = $4
        WHERE environment_id = $1 AND id = $2 AND ${IS_PLANNED} RETURNING *`,
      [environmentId, id, perSecond ?? null, through && JSON.stringify(through)],
    );
  }

  /** Waits for the running batch, so its counts are final. Undefined when it is in another state. */
  stop(environmentId: EnvironmentId, id: string): Promise<BulkAction | undefined> {
    return this.database.row<BulkAction>(
      `WITH stopped AS (
         UPDATE bulk_action SET state = 'stopped', ended_at = now(), next_at = NULL
          WHERE environment_id = $1 AND id = $2 AND state IN ('planned', 'running') RETURNING *
       ), items AS (
         DELETE FROM bulk_action_item
          WHERE environment_id = $1 AND bulk_action_id IN (SELECT id FROM stopped WHERE started_at IS NULL)
       )
       SELECT * FROM stopped`,
      [environmentId, id],
    );
  }

  /** The time until the next batch of any action of the group is due; undefined when none runs. */
  async nextDueInMs(group: BulkActionGroup): Promise<number | undefined> {
    const ms = await this.database.value<number | null>(
      `SELECT (extract(epoch FROM min(next_at) - now()) * 1000)::float8 AS ms FROM (${MAY_RUN}) due`,
      [group],
    );
    return ms ?? undefined;
  }

  /**
   * Works off one batch that is due, in one transaction with its progress, and returns the steps that it queued. The
   * lock on the action keeps other processes out; after a crash nothing of the batch has happened. Undefined when no
   * batch is due or another process has it. An action whose batch fails waits, so that the others go on, and then tries
   * a smaller batch: a statement that took too long may then be short enough.
   */
  async runNextBatch(group: BulkActionGroup): Promise<ReplayedStep[] | undefined> {
    let started: BulkAction | undefined;
    try {
      return await this.runBatch(group, (action) => (started = action));
    } catch (error) {
      if (started) await this.postpone(started, reasonOfError(error));
      throw error;
    }
  }

  private async postpone({ id, failures }: BulkAction, reason: string): Promise<void> {
    const count = Math.min(failures + 1, MOST_FAILURES);
    await this.database.query(
      `UPDATE bulk_action SET failures = $2, last_error = $3, next_at = now() + $4 * interval '1 millisecond'
        WHERE id = $1 AND state = 'running'`,
      [id, count, reason, RETRY_MS * 2 ** (count - 1)],
    );
  }

  private runBatch(group: BulkActionGroup, onStart: (action: BulkAction) => void): Promise<ReplayedStep[] | undefined> {
    return this.database.transaction(async () => {
      const [action] = await this.database.rows<BulkAction & { organizationId: string }>(
        `SELECT a.*, e.organization_id FROM bulk_action a JOIN environment e ON e.id = a.environment_id
          WHERE a.id IN (SELECT id FROM (${MAY_RUN}) due) AND a.state = 'running' AND a.next_at <= now()
          ORDER BY array_position($2::uuid[], e.organization_id) NULLS FIRST, a.next_at
          LIMIT 1 FOR UPDATE OF a SKIP LOCKED`,
        [group, this.served],
      );
      if (!action) return undefined;
      onStart(action);
      const { organizationId } = action;
      this.served = [...this.served.filter((id) => id !== organizationId), organizationId].slice(-REMEMBERED);
      await this.database.query(`SET LOCAL statement_timeout = ${this.database.waitFactor * STATEMENT_MS}`);
      const size = Math.max(1, Math.min(action.perSecond, BATCH_SIZE) >> (2 * action.failures));
      const items = await this.database.rows<Item>(
        `SELECT id, ended_at FROM bulk_action_item
          WHERE bulk_action_id = $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
        [action.id, action.cursorId, size],
      );
      const { outcomes, queued } =
        action.failures === MOST_FAILURES && items.length === 1
          ? failedItem(items[0]!)
          : await this.workOff(action, items, performance.now() + SINGLE_ITEMS_MS);
      await this.record(action, outcomes, items.length < size && outcomes.size === items.length);
      return queued;
    });
  }

  /** An item that Postgres rejects fails alone: then the items run one after the other. */
  private async workOff(action: BulkAction, items: Item[], until: number): Promise<Batch> {
    if (items.length === 0) return { outcomes: new Map(), queued: [] };
    try {
      return await this.database.attempt(() => this.change(action, items));
    } catch (error) {
      const isOfItem =
        error instanceof QueryFailedError && !isRetryableConflict(error) && !isDatabaseUnavailable(error);
      if (!isOfItem) throw error;
      if (items.length === 1) return failedItem(items[0]!);
      const batch: Batch = { outcomes: new Map(), queued: [] };
      for (const item of items) {
        if (performance.now() > until) break;
        const { outcomes, queued } = await this.workOff(action, [item], until);
        for (const [id, outcome] of outcomes) batch.outcomes.set(id, outcome);
        batch.queued.push(...queued);
      }
      return batch;
    }
  }

  private async change({ action, environmentId, through }: BulkAction, items: Item[]): Promise<Batch> {
    const ids = items.map(({ id }) => id);
    const queued =
      action === 'replay'
        ? await this.replays.replayEnded(
            environmentId,
            items.map(({ id, endedAt }) => ({ id: id as StepId, endedAt: endedAt! })),
            through,
          )
        : [];
    const changed =
      action === 'replay'
        ? queued.map(({ id }) => id)
        : await cancelSteps<NotificationId[]>(this.database, CANCEL_NOTIFICATIONS, environmentId, ids);
    const outcomes = new Map<string, ItemOutcome>(changed.map((id) => [id, 'done']));
    const left = ids.filter((id) => !outcomes.has(id));
    if (left.length > 0) {
      const why = action === 'replay' ? WHY_NOT_REPLAYED : WHY_NOT_CANCELED;
      const reasons = await this.database.rows<{ id: string; reason: UnchangedReason }>(why, [environmentId, left]);
      for (const { id, reason } of reasons) outcomes.set(id, reason);
    }
    return { outcomes, queued };
  }

  private async record(action: BulkAction, outcomes: Map<string, ItemOutcome>, hasNoMore: boolean): Promise<void> {
    const all = [...outcomes.values()];
    const done = all.filter((outcome) => outcome === 'done').length;
    const failed = all.filter((outcome) => outcome === 'failed').length;
    const ids = [...outcomes.keys()].sort();
    const isLast = hasNoMore || action.done + action.unchanged + action.failed + ids.length === action.count;
    await this.database.query(
      `WITH items AS (
         UPDATE bulk_action_item i SET outcome = o.outcome
           FROM unnest($2::uuid[], $3::text[]) AS o (id, outcome) WHERE i.bulk_action_id = $1 AND i.id = o.id)
       UPDATE bulk_action SET done = done + $4, failed = failed + $5, unchanged = unchanged + $6,
              cursor_id = coalesce($7, cursor_id),
              state = CASE WHEN $8 THEN 'done' ELSE state END, ended_at = CASE WHEN $8 THEN now() END,
              next_at = CASE WHEN NOT $8 THEN now() + $9::float8 * interval '1 second' END,
              failures = greatest(failures - 1, 0), last_error = CASE WHEN failures > 1 THEN last_error END
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
        ids.length / action.perSecond,
      ],
    );
  }
}

const failedItem = ({ id }: Item): Batch => ({ outcomes: new Map([[id, 'failed']]), queued: [] });

/** The reason that a slow action shows. Words of Postgres may have values of other rows in them. */
function reasonOfError(error: unknown): string {
  if (isStatementTimeout(error)) return 'A statement of a batch took too long';
  if (isRetryableConflict(error)) return 'A batch met rows that another statement was writing';
  return isDatabaseUnavailable(error) ? 'The database did not answer in time' : 'The database rejected a batch';
}
