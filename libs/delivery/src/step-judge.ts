import type { Channel } from '@clarion/contracts/core';
import { authoredStepOf, type ClaimedStep, type RunningStep, workflowReferenceOf } from '@clarion/persistence';
import { integrationOverride, NO_SUPPRESSIONS, noIntegrationLine, orderCandidates } from '@clarion/rules';
import { admit } from './admit';
import type { ReadyStep } from './channel';
import type { IntegrationDirectory } from './integration-directory';
import type { SurroundingsStore, Workflows } from './ports';
import type { SettledStep } from './step-outcome';
import { failedResult, type StepResult } from './step-result';

export type StepJudgeParts = {
  workflows: Workflows;
  surroundings: SurroundingsStore;
  integrations: IntegrationDirectory;
};

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
    return claimed.map((step) => {
      const workflow = workflowOf(workflowReferenceOf(step));
      return { step, workflow, authored: authoredStepOf(step, workflow), surroundings: surroundingsOf(step) };
    });
  }

  /** Loads only the authored steps, which decide whether the next steps run. */
  async loadAuthored(claimed: ClaimedStep[]): Promise<SettledStep[]> {
    const workflowOf = await this.parts.workflows.load(claimed.map(workflowReferenceOf));
    return claimed.map((step) => ({ step, authored: authoredStepOf(step, workflowOf(workflowReferenceOf(step))) }));
  }

  /** A step that runs, or the result of one that does not. Everything that can be decided before there is content. */
  judge(item: RunningStep): ReadyStep | StepResult {
    const { step } = item;
    const admitted = admit(item, this.channel);
    if (!admitted.admitted) return { state: admitted.state, lines: admitted.lines, messages: [] };
    const choice = orderCandidates(this.parts.integrations.accounts(step.environmentId, this.channel), {
      channel: this.channel,
      integrationIdentifier: integrationOverride(step.notification.overrides ?? undefined, this.channel),
      variables: admitted.variables,
    });
    if (choice.order.length === 0) return failedResult(...admitted.lines, noIntegrationLine(choice));
    return { item, admitted, accounts: choice.order, suppressed: NO_SUPPRESSIONS };
  }
}
