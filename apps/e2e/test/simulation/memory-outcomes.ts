import { announcesQueued, type StepId } from '@clarion/contracts';
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
      row.integrationId = outcome.integrationId ?? row.integrationId;
      row.output = outcome.output ?? row.output;
      row.digest = outcome.digest ?? row.digest;
      row.error = outcome.error ?? null;
      row.scheduleExtensionsCount = outcome.scheduleExtensionsCount ?? row.scheduleExtensionsCount;
      for (const message of outcome.messages ?? []) row.messages.set(message.id, message);
      for (const { status, detail, isRetry, raw } of outcome.details) this.addDetail(row, status, detail, raw, isRetry);
      this.applyToLaterSteps(row, outcome, queued);
      if (outcome.passesDigestOn) this.passDigestOn(row);
    }
    return { held, queued };
  }

  protected mayRecord(row: StepRow, fence: number): boolean {
    return this.holds(row, fence);
  }

  protected settle(row: StepRow): void {
    this.letGo(row);
  }

  /** Queues the next step, or ends all later steps. */
  protected applyToLaterSteps(row: StepRow, { then }: StepOutcome, queued: QueuedStep[]): void {
    const next = row.notification.steps[row.position + 1];
    if (then === 'advance' && next) {
      next.state = 'queued';
      Object.assign(next, newWork(this.now));
      if (announcesQueued(next.type)) this.addDetail(next, 'Pending', 'Step queued');
      queued.push({ id: next.id, type: next.type, environmentId: ENVIRONMENT });
    }
    if (then !== 'halt' && then !== 'skip') return;
    for (const step of row.notification.steps) {
      if (step.position <= row.position || step.state !== 'pending') continue;
      step.state = then === 'skip' ? 'skipped' : 'canceled';
      if (then === 'halt') this.addDetail(step, 'Failed', 'Step was canceled because a previous step failed');
      else this.addDetail(step, 'Success', 'Throttle limit exceeded for the given window');
    }
  }
}
