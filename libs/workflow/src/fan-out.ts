import {
  BUILT_IN_PROVIDER,
  type Channel,
  CHANNELS,
  type EnvironmentId,
  type Json,
  type NotificationId,
  type Severity,
  type StepId,
  type TriggerId,
  type WorkflowStep,
} from '@clarion/contracts/core';
import {
  type ClaimedTrigger,
  CRASHES_ALLOWED,
  type FanOutPage,
  type MemberPage,
  type NewNotification,
  type NewStep,
  type QueuedStep,
  type Recipient,
  type RecipientInput,
  type RunningWorkflow,
  type StepWarning,
  type TriggerProgress,
} from '@clarion/persistence';
import type { Metrics, Tracing } from '@clarion/platform';
import {
  type Audience,
  CHANNEL_NOT_KEPT,
  effectivePreferences,
  type Individual,
  OVERRIDES_NOT_READ,
  readAudience,
  readContexts,
  severityOverride,
  Slices,
  subscriptionAdmits,
  subscriptionVariables,
  unknownOverrideKeys,
} from '@clarion/rules';
import type { ChannelKeeper, ContextStore, EngineLog, FanOutStore, Offers, Workflows } from './ports';

/** Members of a topic, or subscribers of a broadcast, that become notifications in one transaction. */
export const PAGE_SIZE = 1_000;

/** `lastTriggeredAt` is exact to a minute: a busy workflow would otherwise be written without end. */
const MARK_INTERVAL_MS = 60_000;
const WORKFLOWS_REMEMBERED = 10_000;

export type FanOutParts = {
  store: FanOutStore;
  workflows: Workflows;
  contexts: ContextStore;
  channels: ChannelKeeper;
  offers: Offers;
  /** Runs steps that need no channel worker: digest, delay, throttle, custom. */
  runTimers(stepIds: StepId[]): Promise<void>;
  newId<T extends string>(): T;
  now(): Date;
  tracing: Tracing;
  metrics: Pick<Metrics, 'createNotifications' | 'batch'>;
  log: EngineLog;
};

/** A trigger with what its notifications have in common. */
type Plan = {
  trigger: ClaimedTrigger;
  workflow: RunningWorkflow;
  steps: WorkflowStep[];
  audience: Audience;
  progress: Omit<TriggerProgress, 'state'>;
  /** What goes wrong for one recipient and is told on its first step. */
  warnings: Map<string, string[]>;
  /** What the trigger says differently and nobody reads. */
  unknownOverrides: string[];
};

/** From accepted triggers to notifications whose first step is due. */
export class FanOut {
  private readonly walks = new Set<Promise<void>>();
  private alone: Promise<void> = Promise.resolve();
  private stopping = false;
  /** When a workflow's `lastTriggeredAt` was last written from here. */
  private readonly marked = new Map<string, number>();

  constructor(private readonly parts: FanOutParts) {}

  /** The individual recipients of all these triggers together; topics and broadcasts go on in the background. */
  async run(triggerIds: TriggerId[]): Promise<void> {
    const claimed = await this.parts.store.claim(triggerIds);
    await this.spreadOrGiveBack(claimed);
    if (claimed.length === triggerIds.length) return;
    const taken = new Set(claimed.map(({ id }) => id));
    const suspects = await this.parts.store.suspects(triggerIds.filter((wanted) => !taken.has(wanted)));
    if (suspects.length > 0) this.alone = this.alone.then(() => this.runAlone(suspects));
  }

  /** Triggers whose last holder died, one after the other: should one of them end the process again, it does so alone. */
  private async runAlone(triggerIds: TriggerId[]): Promise<void> {
    for (const id of triggerIds) {
      try {
        await this.spreadOrGiveBack(await this.parts.store.claim([id], true));
      } catch (error) {
        this.parts.log.warn({ err: error, triggerId: id }, 'a trigger could not be run; it will be offered again');
      }
    }
  }

  private async spreadOrGiveBack(claimed: ClaimedTrigger[]): Promise<void> {
    if (claimed.length === 0) return;
    const traces = claimed.map(({ trace }) => trace);
    const span = this.parts.tracing.shared('fan-out', traces, { 'clarion.triggers': claimed.length });
    try {
      await this.spread(claimed);
    } catch (error) {
      span?.fail(error);
      // What was committed stays so; the rest need not wait until the lease ends.
      await this.parts.store.release(claimed).catch(() => undefined);
      throw error;
    } finally {
      span?.end();
    }
  }

  private async spread(claimed: ClaimedTrigger[]): Promise<void> {
    const workflowOf = await this.parts.workflows.load(claimed);
    const poisoned = claimed.filter(({ crashCount }) => crashCount > CRASHES_ALLOWED);
    const plans = claimed
      .filter(({ crashCount }) => crashCount <= CRASHES_ALLOWED)
      .map((trigger) => this.plan(trigger, workflowOf(trigger)));
    if (poisoned.length > 0) await this.quarantine(poisoned);
    await this.ensureContexts(plans);
    const fresh = plans.filter(({ trigger }) => trigger.cursor === null);
    const recipients = await this.resolve(plans);
    for (const group of inGroups(fresh)) await this.commitIndividuals(group, recipients);
    for (const plan of plans) if (isWalk(plan)) this.walk(plan);
    await this.markTriggered(plans);
  }

  private async markTriggered(plans: Plan[]): Promise<void> {
    const now = this.parts.now().getTime();
    const ids = new Set(plans.map(({ workflow }) => workflow.id));
    const due = [...ids].filter((id) => now - (this.marked.get(id) ?? 0) >= MARK_INTERVAL_MS);
    if (due.length === 0) return;
    if (this.marked.size > WORKFLOWS_REMEMBERED) this.marked.clear();
    for (const id of due) this.marked.set(id, now);
    await this.parts.store.markTriggered(due);
  }

  /** Waits for the walks that are under way; each ends after its current page. */
  async stop(): Promise<void> {
    this.stopping = true;
    await this.alone;
    await Promise.all(this.walks);
  }

  /** When the walks of now are done. */
  async settled(): Promise<void> {
    while (this.walks.size > 0) await Promise.all(this.walks);
  }

  private plan(trigger: ClaimedTrigger, workflow: RunningWorkflow): Plan {
    const steps = workflow.steps.filter(({ active }) => active);
    const { keys } = readContexts(trigger.context);
    return {
      trigger,
      workflow,
      steps,
      audience: readAudience(trigger),
      warnings: new Map(),
      unknownOverrides: unknownOverrideKeys(trigger.overrides ?? undefined),
      progress: {
        id: trigger.id,
        fence: trigger.fence,
        channels: [...new Set(steps.map(({ type }) => type))],
        tags: workflow.tags,
        severity: (severityOverride(trigger.overrides ?? undefined) as Severity | undefined) ?? workflow.severity,
        critical: effectivePreferences({ workflow: workflow.preferences }).critical,
        ...(keys.length > 0 && { contextKeys: keys }),
      },
    };
  }

  private async quarantine(triggers: ClaimedTrigger[]): Promise<void> {
    const error = `ended its process ${CRASHES_ALLOWED} times and is not tried again`;
    await this.parts.store.commit({
      triggers: triggers.map(({ id, fence }) => ({
        id,
        fence,
        state: 'failed',
        error,
        channels: [],
        tags: [],
        severity: 'none',
        critical: false,
      })),
      notifications: [],
      steps: [],
    });
    for (const { id, transactionId } of triggers)
      this.parts.log.error({ triggerId: id, transactionId }, `trigger ${error}`);
  }

  private async ensureContexts(plans: Plan[]): Promise<void> {
    const rows = plans.flatMap(({ trigger }) =>
      readContexts(trigger.context).rows.map((row) => ({ environmentId: trigger.environmentId, ...row })),
    );
    if (rows.length > 0) await this.parts.contexts.ensureMany(rows);
  }

  /** Everybody who is named, of all triggers, in one statement. By environment and subscriberId. */
  private async resolve(plans: Plan[]): Promise<Map<string, Recipient>> {
    const inputs = new Map<string, RecipientInput>();
    const add = (environmentId: EnvironmentId, { subscriberId, profile }: Individual, isActor = false): void => {
      const key = nameOf(environmentId, subscriberId);
      const before = inputs.get(key);
      if (before) Object.assign(before.profile, profile);
      else inputs.set(key, { environmentId, subscriberId, newId: this.parts.newId(), profile: { ...profile } });
      if (isActor) inputs.get(key)!.isActor = true;
    };
    const isFresh = ({ trigger }: Plan): boolean => trigger.cursor === null;
    for (const plan of plans) {
      const { trigger, audience } = plan;
      if (audience.actor) add(trigger.environmentId, audience.actor, true);
      if (isFresh(plan)) for (const individual of audience.individuals) add(trigger.environmentId, individual);
    }
    const rows = await this.parts.store.resolve([...inputs.values()]);
    const recipients = new Map(rows.map((row) => [nameOf(row.environmentId, row.subscriberId), row]));
    for (const plan of plans) {
      if (isFresh(plan)) await this.keepChannels(plan, recipients);
      plan.progress.actor = actorOf(plan, recipients);
    }
    return recipients;
  }

  private async keepChannels({ trigger, audience, warnings }: Plan, recipients: Map<string, Recipient>): Promise<void> {
    for (const { subscriberId, channels } of audience.individuals) {
      if (channels.length === 0) continue;
      const recipient = recipients.get(nameOf(trigger.environmentId, subscriberId))!;
      const faults = await this.parts.channels.keep(trigger, recipient, channels);
      if (faults.length > 0) warnings.set(recipient.id, faults);
    }
  }

  private async commitIndividuals(plans: Plan[], recipients: Map<string, Recipient>): Promise<void> {
    const page: FanOutPage = { triggers: [], notifications: [], steps: [] };
    const warnings: StepWarning[] = [];
    for (const plan of plans) {
      const { trigger, audience } = plan;
      page.triggers.push({
        ...plan.progress,
        state: isWalk(plan) ? 'running' : 'done',
        ...(isWalk(plan) && { cursor: START }),
      });
      for (const { subscriberId, to } of audience.individuals) {
        const { id } = recipients.get(nameOf(trigger.environmentId, subscriberId))!;
        const first = this.addNotification(page, plan, { subscriberId: id, to });
        const faults = plan.warnings.get(id);
        for (const raw of faults ?? []) warnings.push({ stepId: first, raw });
      }
    }
    await this.commit(page, plans);
    if (warnings.length > 0) await this.parts.store.warn(warnings, CHANNEL_NOT_KEPT);
  }

  private walk(plan: Plan): void {
    const { id: triggerId, transactionId, trace } = plan.trigger;
    const span = this.parts.tracing.span('fan-out', trace, { 'clarion.transaction_id': transactionId });
    const walk: Promise<void> = this.walkAll(plan)
      .catch((error: unknown) => {
        span?.fail(error);
        // The lease ends, and the walk goes on from its cursor.
        this.parts.log.warn({ err: error, triggerId, transactionId }, 'a fan-out stopped; the sweeper will resume it');
      })
      .finally(() => {
        span?.end();
        this.walks.delete(walk);
      });
    this.walks.add(walk);
  }

  /** Page by page; each page and the place where it ended are one transaction, so a crash repeats nothing. */
  private async walkAll(plan: Plan): Promise<void> {
    let cursor = plan.trigger.cursor ?? START;
    while (!this.stopping) {
      const { members, cursor: next } = await this.nextMembers(plan, cursor);
      const page: FanOutPage = {
        triggers: [next ? { ...plan.progress, state: 'running', cursor: next } : { ...plan.progress, state: 'done' }],
        notifications: [],
        steps: [],
      };
      const slices = new Slices();
      for (const member of members) {
        if (slices.isOver) await slices.rest();
        const { profile, subscriberId, preferences } = member;
        const variables = subscriptionVariables(plan.trigger, plan.progress.actor, { ...profile, subscriberId });
        if (!subscriptionAdmits(preferences, plan.workflow.id, variables, this.parts.now())) continue;
        this.addNotification(page, plan, {
          subscriberId: member.id,
          to: { subscriberId: member.subscriberId },
          ...(member.topics.length > 0 && {
            topics: member.topics,
            topicKeys: member.topics.map(({ topicKey }) => topicKey),
          }),
        });
      }
      const held = await this.commit(page, [plan]);
      if (!next || !held) return;
      cursor = next;
    }
    await this.parts.store.release([plan.trigger]);
  }

  private nextMembers({ trigger, audience }: Plan, cursor: { after: string }): Promise<MemberPage> {
    const after = cursor.after === START.after ? null : cursor;
    return audience.broadcast
      ? this.parts.store.subscribers(trigger.environmentId, after, audience.leftOut, PAGE_SIZE)
      : this.parts.store.topicMembers(trigger.environmentId, audience.topicKeys, after, audience.leftOut, PAGE_SIZE);
  }

  /** Adds one notification with all its steps; returns the id of the first. */
  private addNotification(
    page: FanOutPage,
    { trigger, steps }: Plan,
    recipient: Omit<NewNotification, 'id' | 'triggerId'>,
  ): StepId {
    const { newId } = this.parts;
    const notificationId = newId<NotificationId>();
    page.notifications.push({ id: notificationId, triggerId: trigger.id, ...recipient });
    const ids = steps.map(() => newId<StepId>());
    for (const [position, step] of steps.entries()) {
      const state = position === 0 ? 'queued' : 'pending';
      const row: NewStep = {
        id: ids[position]!,
        triggerId: trigger.id,
        notificationId,
        subscriberId: recipient.subscriberId,
        position,
        stepKey: step.stepId,
        type: step.type,
        providerId: BUILT_IN_PROVIDER,
        state,
        nextStepId: ids[position + 1],
        ...(state === 'queued' && isAnnounced(step) && { detailId: newId() }),
      };
      page.steps.push(row);
    }
    return ids[0]!;
  }

  private async warnOfOverrides(page: FanOutPage, plans: Plan[], held: Set<string>): Promise<void> {
    const unknown = new Map(
      plans
        .filter(({ unknownOverrides }) => unknownOverrides.length > 0)
        .map(({ trigger, unknownOverrides }) => [trigger.id, JSON.stringify({ overrides: unknownOverrides })]),
    );
    if (unknown.size === 0) return;
    const warnings = page.steps.flatMap(({ id, position, triggerId }): StepWarning[] => {
      const raw = unknown.get(triggerId);
      return position === 0 && raw !== undefined && held.has(triggerId) ? [{ stepId: id, raw }] : [];
    });
    await this.parts.store.warn(warnings, OVERRIDES_NOT_READ);
  }

  private count({ notifications }: FanOutPage, held: Set<string>, environmentOf: Map<string, string>): void {
    const created = new Map<string, number>();
    for (const { triggerId } of notifications) {
      if (!held.has(triggerId)) continue;
      const environmentId = environmentOf.get(triggerId)!;
      created.set(environmentId, (created.get(environmentId) ?? 0) + 1);
    }
    for (const [environmentId, count] of created) this.parts.metrics.createNotifications(environmentId, count);
    if (notifications.length > 0) this.parts.metrics.batch('fan_out', notifications.length);
  }

  /** True when the page is ours; false when another process has taken the triggers over. */
  private async commit(page: FanOutPage, plans: Plan[]): Promise<boolean> {
    const held = await this.parts.store.commit(page);
    if (held.size < plans.length)
      this.parts.log.warn({ lost: plans.length - held.size }, 'triggers went to another engine');
    await this.warnOfOverrides(page, plans, held);
    const environmentOf = new Map(plans.map(({ trigger }) => [trigger.id, trigger.environmentId]));
    this.count(page, held, environmentOf);
    const due: QueuedStep[] = page.steps
      .filter(({ state, triggerId }) => state === 'queued' && held.has(triggerId))
      .map(({ id, type, triggerId }) => ({ id, type, environmentId: environmentOf.get(triggerId)! }));
    const [forWorkers, forUs] = partition(due, ({ type }) => CHANNELS.includes(type as Channel));
    if (forWorkers.length > 0) this.parts.offers.steps(forWorkers);
    if (forUs.length > 0) await this.parts.runTimers(forUs.map(({ id }) => id));
    return held.size > 0;
  }
}

/** Before everybody: the smallest id there is. */
const START = { after: '00000000-0000-0000-0000-000000000000' };

const nameOf = (environmentId: EnvironmentId, subscriberId: string): string => `${environmentId} ${subscriberId}`;

const isWalk = ({ audience }: Plan): boolean => audience.broadcast || audience.topicKeys.length > 0;

/** Timers say for themselves what they wait for. */
const isAnnounced = ({ type }: WorkflowStep): boolean => type !== 'delay' && type !== 'digest';

/** As templates and the feed see it: the stored profile, which has in it what the trigger said. */
function actorOf({ trigger, audience }: Plan, recipients: Map<string, Recipient>): Json | undefined {
  if (!audience.actor) return undefined;
  const { subscriberId } = audience.actor;
  const { id, profile } = recipients.get(nameOf(trigger.environmentId, subscriberId))!;
  return { ...profile, id, subscriberId };
}

/** Triggers whose recipients fit into one transaction together. */
function inGroups(plans: Plan[]): Plan[][] {
  const groups: Plan[][] = [];
  let room = 0;
  for (const plan of plans) {
    const size = plan.audience.individuals.length;
    if (groups.length === 0 || size > room) {
      groups.push([]);
      room = PAGE_SIZE;
    }
    groups.at(-1)!.push(plan);
    room -= size;
  }
  return groups;
}

function partition<T>(items: T[], belongs: (item: T) => boolean): [T[], T[]] {
  const inside: T[] = [];
  const outside: T[] = [];
  for (const item of items) (belongs(item) ? inside : outside).push(item);
  return [inside, outside];
}
