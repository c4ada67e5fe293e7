import type { StepId } from '@clarion/contracts/core';
import type { DigestRequest, FanOutCursor, FanOutPage, QueuedStep, Recorded, StepOutcome } from '@clarion/persistence';
import type { StepRow, TriggerRow } from './memory-rows';
import { MemoryStore } from './memory-store';

type Claim = { id: StepId; fence: number; inDoubt: boolean };

class RecordsForAnybody extends MemoryStore {
  protected override mayRecord(): boolean {
    return true;
  }
}

class SendsForAnybody extends MemoryStore {
  override markSending(steps: Claim[]): Set<StepId> {
    super.markSending(steps);
    return new Set(steps.map(({ id }) => id));
  }
}

class CommitsForAnybody extends MemoryStore {
  override commit(page: FanOutPage): Set<string> {
    const triggers = page.triggers.map((trigger) => ({ ...trigger, fence: this.triggers.get(trigger.id)!.fence }));
    return super.commit({ ...page, triggers });
  }
}

class IgnoresLeases extends MemoryStore {
  protected override isFree(): boolean {
    return true;
  }
}

class IgnoresDueTimes extends MemoryStore {
  protected override isDue(): boolean {
    return true;
  }
}

class ForgetsDoubt extends MemoryStore {
  protected override isInDoubt(): boolean {
    return false;
  }
}

class ForgetsDoubtWhenGivenBack extends MemoryStore {
  override releaseSteps(steps: Claim[], delayMs?: number): void {
    super.releaseSteps(steps, delayMs);
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (this.holds(row, fence)) row.sendingSince = null;
    }
  }
}

class CountsNoCrashes extends MemoryStore {
  protected override countClaim(row: StepRow): void {
    row.crashCount = Math.min(row.crashCount + 1, 1);
  }
}

class TakesSuspectsTogether extends MemoryStore {
  protected override mayRunWithOthers(): boolean {
    return true;
  }
}

class RevivesLeases extends MemoryStore {
  protected override isClaimed(): boolean {
    return true;
  }
}

class LosesItsPlace extends MemoryStore {
  protected override saveProgress(row: TriggerRow, cursor: FanOutCursor | null): void {
    // Where it began is known; how far it came is not.
    row.cursor ??= cursor;
  }
}

class OpensAlways extends MemoryStore {
  protected override openDigestOf(): undefined {
    return undefined;
  }
}

/** The members are read while others can still join. */
class ClosesAfterReading extends MemoryStore {
  override closeDigests(): void {
    // Not yet.
  }

  override record(outcomes: StepOutcome[]): Recorded {
    const recorded = super.record(outcomes);
    for (const id of recorded.held) this.endWindow(id);
    return recorded;
  }
}

class CancelsWithoutHeirs extends MemoryStore {
  protected override passDigestOn(master: StepRow): void {
    if ([...this.openDigests.values()].includes(master.id)) super.passDigestOn(master);
  }
}

class LeavesWindowsOfTheFailed extends MemoryStore {
  override record(outcomes: StepOutcome[]): Recorded {
    return super.record(outcomes.map((outcome) => ({ ...outcome, passesDigestOn: false })));
  }
}

class CountsForAnybody extends MemoryStore {
  protected override isAsking(_: Pick<DigestRequest, 'id' | 'fence'>): boolean {
    return true;
  }
}

class TrustsTheQueue extends MemoryStore {
  protected override stepOfferAt(row: StepRow): number {
    return row.offeredUntil !== null && row.leaseUntil === null ? Infinity : super.stepOfferAt(row);
  }
}

class TrustsTheHolders extends MemoryStore {
  protected override stepOfferAt(row: StepRow): number {
    return row.leaseUntil !== null ? Infinity : super.stepOfferAt(row);
  }
}

/** The next step is told to the queue, but its row is not part of the transaction. */
class GoesOnLater extends MemoryStore {
  protected override goOn(row: StepRow, outcome: StepOutcome, queued: QueuedStep[]): void {
    if (outcome.then !== 'advance' || this.world.random.chance(0.9)) super.goOn(row, outcome, queued);
  }
}

class HaltsNobody extends MemoryStore {
  protected override goOn(row: StepRow, outcome: StepOutcome, queued: QueuedStep[]): void {
    const then = outcome.then === 'halt' ? 'advance' : outcome.then;
    super.goOn(row, { ...outcome, then, nextStepId: row.nextStepId }, queued);
  }
}

export type Mutant = { breaks: string; Store: typeof MemoryStore; seenAs: RegExp; from?: number };

/** One rule of the store broken each, and what the simulation must say about it. */
export const MUTANTS: Mutant[] = [
  { breaks: 'the fence of outcomes', Store: RecordsForAnybody, seenAs: /recorded by a former holder/ },
  { breaks: 'the fence of the sending mark', Store: SendsForAnybody, seenAs: /does not say so/ },
  { breaks: 'the fence of fan-out', Store: CommitsForAnybody, seenAs: /has \d+ notifications/ },
  { breaks: 'leases', Store: IgnoresLeases, seenAs: /claimed while somebody held it|has \d+ notifications/ },
  { breaks: 'due times', Store: IgnoresDueTimes, seenAs: /early/ },
  { breaks: 'the memory of calls under way', Store: ForgetsDoubt, seenAs: /does not say so/ },
  // Takes a rare turn of events; one is not far from here.
  {
    breaks: 'that memory when a step is given back',
    Store: ForgetsDoubtWhenGivenBack,
    seenAs: /does not say so/,
    from: 2_500,
  },
  { breaks: 'the count of crashes', Store: CountsNoCrashes, seenAs: /did not come to an end/ },
  { breaks: 'the isolation of suspects', Store: TakesSuspectsTogether, seenAs: /for the crashes of another/ },
  {
    breaks: 'the end of a claim',
    Store: RevivesLeases,
    seenAs: /extended by somebody who does not hold it|recorded twice/,
  },
  { breaks: 'the cursor of fan-out', Store: LosesItsPlace, seenAs: /has \d+ notifications/ },
  { breaks: 'one open digest per key', Store: OpensAlways, seenAs: /digests are open/ },
  { breaks: 'the order of closing and reading', Store: ClosesAfterReading, seenAs: /is in 0 digests/ },
  { breaks: 'heirs of a window that is closed', Store: CancelsWithoutHeirs, seenAs: /is in 0 digests/ },
  { breaks: 'heirs of a digest that failed', Store: LeavesWindowsOfTheFailed, seenAs: /left open|is in 0 digests/ },
  { breaks: 'the fence of windows', Store: CountsForAnybody, seenAs: /skipped as event/ },
  { breaks: 'the sweep of lost jobs', Store: TrustsTheQueue, seenAs: /has not ended/ },
  { breaks: 'the sweep of lapsed leases', Store: TrustsTheHolders, seenAs: /has not ended/ },
  { breaks: 'the transaction with the next step', Store: GoesOnLater, seenAs: /has not ended/ },
  { breaks: 'the halt', Store: HaltsNobody, seenAs: /should be canceled/ },
];
