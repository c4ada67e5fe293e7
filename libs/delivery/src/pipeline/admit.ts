import { type Channel, executionDetail } from '@clarion/contracts/core';
import { templateVariables } from '@clarion/content';
import { type RunningStep, variableSources } from '@clarion/persistence';
import {
  type Admitted as AdmittedStep,
  admitStep,
  type Line,
  type Refused,
  refusedStep,
  type Variables,
} from '@clarion/rules';
import { happened } from './happened';

export type { Line, Refused } from '@clarion/rules';
type TimedLine = Line & { at?: number };
export type Admitted = AdmittedStep & { variables: Variables; lines: TimedLine[] };

/** Asks the rules whether a claimed step runs. */
export function admit(item: RunningStep, channel: Channel): Admitted | Refused {
  const { step, authored, workflow, surroundings } = item;
  if (!step.subscriber) return refusedStep('failed', executionDetail('subscriberGone'));
  if (!authored) return refusedStep('failed', executionDetail('stepNotInWorkflow'));
  const variables = templateVariables(variableSources(item)) as Variables;
  const verdict = admitStep({
    channel,
    authored,
    variables,
    now: step.now,
    timezone: step.subscriber.timezone ?? undefined,
    workflow,
    notification: step.notification,
    preferences: step.preferences,
    tenant: surroundings.tenant,
  });
  return verdict.admitted ? { variables, ...verdict, lines: happened(verdict.lines) } : verdict;
}
