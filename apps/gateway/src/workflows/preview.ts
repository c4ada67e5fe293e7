import {
  type AuthoredStepType,
  type EnvironmentId,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  type PreviewPayloadDto,
  type PreviewStepDto,
  type StepPreviewDto,
  type WorkflowStep,
} from '@clarion/contracts';
import {
  blockVariables,
  type ComposedEmail,
  type ComposedInApp,
  renderEmails,
  renderInApps,
  type TemplateFault,
  type TemplateRenderer,
  workflowVariables,
} from '@clarion/content';
import type { Layout, LayoutRepository, WorkflowWithSteps } from '@clarion/persistence';
import { layoutOf, RUN_RULES } from '@clarion/rules';

/** What a preview shows of the channels that send texts; those that are not there show as empty. */
const TEXTS: Partial<Record<AuthoredStepType, string[]>> = { sms: ['body'], chat: ['body'], push: ['subject', 'body'] };

export type PreviewParts = { renderer: TemplateRenderer; layouts: LayoutRepository };

type Rendered = { ok: true; preview: JsonObject } | { ok: false; fault: TemplateFault };

/**
 * The step as a subscriber would get it, made by the code that makes messages. A template that cannot be rendered is a refusal
 * that names the control.
 */
export async function previewStep(
  parts: PreviewParts,
  workflow: WorkflowWithSteps,
  step: WorkflowStep,
  input: PreviewStepDto,
): Promise<StepPreviewDto> {
  const { renderer } = parts;
  const controls = input.controlValues ?? step.controlValues;
  const given = plain(input.previewPayload ?? {});
  const { environmentId } = workflow;
  const used = [...(await renderer.variablesOf(environmentId, controls)), ...blockVariables(controls)];
  const example = merge(exampleVariables(workflow, step, used), given);
  const variables = { ...(input.previewPayload ? given : example), workflow: workflowVariables(workflow) };
  const rendered = await render(parts, workflow, step, controls, variables);
  if (!rendered.ok) {
    const { path, message } = rendered.fault;
    throw invalidField(`controlValues.${path}`, `${path} ${message}`);
  }
  return {
    result: { type: step.type, preview: rendered.preview },
    previewPayloadExample: example as PreviewPayloadDto,
  };
}

async function render(
  { renderer, layouts }: PreviewParts,
  { environmentId, escapeHtml }: WorkflowWithSteps,
  { type, stepId }: WorkflowStep,
  controls: JsonObject,
  variables: JsonObject,
): Promise<Rendered> {
  const item = { environmentId, controls, variables, escapeHtml };
  if (type === 'email') {
    const layout = await findLayout(layouts, environmentId, stepId, controls);
    if (typeof layout === 'string') return { ok: false, fault: { path: 'layoutId', message: `is unknown: ${layout}` } };
    const [rendering] = await renderEmails(renderer, [{ ...item, layout: layout?.controlValues.email ?? null }]);
    return rendering!.ok
      ? { ok: true, preview: emailPreview(rendering!.email) }
      : shownEmpty(rendering!.fault, EMPTY_EMAIL);
  }
  if (type === 'in_app') {
    const [rendering] = await renderInApps(renderer, [item]);
    return rendering!.ok
      ? { ok: true, preview: inAppPreview(rendering!.message) }
      : shownEmpty(rendering!.fault, { body: '' });
  }
  const rendering = await renderer.render(item);
  return rendering.ok ? { ok: true, preview: shown(type, rendering.controls) } : rendering;
}

/** As delivery finds it: what the step says, else the default of the environment. The name of one that is not there. */
async function findLayout(
  layouts: LayoutRepository,
  environmentId: EnvironmentId,
  stepId: string,
  controls: JsonObject,
): Promise<Layout | string | undefined> {
  const layoutId = layoutOf(undefined, stepId, controls);
  if (layoutId === null) return undefined;
  if (layoutId === undefined) return layouts.findDefault(environmentId);
  const [layout] = await layouts.findMany(environmentId, [layoutId]);
  return layout ?? layoutId;
}

const EMPTY_EMAIL: JsonObject = { subject: '', body: '' };

/** An author who has written nothing yet sees nothing; delivery would refuse it. */
const shownEmpty = (fault: TemplateFault, empty: JsonObject): Rendered =>
  fault.path === 'body' && fault.message.startsWith('is empty') ? { ok: true, preview: empty } : { ok: false, fault };

const emailPreview = ({ subject, html }: ComposedEmail): JsonObject => ({ subject, body: html });

/** Under the names of the controls. */
function inAppPreview({ subject, content, avatar, cta, data }: ComposedInApp): JsonObject {
  const { action, data: redirect } = cta as { action?: { buttons: JsonObject[] }; data?: JsonObject };
  const buttons = (action?.buttons ?? []).map(({ type, content: label, ...target }): [string, Json] => [
    `${String(type)}Action`,
    { label: label!, ...(target['url'] !== undefined && { redirect: target }) },
  ]);
  return {
    body: content,
    ...(subject !== undefined && { subject }),
    ...(avatar !== undefined && { avatar }),
    ...Object.fromEntries(buttons),
    ...(redirect && { redirect }),
    ...(data && { data }),
  };
}

/** Types that send nothing show all their controls but the rules. */
function shown(type: AuthoredStepType, controls: JsonObject): JsonObject {
  const texts = TEXTS[type];
  if (texts) return Object.fromEntries(texts.map((name): [string, Json] => [name, controls[name] ?? '']));
  const rules: readonly string[] = RUN_RULES;
  return Object.fromEntries(Object.entries(controls).filter(([name]) => !rules.includes(name)));
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

/** Puts the last word of the path at its place, unless something is there or in the way. A `0` is the first entry of a list. */
export function fill(target: JsonObject, path: string[]): void {
  const [last, ...way] = path.toReversed();
  if (last === undefined || way.length === 0) return;
  let place = target;
  for (const [index, key] of way.toReversed().entries()) {
    const isList = path[index + 1] === '0';
    if (!Object.hasOwn(place, key)) (place as Record<string, Json>)[key] = isList ? [] : {};
    const next = place[key];
    if (isList ? !Array.isArray(next) : !isJsonObject(next)) return;
    place = next as JsonObject;
  }
  if (!Object.hasOwn(place, last)) place[last] = last === '0' ? {} : last;
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
