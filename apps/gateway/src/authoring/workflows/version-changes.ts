import { COMMON_CONTROLS, isSameJson, STEP_CONTROLS, type WorkflowStep } from '@clarion/contracts';

/** Sentences that one version shows. */
const SENTENCES = 20;

/** What a version changed, in sentences. Without `before` it is the first version. */
export function versionChanges(before: WorkflowStep[] | null, after: WorkflowStep[]): string[] {
  if (!before) return [`Created with ${after.length} ${after.length === 1 ? 'step' : 'steps'}.`];
  const old = new Map(before.map((step) => [step.id, step]));
  const kept = new Set(after.map(({ id }) => id));
  const found = [
    ...after.filter(({ id }) => !old.has(id)).map((step) => `Added the ${typeOf(step)} step ${named(step)}.`),
    ...before.filter(({ id }) => !kept.has(id)).map((step) => `Removed the ${typeOf(step)} step ${named(step)}.`),
    ...after.flatMap((step) => (old.has(step.id) ? stepChanges(old.get(step.id)!, step) : [])),
    ...orderChange(
      before.filter(({ id }) => kept.has(id)),
      after.filter(({ id }) => old.has(id)),
    ),
  ];
  if (found.length === 0) return ['Checked the same steps again.'];
  const rest = found.length - SENTENCES;
  return rest > 0 ? [...found.slice(0, SENTENCES), `${rest} more changes.`] : found;
}

function stepChanges(before: WorkflowStep, after: WorkflowStep): string[] {
  const step = named(after);
  const controls = changedControls(before, after);
  return [
    ...(before.name === after.name ? [] : [`Renamed the step ${named(before)} to ${step}.`]),
    ...(before.stepId === after.stepId ? [] : [`Changed the stepId of ${step} to ${after.stepId}.`]),
    ...(before.type === after.type ? [] : [`Changed the type of ${step} to ${typeOf(after)}.`]),
    ...(before.active === after.active ? [] : [`Switched the step ${step} ${after.active ? 'on' : 'off'}.`]),
    ...(controls.length === 0 ? [] : [`Changed ${controls.join(', ')} of ${step}.`]),
    ...(isSameJson(before.filters, after.filters) ? [] : [`Changed the conditions of ${step}.`]),
    ...(isSameJson(before.variants, after.variants) ? [] : [`Changed the variants of ${step}.`]),
    ...(before.shouldStopOnFail === after.shouldStopOnFail
      ? []
      : [`${step} ${after.shouldStopOnFail ? 'now ends' : 'no longer ends'} the notification when it fails.`]),
  ];
}

function changedControls(before: WorkflowStep, after: WorkflowStep): string[] {
  const names = new Set([...Object.keys(before.controlValues), ...Object.keys(after.controlValues)]);
  const known = { ...STEP_CONTROLS[after.type].controls, ...COMMON_CONTROLS };
  return [...names]
    .filter((name) => !isSameJson(before.controlValues[name], after.controlValues[name]))
    .map((name) => (Object.hasOwn(known, name) ? known[name]!.title : name));
}

function orderChange(before: WorkflowStep[], after: WorkflowStep[]): string[] {
  if (before.every(({ id }, index) => after[index]!.id === id)) return [];
  return [`Changed the order of the steps to ${after.map(named).join(', ')}.`];
}

const named = ({ name }: WorkflowStep): string => `"${name}"`;
const typeOf = ({ type }: WorkflowStep): string => STEP_CONTROLS[type].title.toLowerCase();
