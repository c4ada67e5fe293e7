import { Apart, ClaimRunner, type Isolation } from '@clarion/claims';
import { EXECUTION_DETAILS, partition, type StepId, type TriggerId } from '@clarion/contracts/core';
import { type ClaimedTrigger, CRASHES_ALLOWED, type StepWarning, weightOf } from '@clarion/persistence';
import { type Metrics, type Tracing } from '@clarion/platform';
import { readContexts } from '@clarion/rules';
import { AudienceWalks, WALK_START } from './audience-walks';
import { EngineClaims } from './engine-claims';
import { type FanOutPlan, groupByPage, isFresh, needsWalk, planFanOut } from './fan-out-plan';
import { LastTriggered } from './last-triggered';
import { NotificationPage } from './notification-page';
import { PageWriter } from './page-writer';
import type { RecipientChannelStore, ContextStore, EngineLog, FanOutStore, Offers, Workflows } from './ports';
import { RecipientResolver, type Recipients } from './recipient-resolver';

export type FanOutParts = {
  store: FanOutStore;
  workflows: Workflows;
  contexts: ContextStore;
  channels: RecipientChannelStore;
  offers: Offers;
  /** Runs steps that the engine runs itself. */
  runTimers(stepIds: StepId[]): Promise<void>;
  newId<T extends string>(): T;
  now(): Date;
  pause(milliseconds: number): Promise<unknown>;
  /** Shared with the other rows that the engine runs. */
  isolation: Isolation;
  tracing: Tracing;
  metrics: Pick<Metrics, 'createNotifications' | 'batch'>;
  log: EngineLog;
};

const NOT_RUN = 'Triggers could not be run. The sweeper offers them again.';

/** From accepted triggers to notifications whose first step is due. */
export class FanOut {
  private readonly resolver = new RecipientResolver(this.parts);
  private readonly pages = new PageWriter(this.parts);
  private readonly claims = new EngineClaims(this.parts);
  private readonly walks = new AudienceWalks(this.pages, this.claims, this.parts);
  private readonly lastTriggered = new LastTriggered(this.parts.store, this.parts.now);
  /** Triggers whose recipients bring channels. Storing these takes long: the other environments do not wait for it. */
  private readonly dear = new Apart(this.parts.pause);
  private readonly runner = new ClaimRunner<ClaimedTrigger>(
    {
      claim: (triggerIds, mostCrashes) => this.parts.store.claim(triggerIds, mostCrashes),
      suspects: (triggerIds) => this.parts.store.suspects(triggerIds),
      run: (claimed, areSuspects) => this.runClaimed(claimed, areSuspects),
      onError: (error, triggerIds) => this.claims.warn(NOT_RUN, error, { triggerIds }),
    },
    this.parts.isolation,
  );

  constructor(private readonly parts: FanOutParts) {}

  /** Resolves when individual recipients have notifications; topics and broadcasts go on in the background. */
  run(triggerIds: TriggerId[]): Promise<void> {
    return this.runner.run(triggerIds);
  }

  /** Ends the running walks after their current page. */
  async stop(): Promise<void> {
    this.walks.stop();
    await this.runner.drain();
    await this.settled();
    await this.claims.close();
  }

  /** Resolves when nothing goes on in the background. */
  async settled(): Promise<void> {
    await this.dear.settled();
    await this.walks.drain();
  }

  private async runClaimed(claimed: ClaimedTrigger[], areSuspects: boolean): Promise<void> {
    const { claimId } = claimed[0]!;
    this.claims.begin(claimId);
    let left = claimed.length;
    const settle = (count: number): void => {
      left -= count;
      if (left === 0) this.claims.end(claimId);
    };
    const [dear, usual] = partition(claimed, (trigger) => !areSuspects && bringsChannels(trigger));
    const apart = dear.length > 0 ? this.runApart(dear, settle) : undefined;
    try {
      if (usual.length > 0) await this.runTogether(usual, settle);
    } finally {
      await apart;
    }
  }

  private runApart(triggers: ClaimedTrigger[], settle: (count: number) => void): Promise<void> {
    const { store } = this.parts;
    return this.dear.run(
      triggers,
      ({ environmentId }) => environmentId,
      weightOf,
      async (own, comeBackMs) => {
        const { claimId } = own[0]!;
        if (comeBackMs === 0) {
          await this.runTogether(own, settle).catch((error: unknown) =>
            this.claims.warn(NOT_RUN, error, { triggerIds: own.map(({ id }) => id) }),
          );
        } else if (await this.claims.giveBack(claimId, () => store.release(own, comeBackMs))) settle(own.length);
      },
    );
  }

  /** Calls `settle` for triggers that are committed or released. The walks end later than this. */
  private async runTogether(triggers: ClaimedTrigger[], settle: (count: number) => void): Promise<void> {
    const traces = triggers.map(({ trace }) => trace);
    const span = this.parts.tracing.shared('fan-out', traces, { 'clarion.triggers': triggers.length });
    try {
      const walking = await this.fanOut(triggers);
      const pages = walking.flatMap((plan) => {
        const paged = this.walks.start(plan, () => settle(1));
        // A trigger that runs alone is judged by what it does, so no other row may begin before it has done something.
        return plan.trigger.crashCount > 1 ? [paged] : [];
      });
      settle(triggers.length - walking.length);
      await Promise.all(pages);
    } catch (error) {
      span?.fail(error);
      // Committed pages stay. Without the release the rest would wait until the lease ends.
      const isReleased = await this.claims.giveBack(triggers[0]!.claimId, () => this.parts.store.release(triggers));
      if (isReleased) settle(triggers.length);
      throw error;
    } finally {
      span?.end();
    }
  }

  /** Returns the triggers with recipients that are read in pages. */
  private async fanOut(claimed: ClaimedTrigger[]): Promise<FanOutPlan[]> {
    const [quarantined, sound] = partition(claimed, ({ crashCount }) => crashCount > CRASHES_ALLOWED);
    if (quarantined.length > 0) await this.quarantine(quarantined);
    const walking: FanOutPlan[] = [];
    for (let left = sound; left.length > 0;) {
      const workflowOf = await this.parts.workflows.load(left);
      const [now, later] = partition(left, (trigger) => workflowOf(trigger) !== undefined);
      const plans = now.map((trigger) => planFanOut(trigger, workflowOf(trigger)!));
      await this.ensureContexts(plans);
      const recipients = await this.resolver.resolve(plans);
      for (const group of groupByPage(plans.filter(isFresh))) await this.commitIndividuals(group, recipients);
      await this.lastTriggered.mark(plans.map(({ progress }) => progress.workflowId));
      walking.push(...plans.filter(needsWalk));
      left = later;
    }
    return walking;
  }

  private async quarantine(triggers: ClaimedTrigger[]): Promise<void> {
    const error = `The engine crashed ${CRASHES_ALLOWED} times while it ran this trigger, so it does not run again`;
    await this.parts.store.commit({
      triggers: triggers.map(({ id, fence, claimId, workflowId }) => ({
        id,
        fence,
        claimId,
        workflowId,
        steps: [],
        state: 'failed',
        error,
        channels: [],
        tags: [],
        severity: 'none',
        critical: false,
      })),
      notifications: [],
    });
    for (const { id, transactionId } of triggers) {
      this.parts.log.error(
        { triggerId: id, transactionId },
        `A trigger crashed its engine ${CRASHES_ALLOWED} times. It has failed and does not run again.`,
      );
    }
  }

  private async ensureContexts(plans: FanOutPlan[]): Promise<void> {
    const rows = plans.flatMap(({ trigger }) =>
      readContexts(trigger.context).rows.map((row) => ({ environmentId: trigger.environmentId, ...row })),
    );
    if (rows.length > 0) await this.parts.contexts.ensureMany(rows);
  }

  private async commitIndividuals(plans: FanOutPlan[], recipients: Recipients): Promise<void> {
    const page = new NotificationPage(this.parts.newId);
    const warnings: StepWarning[] = [];
    for (const plan of plans) {
      const { trigger, audience, progress, channelFaults } = plan;
      page.triggers.push(
        needsWalk(plan) ? { ...progress, state: 'running', cursor: WALK_START } : { state: 'done', ...progress },
      );
      for (const { subscriberId, to } of audience.individuals) {
        const { id } = recipients.get(trigger.environmentId, subscriberId);
        const firstStepId = page.add(plan, { subscriberId: id, to });
        for (const raw of channelFaults.get(id) ?? []) {
          warnings.push({ stepId: firstStepId, environmentId: trigger.environmentId, raw });
        }
      }
    }
    await this.pages.commit(page, plans);
    if (warnings.length > 0) await this.parts.store.warn(warnings, EXECUTION_DETAILS.channelNotStored.detail);
  }
}

const bringsChannels = ({ recipients, cursor }: ClaimedTrigger): boolean =>
  cursor === null && recipients.some(({ channels }) => Array.isArray(channels) && channels.length > 0);
