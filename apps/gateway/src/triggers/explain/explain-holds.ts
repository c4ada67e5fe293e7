import { executionDetail, isChannelStepType } from '@clarion/contracts';
import type { Hold } from '@clarion/persistence';
import type { Line } from '@clarion/rules';
import { setByOf } from '../../edge/auth/operator-holds';
import { type Explanation, explainStep, isIgnored, type ReachedStep, trace } from '../journey';

/** The hold that keeps a step waiting before its rules are evaluated: of its channel, workflow or environment. */
export function holdOf(holds: Hold[], reached: ReachedStep): Hold | undefined {
  const { journey, step } = reached;
  if (isIgnored(reached, 'hold')) return undefined;
  return holds.find(
    ({ target, targetId }) =>
      target === 'environment' ||
      (target === 'channel' && isChannelStepType(step.type) && targetId === step.type) ||
      (target === 'workflow' && targetId === journey.workflow.id),
  );
}

/** Explains a step that waits for a hold; the time of its end is not known. */
export function explainHeld(reached: ReachedStep, hold: Hold, more: Partial<Explanation> = {}): void {
  const { id: holdId, target, targetId: id, reason, createdAt } = hold;
  const setBy = setByOf(hold);
  const since = `${createdAt.toISOString().slice(0, 19)}Z`;
  const values = { holdId, target, id, heldBy: setBy, setBy, reason, since };
  trace(reached.journey, 'hold', false, values);
  const line: Line = {
    ...executionDetail('stepHeld', { target, name: hold.targetName, heldBy: setBy, since, reason }),
    raw: values,
  };
  explainStep(reached, { ...more, outcome: 'would_wait', lines: [...(more.lines ?? []), line] });
}
