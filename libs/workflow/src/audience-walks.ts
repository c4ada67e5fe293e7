import { FairTurns } from '@clarion/claims';
import { type FanOutCursor, isDatabaseUnavailable, type MemberPage } from '@clarion/persistence';
import { type Tracing } from '@clarion/platform';
import { Slices, subscriptionAdmits, subscriptionVariables } from '@clarion/rules';
import type { EngineClaims } from './engine-claims';
import { type FanOutPlan, PAGE_SIZE, planOfWalk } from './fan-out-plan';
import { NotificationPage } from './notification-page';
import type { PageWriter } from './page-writer';
import type { EngineLog, FanOutStore } from './ports';

/** Pages that are written at a time: with a connection for each walk, no other work would get one. */
const PAGES_AT_ONCE = 4;

/** The cursor before the first page: no id is smaller. */
export const WALK_START = { after: '00000000-0000-0000-0000-000000000000' };

export type AudienceWalksParts = {
  store: Pick<FanOutStore, 'subscribers' | 'topicMembers' | 'payloadOf' | 'release' | 'abandon'>;
  newId<T extends string>(): T;
  now(): Date;
  tracing: Pick<Tracing, 'span'>;
  log: EngineLog;
};

/**
 * Walks over the members of topics, or over all subscribers, in the background. Each page is one transaction together
 * with the cursor after it, so after a crash the walk goes on where it was and repeats nothing.
 */
export class AudienceWalks {
  private readonly running = new Set<Promise<void>>();
  private readonly turns = new FairTurns(PAGES_AT_ONCE);
  private isStopping = false;

  constructor(
    private readonly pages: PageWriter,
    private readonly claims: Pick<EngineClaims, 'giveBack' | 'warn'>,
    private readonly parts: AudienceWalksParts,
  ) {}

  /** Resolves when the first page is committed or the walk has ended; `onEnd` when it holds no trigger. */
  start(given: FanOutPlan, onEnd: () => void): Promise<void> {
    const plan = planOfWalk(given);
    const { tracing, store, log } = this.parts;
    const { id: triggerId, transactionId, trace } = plan.trigger;
    const span = tracing.span('fan-out', trace, { 'clarion.transaction_id': transactionId });
    let onPage = (): void => undefined;
    const paged = new Promise<void>((resolve) => (onPage = resolve));
    const walk: Promise<void> = this.walk(plan, onPage)
      .catch((error: unknown) => {
        span?.fail(error);
        this.claims.warn('A fan-out stopped. The sweeper resumes it from its last page.', error, {
          triggerId,
          transactionId,
        });
        // A trigger that always fails must end in the quarantine. The trigger is not to blame for an absent database.
        const { trigger } = plan;
        const giveUp = isDatabaseUnavailable(error) ? store.release : store.abandon;
        return this.claims.giveBack(trigger.claimId, () => giveUp.call(store, [trigger]));
      })
      .then((isGivenBack = true) => {
        if (isGivenBack) onEnd();
        else log.warn({ triggerId, transactionId }, 'The fan-out resumes when its lease ends.');
      })
      .finally(() => {
        span?.end();
        onPage();
        this.running.delete(walk);
      });
    this.running.add(walk);
    return paged;
  }

  /** Every walk ends after its current page and releases its trigger. */
  stop(): void {
    this.isStopping = true;
  }

  async drain(): Promise<void> {
    while (this.running.size > 0) await Promise.all(this.running);
  }

  private async walk(plan: FanOutPlan, onPage: () => void): Promise<void> {
    let cursor = plan.trigger.cursor ?? WALK_START;
    while (!this.isStopping) {
      const { environmentId, lane } = plan.trigger;
      const next = await this.turns.run(environmentId, lane, () => this.writePage(plan, cursor));
      onPage();
      if (!next) return;
      cursor = next;
    }
    await this.parts.store.release([plan.trigger]);
  }

  /** Returns the cursor of the next page; undefined if there is none, or another engine has taken over the trigger. */
  private async writePage(plan: FanOutPlan, cursor: FanOutCursor): Promise<FanOutCursor | undefined> {
    const { members, cursor: next } = await this.nextMembers(plan, cursor);
    const page = await this.pageOf(plan, members);
    page.triggers.push(
      next ? { ...plan.progress, state: 'running', cursor: next } : { ...plan.progress, state: 'done' },
    );
    const isHeld = await this.pages.commit(page, [plan]);
    return isHeld && next ? next : undefined;
  }

  private nextMembers({ trigger, audience }: FanOutPlan, cursor: FanOutCursor): Promise<MemberPage> {
    const { store } = this.parts;
    const after = cursor.after === WALK_START.after ? null : cursor;
    return audience.broadcast
      ? store.subscribers(trigger.environmentId, after, audience.leftOut, PAGE_SIZE)
      : store.topicMembers(trigger.environmentId, audience.topicKeys, after, audience.leftOut, PAGE_SIZE);
  }

  /** Leaves out members whose subscription does not admit the workflow. */
  private async pageOf(plan: FanOutPlan, members: MemberPage['members']): Promise<NotificationPage> {
    const page = new NotificationPage(this.parts.newId);
    const slices = new Slices();
    const hasConditions = members.some(({ preferences }) => preferences.some((own) => own !== null));
    const payload = hasConditions ? await this.parts.store.payloadOf(plan.trigger) : {};
    const event = { payload, context: plan.trigger.context };
    for (const { id, subscriberId, profile, preferences, topics } of members) {
      if (slices.isOver) await slices.rest();
      const variables = subscriptionVariables(event, plan.progress.actor, { ...profile, subscriberId });
      if (!subscriptionAdmits(preferences, plan.progress.workflowId, variables, this.parts.now())) continue;
      page.add(plan, {
        subscriberId: id,
        to: { subscriberId },
        ...(topics.length > 0 && { topics }),
      });
    }
    return page;
  }
}
