import { type Channel, ENGINE_STEP_TYPES, type StepId } from '@clarion/contracts/core';
import type { Database } from '../../database';
import { byId } from '../ids-with-bounds';
import {
  CLAIM_ADDRESSED_STEPS,
  CLAIM_PLAIN_STEPS,
  CLAIM_TIMERS,
  MARK_SENDING,
  RELEASE_STEPS,
  RENEW_STEPS,
  SUSPECT_STEPS,
} from './step-claim.sql';
import type { ClaimedStep, HeldStep } from './step-rows';

/** Channels whose steps read the stored endpoints of the subscriber. */
const CHANNELS_WITH_ENDPOINTS: readonly Channel[] = ['chat', 'push'];

/**
 * Which worker holds which step: claims, leases and the mark of a provider call. Every method is one statement for any
 * number of steps.
 */
export class StepClaimRepository {
  constructor(private readonly database: Database) {}

  /**
   * Claims the due steps of a channel. Steps that another worker holds, or that have ended, are left out. A step whose
   * last worker crashed may have caused the crash, so it is claimed only with `alone` (see `suspects`).
   */
  claimChannel(channel: Channel, stepIds: StepId[], alone = false): Promise<ClaimedStep[]> {
    const addressed = CHANNELS_WITH_ENDPOINTS.includes(channel);
    return this.database.prepared(
      addressed ? 'claim-addressed-steps' : 'claim-plain-steps',
      addressed ? CLAIM_ADDRESSED_STEPS : CLAIM_PLAIN_STEPS,
      [...byId(stepIds), alone, channel],
    );
  }

  /** Claims the due steps that the engine runs, under the same rules as `claimChannel`. */
  claimTimers(stepIds: StepId[], alone = false): Promise<ClaimedStep[]> {
    return this.database.prepared('claim-timers', CLAIM_TIMERS, [...byId(stepIds), alone, ENGINE_STEP_TYPES]);
  }

  /** Returns the claimable steps whose last worker crashed. They must be claimed one at a time. */
  async suspects(stepIds: StepId[]): Promise<StepId[]> {
    return idsOf(await this.database.query(SUSPECT_STEPS, [stepIds]));
  }

  /**
   * Marks steps before the provider call and renews their leases. Returns the steps that the caller still holds; it
   * must not send the others.
   */
  async markSending(steps: HeldStep[]): Promise<Set<StepId>> {
    return new Set(idsOf(await this.database.prepared('mark-sending', MARK_SENDING, columnsOf(steps))));
  }

  /** Renews the leases of steps that wait in this worker. Returns the steps that the caller still holds. */
  async renew(steps: HeldStep[]): Promise<Set<StepId>> {
    return new Set(idsOf(await this.database.prepared('renew-steps', RENEW_STEPS, columnsOf(steps))));
  }

  /** Releases steps whose attempt has not begun: neither an attempt nor a crash is counted. */
  async release(steps: (HeldStep & { inDoubt: boolean })[], delayMs = 0): Promise<void> {
    if (steps.length === 0) return;
    await this.database.prepared('release-steps', RELEASE_STEPS, [
      ...columnsOf(steps),
      delayMs,
      steps.map(({ inDoubt }) => inDoubt),
    ]);
  }
}

const columnsOf = (steps: HeldStep[]): [ids: StepId[], fences: number[]] => [
  steps.map(({ id }) => id),
  steps.map(({ fence }) => fence),
];

const idsOf = (rows: { id: StepId }[]): StepId[] => rows.map(({ id }) => id);
