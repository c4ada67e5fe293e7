import type { EvaluatedRuleDto, JsonObject, RuleName } from '@clarion/contracts';
import type { EvaluatedRule, PreferenceDecider } from '@clarion/rules';

type Values = EvaluatedRule['values'];

const DECIDED_BY: Record<PreferenceDecider, string> = {
  subscriber_workflow: 'The subscriber switched the channel on for this workflow.',
  subscriber_global: 'The subscriber switched the channel on for all workflows.',
  workflow_user: 'The workflow switches the channel on, and the subscriber has not changed that.',
  workflow_resource: 'The workflow switches the channel on by default, and the subscriber has not changed that.',
  default: 'No preference is set, so the channel is on.',
};

/** Rules that say what the execution detail says, also when they pass. */
type UnspokenRule = 'timing' | 'previous_steps' | 'hold';

/** What a rule that passed says. A rule that stopped says what the execution detail says. */
const PASSED: Record<Exclude<RuleName, UnspokenRule>, string | ((values: Values) => string)> = {
  workflow: 'The workflow is active and has active steps.',
  limits: 'The environment is within the limits that an operator has set.',
  payload: ({ validated }) => (validated ? 'The payload matches the schema.' : 'The workflow accepts any payload.'),
  conditions: ({ conditions }) => (conditions ? 'The conditions of the step are met.' : 'The step has no conditions.'),
  skip: 'The rule "skip" is true, so the step runs.',
  runIf: 'The rule "runIf" is true, so the step runs.',
  preferences: ({ decidedBy }) => DECIDED_BY[decidedBy as PreferenceDecider],
  schedule: ({ schedule, critical }) => {
    if (schedule) return 'The schedule of the subscriber is open at this time.';
    return critical ? 'The workflow is critical and ignores schedules.' : 'No schedule limits this step.';
  },
  integration: 'These integrations may send, in this order.',
  content: 'The templates can be rendered.',
  address: 'The subscriber can be reached on this channel.',
  suppression: ({ recipients }) =>
    recipients ? 'Some recipients are suppressed. The others get the message.' : 'No recipient is suppressed.',
  provider: ({ integrations }) => {
    const { rateLimit } = (integrations as { rateLimit?: number }[]).find((each) => each.rateLimit) ?? {};
    const accepts = 'An integration accepts messages at this time';
    return rateLimit === undefined ? `${accepts}.` : `${accepts}, at most ${rateLimit} a second: more of them wait.`;
  },
};

/** A rule with its result in words. `why` is the execution detail that decides about the step. */
export function describeRule({ rule, passed, values }: EvaluatedRule, why: string): EvaluatedRuleDto {
  return { rule, passed, detail: passed ? passedText(rule, values, why) : why, values: values as JsonObject };
}

function passedText(rule: RuleName, values: Values, why: string): string {
  if (rule === 'timing' || rule === 'previous_steps' || rule === 'hold') return why;
  const text = PASSED[rule];
  return typeof text === 'string' ? text : text(values);
}
