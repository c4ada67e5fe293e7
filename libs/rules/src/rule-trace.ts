import type { RuleName } from '@clarion/contracts/core';

/** One rule that was evaluated for a step, with the values that it compared. */
export type EvaluatedRule = { rule: RuleName; passed: boolean; values: Record<string, unknown> };

/** The functions that decide report to it, so an explanation cannot differ. Deliveries pass none. */
export type RuleTrace = (evaluated: EvaluatedRule) => void;
