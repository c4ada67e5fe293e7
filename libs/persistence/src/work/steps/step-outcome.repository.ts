import {
  ANNOUNCED_STEP_TYPES,
  type EnvironmentId,
  EXECUTION_DETAILS,
  type Lane,
  partition,
  type StepId,
  type StepType,
} from '@clarion/contracts/core';
import { Repository } from '../../connection/repository';
import { withPartitions } from '../../schema/partitions';
import { textOf } from '../../history/detail-text';
import { endedStepColumns, messageColumns, messageLists, waitParameters } from './outcome-columns';
import { passDigestsOn } from './pass-digests-on';
import {
  KEEP_LATER_STEPS_BEHIND,
  RECORD_AWAITING_WAITS,
  RECORD_RELEASING_WAITS,
  RECORD_STEPS,
  RECORD_STEPS_AND_ENDINGS,
  RECORD_STEPS_AND_ENTRIES,
  RECORD_STEPS_AND_MESSAGE,
  RECORD_STEPS_AND_MESSAGES,
  RECORD_STEPS_AND_SENT,
  RECORD_WAITS,
} from './step-outcome.sql';
import type { QueuedStep, Recorded, StepOutcome } from './step-rows';

const { previousStepFailed, throttleLimitExceeded } = EXECUTION_DETAILS;

/** A recorded step has no type; a step that became due has one. */
type RecordedRow = {
  id: StepId;
  type: StepType | null;
  environmentId: EnvironmentId;
  dueAt: Date | null;
  lane: Lane | null;
};

const staysOpen = ({ state }: StepOutcome): boolean => state === 'queued' || state === 'delayed';

/** Whether all entries of the event log about it are packed: it did not fail. */
const isSent = ({ recorded, state, messages }: StepOutcome): boolean =>
  recorded === 'packed' && state !== 'failed' && !messages?.some(({ status }) => status === 'error');

export class StepOutcomeRepository extends Repository {
  /** Writes steps, messages, details and the following steps, all or nothing. */
  async record(outcomes: StepOutcome[]): Promise<Recorded> {
    if (outcomes.length === 0) return { held: new Set(), queued: [] };
    const [waits, ends] = partition(outcomes, staysOpen);
    const passing = new Set(outcomes.filter(({ passesDigestOn }) => passesDigestOn).map(({ id }) => id));
    const releasers = ends.filter(({ hasReleased }) => hasReleased);
    if (passing.size === 0 && releasers.length === 0 && (waits.length === 0 || ends.length === 0))
      return toRecorded(await this.write(waits, ends));
    return this.database.transaction(async () => {
      if (releasers.length > 0) await this.keepLaterStepsBehind(releasers);
      const rows = await this.write(waits, ends);
      const passed = rows.filter(({ id, type }) => type === null && passing.has(id));
      if (passed.length > 0) {
        await passDigestsOn(
          this.database,
          passed.map(({ id, dueAt }) => ({ stepId: id, dueAt: dueAt! })),
        );
      }
      return toRecorded(rows);
    });
  }

  private async keepLaterStepsBehind(releasers: StepOutcome[]): Promise<void> {
    const parameters = [releasers.map(({ id }) => id), releasers.map(({ fence }) => fence)];
    for (;;) {
      const [row] = await this.database.query<{ visible: number; locked: number }>(KEEP_LATER_STEPS_BEHIND, parameters);
      if (row!.visible <= row!.locked) return;
    }
  }

  private async write(waits: StepOutcome[], ends: StepOutcome[]): Promise<RecordedRow[]> {
    return [
      ...(waits.length > 0 ? await this.writeWaits(waits) : []),
      ...(ends.length > 0 ? await this.writeEnds(ends) : []),
    ];
  }

  private writeEnds(outcomes: StepOutcome[]): Promise<RecordedRow[]> {
    const steps = [...endedStepColumns(outcomes), ANNOUNCED_STEP_TYPES];
    const most = Math.max(...outcomes.map(({ messages }) => messages?.length ?? 0));
    const recorded = outcomes.filter((outcome) => outcome.recorded);
    const logged = recorded.map(({ id }) => id);
    const packed = recorded.filter((outcome) => outcome.recorded === 'packed').map(({ id }) => id);
    const endsOthers = outcomes.some(({ then }) => then === 'halt' || then === 'skip');
    return withPartitions(this.database, () => {
      if (packed.length > 0 && most <= 1 && !endsOthers && recorded.every(isSent)) {
        const values = [...steps, ...messageColumns(outcomes), packed];
        return this.database.prepared('record-steps-sent', RECORD_STEPS_AND_SENT, values);
      }
      if (logged.length > 0 || endsOthers) {
        const texts = [...textOf(previousStepFailed), ...textOf(throttleLimitExceeded)];
        const values = [...steps, messageLists(outcomes), ...texts];
        return logged.length > 0
          ? this.database.prepared('record-steps-entries', RECORD_STEPS_AND_ENTRIES, [...values, logged, packed])
          : this.database.prepared('record-steps-messages-ends', RECORD_STEPS_AND_ENDINGS, values);
      }
      if (most > 1) {
        const values = [...steps, messageLists(outcomes)];
        return this.database.prepared('record-steps-messages', RECORD_STEPS_AND_MESSAGES, values);
      }
      if (most === 1) {
        const values = [...steps, ...messageColumns(outcomes)];
        return this.database.prepared('record-steps-message', RECORD_STEPS_AND_MESSAGE, values);
      }
      return this.database.prepared('record-steps', RECORD_STEPS, steps);
    });
  }

  private writeWaits(outcomes: StepOutcome[]): Promise<RecordedRow[]> {
    const values = waitParameters(outcomes);
    const messageIds = outcomes.flatMap(({ awaits }) => awaits?.messageIds ?? []);
    if (outcomes.some(({ releases }) => releases)) {
      return withPartitions(this.database, () =>
        this.database.prepared('record-releasing-waits', RECORD_RELEASING_WAITS, values),
      );
    }
    return withPartitions(this.database, () =>
      messageIds.length === 0
        ? this.database.prepared('record-waits', RECORD_WAITS, values)
        : this.database.prepared('record-awaiting-waits', RECORD_AWAITING_WAITS, [...values, messageIds]),
    );
  }
}

const toRecorded = (rows: RecordedRow[]): Recorded => ({
  held: new Set(rows.filter(({ type }) => type === null).map(({ id }) => id)),
  queued: rows
    .filter((row): row is RecordedRow & QueuedStep => row.type !== null)
    .map(({ id, type, environmentId, lane }) => ({ id, type, environmentId, lane })),
});
