import { groupBy, NORMAL_LANE, type StepType } from '@clarion/contracts/core';
import {
  ACCOUNT_TRIED_MS,
  type BusyQueues,
  OFFER_AGAIN_MS,
  OFFER_CRASHED_AGAIN_MS,
  OFFER_TO_BUSY_QUEUE_MS,
  OFFER_MS,
  type OfferedStep,
  type OfferedTrigger,
  type QueuedStep,
  SMALLEST_SHARE,
} from '@clarion/persistence';
import { MemoryDigests } from './memory-digests';
import { byId, ENVIRONMENT, isOpen, isOpenTrigger, type StepRow, type TriggerRow, type WorkRow } from './memory-rows';

type Row = TriggerRow | StepRow;

const typeOf = (row: Row): StepType => ('type' in row ? row.type : 'trigger');

/** The sweeper: offers due rows to the queue again when no process holds them and the last offer is old. */
export abstract class MemorySweep extends MemoryDigests {
  overdueTypes(): StepType[] {
    this.endLapsedClaims();
    const overdue = [...this.openRows()].filter((row) => row.dueAt <= this.now && this.waitsForOffer(row));
    return [...new Set(overdue.map(typeOf))];
  }

  offerTriggers(limit: number, cap: number, busyQueues: BusyQueues = new Map()): OfferedTrigger[] {
    const open = [...this.triggers.values()].filter(isOpenTrigger);
    return this.offer(open, limit, cap, busyQueues).map(({ row: { id }, lapsed, isFirst }) => ({
      id,
      environmentId: ENVIRONMENT,
      lane: NORMAL_LANE,
      lapsed,
      isFirst,
    }));
  }

  offerSteps(limit: number, cap: number, busyQueues: BusyQueues = new Map()): OfferedStep[] {
    const open = [...this.steps.values()].filter(isOpen);
    return this.offer(open, limit, cap, busyQueues).map(({ row: { id, type }, lapsed, isFirst }) => ({
      id,
      type,
      environmentId: ENVIRONMENT,
      lane: NORMAL_LANE,
      lapsed,
      isFirst,
    }));
  }

  /** The first row of each lane, then the second of each; no lane has more rows in flight than its share of the cap. */
  private offer<R extends Row>(
    open: R[],
    limit: number,
    cap: number,
    busyQueues: BusyQueues,
  ): { row: R; lapsed: boolean; isFirst: boolean }[] {
    const lanes = groupBy(open, typeOf);
    const share = Math.max(Math.floor(cap / Math.max(lanes.size, 1)), SMALLEST_SHARE);
    const due = [...lanes.values()].flatMap((rows) => {
      const queue = busyQueues.get(typeOf(rows[0]!));
      const until = Math.min(this.now, queue?.oldest[NORMAL_LANE]?.getTime() ?? Infinity);
      const taken = Math.min(this.now, queue?.taken[NORMAL_LANE]?.getTime() ?? Infinity);
      const dueRows = rows
        .filter(({ dueAt }) => dueAt <= until)
        .sort((one, other) => one.dueAt - other.dueAt || byId(one, other));
      const isInMemory = (row: R): boolean =>
        row.dueAt > taken && row.offeredAt !== null && !row.wasOfferedAgain && row.crashCount === 0;
      const waiting = dueRows.filter((row) => this.waitsForOffer(row, queue !== undefined) && !isInMemory(row));
      const free = Math.min(limit, share - (dueRows.length - waiting.length));
      return waiting.slice(0, Math.max(free, 0)).map((row, place) => ({ row, place }));
    });
    const offered = due
      .sort((one, other) => one.place - other.place || byId(one.row, other.row))
      .slice(0, limit)
      .map(({ row }) => ({ row, lapsed: row.crashCount > 0, isFirst: row.offeredAt === null }));
    for (const { row } of offered) {
      row.offeredAt = this.now;
      row.wasOfferedAgain = true;
    }
    if (offered.length > 0) this.version += 1;
    return offered;
  }

  /**
   * One step that waits for an account goes on when the account may be tried again; when it can be called, all do, or
   * as many as its limit lets through in a second.
   */
  releaseWaiting(): QueuedStep[] {
    const waiting = [...this.steps.values()]
      .filter((row) => isOpen(row) && row.waitsFor && row.dueAt > this.now)
      .sort((one, other) => one.dueAt - other.dueAt);
    const released = [...groupBy(waiting, ({ waitsFor }) => waitsFor!)].flatMap(([id, rows]) => {
      const pausedUntil = this.pausedUntil(id);
      if (pausedUntil > this.now) return [];
      if (pausedUntil > this.now - ACCOUNT_TRIED_MS) return rows.slice(0, 1);
      return rows.slice(0, rows.find(({ limit }) => limit)?.limit?.figure);
    });
    for (const row of released) {
      row.waitsFor = undefined;
      row.dueAt = row.offeredAt = this.now;
      row.wasOfferedAgain = true;
    }
    if (released.length > 0) this.version += 1;
    return released.map(({ id, type }) => ({ id, type, environmentId: ENVIRONMENT, lane: NORMAL_LANE }));
  }

  /** Until when an integration cannot be called. */
  private pausedUntil(id: string): number {
    const health = this.integrations.find((row) => row.id === id)?.health;
    return health && health.state !== 'closed' ? Date.parse(health.until ?? '') : -Infinity;
  }

  private waitsForOffer(row: Row, isBusy = false): boolean {
    return (
      this.offerEndsAt(row, isBusy) <= this.now && !this.holdersOf(row).some(({ leaseUntil }) => leaseUntil > this.now)
    );
  }

  /** Until then the queue is trusted to bring the row to a process. */
  protected offerEndsAt({ offeredAt, wasOfferedAgain, crashCount }: WorkRow, isBusy = false): number {
    if (offeredAt === null) return 0;
    if (crashCount > 0) return offeredAt + OFFER_CRASHED_AGAIN_MS;
    return offeredAt + (wasOfferedAgain ? OFFER_AGAIN_MS : isBusy ? OFFER_TO_BUSY_QUEUE_MS : OFFER_MS);
  }

  private *openRows(): Generator<Row> {
    for (const row of this.triggers.values()) if (isOpenTrigger(row)) yield row;
    for (const row of this.steps.values()) if (isOpen(row)) yield row;
  }

  /** When the sweeper can next offer a row; Infinity when every row has ended. */
  nextOfferAt(): number {
    let next = Infinity;
    for (const row of this.openRows()) {
      const holders = this.holdersOf(row);
      const freeAt =
        holders.length > 0
          ? Math.max(Math.min(...holders.map(({ leaseUntil }) => leaseUntil)), this.graceUntil)
          : this.offerEndsAt(row);
      const awaited = 'waitsFor' in row ? row.waitsFor : undefined;
      const dueAt = awaited ? Math.min(row.dueAt, this.pausedUntil(awaited)) : row.dueAt;
      next = Math.min(next, Math.max(dueAt, freeAt));
    }
    return next;
  }
}
