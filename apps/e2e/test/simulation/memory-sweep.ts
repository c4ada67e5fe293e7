import { groupBy } from '@clarion/contracts';
import {
  OFFER_AGAIN_MS,
  type OfferedStep,
  type OfferedTrigger,
  SMALLEST_SHARE,
  TRIGGER_OFFER_MS,
} from '@clarion/persistence';
import { MemoryDigests } from './memory-digests';
import { byId, ENVIRONMENT, isOpen, isOpenTrigger, type StepRow, type TriggerRow } from './memory-rows';

/** The sweeper: offers due rows to the queue again when no process holds them and the last offer is old. */
export abstract class MemorySweep extends MemoryDigests {
  offerTriggers(limit: number, cap: number): OfferedTrigger[] {
    const open = [...this.triggers.values()].filter(isOpenTrigger);
    const offered = this.offer([open], limit, cap, (row) => this.triggerOfferAt(row) <= this.now);
    return offered.map(({ id, leaseUntil }) => ({ id, environmentId: ENVIRONMENT, lapsed: leaseUntil !== null }));
  }

  offerSteps(limit: number, cap: number): OfferedStep[] {
    const open = [...this.steps.values()]
      .filter(isOpen)
      .sort((one, other) => one.dueAt! - other.dueAt! || byId(one, other));
    const lanes = [...groupBy(open, ({ type }) => type).values()];
    const offered = this.offer(lanes, limit, cap, (row) => this.stepOfferAt(row) <= this.now);
    return offered.map(({ id, type, leaseUntil }) => ({
      id,
      type,
      environmentId: ENVIRONMENT,
      lapsed: leaseUntil !== null,
    }));
  }

  /** The first row of each lane, then the second of each; no lane has more rows in flight than its share of the cap. */
  private offer<Row extends { id: string; offeredUntil: number | null; leaseUntil: number | null }>(
    lanes: Row[][],
    limit: number,
    cap: number,
    isDue: (row: Row) => boolean,
  ): Row[] {
    const share = Math.max(Math.floor(cap / Math.max(lanes.length, 1)), SMALLEST_SHARE);
    const due = lanes.flatMap((rows) => {
      const inFlight = rows.filter(
        ({ offeredUntil, leaseUntil }) => this.isAhead(offeredUntil) || this.isAhead(leaseUntil),
      );
      const free = Math.min(limit, share - inFlight.length);
      return rows
        .filter(isDue)
        .slice(0, Math.max(free, 0))
        .map((row, number) => ({ row, number }));
    });
    const offered = due
      .sort((one, other) => one.number - other.number || byId(one.row, other.row))
      .slice(0, limit)
      .map(({ row }) => row);
    for (const row of offered) row.offeredUntil = this.now + OFFER_AGAIN_MS;
    if (offered.length > 0) this.version += 1;
    return offered;
  }

  private isAhead(time: number | null): boolean {
    return time !== null && time > this.now;
  }

  protected triggerOfferAt(row: TriggerRow): number {
    return Math.max(row.leaseUntil ?? 0, row.offeredUntil ?? row.createdAt + TRIGGER_OFFER_MS);
  }

  protected stepOfferAt(row: StepRow): number {
    return Math.max(row.leaseUntil ?? 0, row.offeredUntil ?? 0, row.dueAt!);
  }

  /** When the sweeper can next offer a row; Infinity when every row has ended. */
  nextOfferAt(): number {
    let next = Infinity;
    for (const row of this.triggers.values()) if (isOpenTrigger(row)) next = Math.min(next, this.triggerOfferAt(row));
    for (const row of this.steps.values()) if (isOpen(row)) next = Math.min(next, this.stepOfferAt(row));
    return next;
  }
}
