import { executionDetail, isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import type { Line } from './lines';
import { shown } from './conditions';
import type { RuleTrace } from './rule-trace';
import { evaluateRunRule } from './skip-rule';
import { variableAt, type Variables } from './variables';
import type { Work } from './work';

/** Both mean "run when true"; existing clients use `skip` this way. A step needs both true or absent. */
export const RUN_RULES = ['skip', 'runIf'] as const;

/** Variables that one execution detail shows. */
const SHOWN_VARIABLES = 20;

/** Why a step does not run. `isFault`: the rule could not be evaluated. */
export type RunRefusal = { isFault: boolean; line: Line };

/** The first rule that is false or cannot be evaluated. Undefined when the step runs. */
export function runRuleRefusal(facts: {
  controls: JsonObject;
  variables: Variables;
  now: Date;
  work?: Work;
  trace?: RuleTrace;
}): RunRefusal | undefined {
  const { controls, variables, now, work, trace } = facts;
  for (const name of RUN_RULES) {
    const rule = controls[name];
    if (rule === undefined) continue;
    const verdict = evaluateRunRule(rule, variables, now, work);
    if (trace) {
      const fault = 'fault' in verdict ? { fault: verdict.fault } : {};
      const passed = 'run' in verdict && verdict.run;
      trace({ rule: name, passed, values: { rule, variables: valuesIn(rule, variables), ...fault } });
    }
    if ('fault' in verdict) {
      const raw = { rule: name, fault: verdict.fault };
      return { isFault: true, line: { ...executionDetail('runRuleFailed'), raw } };
    }
    if (verdict.run) continue;
    const raw = { rule: name, [name]: rule, variables: valuesIn(rule, variables) };
    return { isFault: false, line: { ...executionDetail('runRuleFalse', { rule: name }), raw } };
  }
  return undefined;
}

/** The variables that a rule names, with their values as the rule saw them; null for a missing variable. */
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
