import { Apart, Batcher, ClaimRunner, Isolation } from '@clarion/claims';
import { type Channel, type OrganizationOf, partition, type StepId, withTimeoutOr } from '@clarion/contracts/core';
import {
  type ClaimedStep,
  CRASHES_ALLOWED,
  isDatabaseUnavailable,
  type RunningStep,
  type RunningStores,
  type StepToKeep,
  type StepWithoutIntegration,
  weightOf,
} from '@clarion/persistence';
import { FaultLog, type Metrics, type Tracing } from '@clarion/platform';
import { renderTimeWait, Slices } from '@clarion/rules';
import type { ChannelStrategy, Delivery, Prepared, ReadyStep } from '../sending/channel';
import { quarantinedResult } from './conclude-step';
import { countOutcome } from '../delivery-metrics';
import { happened } from './happened';
import { HeldSteps, POSTPONE_MS } from './held-steps';
import type { IntegrationDirectory } from '../accounts/integration-directory';
import { MessageAnnouncer } from './message-announcer';
import { OutcomeWriter } from './outcome-writer';
import type {
  DeliveryLog,
  Holds,
  Offers,
  Realtime,
  RenderTime,
  StepClaims,
  StepOutcomes,
  Suppressions,
} from '../ports';
import { SendPermissions } from '../accounts/send-permissions';
import type { ComeBack, Sender } from '../sending/sender';
import { idsOf } from './step-ids';
import { Preparation } from './preparation';
import { StepJudge, WAITS } from './step-judge';
import type { SettledStep } from './step-outcome';
import type { StepResult } from './step-result';
import { withSuppressions } from '../sending/suppressions';
import { MessageAttempt } from '../sending/message-attempt';

function holdOf({ item: { step }, accounts }: ReadyStep, prepared: Prepared): string | null {
  switch (prepared.kind) {
    case 'refused':
      return null;
    case 'stored':
      return accounts[0]!.pause.holdId;
    case 'deliveries': {
      const held = prepared.deliveries.map((delivery) => MessageAttempt.holdOf(delivery, step));
      return held.find((holdId) => holdId !== null) ?? null;
    }
  }
}

const CLAIM_SIZE = 500;
/** Small, because a job waits for the capacity of its whole batch, and the next job waits for that one. */
const INTAKE_SIZE = 100;
/** How long a suspect, which runs alone, waits for steps sent before. The next group waits for a slow one as long. */
const LONGEST_WAIT_MS = 5_000;
const longestRunOf = (suspects: unknown[]): number => (suspects.length > 1 ? LONGEST_WAIT_MS : 15_000);
const CLOSE_MS = 2_000;
const NOT_PREPARED = 'Steps could not be prepared. Those without a provider call are released and run again.';
const OVER_RENDER_TIME = 'Steps wait because the templates of their environment have used up its render time.';
const SLOW_TEMPLATES = 'Steps of an environment wait because its templates take long to render.';
const NOT_CLAIMED = 'Steps could not be claimed. The sweeper offers them again.';

export type PipelineParts = RunningStores & {
  claims: StepClaims;
  outcomes: StepOutcomes;
  integrations: IntegrationDirectory;
  suppressions: Suppressions;
  holds: Holds;
  offers: Offers;
  realtime: Realtime;
  sender: Sender;
  renderTime: RenderTime;
  organizationOf: OrganizationOf;
  tracing: Tracing;
  metrics: Metrics;
  pause(milliseconds: number): Promise<unknown>;
  log: DeliveryLog;
};

const keeping = <T>(keep: (steps: T[]) => Promise<unknown>): Batcher<T, void> =>
  new Batcher({
    maxItems: CLAIM_SIZE,
    maxWaitMs: 0,
    concurrency: 1,
    run: async (steps) => {
      await keep(steps);
      return steps.map(() => undefined);
    },
  });

/** Claim, decide, render, send, record, advance. Concurrent steps share statements. */
export class DeliveryPipeline {
  private readonly faults = new FaultLog(this.parts.log);
  /** Steps that are being rendered. */
  private readonly rendering = new Apart(this.parts.pause);
  private readonly held = new HeldSteps(this.parts);
  private readonly permissions = new SendPermissions(this.held, this.parts);
  private readonly writer = new OutcomeWriter(this.channel, this.held, this.parts);
  private readonly announcer = new MessageAnnouncer(this.parts.realtime);
  private readonly judge = new StepJudge(this.channel, this.parts);
  private readonly preparation = new Preparation(this.strategy, this.held, this.parts);
  private readonly runner = new ClaimRunner<ClaimedStep>(
    {
      claim: (stepIds, mostCrashes) => {
        const claiming = this.parts.claims.claimChannel(this.channel, stepIds, mostCrashes);
        return mostCrashes > 0 ? claiming : claiming.finally(() => this.held.unreserve(stepIds.length));
      },
      suspects: (stepIds) => this.parts.claims.suspects(stepIds),
      run: async (claimed, areSuspects) => {
        await this.runClaimed(claimed);
        if (!areSuspects) return;
        await Promise.race([this.held.untilReleased(claimed), this.parts.pause(longestRunOf(claimed))]);
      },
      onError: (error, stepIds) => this.warn(NOT_CLAIMED, error, stepIds),
    },
    new Isolation(() => Promise.race([this.held.untilEmpty(), this.parts.pause(LONGEST_WAIT_MS)]), this.parts.pause),
  );
  private readonly intake = new Batcher<StepId, void>({
    maxItems: INTAKE_SIZE,
    maxWaitMs: 0,
    concurrency: 2,
    run: async (stepIds, overtakes) => {
      await this.runner.run([...new Set(stepIds)], (count) => this.held.reserve(count, overtakes));
      return stepIds.map(() => undefined);
    },
  });
  private readonly toKeep = keeping<StepToKeep>((steps) => this.parts.holds.keep(steps));
  private readonly withoutIntegration = keeping<StepWithoutIntegration>((steps) =>
    this.parts.holds.keepWithoutIntegration(this.channel, steps),
  );
  private lastClaimAt = performance.now();

  constructor(
    private readonly strategy: ChannelStrategy,
    private readonly parts: PipelineParts,
  ) {}

  get channel(): Channel {
    return this.strategy.channel;
  }

  get size(): number {
    return this.held.size;
  }

  /** When a step was last claimed or recorded; the health check judges the process by it. */
  get lastProgressAt(): number {
    return Math.max(this.lastClaimAt, this.writer.lastCommitAt);
  }

  /** Resolves when the steps are claimed and being sent. Those with a lower place (`placeOf`) go first. */
  async deliver(stepIds: StepId[], place?: number): Promise<void> {
    await this.intake.addMany(stepIds, place);
  }

  /** Crashed steps have waited for a lease, so they need no free capacity; few of them run at a time. */
  async recover(stepIds: StepId[]): Promise<void> {
    await this.runner.runSuspectsOf(stepIds);
  }

  /** Resolves when every claimed step is recorded. */
  async drain(): Promise<void> {
    await this.intake.drain();
    await this.runner.drain();
    await this.held.untilEmpty();
    await this.writer.drain();
  }

  /** Finishes the steps that a provider was called for; all others go back to the queue at once. */
  async releaseIdle(): Promise<void> {
    await this.held.stopBeginning();
  }

  /**
   * Releases idle steps and waits for the steps that have begun, at most for the time given. A step whose call is then
   * still in flight keeps its lease: the worker that claims it next has to know that it is in doubt. So do steps whose
   * outcome could not be recorded, because the database is away.
   */
  async stop(deadlineMs: number): Promise<void> {
    await this.releaseIdle();
    await withTimeoutOr(this.drain(), deadlineMs, undefined);
    await this.releaseIdle();
    await withTimeoutOr(this.held.close(), CLOSE_MS, undefined);
    const { inDoubt } = this.writer;
    if (inDoubt > 0) {
      this.parts.log.warn(
        { channel: this.channel, inDoubt },
        `The worker ends with ${inDoubt} outcomes that it could not record. These steps are in doubt.`,
      );
    }
  }

  private async runClaimed(all: ClaimedStep[]): Promise<void> {
    const claimed = await this.held.hold(all);
    if (claimed.length === 0) return;
    this.lastClaimAt = performance.now();
    this.parts.metrics.batch('claim', claimed.length);
    for (const { waitedMs, lane } of claimed) this.parts.metrics.stage('queue', this.channel, waitedMs / 1_000, lane);
    await this.orPostpone(claimed, () => this.process(claimed));
  }

  /** When the work on these steps fails, those without a provider call come back. */
  private async orPostpone(steps: ClaimedStep[], work: () => Promise<void>): Promise<void> {
    try {
      await work();
      this.faults.over(NOT_PREPARED, 'Steps are prepared again.');
    } catch (error) {
      const stepIds = steps.map(({ id }) => id);
      this.warn(NOT_PREPARED, error, stepIds);
      await this.held.postponeIdle(steps);
    }
  }

  /** While the database is away, every batch meets the same fault. */
  private warn(text: string, error: unknown, stepIds: StepId[]): void {
    if (isDatabaseUnavailable(error)) this.faults.report(text, error, { channel: this.channel });
    else this.parts.log.warn({ err: error, stepIds }, text);
  }

  /** Resolves when every step is settled, handed to the sender, or of an environment with slow templates. */
  private async process(claimed: ClaimedStep[]): Promise<void> {
    const [quarantined, sound] = partition(claimed, ({ crashCount }) => crashCount > CRASHES_ALLOWED);
    if (quarantined.length > 0) {
      for await (const items of this.judge.loadAuthored(quarantined)) {
        for (const item of items) void this.settle(item, quarantinedResult(item.step));
      }
    }
    for (let left = this.withRoom(sound); left.length > 0;) {
      const { running, later } = await this.judge.load(left);
      await this.run(running);
      left = this.withRoom(later);
    }
  }

  /** The steps whose tenants may have more workflows in memory. The others come back. */
  private withRoom(steps: ClaimedStep[]): ClaimedStep[] {
    const [now, over] = partition(steps, (step) => this.held.hasRoomForWorkflows(step));
    for (const step of over) void this.held.postpone(step, POSTPONE_MS);
    return now;
  }

  private async run(running: RunningStep[]): Promise<void> {
    const admitted: ReadyStep[] = [];
    const slices = new Slices();
    for (const item of running) {
      if (slices.isOver) await slices.rest();
      this.held.keepWorkflow(item.step, item.workflow);
      const verdict = this.judge.judge(item);
      if (verdict === WAITS) void this.keepUntilIntegration(item.step);
      else if ('accounts' in verdict) admitted.push(verdict);
      else void this.settle(item, verdict);
    }
    const placed = this.parts.sender.placed(admitted, (step, comeBack) => void this.postpone(step, comeBack));
    if (placed.length === 0) return;
    const ready = await withSuppressions(this.parts.suppressions, this.strategy, placed);
    const environmentOf = ({ item }: ReadyStep): string => item.step.environmentId;
    const weight = ({ item }: ReadyStep): number => weightOf(item.step);
    await this.rendering.run(ready, environmentOf, weight, (steps, comeBackMs) =>
      this.prepareOrPostpone(steps, comeBackMs),
    );
  }

  /** Steps of one environment. They come back if its render time is used up, or its templates are slow. */
  private async prepareOrPostpone(steps: ReadyStep[], comeBackMs: number): Promise<void> {
    const claimed = steps.map(({ item }) => item.step);
    const { environmentId } = claimed[0]!;
    const over = this.parts.renderTime.overBudget(environmentId);
    const comeBack = over ? renderTimeWait(over) : { waitMs: comeBackMs };
    if (comeBack.waitMs > 0) {
      this.faults.report(over ? OVER_RENDER_TIME : SLOW_TEMPLATES, 'limits', { environmentId });
      for (const step of claimed) void this.postpone(step, comeBack);
      return;
    }
    await this.orPostpone(claimed, () =>
      this.preparation.run(steps, (step, prepared) => void this.dispatch(step, prepared)),
    );
  }

  private postpone(step: ClaimedStep, { waitMs, limit }: ComeBack): Promise<void> {
    if (limit && !step.notedLimits[limit.limit]) this.parts.metrics.limits.wait(limit.limit, step.type);
    return this.held.postpone(step, waitMs, limit);
  }

  private dispatch(ready: ReadyStep, prepared: Prepared): Promise<void> {
    const { item, admitted } = ready;
    const holdId = holdOf(ready, prepared);
    if (holdId !== null) return this.keepFor(item.step, holdId);
    switch (prepared.kind) {
      case 'refused':
        return this.settle(item, {
          state: prepared.refused.state,
          lines: [...admitted.lines, ...prepared.refused.lines],
          messages: prepared.messages,
        });
      case 'stored':
        return this.settle(item, {
          state: 'completed',
          lines: [...admitted.lines, ...prepared.lines],
          messages: prepared.messages,
        });
      case 'deliveries': {
        const accounts = prepared.deliveries.map((delivery) => delivery.accounts[0]!);
        const comesBack = this.parts.sender.comeBack(item.step, accounts);
        if (comesBack) return this.postpone(item.step, comesBack);
        return this.send(item, prepared.deliveries, happened([...admitted.lines, ...prepared.lines]));
      }
    }
  }

  /** The account of the step is on hold: the step waits for it. */
  private keepFor(step: ClaimedStep, holdId: string): Promise<void> {
    return this.keep(step, () => this.toKeep.add({ id: step.id, fence: step.fence, holdId }));
  }

  /** The channel has no account: the step waits for one. */
  private keepUntilIntegration(step: ClaimedStep): Promise<void> {
    const { id, fence, environmentId } = step;
    return this.keep(step, () => this.withoutIntegration.add({ id, fence, environmentId }));
  }

  private async keep(step: ClaimedStep, write: () => Promise<void>): Promise<void> {
    this.held.begin(step);
    try {
      await write();
      this.held.forget(step);
    } catch (error) {
      this.parts.log.warn({ err: error, ...idsOf(step) }, 'A step on hold could not be put aside. It runs again.');
      this.held.abandon(step);
    }
  }

  private async send(item: ReadyStep['item'], deliveries: Delivery[], lines: StepResult['lines']): Promise<void> {
    const { step } = item;
    try {
      const result = await this.parts.sender.send({
        step,
        deliveries,
        strategy: this.strategy,
        permission: this.permissions.forStep(step),
        trace: this.held.spanOf(step.id)?.context ?? step.notification.trace ?? undefined,
      });
      // Another worker holds the step, or this one may not begin it any more and releases it.
      if (!result) return this.held.withdraw(step);
      await this.settle(item, { ...result, lines: [...lines, ...result.lines] });
    } catch (error) {
      this.parts.log.warn(
        { err: error, ...idsOf(step) },
        'A step could not be sent. It runs again, in doubt if a call was in flight.',
      );
      this.held.abandon(step);
    }
  }

  /** Records how the step ended. Never rejects: a step that cannot be recorded runs again. */
  private async settle(item: SettledStep, result: StepResult): Promise<void> {
    const { step } = item;
    this.held.begin(step);
    try {
      this.recordSpanOutcome(step, result);
      const isRecorded = await this.writer.write(item, result);
      this.held.forget(step);
      if (!isRecorded) return;
      countOutcome(this.parts.metrics, this.channel, item, result);
      if (this.channel === 'in_app' && result.messages.length > 0) this.announcer.announce(step, result.messages);
    } catch (error) {
      this.parts.log.warn(
        { err: error, ...idsOf(step) },
        'The outcome of a step could not be recorded. The step runs again.',
      );
      this.held.abandon(step);
    }
  }

  private recordSpanOutcome(step: ClaimedStep, { state, error }: StepResult): void {
    const span = this.held.spanOf(step.id);
    span?.set({ 'clarion.outcome': state });
    if (state === 'failed') span?.fail(error?.['message'] ?? state);
  }
}
