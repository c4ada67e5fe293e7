import { type Channel, partition } from '@clarion/contracts/core';
import {
  authoredStepOf,
  type ClaimedStep,
  loadRunning,
  type RunningStep,
  type RunningStores,
  workflowReferenceOf,
} from '@clarion/persistence';
import { integrationOverride, NO_SUPPRESSIONS, noIntegrationLine, orderCandidates } from '@clarion/rules';
import { admit } from './admit';
import type { ReadyStep } from '../sending/channel';
import { progressOf } from './conclude-step';
import type { IntegrationDirectory } from '../accounts/integration-directory';
import { expiredLine } from '../sending/send-lines';
import { isExpired } from './step-age';
import type { SettledStep } from './step-outcome';
import { failedResult, type StepResult } from './step-result';

export type StepJudgeParts = RunningStores & { integrations: IntegrationDirectory };

/** The channel of the step has no active integration, and its environment lets such steps wait. */
export const WAITS = Symbol('waits for an integration');

/** Loads what claimed steps refer to, and decides which of them run and through which accounts. */
export class StepJudge {
  constructor(
    private readonly channel: Channel,
    private readonly parts: StepJudgeParts,
  ) {}

  /** `later`: steps whose workflows do not fit into memory with the others. */
  async load(claimed: ClaimedStep[]): Promise<{ running: RunningStep[]; later: ClaimedStep[] }> {
    const [loaded] = await Promise.all([loadRunning(this.parts, claimed), this.parts.integrations.load(claimed)]);
    return loaded;
  }

  /** Loads only the authored steps, which decide whether the next steps run. */
  async *loadAuthored(claimed: ClaimedStep[]): AsyncGenerator<SettledStep[]> {
    for (let left = claimed; left.length > 0;) {
      const workflowOf = await this.parts.workflows.load(left.map(workflowReferenceOf));
      const [now, later] = partition(left, (step) => workflowOf(workflowReferenceOf(step)) !== undefined);
      yield now.map((step) => ({ step, authored: authoredStepOf(step, workflowOf(workflowReferenceOf(step))!) }));
      left = later;
    }
  }

  /** A step that runs, the result of one that does not, or `WAITS`: all that is decided before there is content. */
  judge(item: RunningStep): ReadyStep | StepResult | typeof WAITS {
    const { step } = item;
    // A step that has begun ends in the sender, which knows what was sent before.
    if (isExpired(step) && !step.inDoubt && !progressOf(step)) {
      return { state: 'skipped', lines: [expiredLine(step)], messages: [] };
    }
    const admitted = admit(item, this.channel);
    if (!admitted.admitted) return { state: admitted.state, lines: admitted.lines, messages: [] };
    const { integrations } = this.parts;
    const accounts = integrations.accounts(step.environmentId, this.channel);
    if (accounts.length === 0 && integrations.holdsWithoutIntegration(step.environmentId)) return WAITS;
    const choice = orderCandidates(accounts, {
      channel: this.channel,
      integrationIdentifier:
        step.through ?? integrationOverride(step.notification.overrides ?? undefined, this.channel),
      variables: admitted.variables,
    });
    if (choice.order.length === 0) return failedResult(...admitted.lines, noIntegrationLine(choice, this.channel));
    return { item, admitted, accounts: choice.order, suppressed: NO_SUPPRESSIONS };
  }
}
