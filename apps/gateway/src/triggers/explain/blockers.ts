import {
  type BlockerDto,
  type DryRunStepDto,
  type EvaluatedRuleDto,
  isChannelStepType,
  type RuleName,
} from '@clarion/contracts';
import type { IgnoredRules } from '../journey';

/** Rules that stop a step for a time: it is sent afterwards. */
export const PASSING_RULES: ReadonlySet<RuleName> = new Set<RuleName>(['hold', 'provider', 'timing', 'limits']);

/** Rules behind which others are evaluated when they are left out. */
const FOLLOWED: ReadonlySet<RuleName> = new Set<RuleName>([
  'hold',
  'conditions',
  'skip',
  'runIf',
  'preferences',
  'schedule',
  'suppression',
]);

const ACTIONS: Record<RuleName, string> = {
  workflow: 'Activate the workflow and its steps.',
  limits: 'Wait until midnight UTC, or ask the operator to raise the limit.',
  payload: 'Send a payload that matches the schema of the workflow.',
  hold: 'Resume the hold: DELETE /v1/holds/{holdId}.',
  conditions: 'Change the payload or the subscriber so that the conditions of the step are met, or the conditions.',
  skip: 'Change what the rule "skip" of the step reads, or the rule.',
  runIf: 'Change what the rule "runIf" of the step reads, or the rule.',
  preferences: 'The subscriber has to switch the channel on. A critical workflow ignores preferences.',
  schedule: 'Wait until the schedule of the subscriber is open. A critical workflow ignores schedules.',
  integration: 'Activate an integration of the channel that may send this message.',
  content: 'Repair the templates of the step.',
  address: 'Give the subscriber an address of this channel.',
  suppression: 'Lift the suppression: DELETE /v1/suppressions/{channel}/{address}.',
  provider: 'Wait until the provider is called again, or activate another integration of the channel.',
  timing: 'Wait until the time of the step has come.',
  previous_steps: 'Repair the earlier step that stopped the workflow.',
};

export const blockerOf = ({ rule, detail, values }: EvaluatedRuleDto, stepId?: string): BlockerDto => ({
  ...(stepId !== undefined && { stepId }),
  rule,
  reason: detail,
  action: ACTIONS[rule].replace('{holdId}', String(values['holdId'])),
});

/** A step stops at the first rule that fails, so it is explained again without those found, until none stops it. */
export async function findBlockers(
  first: DryRunStepDto[],
  explain: (ignored: IgnoredRules) => Promise<DryRunStepDto[]>,
): Promise<BlockerDto[]> {
  const found = new Map<string, BlockerDto[]>(first.map(({ stepId }) => [stepId, []]));
  const ignored = new Map<string, Set<RuleName>>();
  for (let steps = first; ; steps = await explain(ignored)) {
    let isFollowed = false;
    for (const { stepId, type, rules = [] } of steps) {
      const rule = isChannelStepType(type)
        ? rules.find((each) => !each.passed && !ignored.get(stepId)?.has(each.rule))
        : undefined;
      if (!rule || found.get(stepId)!.some((known) => known.rule === rule.rule)) continue;
      found.get(stepId)!.push(blockerOf(rule, stepId));
      if (!FOLLOWED.has(rule.rule)) continue;
      ignored.set(stepId, (ignored.get(stepId) ?? new Set<RuleName>()).add(rule.rule));
      isFollowed = true;
    }
    if (!isFollowed) return [...found.values()].flat();
  }
}
