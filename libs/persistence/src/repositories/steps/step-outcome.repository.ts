import {
  ANNOUNCED_STEP_TYPES,
  type EnvironmentId,
  EXECUTION_DETAILS,
  type StepId,
  type StepType,
} from '@clarion/contracts/core';
import type { Database } from '../../database';
import { withPartitions } from '../../partitions';
import { storableJson } from '../../storable-json';
import { textOf } from '../detail-text';
import { passDigestsOn } from './pass-digests-on';
import { RECORD_STEPS, RECORD_STEPS_AND_ENDINGS, RECORD_STEPS_AND_MESSAGES } from './step-outcome.sql';
import type { QueuedStep, Recorded, StepOutcome } from './step-rows';

const { stepQueued, previousStepFailed, throttleLimitExceeded } = EXECUTION_DETAILS;

/** A recorded step has no type; a step that became due has one. */
type RecordedRow = { id: StepId; type: StepType | null; environmentId: EnvironmentId };

/** Writes the outcomes of claimed steps. */
export class StepOutcomeRepository {
  constructor(private readonly database: Database) {}

  /** Writes steps, messages, details and the following steps, all or nothing. */
  async record(outcomes: StepOutcome[]): Promise<Recorded> {
    if (outcomes.length === 0) return { held: new Set(), queued: [] };
    if (!outcomes.some(({ passesDigestOn }) => passesDigestOn)) return this.write(outcomes);
    return this.database.transaction(async () => {
      const recorded = await this.write(outcomes);
      const ended = outcomes.filter(({ id, passesDigestOn }) => passesDigestOn && recorded.held.has(id));
      await passDigestsOn(
        this.database,
        ended.map(({ id }) => id),
      );
      return recorded;
    });
  }

  private async write(outcomes: StepOutcome[]): Promise<Recorded> {
    const messages = outcomes.flatMap(({ id, messages = [] }) =>
      messages.map((message) => ({ ...message, stepId: id })),
    );
    const details = outcomes.flatMap(({ id, details: rows }) => rows.map((detail) => ({ ...detail, stepId: id })));
    const steps = outcomes.map(({ messages: _, details: __, ...step }) => step);
    const basic = [storableJson(steps), storableJson(details), ANNOUNCED_STEP_TYPES, ...textOf(stepQueued)];
    const rows = await withPartitions(this.database, (): Promise<RecordedRow[]> => {
      if (outcomes.some(({ then }) => then === 'halt' || then === 'skip')) {
        const texts = [...textOf(previousStepFailed), ...textOf(throttleLimitExceeded)];
        const values = [...basic, storableJson(messages), ...texts];
        return this.database.prepared('record-steps-messages-ends', RECORD_STEPS_AND_ENDINGS, values);
      }
      if (messages.length > 0) {
        const values = [...basic, storableJson(messages)];
        return this.database.prepared('record-steps-messages', RECORD_STEPS_AND_MESSAGES, values);
      }
      return this.database.prepared('record-steps', RECORD_STEPS, basic);
    });
    return {
      held: new Set(rows.filter(({ type }) => type === null).map(({ id }) => id)),
      queued: rows.filter((row): row is QueuedStep => row.type !== null),
    };
  }
}
