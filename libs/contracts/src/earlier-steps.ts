import { isJsonObject, type JsonObject } from './json';
import type { WorkflowStep } from './workflow-definition';

/**
 * The state of an earlier step. sent and delivered: its message is on the way or arrived. bounced, rejected and
 * failed: the message did not arrive. skipped: nothing was to be sent. completed: a step without a message ran.
 */
export const EARLIER_STEP_STATUSES = [
  'delivered',
  'sent',
  'bounced',
  'rejected',
  'failed',
  'skipped',
  'completed',
] as const;
export type EarlierStepStatus = (typeof EARLIER_STEP_STATUSES)[number];

/** What rules and templates read as `steps.<stepId>`, beside the output of the step. */
export type EarlierStepState = { status: EarlierStepStatus; seen: boolean; read: boolean; clicked: boolean };

export const EARLIER_STEP_FIELDS = ['status', 'seen', 'read', 'clicked'] as const satisfies (keyof EarlierStepState)[];

const MENTIONS_FIELD = new RegExp(`\\b(?:${EARLIER_STEP_FIELDS.join('|')})\\b`);
const MENTIONS_STEPS = /\bsteps\b/;

/** By step: versions never change, and the processes keep them. */
const known = new WeakMap<WorkflowStep, boolean>();

/** Looks for words, not for variables, so it may be true for a step that reads none. */
export function readsEarlierSteps(step: WorkflowStep): boolean {
  let reads = known.get(step);
  if (reads === undefined) {
    const text = JSON.stringify([step.filters, step.controlValues, step.variants]);
    reads = awaitedStepOf(step.controlValues) !== undefined || (MENTIONS_STEPS.test(text) && MENTIONS_FIELD.test(text));
    known.set(step, reads);
  }
  return reads;
}

/** The stepId that a delay of the type `until_read` names; undefined for all other controls. */
export function awaitedStepOf({ type, step }: JsonObject): string | undefined {
  return type === 'until_read' && typeof step === 'string' ? step : undefined;
}

export function ruleVariables(rule: unknown): string[] {
  if (Array.isArray(rule)) return rule.flatMap(ruleVariables);
  if (!isJsonObject(rule)) return [];
  const named: unknown = Array.isArray(rule['var']) ? rule['var'][0] : rule['var'];
  return [...(typeof named === 'string' ? [named] : []), ...Object.values(rule).flatMap(ruleVariables)];
}
