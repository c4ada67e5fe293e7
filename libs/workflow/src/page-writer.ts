import {
  type EnvironmentId,
  EXECUTION_DETAILS,
  isChannelStepType,
  partition,
  type StepId,
  type TriggerId,
} from '@clarion/contracts/core';
import type { FanOutPage, QueuedStep, StepWarning } from '@clarion/persistence';
import type { Metrics } from '@clarion/platform';
import type { FanOutPlan } from './fan-out-plan';
import type { EngineLog, FanOutStore, Offers } from './ports';

export type PageWriterParts = {
  store: Pick<FanOutStore, 'commit' | 'warn'>;
  offers: Offers;
  runTimers(stepIds: StepId[]): Promise<void>;
  metrics: Pick<Metrics, 'createNotifications' | 'batch'>;
  log: EngineLog;
};

/** Commits pages of notifications and starts their first steps. */
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
    const due: QueuedStep[] = page.steps
      .filter(({ state, triggerId }) => state === 'queued' && held.has(triggerId))
      .map(({ id, type, triggerId }) => ({ id, type, environmentId: environmentOf.get(triggerId)! }));
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
    const warnings = page.steps.flatMap(({ id, position, triggerId }): StepWarning[] => {
      const raw = unknown.get(triggerId);
      return position === 0 && raw !== undefined && held.has(triggerId) ? [{ stepId: id, raw }] : [];
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
