import {
  type Channel,
  ENGINE_STEP_TYPES,
  executionDetail,
  type ExecutionDetailRecord,
  type LimitWait,
  type NotedLimits,
  newId,
  partition,
  type StepId,
} from '@clarion/contracts/core';
import { withPartitions } from '../../schema/partitions';
import { ClaimRepository } from '../claim.repository';
import { textOf } from '../../history/detail-text';
import { HoldRepository } from '../../operations/hold.repository';
import { byId } from '../../sql/ids-with-bounds';
import { type ClaimedStepRow, toClaimedSteps } from './claimed-step';
import {
  CLAIM_CHAT_STEPS,
  CLAIM_PLAIN_STEPS,
  CLAIM_PUSH_STEPS,
  CLAIM_TIMERS,
  MARK_SENDING,
  RELEASE_LIMITED_STEPS,
  RELEASE_STEPS,
} from './step-claim.sql';
import { StepOutcomeRepository } from './step-outcome.repository';
import type { ClaimedStep, HeldStep, StepOutcome } from './step-rows';
import { columnArrays } from '../../sql/column-arrays';

/** The steps of chat and push come with the stored endpoints of the subscriber. */
const CLAIMS: Partial<Record<Channel, [name: string, statement: string]>> = {
  chat: ['claim-chat-steps', CLAIM_CHAT_STEPS],
  push: ['claim-push-steps', CLAIM_PUSH_STEPS],
};

type StepToRelease = HeldStep & {
  claimId: string;
  inDoubt: boolean;
  notedLimits?: NotedLimits;
  /** Until its message expires; matters to a step that waits for the limit of an integration. */
  leftMs?: number;
};

/** The statement fills in the time of the next try of a step that has one. */
const limitDetail = (wait: LimitWait): Pick<ExecutionDetailRecord, 'status' | 'detail'> => {
  const figure = String(wait.figure);
  return wait.limit === 'rate_limit'
    ? executionDetail('waitsForRateLimit', { figure, integration: wait.integration })
    : executionDetail('waitsForRenderTime', { figure, until: '{until}' });
};

/** Claims, leases and the mark of a provider call. Every method is one statement. */
export class StepClaimRepository extends ClaimRepository<StepId> {
  private readonly holds = new HoldRepository(this.database);
  private readonly outcomes = new StepOutcomeRepository(this.database);

  /**
   * Claims the due steps of a channel. Steps that another worker holds, or that have ended, are left out. A step whose
   * last worker crashed may have caused the crash, so it is claimed only when so many crashes are allowed (see
   * `suspects`). A step of a channel, workflow or environment on hold is not returned: from then on it waits for the
   * hold. Nor is a step whose notification, trigger or workflow version is gone: it ends, and its record says why.
   */
  claimChannel(channel: Channel, stepIds: StepId[], mostCrashes = 0): Promise<ClaimedStep[]> {
    const [name, statement] = CLAIMS[channel] ?? ['claim-plain-steps', CLAIM_PLAIN_STEPS];
    return this.claim(name, statement, stepIds, mostCrashes, channel);
  }

  /** Claims the due steps that the engine runs, under the same rules as `claimChannel`. */
  claimTimers(stepIds: StepId[], mostCrashes = 0): Promise<ClaimedStep[]> {
    return this.claim('claim-timers', CLAIM_TIMERS, stepIds, mostCrashes, ENGINE_STEP_TYPES);
  }

  /** Returns the new fences of the steps that the caller still holds; it must not send the others. */
  async markSending(steps: (HeldStep & { claimId: string })[]): Promise<Map<StepId, number>> {
    const rows = await this.database.prepared<HeldStep>(
      'mark-sending',
      MARK_SENDING,
      columnArrays(steps, 'id', 'fence', 'claimId'),
    );
    return new Map(rows.map(({ id, fence }) => [id, fence]));
  }

  /**
   * Neither an attempt nor a crash is counted. A limit is recorded once, with an execution detail. A step that waits
   * for that of an integration is released in its turn, so the delay does not matter.
   */
  async release(steps: StepToRelease[], delayMs = 0, wait?: LimitWait): Promise<void> {
    if (steps.length === 0) return;
    const parameters = [...columnArrays(steps, 'id', 'fence'), delayMs, ...columnArrays(steps, 'inDoubt', 'claimId')];
    if (!wait) {
      await this.database.prepared('release-steps', RELEASE_STEPS, parameters);
      return;
    }
    const begins = steps.map(({ notedLimits }) => !notedLimits?.[wait.limit]);
    await withPartitions(this.database, () =>
      this.database.prepared('release-limited-steps', RELEASE_LIMITED_STEPS, [
        ...parameters,
        JSON.stringify(wait),
        begins,
        ...textOf(limitDetail(wait)),
        steps.map(({ leftMs = Infinity }) => (leftMs < Infinity ? leftMs : null)),
      ]),
    );
  }

  private async claim(
    name: string,
    statement: string,
    stepIds: StepId[],
    mostCrashes: number,
    types: Channel | readonly string[],
  ): Promise<ClaimedStep[]> {
    const claimId = newId();
    const parameters = [...byId(stepIds), mostCrashes, claimId, this.takeEnded(), types];
    const rows = await this.database.prepared<ClaimedStepRow>(name, statement, parameters);
    const [orphans, found] = partition(rows, ({ gone }) => gone !== null);
    const [held, free] = partition(found, ({ held_by: holdId }) => holdId !== null);
    try {
      if (orphans.length > 0) await this.endOrphans(orphans);
      if (held.length > 0) {
        await this.holds.keep(held.map(({ id, fence, held_by: holdId }) => ({ id, fence, holdId: holdId! })));
      }
    } catch (error) {
      // No worker runs these steps: without the claim they can be claimed again at once.
      this.end(claimId);
      throw error;
    }
    if (rows.length > 0 && free.length === 0) this.end(claimId);
    // The payload of a trigger is in one of its rows, which may be held.
    return toClaimedSteps(found, rows, claimId).filter((_, index) => found[index]!.held_by === null);
  }

  private async endOrphans(rows: ClaimedStepRow[]): Promise<void> {
    await this.outcomes.record(
      rows.map(({ id, fence, type, gone }): StepOutcome => ({
        id,
        fence,
        state: 'failed',
        then: 'halt',
        passesDigestOn: type === 'digest',
        details: [executionDetail('stepOrphaned', { gone: gone! })],
      })),
    );
    this.onOrphans(
      rows.map(({ id, type, environment_id: environmentId, gone }) => ({ id, type, environmentId, gone: gone! })),
    );
  }
}
