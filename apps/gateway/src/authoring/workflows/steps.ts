import {
  invalidField,
  type JsonObject,
  newId,
  type StepVariant,
  type WorkflowStatus,
  type WorkflowStep,
  type WorkflowStepInputDto,
} from '@clarion/contracts';
import { stepIssues } from './control-rules';
import { kebabCase } from './slugs';
import { checkStepReferences } from './step-references';
import { NOTHING_READ, type ReadTemplates, templateIssues } from './template-issues';

/** Unknown variables of one workflow that get the name that is most like them. */
const SUGGESTIONS = 20;

/** A step keeps its id when the input names it by `_id` or by its stepId; everything else is replaced. */
export function buildSteps(
  existing: WorkflowStep[],
  inputs: WorkflowStepInputDto[],
  templates: ReadTemplates[] = [],
  payloadSchema: JsonObject | null = null,
): WorkflowStep[] {
  const kept = matchSteps(existing, inputs);
  const stepIds = chooseStepIds(inputs, kept);
  checkStepReferences(inputs, stepIds);
  const suggestions = { left: SUGGESTIONS };
  return inputs.map((input, index) => {
    const old = kept[index];
    const controlValues = input.controlValues ?? {};
    const variants = buildVariants(old?.variants ?? [], input);
    const facts = { payloadSchema, earlier: stepIds.slice(0, index), suggestions };
    const found = templateIssues(templates[index] ?? NOTHING_READ, facts);
    const issues = stepIssues(input.type, controlValues, variants, found);
    return {
      id: old?.id ?? newId(),
      stepId: stepIds[index]!,
      name: input.name,
      type: input.type,
      active: input.active ?? true,
      shouldStopOnFail: input.shouldStopOnFail ?? false,
      filters: input.filters ?? [],
      variants,
      controlValues,
      ...(issues && { issues }),
    };
  });
}

export const toStepInput = ({ id, issues: _, variants, ...step }: WorkflowStep): WorkflowStepInputDto => ({
  ...step,
  _id: id,
  variants: variants.map(({ id: variantId, ...variant }) => ({ _id: variantId, ...variant })),
});

/** A workflow with the status ERROR can be triggered when it is active. The status warns that a step has issues. */
export function workflowStatus(active: boolean, steps: WorkflowStep[]): WorkflowStatus {
  if (steps.some((step) => step.issues)) return 'ERROR';
  return active ? 'ACTIVE' : 'INACTIVE';
}

function matchSteps(existing: WorkflowStep[], inputs: WorkflowStepInputDto[]): (WorkflowStep | undefined)[] {
  const byId = new Map(existing.map((step) => [step.id, step]));
  const matched = inputs.map((input, index) => {
    const id = input._id?.toLowerCase();
    if (id !== undefined && inputs.findIndex((other) => other._id?.toLowerCase() === id) !== index) {
      throw invalidField(`steps.${index}._id`, 'each step may be given once', input._id);
    }
    return id === undefined ? undefined : byId.get(id);
  });
  const taken = new Set(matched);
  return inputs.map((input, index) => {
    if (matched[index] || input._id !== undefined || input.stepId === undefined) return matched[index];
    return existing.find((step) => step.stepId === input.stepId && !taken.has(step));
  });
}

/** Given stepIds are used, kept steps keep their stepId, new steps get one from their name. */
function chooseStepIds(inputs: WorkflowStepInputDto[], kept: (WorkflowStep | undefined)[]): string[] {
  const given = inputs.map((input, index) => input.stepId ?? kept[index]?.stepId);
  const taken = new Set<string>();
  given.forEach((stepId, index) => {
    if (stepId === undefined) return;
    if (taken.has(stepId)) throw invalidField(`steps.${index}.stepId`, 'stepId must be unique in the workflow', stepId);
    taken.add(stepId);
  });
  return inputs.map(({ name, type }, index) => {
    if (given[index] !== undefined) return given[index];
    const base = kebabCase(name.slice(0, 100)) || kebabCase(type);
    let stepId = base;
    for (let suffix = 2; taken.has(stepId); suffix += 1) stepId = `${base}-${suffix}`;
    taken.add(stepId);
    return stepId;
  });
}

function buildVariants(existing: StepVariant[], { variants = [] }: WorkflowStepInputDto): StepVariant[] {
  const known = new Set(existing.map(({ id }) => id));
  return variants.map(({ _id, name, active = true, filters = [], controlValues }) => {
    const id = _id?.toLowerCase();
    // Each id is used once, so a copied variant gets a new id.
    const isKept = id !== undefined && known.delete(id);
    return {
      id: isKept ? id : newId(),
      ...(name !== undefined && { name }),
      active,
      filters,
      controlValues: controlValues ?? ({} as JsonObject),
    };
  });
}
