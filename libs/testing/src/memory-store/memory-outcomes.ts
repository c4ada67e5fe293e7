import { announcesQueued, NORMAL_LANE, type StepId } from '@clarion/contracts/core';
import type { QueuedStep, Recorded, StepOutcome } from '@clarion/persistence';
import { MemoryClaims } from './memory-claims';
import { ENVIRONMENT, isOpen, newWork, type StepRow } from './memory-rows';

/** Outcomes of steps and their effect on the later steps of the notification. */
export abstract class MemoryOutcomes extends MemoryClaims {
  record(outcomes: StepOutcome[]): Recorded {
    this.version += 1;
    const held = new Set<StepId>();
    const queued: QueuedStep[] = [];
    for (const outcome of outcomes) {
      const row = this.steps.get(outcome.id)!;
      if (!isOpen(row) || !this.mayRecord(row, outcome.fence)) continue;
      held.add(row.id);
      this.witness.recorded(row, outcome);
      row.state = outcome.state;
      row.attempt = outcome.attempt ?? row.attempt + 1;
      row.crashCount = 0;
      row.sendingSince = null;
      this.settle(row);
      if (outcome.dueAt !== undefined) row.dueAt = Date.parse(outcome.dueAt);
      else if (outcome.dueInMs !== undefined) row.dueAt = this.now + outcome.dueInMs;
      row.waitsFor = outcome.waitsFor;
      row.limit = row.waitingSince = row.notedLimits = undefined;
      row.integrationId = outcome.integrationId ?? row.integrationId;
      row.output = outcome.output ?? row.output;
      row.digest = outcome.digest ?? row.digest;
      row.error = outcome.error ?? null;
      row.scheduleExtensionsCount = outcome.scheduleExtensionsCount ?? row.scheduleExtensionsCount;
      for (const message of outcome.messages ?? []) row.messages.set(message.id, message);
      for (const { status, detail, isRetry, raw } of outcome.details) this.addDetail(row, status, detail, raw, isRetry);
      if (outcome.hasReleased) this.keepLaterStepsBehind(row);
      this.applyToLaterSteps(row, outcome, queued);
      if (outcome.releases) this.letRun(row, outcome.releases, queued);
      if (outcome.passesDigestOn) this.passDigestOn(row);
    }
    return { held, queued };
  }

  /** The steps that follow when the row ends. */
  private laterSteps(row: StepRow): StepRow[] {
    return row.later ?? row.notification.steps.slice(row.position + 1);
  }

  private open([next, ...later]: StepRow[], queued: QueuedStep[]): void {
    if (!next) return;
    next.state = 'queued';
    next.later = later;
    Object.assign(next, newWork(this.now));
    if (announcesQueued(next.type)) this.addDetail(next, 'Pending', 'Step queued');
    queued.push({ id: next.id, type: next.type, environmentId: ENVIRONMENT, lane: NORMAL_LANE });
  }

  /** The first later steps run beside the one that waits, as far as they are named. */
  private letRun(row: StepRow, keys: string[], queued: QueuedStep[]): void {
    const later = this.laterSteps(row);
    const end = later.findIndex(({ stepKey }) => !keys.includes(stepKey));
    const free = end < 0 ? later : later.slice(0, end);
    if (free.length === 0) return;
    row.later = later.slice(free.length);
    row.hasReleased ||= row.later.length > 0;
    this.open(free, queued);
  }

  /** The later steps that were kept also wait for the last of the released steps that is open. */
  protected keepLaterStepsBehind(row: StepRow): void {
    const [next] = this.laterSteps(row);
    const between = row.notification.steps.slice(row.position + 1, next?.position);
    const last = next && between.findLast(isOpen);
    if (!last) return;
    last.later = [...this.laterSteps(last), ...this.laterSteps(row)];
    row.later = [];
  }

  protected mayRecord(row: StepRow, fence: number): boolean {
    return this.holds(row, fence);
  }

  protected settle(row: StepRow): void {
    this.unclaim(row);
  }

  /** Queues the next step, or ends all later steps. */
  protected applyToLaterSteps(row: StepRow, { then }: StepOutcome, queued: QueuedStep[]): void {
    if (then === 'advance') this.open(this.laterSteps(row), queued);
    if (then !== 'halt' && then !== 'skip') return;
    for (const step of row.notification.steps) {
      if (step.position <= row.position || step.state !== 'pending') continue;
      step.state = then === 'skip' ? 'skipped' : 'canceled';
      if (then === 'halt') this.addDetail(step, 'Failed', 'Step was canceled because a previous step failed');
      else this.addDetail(step, 'Success', 'Throttle limit exceeded for the given window');
    }
  }
}
