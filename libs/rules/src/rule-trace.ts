import type { RuleName } from '@clarion/contracts/core';

/** One rule that was evaluated for a step, with the values that it compared. */
export type EvaluatedRule = { rule: RuleName; passed: boolean; values: Record<string, unknown> };

/**
 * Receives the rules in the order of their evaluation. The functions that decide report to it, so an explanation cannot
 * differ from the decision. Deliveries pass none, and nothing is collected for them.
 */
export type RuleTrace = (evaluated: EvaluatedRule) => void;
