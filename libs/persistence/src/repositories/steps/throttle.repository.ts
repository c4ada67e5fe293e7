import { EXECUTION_DETAILS, groupBy } from '@clarion/contracts/core';
import type { Database } from '../../database';
import { textOf } from '../detail-text';
import { StepOutcomeRepository } from './step-outcome.repository';
import type { QueuedStep, ThrottleRequest, ThrottleVerdict } from './step-rows';
import { countEvents, lockHeldSteps, nameOfWindow } from './step-windows';

const { stepCompleted, throttleLimitExceeded } = EXECUTION_DETAILS;

/** Counts throttle steps into windows and decides which of them may go on. */
export class ThrottleRepository {
  private readonly outcomes: StepOutcomeRepository;

  constructor(private readonly database: Database) {
    this.outcomes = new StepOutcomeRepository(database);
  }

  /** Counts the steps into the windows of their keys and records each as completed or skipped, in one transaction. */
  decide(requests: ThrottleRequest[]): Promise<{ verdicts: ThrottleVerdict[]; queued: QueuedStep[] }> {
    return this.database.transaction(async () => {
      const held = await lockHeldSteps(this.database, requests);
      const verdicts = await this.count(held);
      const requestOf = new Map(held.map((request) => [request.id, request]));
      const recorded = await this.outcomes.record(
        verdicts.map(({ id, throttled }) => {
          const { fence, nextStepId } = requestOf.get(id)!;
          return throttled
            ? { id, fence, state: 'skipped', then: 'skip', details: [] }
            : { id, fence, state: 'completed', then: 'advance', nextStepId, details: [] };
        }),
      );
      const written = verdicts.filter(({ id }) => recorded.held.has(id));
      await this.describe(
        written.map(({ id, throttled, events, until }) => ({
          id,
          throttled,
          raw: JSON.stringify({
            shouldSkip: throttled,
            executionCount: events,
            threshold: requestOf.get(id)!.threshold,
            throttledUntil: until.toISOString(),
          }),
        })),
      );
      return { verdicts: written, queued: recorded.queued };
    });
  }

  /** Steps of one window are numbered in the order of the requests. */
  private async count(requests: ThrottleRequest[]): Promise<ThrottleVerdict[]> {
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

  private async describe(rows: { id: string; throttled: boolean; raw: string }[]): Promise<void> {
    await this.database.query(ADD_THROTTLE_DETAILS, [
      JSON.stringify(rows),
      ...textOf(throttleLimitExceeded),
      ...textOf(stepCompleted),
    ]);
  }
}

/** $2 and $3 are the status and text of the detail of a throttled step, $4 and $5 those of a step that goes on. */
const ADD_THROTTLE_DETAILS = `
INSERT INTO execution_detail (id, environment_id, notification_id, step_id, status, detail, raw)
SELECT uuid_v7(), t.environment_id, t.notification_id, t.id, CASE WHEN i.throttled THEN $2 ELSE $4 END,
       CASE WHEN i.throttled THEN $3 ELSE $5 END, i.raw
  FROM json_to_recordset($1::json) AS i (id uuid, throttled boolean, raw text) JOIN step t ON t.id = i.id`;
