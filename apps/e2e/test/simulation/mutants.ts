import type { StepId } from '@clarion/contracts/core';
import type { DigestRequest, FanOutCursor, FanOutPage, QueuedStep, Recorded, StepOutcome } from '@clarion/persistence';
import type { StepRow, TriggerRow } from './memory-rows';
import { MemoryStore } from './memory-store';

type Claim = { id: StepId; fence: number; inDoubt: boolean };

class RecordsWithAnyFence extends MemoryStore {
  protected override mayRecord(): boolean {
    return true;
  }
}

class MarksSendingWithAnyFence extends MemoryStore {
  override markSending(steps: Claim[]): Set<StepId> {
    super.markSending(steps);
    return new Set(steps.map(({ id }) => id));
  }
}

class CommitsWithAnyFence extends MemoryStore {
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

class NeverInDoubt extends MemoryStore {
  protected override isInDoubt(): boolean {
    return false;
  }
}

class ForgetsDoubtOnRelease extends MemoryStore {
  override releaseSteps(steps: Claim[], delayMs?: number): void {
    super.releaseSteps(steps, delayMs);
    for (const { id, fence } of steps) {
      const row = this.steps.get(id)!;
      if (this.holds(row, fence)) row.sendingSince = null;
    }
  }
}

class CountsOneCrashAtMost extends MemoryStore {
  protected override countClaim(row: StepRow): void {
    row.crashCount = Math.min(row.crashCount + 1, 1);
  }
}

class ClaimsSuspectsInBatches extends MemoryStore {
  protected override mayBeClaimedInBatch(): boolean {
    return true;
  }
}

class RenewsEndedClaims extends MemoryStore {
  protected override isClaimed(): boolean {
    return true;
  }
}

class KeepsFirstCursor extends MemoryStore {
  protected override saveProgress(row: TriggerRow, cursor: FanOutCursor | null): void {
    // Never moves past the first page.
    row.cursor ??= cursor;
  }
}

class AlwaysOpensDigest extends MemoryStore {
  protected override openDigestOf(): undefined {
    return undefined;
  }
}

/** Reads the members of a digest while other steps can still join it. */
class ClosesDigestAfterCollecting extends MemoryStore {
  override closeDigests(): void {
    // `record` closes the digest instead.
  }

  override record(outcomes: StepOutcome[]): Recorded {
    const recorded = super.record(outcomes);
    for (const id of recorded.held) this.closeWindow(id);
    return recorded;
  }
}

class PassesOnOpenDigestsOnly extends MemoryStore {
  protected override passDigestOn(master: StepRow): void {
    if ([...this.openDigests.values()].includes(master.id)) super.passDigestOn(master);
  }
}

class KeepsWindowOfFailedStep extends MemoryStore {
  override record(outcomes: StepOutcome[]): Recorded {
    return super.record(outcomes.map((outcome) => ({ ...outcome, passesDigestOn: false })));
  }
}

class CountsWithAnyFence extends MemoryStore {
  protected override isHeldAndQueued(_: Pick<DigestRequest, 'id' | 'fence'>): boolean {
    return true;
  }
}

class NeverOffersLostJobs extends MemoryStore {
  protected override stepOfferAt(row: StepRow): number {
    return row.offeredUntil !== null && row.leaseUntil === null ? Infinity : super.stepOfferAt(row);
  }
}

class NeverOffersLapsedLeases extends MemoryStore {
  protected override stepOfferAt(row: StepRow): number {
    return row.leaseUntil !== null ? Infinity : super.stepOfferAt(row);
  }
}

/** Sometimes commits an outcome without the row of the next step. */
class LosesNextStep extends MemoryStore {
  protected override applyToLaterSteps(row: StepRow, outcome: StepOutcome, queued: QueuedStep[]): void {
    if (outcome.then !== 'advance' || this.world.random.chance(0.9)) super.applyToLaterSteps(row, outcome, queued);
  }
}

class IgnoresHalt extends MemoryStore {
  protected override applyToLaterSteps(row: StepRow, outcome: StepOutcome, queued: QueuedStep[]): void {
    const then = outcome.then === 'halt' ? 'advance' : outcome.then;
    super.applyToLaterSteps(row, { ...outcome, then, nextStepId: row.nextStepId }, queued);
  }
}

export type Mutant = { breaks: string; Store: typeof MemoryStore; detectedBy: RegExp; from?: number };

/** Each mutant breaks one rule of the store. The simulation must report a problem that matches `detectedBy`. */
export const MUTANTS: Mutant[] = [
  { breaks: 'the fence of outcomes', Store: RecordsWithAnyFence, detectedBy: /recorded by a former holder/ },
  { breaks: 'the fence of the sending mark', Store: MarksSendingWithAnyFence, detectedBy: /without a warning/ },
  { breaks: 'the fence of fan-out', Store: CommitsWithAnyFence, detectedBy: /has \d+ notifications/ },
  { breaks: 'leases', Store: IgnoresLeases, detectedBy: /claimed while its lease was held|has \d+ notifications/ },
  { breaks: 'due times', Store: IgnoresDueTimes, detectedBy: /early/ },
  { breaks: 'the in-doubt mark of interrupted calls', Store: NeverInDoubt, detectedBy: /without a warning/ },
  // Only a rare sequence of faults shows this. The first such seed is shortly after `from`.
  {
    breaks: 'the in-doubt mark of released steps',
    Store: ForgetsDoubtOnRelease,
    detectedBy: /without a warning/,
    from: 2_500,
  },
  { breaks: 'the count of crashes', Store: CountsOneCrashAtMost, detectedBy: /did not end/ },
  { breaks: 'the isolation of suspects', Store: ClaimsSuspectsInBatches, detectedBy: /for the crashes of another/ },
  {
    breaks: 'the end of a claim',
    Store: RenewsEndedClaims,
    detectedBy: /extended with a fence that does not hold it|recorded twice/,
  },
  { breaks: 'the cursor of fan-out', Store: KeepsFirstCursor, detectedBy: /has \d+ notifications/ },
  { breaks: 'one open digest per key', Store: AlwaysOpensDigest, detectedBy: /digests are open/ },
  {
    breaks: 'the order of closing and collecting a digest',
    Store: ClosesDigestAfterCollecting,
    detectedBy: /is in 0 digests/,
  },
  { breaks: 'the successor of a closed digest', Store: PassesOnOpenDigestsOnly, detectedBy: /is in 0 digests/ },
  {
    breaks: 'the successor of a failed digest',
    Store: KeepsWindowOfFailedStep,
    detectedBy: /left open|is in 0 digests/,
  },
  { breaks: 'the fence of windows', Store: CountsWithAnyFence, detectedBy: /skipped as event/ },
  { breaks: 'the sweep of lost jobs', Store: NeverOffersLostJobs, detectedBy: /has not ended/ },
  { breaks: 'the sweep of lapsed leases', Store: NeverOffersLapsedLeases, detectedBy: /has not ended/ },
  { breaks: 'the transaction that queues the next step', Store: LosesNextStep, detectedBy: /has not ended/ },
  { breaks: 'the halt after a failed step', Store: IgnoresHalt, detectedBy: /should be canceled/ },
];
