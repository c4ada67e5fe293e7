import {
  awaitedStepOf,
  EARLIER_STEP_FIELDS,
  invalidField,
  isChannelStepType,
  type JsonObject,
  ruleVariables,
  type StepFilterDto,
  type WorkflowStepInputDto,
} from '@clarion/contracts';
import { RUN_RULES } from '@clarion/rules';
import { didYouMean } from './did-you-mean';

type Content = { filters?: StepFilterDto[]; controlValues?: JsonObject | null };

/** Refuses rules and delays that read a step that is not an earlier one: they would never be true, or never wait. */
export function checkStepReferences(inputs: WorkflowStepInputDto[], stepIds: string[]): void {
  for (const [index, input] of inputs.entries()) {
    const earlier = stepIds.slice(0, index);
    checkAwaited(input, `steps.${index}.`, earlier, inputs);
    checkContent(input, `steps.${index}.`, earlier);
    input.variants?.forEach((variant, place) => checkContent(variant, `steps.${index}.variants.${place}.`, earlier));
  }
}

function checkAwaited(
  { controlValues }: WorkflowStepInputDto,
  prefix: string,
  earlier: string[],
  inputs: WorkflowStepInputDto[],
): void {
  const awaited = awaitedStepOf(controlValues ?? {});
  // A step that is still to be chosen is an issue of the control and does not fail the save.
  if (awaited === undefined || awaited.trim() === '') return;
  const field = `${prefix}controlValues.step`;
  checkStep(awaited, field, earlier);
  if (!isChannelStepType(inputs[earlier.indexOf(awaited)]!.type)) {
    throw invalidField(field, `the step "${awaited}" sends no message that can be read`, awaited);
  }
}

function checkContent({ filters = [], controlValues }: Content, prefix: string, earlier: string[]): void {
  for (const [group, { children }] of filters.entries()) {
    for (const [child, { on, field }] of children.entries()) {
      if (on !== 'steps') continue;
      checkStep(field.split('.', 1)[0]!, `${prefix}filters.${group}.children.${child}.field`, earlier);
    }
  }
  for (const name of RUN_RULES) {
    for (const variable of ruleVariables(controlValues?.[name])) {
      const [root, stepId = '', key] = variable.split('.');
      const isState = root === 'steps' && EARLIER_STEP_FIELDS.some((state) => state === key);
      if (isState) checkStep(stepId, `${prefix}controlValues.${name}`, earlier);
    }
  }
}

function checkStep(stepId: string, field: string, earlier: string[]): void {
  if (earlier.includes(stepId)) return;
  throw invalidField(field, `there is no earlier step "${stepId}"${didYouMean(stepId, earlier)}`, stepId);
}
