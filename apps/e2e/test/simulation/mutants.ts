import type { StepId } from '@clarion/contracts/core';
import type { DigestRequest, FanOutCursor, FanOutPage, QueuedStep, Recorded, StepOutcome } from '@clarion/persistence';
import { MemoryStore, type StepRow, type TriggerRow, type WorkRow } from '@clarion/testing/memory-store';

class RecordsWithAnyFence extends MemoryStore {
  protected override mayRecord(): boolean {
    return true;
  }
}

class MarksSendingWithAnyFence extends MemoryStore {
  protected override mayMark(): boolean {
    return true;
  }
}

class MarksWithoutNewFence extends MemoryStore {
  override markSending(steps: Parameters<MemoryStore['markSending']>[0]): Map<StepId, number> {
    const marked = super.markSending(steps);
    for (const id of marked.keys()) {
      const row = this.steps.get(id)!;
      row.fence -= 1;
      marked.set(id, row.fence);
    }
    return marked;
  }
}

class ReleasesWithoutNewFence extends MemoryStore {
  protected override release(row: StepRow, inDoubt: boolean): void {
    super.release(row, inDoubt);
    row.fence -= 1;
  }
}

class WaitsWithoutNewFence extends MemoryStore {
  protected override settle(row: StepRow): void {
    super.settle(row);
    row.fence -= 1;
  }
}

class CommitsWithoutNewFence extends MemoryStore {
  protected override raiseFence(): void {
    // The row keeps its fence.
  }
}

class ReopensWithOldFence extends MemoryStore {
  protected override reopenedFence({ fence }: StepRow): number {
    return fence - 1;
  }
}

/** The other steps of the batch are still in flight. */
class EndsClaimWithFirstOutcome extends MemoryStore {
  override record(outcomes: StepOutcome[]): Recorded {
    const claims = outcomes.flatMap(({ id }) => this.claims.get(this.steps.get(id)!.claimId ?? '') ?? []);
    const recorded = super.record(outcomes);
    for (const claim of new Set(claims)) this.deleteClaim(claim);
    return recorded;
  }
}

class EndsLapsedClaimsWithoutCrash extends MemoryStore {
  protected override countCrash(row: TriggerRow | StepRow): void {
    this.unclaim(row);
  }
}

class NeverEndsLapsedClaims extends MemoryStore {
  protected override endLapsedClaims(): void {
    // Their rows stay claimed.
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
  protected override release(row: StepRow): void {
    super.release(row, false);
  }
}

class CountsOneCrashAtMost extends MemoryStore {
  protected override countCrash(row: TriggerRow | StepRow): void {
    super.countCrash(row);
    row.crashCount = 1;
  }
}

class ClaimsSuspectsInBatches extends MemoryStore {
  protected override mayBeClaimed(): boolean {
    return true;
  }
}

/** Suspects always run in groups, however often their holders crashed. */
class CountsOneCrashForSuspects extends MemoryStore {
  protected override mayBeClaimed({ crashCount }: { crashCount: number }, mostCrashes: number): boolean {
    return crashCount === 0 || mostCrashes > 0;
  }

  protected override suspectOf<Id>({ id }: { id: Id }): { id: Id; crashes: number } {
    return { id, crashes: 1 };
  }
}

class GivesNoGrace extends MemoryStore {
  protected override get graceMs(): number {
    return 0;
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
  protected override offerEndsAt(row: WorkRow): number {
    return row.offeredAt === null ? super.offerEndsAt(row) : Infinity;
  }
}

class NeverOffersCrashedRows extends MemoryStore {
  protected override offerEndsAt(row: WorkRow): number {
    return row.crashCount > 0 ? Infinity : super.offerEndsAt(row);
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
    super.applyToLaterSteps(row, { ...outcome, then }, queued);
  }
}

class ForgetsReleasedSteps extends MemoryStore {
  protected override keepLaterStepsBehind(): void {}
}

export type Mutant = { breaks: string; Store: typeof MemoryStore; detectedBy: RegExp; from?: number };

/** Each mutant breaks one rule of the store. The simulation must report a problem that matches `detectedBy`. */
export const MUTANTS: Mutant[] = [
  { breaks: 'the fence of outcomes', Store: RecordsWithAnyFence, detectedBy: /recorded by a former holder/ },
  { breaks: 'the fence of the sending mark', Store: MarksSendingWithAnyFence, detectedBy: /marked by a claim/ },
  { breaks: 'the fence of fan-out', Store: CommitsWithAnyFence, detectedBy: /has \d+ notifications/ },
  { breaks: 'leases', Store: IgnoresLeases, detectedBy: /claimed while its lease was held|has \d+ notifications/ },
  { breaks: 'due times', Store: IgnoresDueTimes, detectedBy: /early/ },
  { breaks: 'the in-doubt mark of interrupted calls', Store: NeverInDoubt, detectedBy: /without a warning/ },
  // Only a rare sequence of faults shows this. The first such seed is shortly after `from`.
  {
    breaks: 'the in-doubt mark of released steps',
    Store: ForgetsDoubtOnRelease,
    detectedBy: /without a warning/,
    from: 2_600,
  },
  { breaks: 'the count of crashes', Store: CountsOneCrashAtMost, detectedBy: /did not end/ },
  { breaks: 'the isolation of suspects', Store: ClaimsSuspectsInBatches, detectedBy: /for the crashes of another/ },
  {
    breaks: 'the isolation of repeated suspects',
    Store: CountsOneCrashForSuspects,
    detectedBy: /for the crashes of another/,
  },
  {
    breaks: 'the grace after the database was away',
    Store: GivesNoGrace,
    detectedBy: /interrupted although no process ended/,
    from: 1_950,
  },
  { breaks: 'the new fence of marked steps', Store: MarksWithoutNewFence, detectedBy: /marked by a claim/, from: 180 },
  {
    breaks: 'the new fence of released steps',
    Store: ReleasesWithoutNewFence,
    detectedBy: /marked by a claim/,
    from: 5_560,
  },
  { breaks: 'the new fence of waiting steps', Store: WaitsWithoutNewFence, detectedBy: /recorded twice/ },
  { breaks: 'the new fence of committed pages', Store: CommitsWithoutNewFence, detectedBy: /has \d+ notifications/ },
  { breaks: 'the new fence of reopened steps', Store: ReopensWithOldFence, detectedBy: /a fence of its first run/ },
  {
    breaks: 'the lease of the other steps of a batch',
    Store: EndsClaimWithFirstOutcome,
    detectedBy: /claimed while its lease was held/,
  },
  { breaks: 'the crash of lapsed claims', Store: EndsLapsedClaimsWithoutCrash, detectedBy: /did not end/ },
  { breaks: 'the end of lapsed claims', Store: NeverEndsLapsedClaims, detectedBy: /did not end/ },
  { breaks: 'the cursor of fan-out', Store: KeepsFirstCursor, detectedBy: /has \d+ notifications/ },
  { breaks: 'one open digest per key', Store: AlwaysOpensDigest, detectedBy: /digests are open/ },
  {
    breaks: 'the order of closing and collecting a digest',
    Store: ClosesDigestAfterCollecting,
    detectedBy: /is in 0 digests/,
    from: 1_320,
  },
  {
    breaks: 'the successor of a closed digest',
    Store: PassesOnOpenDigestsOnly,
    detectedBy: /is in 0 digests/,
    from: 200,
  },
  {
    breaks: 'the successor of a failed digest',
    Store: KeepsWindowOfFailedStep,
    detectedBy: /left open|is in 0 digests/,
    from: 200,
  },
  { breaks: 'the fence of windows', Store: CountsWithAnyFence, detectedBy: /skipped as event/, from: 240 },
  { breaks: 'the sweep of lost jobs', Store: NeverOffersLostJobs, detectedBy: /has not ended/ },
  { breaks: 'the sweep of crashed rows', Store: NeverOffersCrashedRows, detectedBy: /has not ended/ },
  { breaks: 'the transaction that queues the next step', Store: LosesNextStep, detectedBy: /has not ended/ },
  { breaks: 'the halt after a failed step', Store: IgnoresHalt, detectedBy: /should be canceled/ },
  {
    breaks: 'the order behind steps that run beside a retry',
    Store: ForgetsReleasedSteps,
    detectedBy: /claimed while the step before it was/,
  },
];
