import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import type { Line } from './admit-step';
import { shown } from './conditions';
import { evaluateRunRule } from './skip-rule';
import { variableAt, type Variables } from './variables';
import type { Work } from './work';

/**
 * The two controls that hold a rule of JSON-Logic for running: `runIf`, which says so, and `skip`, which in the history of this
 * interface has always meant the same in spite of its name. A step runs when both are true; one that is not there is.
 */
export const RUN_RULES = ['skip', 'runIf'] as const;

/** Of the values that a record shows. */
const SHOWN_VARIABLES = 20;

export type RunRefusal = { isFault: boolean; line: Line };

/** Why a step does not run: the first rule that is false or cannot be evaluated. Undefined when it runs. */
export function runRuleRefusal(
  controls: JsonObject,
  variables: Variables,
  now: Date,
  work?: Work,
): RunRefusal | undefined {
  for (const name of RUN_RULES) {
    const rule = controls[name];
    if (rule === undefined) continue;
    const verdict = evaluateRunRule(rule, variables, now, work);
    if ('fault' in verdict) {
      const raw = { rule: name, fault: verdict.fault };
      return { isFault: true, line: { status: 'Failed', detail: 'Bridge execution failed', raw } };
    }
    if (verdict.run) continue;
    const raw = { rule: name, [name]: rule, variables: valuesIn(rule, variables) };
    return { isFault: false, line: { status: 'Success', detail: `Step skipped: its ${name} rule is false`, raw } };
  }
  return undefined;
}

/** The variables that a rule names, with their values as the rule saw them; null for what is not there. */
function valuesIn(rule: Json, variables: Variables): JsonObject {
  const values: JsonObject = {};
  const visit = (part: Json): void => {
    if (typeof part !== 'object' || part === null || Object.keys(values).length >= SHOWN_VARIABLES) return;
    if (isJsonObject(part) && Object.keys(part).length === 1 && part['var'] !== undefined) {
      const path: Json | undefined = Array.isArray(part['var']) ? part['var'][0] : part['var'];
      if (typeof path === 'string' && path !== '') values[path] = shown(variableAt(variables, path) ?? null);
    }
    Object.values(part).forEach(visit);
  };
  visit(rule);
  return values;
}
