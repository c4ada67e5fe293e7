import { Batcher, ClaimLeases } from '@clarion/claims';
import {
  type EnvironmentId,
  groupBy,
  type LimitWait,
  type OrganizationOf,
  partition,
  type StepId,
  withTimeoutOr,
} from '@clarion/contracts/core';
import {
  type ClaimedStep,
  isDatabaseUnavailable,
  RENEW_MS,
  type RunningWorkflow,
  weightOf,
} from '@clarion/persistence';
import { FaultLog, type Span, type Tracing } from '@clarion/platform';
import { HeldContents } from './held-contents';
import type { DeliveryLog, StepClaims } from '../ports';
import { leftMs } from './step-age';

/** The weight of the steps that one worker holds, and the most with those that overtake others or have waited. */
const CAPACITY = 1_000;
const LARGEST_CAPACITY = 3_000;
/** The longest that steps wait behind those of a slow account. Most accounts release enough before. */
const LONGEST_WAIT_MS = 1_000;
/** How long the steps of an environment whose messages fill their memory wait for the release of others. */
const MEMORY_WAIT_MS = 250;
/** How long a postponed step waits before it is due again, and the unit of longer waits. */
export const POSTPONE_MS = 1_000;
const RELEASE_SIZE = 500;

export type HeldStepsParts = {
  claims: Pick<StepClaims, 'renew' | 'release' | 'abandon' | 'end'>;
  organizationOf: OrganizationOf;
  tracing: Pick<Tracing, 'steps'>;
  log: DeliveryLog;
};

type Postponed = { step: ClaimedStep; waitMs: number; limit: LimitWait | undefined };
type Release = { steps: ClaimedStep[]; delayMs: number; limit: LimitWait | undefined };

/** A step that waits for its turn may wait for longer than its message lasts. */
const toRelease = ({ steps, limit }: Pick<Release, 'steps' | 'limit'>): Parameters<StepClaims['release']>[0] =>
  limit?.limit !== 'rate_limit'
    ? steps
    : steps.map((step) => {
        const { id, fence, claimId, inDoubt, notedLimits } = step;
        return { id, fence, claimId, inDoubt, notedLimits, leftMs: leftMs(step) };
      });

type HeldStep = {
  step: ClaimedStep;
  span: Span | undefined;
  /** A provider was called for the step, or its outcome is being written: it cannot be released any more. */
  hasBegun: boolean;
  /** A statement that releases the step is under way. */
  isReleasing: boolean;
};

/** The claimed and unfinished steps of this worker: renews leases, limits their number, releases unsent ones. */
export class HeldSteps {
  private readonly held = new Map<StepId, HeldStep>();
  private readonly workflows = new HeldContents(this.parts.organizationOf);
  private readonly messages = new HeldContents(this.parts.organizationOf);
  /** Of the steps that are held, abandoned or not released yet. */
  private readonly leases = new ClaimLeases({
    renewMs: RENEW_MS,
    store: this.parts.claims,
    faults: new FaultLog(this.parts.log),
    afterRenewal: () => this.giveUp(),
  });
  /** Steps without an outcome, which are given up with the next renewal. */
  private abandoned: ClaimedStep[] = [];
  /** Steps that could not be released while the database was away, which are released with the next renewal. */
  private unreleased: Release[] = [];
  private readonly postponed = new Batcher<Postponed, void>({
    maxItems: RELEASE_SIZE,
    maxWaitMs: 0,
    concurrency: 1,
    run: async (postponed) => {
      for (const group of groupBy(postponed, ({ waitMs, limit }) => `${waitMs} ${JSON.stringify(limit)}`).values()) {
        const { waitMs, limit } = group[0]!;
        const steps = group.map(({ step }) => step);
        await this.release(steps, waitMs, limit);
      }
      return postponed.map(() => undefined);
    },
  });
  private isStopping = false;
  /** Of all held steps. */
  private weight = 0;
  /** Steps that are being claimed. */
  private reserved = 0;
  private readonly onRoom: (() => void)[] = [];
  private readonly onRelease: (() => void)[] = [];
  private readonly onEmpty: (() => void)[] = [];

  constructor(private readonly parts: HeldStepsParts) {}

  get size(): number {
    return this.held.size;
  }

  /** Takes over the steps of a claim. Returns those to run: none when this worker is stopping and releases them. */
  async hold(steps: ClaimedStep[]): Promise<ClaimedStep[]> {
    if (this.isStopping) {
      await this.release(steps, 0);
      return [];
    }
    for (const { claimId } of steps) this.leases.hold(claimId);
    const [known, fresh] = partition(steps, (step) => this.isHeldAlready(step));
    for (const { claimId } of known) this.leases.settle(claimId);
    const spans = this.parts.tracing.steps(fresh);
    for (const step of fresh) {
      const older = this.held.get(step.id);
      if (older) this.forget(older.step);
      this.weight += weightOf(step);
      this.held.set(step.id, { step, span: spans.get(step.id), hasBegun: false, isReleasing: false });
    }
    return fresh;
  }

  /** Two claims at the same time can return the same step. A newer fence means that the first has lost it. */
  private isHeldAlready({ id, fence }: ClaimedStep): boolean {
    const older = this.held.get(id);
    return older !== undefined && older.step.fence >= fence;
  }

  /**
   * Waits until so many more steps of the least weight can be held, and counts them until `unreserve`: two claims at
   * the same time must not take the same capacity. After a while more are taken all the same, because the steps that
   * are held may all be for one slow account: those for the same account find its places taken and are postponed,
   * those for others are sent.
   */
  async reserve(count: number, overtakes = false): Promise<void> {
    let capacity = overtakes ? LARGEST_CAPACITY : CAPACITY;
    const timer = setTimeout(() => {
      capacity = LARGEST_CAPACITY;
      this.announceRoom();
    }, LONGEST_WAIT_MS);
    while (this.weight + this.reserved > 0 && this.weight + this.reserved + count > capacity) {
      await new Promise<void>((resolve) => this.onRoom.push(resolve));
    }
    clearTimeout(timer);
    this.reserved += count;
  }

  /** The reserved steps are claimed, or could not be. */
  unreserve(count: number): void {
    this.reserved -= count;
    this.announceRoom();
  }

  private announceRoom(): void {
    for (const resolve of this.onRoom.splice(0)) resolve();
  }

  spanOf(stepId: StepId): Span | undefined {
    return this.held.get(stepId)?.span;
  }

  /** Whether a provider may be called. A stopping worker finishes steps that have begun and begins no other. */
  mayBegin(step: ClaimedStep): boolean {
    return !this.isStopping || this.find(step)?.hasBegun === true;
  }

  /** From now on the step is not released. */
  begin(step: ClaimedStep): void {
    const entry = this.find(step);
    if (entry) entry.hasBegun = true;
  }

  /** Releases a step that cannot be sent now; it is due again after about this time. Its record names the limit. */
  postpone(step: ClaimedStep, waitMs: number, limit?: LimitWait): Promise<void> {
    return this.postponed.add({ step, limit, waitMs: Math.max(1, Math.round(waitMs / POSTPONE_MS)) * POSTPONE_MS });
  }

  /** Releases those of the steps that have not begun; they are due again after a short time. */
  async postponeIdle(steps: ClaimedStep[]): Promise<void> {
    await this.release(
      steps.filter((step) => !this.find(step)?.hasBegun),
      POSTPONE_MS,
    );
  }

  /** From now on no step begins. Steps that have not begun go back to the queue at once, for other workers. */
  async stopBeginning(): Promise<void> {
    this.isStopping = true;
    const idle = [...this.held.values()].filter(({ hasBegun }) => !hasBegun);
    await this.release(
      idle.map(({ step }) => step),
      0,
    );
  }

  /** Another worker has the step, or this one releases it. A marked step without a claim would be in doubt. */
  withdraw(step: ClaimedStep): void {
    if (!this.find(step)?.isReleasing) this.forget(step);
  }

  /** The step is finished, or belongs to another worker now. */
  forget(step: ClaimedStep): void {
    if (this.remove(step)) this.leases.settle(step.claimId);
  }

  /** The step runs again as after a crash. Its claim goes on, because it also holds other steps. */
  abandon(step: ClaimedStep): void {
    if (this.remove(step)) this.abandoned.push(step);
  }

  private remove(step: ClaimedStep): boolean {
    const entry = this.find(step);
    if (!entry) return false;
    this.held.delete(step.id);
    this.weight -= weightOf(entry.step);
    this.workflows.drop(step.id);
    this.messages.drop(step.id);
    entry.span?.end();
    this.announceRoom();
    for (const resolve of this.onRelease.splice(0)) resolve();
    if (this.held.size === 0) for (const resolve of this.onEmpty.splice(0)) resolve();
    return true;
  }

  keepWorkflow(step: ClaimedStep, workflow: RunningWorkflow): void {
    if (this.find(step)) this.workflows.keep(step, workflow, workflow.memory);
  }

  keepMessages(step: ClaimedStep, messages: object, bytes: number): void {
    if (this.find(step)) this.messages.keep(step, messages, bytes);
  }

  /** Whether its tenant may have more workflows in memory. */
  hasRoomForWorkflows({ environmentId }: ClaimedStep): boolean {
    return this.workflows.hasRoom(environmentId);
  }

  hasRoomForMessages(environmentId: EnvironmentId): boolean {
    return this.messages.hasRoom(environmentId);
  }

  /** Waits for it while steps are released; false when none was for a while. */
  async untilRoomForMessages(environmentId: EnvironmentId): Promise<boolean> {
    while (!this.messages.hasRoom(environmentId)) {
      if (!(await withTimeoutOr(this.nextRelease(), MEMORY_WAIT_MS, false))) return false;
    }
    return true;
  }

  private nextRelease(): Promise<true> {
    return new Promise((resolve) => this.onRelease.push(() => resolve(true)));
  }

  /** Resolves when none of the steps is held any more. */
  async untilReleased(steps: ClaimedStep[]): Promise<void> {
    for (const { id } of steps) {
      while (this.held.has(id)) await this.nextRelease();
    }
  }

  async untilEmpty(): Promise<void> {
    while (this.held.size > 0) await new Promise<void>((resolve) => this.onEmpty.push(resolve));
  }

  /** Ends the renewal of leases, after it has given up what is not held any more. */
  close(): Promise<void> {
    return this.leases.close();
  }

  private find({ id, fence }: ClaimedStep): HeldStep | undefined {
    const entry = this.held.get(id);
    return entry?.step.fence === fence ? entry : undefined;
  }

  private async giveUp(): Promise<void> {
    const steps = [...this.abandoned];
    if (steps.length > 0) {
      await this.parts.claims.abandon(steps);
      this.abandoned = this.abandoned.slice(steps.length);
      for (const { claimId } of steps) this.leases.settle(claimId);
    }
    for (let next = this.unreleased[0]; next; next = this.unreleased[0]) {
      try {
        await this.parts.claims.release(toRelease(next), next.delayMs, next.limit);
        for (const { claimId } of next.steps) this.leases.settle(claimId);
      } catch (error) {
        if (isDatabaseUnavailable(error)) throw error;
        this.abandoned.push(...next.steps);
      }
      this.unreleased.shift();
    }
  }

  private async release(steps: ClaimedStep[], delayMs: number, limit?: LimitWait): Promise<void> {
    for (const step of steps) {
      const entry = this.find(step);
      if (entry) entry.isReleasing = true;
    }
    try {
      await this.parts.claims.release(toRelease({ steps, limit }), delayMs, limit);
      for (const step of steps) this.forget(step);
    } catch (error) {
      if (isDatabaseUnavailable(error)) {
        const kept = steps.filter((step) => this.remove(step));
        if (kept.length > 0) this.unreleased.push({ steps: kept, delayMs, limit });
        return;
      }
      this.parts.log.warn(
        { err: error, stepIds: steps.map(({ id }) => id) },
        'Steps could not be released. They run again as after a crash.',
      );
      for (const step of steps) this.abandon(step);
    }
  }
}
