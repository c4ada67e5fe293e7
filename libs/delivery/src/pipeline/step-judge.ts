import type { Channel } from '@clarion/contracts/core';
import {
  authoredStepOf,
  type ClaimedStep,
  type RunningStep,
  withEarlierSteps,
  workflowReferenceOf,
} from '@clarion/persistence';
import { integrationOverride, NO_SUPPRESSIONS, noIntegrationLine, orderCandidates } from '@clarion/rules';
import { admit } from './admit';
import type { ReadyStep } from '../sending/channel';
import { progressOf } from './conclude-step';
import type { IntegrationDirectory } from '../accounts/integration-directory';
import type { EarlierStepStore, SurroundingsStore, Workflows } from '../ports';
import { expiredLine } from '../sending/send-lines';
import { isExpired } from './step-age';
import type { SettledStep } from './step-outcome';
import { failedResult, type StepResult } from './step-result';

export type StepJudgeParts = {
  workflows: Workflows;
  surroundings: SurroundingsStore;
  earlierSteps: EarlierStepStore;
  integrations: IntegrationDirectory;
};

/** The channel of the step has no active integration, and its environment lets such steps wait. */
export const WAITS = Symbol('waits for an integration');

/** Loads what claimed steps refer to, and decides which of them run and through which accounts. */
export class StepJudge {
  constructor(
    private readonly channel: Channel,
    private readonly parts: StepJudgeParts,
  ) {}

  async load(claimed: ClaimedStep[]): Promise<RunningStep[]> {
    const [workflowOf, surroundingsOf] = await Promise.all([
      this.parts.workflows.load(claimed.map(workflowReferenceOf)),
      this.parts.surroundings.load(claimed),
      this.parts.integrations.load(claimed),
    ]);
    const running = claimed.map((step): RunningStep => {
      const workflow = workflowOf(workflowReferenceOf(step));
      return { step, workflow, authored: authoredStepOf(step, workflow), surroundings: surroundingsOf(step) };
    });
    return withEarlierSteps(this.parts.earlierSteps, running);
  }

  /** Loads only the authored steps, which decide whether the next steps run. */
  async loadAuthored(claimed: ClaimedStep[]): Promise<SettledStep[]> {
    const workflowOf = await this.parts.workflows.load(claimed.map(workflowReferenceOf));
    return claimed.map((step) => ({ step, authored: authoredStepOf(step, workflowOf(workflowReferenceOf(step))) }));
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
      integrationIdentifier: integrationOverride(step.notification.overrides ?? undefined, this.channel),
      variables: admitted.variables,
    });
    if (choice.order.length === 0) return failedResult(...admitted.lines, noIntegrationLine(choice, this.channel));
    return { item, admitted, accounts: choice.order, suppressed: NO_SUPPRESSIONS };
  }
}
