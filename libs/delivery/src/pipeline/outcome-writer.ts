import { Batcher } from '@clarion/claims';
import { type Channel, memoryOf } from '@clarion/contracts/core';
import {
  type ClaimedStep,
  isUnstorableValue,
  RECORD_BYTES,
  type StepOutcome,
  untilAvailable,
} from '@clarion/persistence';
import { FaultLog, type Metrics, type Tracing } from '@clarion/platform';
import { flushDelayMs, GROUP_COMMIT_SIZE } from './group-commit';
import type { HeldSteps } from './held-steps';
import type { DeliveryLog, Offers, StepOutcomes } from '../ports';
import { idsOf } from './step-ids';
import { outcomeOf, type SettledStep, withoutContent } from './step-outcome';
import type { StepResult } from './step-result';

/** Waits between attempts to record an outcome that the database rejects; while it is away, attempts do not end. */
const RECORD_WAITS_MS = [200, 1_000, 4_000];
const NOT_RECORDED = 'Outcomes of steps cannot be recorded. The worker keeps them until the database is back.';

export type OutcomeWriterParts = {
  outcomes: StepOutcomes;
  offers: Offers;
  tracing: Pick<Tracing, 'shared'>;
  metrics: Pick<Metrics, 'stage' | 'batch'>;
  pause(milliseconds: number): Promise<unknown>;
  log: DeliveryLog;
};

/** Records outcomes of held steps, many in one statement, and offers the steps that are due after them to the queue. */
export class OutcomeWriter {
  private readonly writes = new Batcher<StepOutcome, boolean | Error>({
    maxItems: GROUP_COMMIT_SIZE,
    weight: { of: ({ messages, details }) => memoryOf(messages) + memoryOf(details), most: RECORD_BYTES },
    maxWaitMs: () => flushDelayMs(this.held.size),
    concurrency: 2,
    run: (batch) => this.commit(batch),
  });
  private readonly faults = new FaultLog(this.parts.log);
  /** Outcomes that are known and not recorded, because the database is away. */
  private kept = 0;
  /** When outcomes were last committed. */
  lastCommitAt = performance.now();

  constructor(
    private readonly channel: Channel,
    private readonly held: HeldSteps,
    private readonly parts: OutcomeWriterParts,
  ) {}

  /** The number of outcomes that are lost if the process ends now. Their messages are sent again. */
  get inDoubt(): number {
    return this.kept;
  }

  /** True when the result is recorded, false when another worker holds the step now. Rejects after the last attempt. */
  async write(item: SettledStep, result: StepResult): Promise<boolean> {
    const outcome = outcomeOf(item, result);
    const isRecorded = await this.record(item.step, outcome);
    if (isRecorded && outcome.state === 'queued') {
      const { id, type, environmentId, lane } = item.step;
      this.parts.offers.alarm({ id, type, environmentId, lane }, outcome.dueInMs!);
    }
    return isRecorded;
  }

  async drain(): Promise<void> {
    await this.writes.drain();
  }

  /**
   * A message was perhaps sent, so its record must survive a failure of the database, however long: a message without a
   * record is sent again. Its step is held meanwhile, which limits the number of such records. When the database is
   * back, its holder renews the lease before the sweeper ends it (`GRACE_MS`).
   */
  private async record(step: ClaimedStep, outcome: StepOutcome): Promise<boolean> {
    for (const waitMs of RECORD_WAITS_MS) {
      try {
        return await this.addWhenAvailable(outcome);
      } catch (error) {
        // A step that was sent must not be sent again because its content cannot be stored.
        if (isUnstorableValue(error)) return this.addWhenAvailable(withoutContent(outcome));
        this.parts.log.warn(
          { err: error, ...idsOf(step) },
          `The outcome of a step could not be recorded. The worker tries again in ${waitMs} ms.`,
        );
        await this.parts.pause(waitMs);
      }
    }
    return this.addWhenAvailable(outcome);
  }

  private async addWhenAvailable(outcome: StepOutcome): Promise<boolean> {
    let isKept = false;
    try {
      return await untilAvailable(() => this.add(outcome), {
        pause: this.parts.pause,
        onWait: (error) => {
          if (!isKept) this.kept += 1;
          isKept = true;
          this.faults.report(NOT_RECORDED, error, { channel: this.channel, kept: this.kept });
        },
      });
    } finally {
      if (isKept) this.kept -= 1;
    }
  }

  private async add(outcome: StepOutcome): Promise<boolean> {
    const recorded = await this.writes.add(outcome);
    if (recorded instanceof Error) throw recorded;
    return recorded;
  }

  /** When one outcome of a batch cannot be stored, each is written alone, so that the others are recorded. */
  private async commit(batch: StepOutcome[]): Promise<(boolean | Error)[]> {
    const { outcomes, offers, tracing, metrics } = this.parts;
    const contexts = batch.map(({ id }) => this.held.spanOf(id)?.context);
    const span = tracing.shared('commit', contexts, {
      'clarion.channel': this.channel,
      'clarion.steps': batch.length,
    });
    const begin = performance.now();
    try {
      const { held, queued } = await outcomes.record(batch);
      this.lastCommitAt = performance.now();
      this.faults.over(NOT_RECORDED, 'Outcomes of steps are recorded again.');
      metrics.stage('commit', this.channel, (this.lastCommitAt - begin) / 1_000);
      metrics.batch('record', batch.length);
      if (queued.length > 0) offers.steps(queued);
      return batch.map(({ id }) => held.has(id));
    } catch (error) {
      span?.fail(error);
      if (batch.length === 1 || !isUnstorableValue(error)) throw error;
      const results: (boolean | Error)[] = [];
      for (const outcome of batch) {
        results.push(...(await this.commit([outcome]).catch((fault: Error) => [fault])));
      }
      return results;
    } finally {
      span?.end();
    }
  }
}
