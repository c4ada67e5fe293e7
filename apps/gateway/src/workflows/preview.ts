import {
  type AuthoredStepType,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  type PreviewPayloadDto,
  type PreviewStepDto,
  type StepPreviewDto,
  type WorkflowStep,
} from '@clarion/contracts';
import { type TemplateRenderer, workflowVariables } from '@clarion/content';
import type { WorkflowWithSteps } from '@clarion/persistence';

/** What a preview shows of each channel; texts that are not there show as empty. Other types show all their controls. */
const SHOWN: Partial<Record<AuthoredStepType, { texts: string[]; others: string[] }>> = {
  email: { texts: ['subject', 'body'], others: [] },
  in_app: { texts: ['body'], others: ['subject', 'avatar', 'primaryAction', 'secondaryAction', 'redirect', 'data'] },
  sms: { texts: ['body'], others: [] },
  chat: { texts: ['body'], others: [] },
  push: { texts: ['subject', 'body'], others: [] },
};

/** The step as a subscriber would get it. A template that cannot be rendered is a refusal that names the control. */
export async function previewStep(
  renderer: TemplateRenderer,
  workflow: WorkflowWithSteps,
  step: WorkflowStep,
  input: PreviewStepDto,
): Promise<StepPreviewDto> {
  const controls = input.controlValues ?? step.controlValues;
  const given = plain(input.previewPayload ?? {});
  const { environmentId } = workflow;
  const used = await renderer.variablesOf(environmentId, controls);
  const example = merge(exampleVariables(workflow, step, used), given);
  const variables = { ...(input.previewPayload ? given : example), workflow: workflowVariables(workflow) };
  const rendering = await renderer.render({ environmentId, controls, variables });
  if (!rendering.ok) {
    const { path, message } = rendering.fault;
    throw invalidField(`controlValues.${path}`, `${path} ${message}`);
  }
  return {
    result: { type: step.type, preview: shown(step.type, rendering.controls) },
    previewPayloadExample: example as PreviewPayloadDto,
  };
}

function shown(type: AuthoredStepType, controls: JsonObject): JsonObject {
  const fields = SHOWN[type];
  if (!fields) return Object.fromEntries(Object.entries(controls).filter(([name]) => name !== 'skip'));
  return Object.fromEntries([
    ...fields.texts.map((name): [string, Json] => [name, controls[name] ?? '']),
    ...fields.others.flatMap((name): [string, Json][] =>
      controls[name] === undefined ? [] : [[name, controls[name]]],
    ),
  ]);
}

/**
 * A value for every variable of the templates: from the payload schema, from the digests that come before the step, or the
 * last word of its path.
 */
function exampleVariables(workflow: WorkflowWithSteps, step: WorkflowStep, variables: string[][]): JsonObject {
  const example: JsonObject = { subscriber: {}, payload: payloadExample(workflow.payloadSchema) ?? {}, steps: {} };
  const used = variables.filter(([namespace]) => namespace !== 'workflow');
  const digests = workflow.steps.slice(0, workflow.steps.indexOf(step)).filter(({ type }) => type === 'digest');
  for (const path of used) if (path[0] === 'payload') fill(example, path);
  for (const { stepId } of digests) {
    const events = [1, 2].map((number) => ({
      id: `event-${number}`,
      time: '2030-01-01T00:00:00.000Z',
      payload: example['payload']!,
    }));
    (example['steps'] as JsonObject)[stepId] = { events, eventCount: events.length };
  }
  for (const path of used) fill(example, path);
  return example;
}

/** Puts the last word of the path at its place, unless something is there or in the way. */
export function fill(target: JsonObject, path: string[]): void {
  const [last, ...way] = path.toReversed();
  if (last === undefined || way.length === 0) return;
  let place = target;
  for (const key of way.toReversed()) {
    if (!Object.hasOwn(place, key)) place[key] = {};
    const next = place[key];
    if (!isJsonObject(next)) return;
    place = next;
  }
  if (!Object.hasOwn(place, last)) place[last] = last;
}

/** The given values over the example, object by object. */
export function merge(example: JsonObject, given: JsonObject): JsonObject {
  const result = { ...example };
  for (const [key, value] of Object.entries(given)) {
    const under = Object.hasOwn(example, key) ? example[key] : undefined;
    result[key] = isJsonObject(value) && isJsonObject(under) ? merge(under, value) : value;
  }
  return result;
}

/** Without the members that the DTO class declares and the caller did not send. */
const plain = (payload: PreviewPayloadDto): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as JsonObject;

/** A payload that the schema describes; undefined without a schema. */
export function payloadExample(schema: JsonObject | null): JsonObject | undefined {
  if (!schema) return undefined;
  const example = exampleOf(schema, '');
  return isJsonObject(example) ? example : undefined;
}

function exampleOf(schema: Json | undefined, name: string): Json {
  if (!isJsonObject(schema)) return name;
  const { default: initial, example, examples, const: only, enum: choices, type, properties, items } = schema;
  const stated = [
    initial,
    example,
    Array.isArray(examples) ? examples[0] : undefined,
    only,
    Array.isArray(choices) ? choices[0] : undefined,
  ];
  const first = stated.find((value) => value !== undefined);
  if (first !== undefined) return first;
  switch (Array.isArray(type) ? type[0] : (type ?? (properties ? 'object' : undefined))) {
    case 'object':
      return Object.fromEntries(
        Object.entries(isJsonObject(properties) ? properties : {}).map(([key, member]) => [
          key,
          exampleOf(member, key),
        ]),
      );
    case 'array':
      return [exampleOf(items, name)];
    case 'number':
    case 'integer':
      return 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return name;
  }
}
