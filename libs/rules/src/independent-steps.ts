import { awaitedStepOf, isChannelStepType, type WhileRetrying, type WorkflowStep } from '@clarion/contracts/core';

/** The workflow of a step: what it says about retries, and its steps in order. */
type RetryingWorkflow = { whileRetrying: WhileRetrying; steps: WorkflowStep[] };

/**
 * The keys of the steps that run while an earlier step waits for a retry: those behind it, up to the first one that
 * depends on it. A step that stops the workflow when it fails is waited for, also after it has reached one of its
 * targets: a message in doubt can still fail it. A digest, a delay and every other step of the engine waits by design,
 * as do all steps behind one that waits.
 */
export function independentSteps({ whileRetrying, steps }: RetryingWorkflow, retried: WorkflowStep): string[] {
  if (whileRetrying === 'wait' || retried.shouldStopOnFail) return [];
  const behind = steps.slice(steps.indexOf(retried) + 1).filter(({ active }) => active);
  const end = behind.findIndex((step) => waits(step, retried));
  return (end < 0 ? behind : behind.slice(0, end)).flatMap(({ id, stepId }) => [stepId, id]);
}

/** A step that may end the workflow waits too: what it would end has to wait for both. */
const waits = (step: WorkflowStep, retried: WorkflowStep): boolean =>
  !isChannelStepType(step.type) || step.shouldStopOnFail || dependsOn(step, retried);

const MENTIONS_STEPS = /\bsteps\b/;
const READS_ANY_STEP = /\bin\s+steps\b|\bsteps\s*\[/;

/** Whether a rule or a template may read the earlier step. It looks for words, so it may be true in vain. */
function dependsOn({ filters, controlValues, variants }: WorkflowStep, { stepId, id }: WorkflowStep): boolean {
  if (awaitedStepOf(controlValues) === stepId) return true;
  const text = JSON.stringify([filters, controlValues, variants]);
  if (!MENTIONS_STEPS.test(text)) return false;
  return READS_ANY_STEP.test(text) || mentions(text, stepId) || mentions(text, id);
}

/** Whether the text has the id as a word. Ids have letters, digits and hyphens. */
const mentions = (text: string, id: string): boolean =>
  text.includes(id) && new RegExp(`(?<![\\w-])${id.replaceAll(/[^\w-]/g, '\\$&')}(?![\\w-])`).test(text);
