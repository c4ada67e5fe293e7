import { EXECUTION_DETAILS, groupBy } from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import { StepOutcomeRepository } from './step-outcome.repository';
import type { QueuedStep, StepOutcome, ThrottleRequest, ThrottleResult } from './step-rows';
import { countEvents, lockHeldSteps, nameOfWindow } from './step-windows';

const { stepCompleted, throttleLimitExceeded } = EXECUTION_DETAILS;

/** Counts throttle steps into windows and decides which of them may go on. */
export class ThrottleRepository extends Repository {
  private readonly outcomes = new StepOutcomeRepository(this.database);

  /** Counts the steps into the windows of their keys and records each as completed or skipped, in one transaction. */
  decide(requests: ThrottleRequest[]): Promise<{ verdicts: ThrottleResult[]; queued: QueuedStep[] }> {
    return this.database.transaction(async () => {
      const held = await lockHeldSteps(this.database, requests);
      const verdicts = await this.count(held);
      const requestOf = new Map(held.map((request) => [request.id, request]));
      const recorded = await this.outcomes.record(
        verdicts.map((verdict) => outcomeOf(verdict, requestOf.get(verdict.id)!)),
      );
      const written = verdicts.filter(({ id }) => recorded.held.has(id));
      return { verdicts: written, queued: recorded.queued };
    });
  }

  /** Steps of one window are numbered in the order of the requests. */
  private async count(requests: ThrottleRequest[]): Promise<ThrottleResult[]> {
    const grouped = groupBy(requests, nameOfWindow);
    const counted = await countEvents(
      this.database,
      [...grouped.values()].map((group) => ({ ...group[0]!, events: group.length })),
      false,
    );
    return counted.flatMap((window) => {
      const group = grouped.get(nameOfWindow(window))!;
      return group.map(({ id, threshold }, index) => {
        const events = window.events - group.length + index + 1;
        return { id, throttled: events > threshold, events, until: window.expiresAt };
      });
    });
  }
}

function outcomeOf({ id, throttled, events, until }: ThrottleResult, request: ThrottleRequest): StepOutcome {
  const { status, detail } = throttled ? throttleLimitExceeded : stepCompleted;
  const raw = JSON.stringify({
    shouldSkip: throttled,
    executionCount: events,
    threshold: request.threshold,
    throttledUntil: until.toISOString(),
  });
  return {
    id,
    fence: request.fence,
    state: throttled ? 'skipped' : 'completed',
    then: throttled ? 'skip' : 'advance',
    details: [{ status, detail, raw }],
  };
}
