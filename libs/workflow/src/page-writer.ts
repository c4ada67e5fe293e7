import {
  type EnvironmentId,
  EXECUTION_DETAILS,
  isChannelStepType,
  partition,
  type StepId,
  stepIdOf,
  type TriggerId,
} from '@clarion/contracts/core';
import type { FanOutPage, QueuedStep, StepWarning } from '@clarion/persistence';
import type { Metrics } from '@clarion/platform';
import { type FanOutPlan, raiseFence } from './fan-out-plan';
import type { EngineLog, FanOutStore, Offers } from './ports';

export type PageWriterParts = {
  store: Pick<FanOutStore, 'commit' | 'warn'>;
  offers: Offers;
  runTimers(stepIds: StepId[]): Promise<void>;
  metrics: Pick<Metrics, 'createNotifications' | 'batch'>;
  log: EngineLog;
};

export class PageWriter {
  constructor(private readonly parts: PageWriterParts) {}

  /** False when another engine has taken over all triggers of the page. */
  async commit(page: FanOutPage, plans: FanOutPlan[]): Promise<boolean> {
    const { store, offers, runTimers, log } = this.parts;
    const held = await store.commit(page);
    if (held.size < plans.length) {
      const lost = plans.map(({ trigger }) => trigger.id).filter((id) => !held.has(id));
      log.warn({ triggerIds: lost }, 'Another engine has taken over triggers. It creates their notifications.');
    }
    await this.warnOfOverrides(page, plans, held);
    const environmentOf = new Map(plans.map(({ trigger }) => [trigger.id, trigger.environmentId]));
    this.count(page, held, environmentOf);
    const due = firstSteps(page, plans).filter(({ triggerId }) => held.has(triggerId));
    for (const plan of plans) if (held.has(plan.trigger.id)) raiseFence(plan);
    const [forWorkers, forEngine] = partition(due, ({ type }) => isChannelStepType(type));
    if (forWorkers.length > 0) offers.steps(forWorkers);
    if (forEngine.length > 0) await runTimers(forEngine.map(({ id }) => id));
    return held.size > 0;
  }

  /** The first step of each notification records the overrides that have no meaning. */
  private async warnOfOverrides(page: FanOutPage, plans: FanOutPlan[], held: Set<string>): Promise<void> {
    const unknown = new Map(
      plans
        .filter(({ unknownOverrides }) => unknownOverrides.length > 0)
        .map(({ trigger, unknownOverrides }) => [trigger.id, JSON.stringify({ overrides: unknownOverrides })]),
    );
    if (unknown.size === 0) return;
    const warnings = firstSteps(page, plans).flatMap(({ id, environmentId, triggerId }): StepWarning[] => {
      const raw = unknown.get(triggerId);
      return raw !== undefined && held.has(triggerId) ? [{ stepId: id, environmentId, raw }] : [];
    });
    await this.parts.store.warn(warnings, EXECUTION_DETAILS.overridesUnknown.detail);
  }

  private count({ notifications }: FanOutPage, held: Set<string>, environmentOf: Map<TriggerId, EnvironmentId>): void {
    const created = new Map<EnvironmentId, number>();
    for (const { triggerId } of notifications) {
      if (!held.has(triggerId)) continue;
      const environmentId = environmentOf.get(triggerId)!;
      created.set(environmentId, (created.get(environmentId) ?? 0) + 1);
    }
    for (const [environmentId, count] of created) this.parts.metrics.createNotifications(environmentId, count);
    if (notifications.length > 0) this.parts.metrics.batch('fan_out', notifications.length);
  }
}

/** The steps that are due with the notifications of the page. A workflow without active steps has none. */
function firstSteps({ notifications }: FanOutPage, plans: FanOutPlan[]): (QueuedStep & { triggerId: TriggerId })[] {
  const planOf = new Map(plans.map((plan) => [plan.trigger.id, plan]));
  return notifications.flatMap(({ id, triggerId }) => {
    const { trigger, progress } = planOf.get(triggerId)!;
    const [first] = progress.steps;
    return first
      ? [{ id: stepIdOf(id, 0), type: first.type, environmentId: trigger.environmentId, lane: trigger.lane, triggerId }]
      : [];
  });
}
