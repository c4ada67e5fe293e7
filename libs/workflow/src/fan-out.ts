import { EXECUTION_DETAILS, type StepId, type TriggerId } from '@clarion/contracts/core';
import { type ClaimedTrigger, CRASHES_ALLOWED, type StepWarning } from '@clarion/persistence';
import { ClaimRunner, type Isolation, type Metrics, type Tracing } from '@clarion/platform';
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

/** From accepted triggers to notifications whose first step is due. */
export class FanOut {
  private readonly runner: ClaimRunner<ClaimedTrigger>;
  private readonly claims: EngineClaims;
  private readonly resolver: RecipientResolver;
  private readonly pages: PageWriter;
  private readonly walks: AudienceWalks;
  private readonly lastTriggered: LastTriggered;

  constructor(private readonly parts: FanOutParts) {
    const { store } = parts;
    this.resolver = new RecipientResolver(parts);
    this.pages = new PageWriter(parts);
    this.claims = new EngineClaims(parts);
    this.walks = new AudienceWalks(this.pages, this.claims, parts);
    this.lastTriggered = new LastTriggered(store, parts.now);
    this.runner = new ClaimRunner(
      {
        claim: (triggerIds, mostCrashes) => store.claim(triggerIds, mostCrashes),
        suspects: (triggerIds) => store.suspects(triggerIds),
        run: (claimed) => this.runClaimed(claimed),
        onError: (error, triggerIds) =>
          this.claims.warn('Triggers could not be run. The sweeper offers them again.', error, { triggerIds }),
      },
      parts.isolation,
    );
  }

  /**
   * Resolves when the individual recipients have their notifications; topics and broadcasts go on in the background.
   */
  run(triggerIds: TriggerId[]): Promise<void> {
    return this.runner.run(triggerIds);
  }

  /** Ends the running walks after their current page. */
  async stop(): Promise<void> {
    this.walks.stop();
    await this.runner.drain();
    await this.walks.drain();
    await this.claims.close();
  }

  /** Resolves when no walk over topics or subscribers is running. */
  settled(): Promise<void> {
    return this.walks.drain();
  }

  private async runClaimed(claimed: ClaimedTrigger[]): Promise<void> {
    const traces = claimed.map(({ trace }) => trace);
    const span = this.parts.tracing.shared('fan-out', traces, { 'clarion.triggers': claimed.length });
    const { claimId } = claimed[0]!;
    this.claims.begin(claimId);
    let walks = 0;
    try {
      const walking = await this.fanOut(claimed);
      // The claim ends with the last walk.
      const pages = walking.flatMap((plan) => {
        walks += 1;
        const paged = this.walks.start(plan, () => {
          walks -= 1;
          if (walks === 0) this.claims.end(claimId);
        });
        // A trigger that runs alone is judged by what it does, so no other row may begin before it has done something.
        return plan.trigger.crashCount > 1 ? [paged] : [];
      });
      if (walks === 0) this.claims.end(claimId);
      await Promise.all(pages);
    } catch (error) {
      span?.fail(error);
      // Committed pages stay. Without the release the rest would wait until the lease ends.
      const isReleased = await this.claims.giveBack(claimId, () => this.parts.store.release(claimed));
      if (isReleased) this.claims.end(claimId);
      throw error;
    } finally {
      span?.end();
    }
  }

  /** Returns the triggers with recipients that are read in pages. */
  private async fanOut(claimed: ClaimedTrigger[]): Promise<FanOutPlan[]> {
    const workflowOf = await this.parts.workflows.load(claimed);
    const quarantined = claimed.filter(({ crashCount }) => crashCount > CRASHES_ALLOWED);
    const plans = claimed
      .filter(({ crashCount }) => crashCount <= CRASHES_ALLOWED)
      .map((trigger) => planFanOut(trigger, workflowOf(trigger)));
    if (quarantined.length > 0) await this.quarantine(quarantined);
    await this.ensureContexts(plans);
    const recipients = await this.resolver.resolve(plans);
    for (const group of groupByPage(plans.filter(isFresh))) await this.commitIndividuals(group, recipients);
    await this.lastTriggered.mark(plans.map(({ workflow }) => workflow.id));
    return plans.filter(needsWalk);
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
        needsWalk(plan) ? { ...progress, state: 'running', cursor: WALK_START } : { ...progress, state: 'done' },
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
