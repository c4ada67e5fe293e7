import {
  collectsEvents,
  type ContentStepType,
  type DomainError,
  type EnvironmentId,
  hasContent,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  type PreviewPayloadDto,
  type PreviewRuleDto,
  type PreviewStepDto,
  type StepFilterDto,
  type StepPreviewDto,
  TimeSlices,
  type WorkflowStep,
} from '@clarion/contracts';
import {
  type ComposedEmail,
  type ComposedInApp,
  readsTranslations,
  renderEmails,
  renderInApps,
  type RenderItem,
  type TemplateFault,
  type TemplateRenderer,
  workflowVariables,
} from '@clarion/content';
import type { Database, Layout, LayoutRepository, WorkflowWithSteps } from '@clarion/persistence';
import {
  type EvaluatedRule,
  evaluatedConditions,
  layoutOf,
  matchFilters,
  RUN_RULES,
  runRuleRefusal,
  type Variables,
  Work,
} from '@clarion/rules';
import type { EnvironmentContents } from '@clarion/runtime';
import { layoutItem, localeIn, readContents } from '../translations/read-contents';

export type PreviewParts = { renderer: TemplateRenderer; layouts: LayoutRepository; database: Database };

type OpenParts = PreviewParts & { contents: EnvironmentContents };

type Rendered = { ok: true; preview: JsonObject } | { ok: false; fault: TemplateFault };

/** Renders with the code that delivery uses. A template that cannot be rendered is a 422 naming the control. */
export async function previewStep(
  parts: PreviewParts,
  workflow: WorkflowWithSteps,
  step: WorkflowStep,
  input: PreviewStepDto,
): Promise<StepPreviewDto> {
  const { renderer } = parts;
  const given = plain(input.previewPayload ?? {});
  const { environmentId } = workflow;
  const contents = await readContents(parts, environmentId);
  const language = { environmentId, resourceId: workflow.id, locale: localeIn(given) };
  const template = { isEmail: step.type === 'email', controls: input.controlValues ?? step.controlValues };
  const [[translated], missing] = await Promise.all([
    contents.translate([{ ...language, ...template }]),
    readsTranslations(template.controls) ? contents.namesIn(language, [template]) : [],
  ]);
  if (!translated!.ok) throw refused(translated!.fault);
  const { controls } = translated!;
  const used = await renderer.variablesOf(environmentId, controls);
  const slices = new TimeSlices();
  const example = merge(exampleVariables(workflow, step, used, given['payload']), given);
  const shown = input.previewPayload ? given : example;
  const variables = {
    ...shown,
    env: withVariables(shown['env'], contents.variables(environmentId)),
    workflow: workflowVariables(workflow),
  };
  await slices.rest();
  const rendered = await render({ ...parts, contents }, workflow, step, controls, variables);
  await slices.pause();
  if (!rendered.ok) throw refused(rendered.fault);
  const missingTranslations = missing.flatMap((names) => names.missing);
  const rules = rulesOf(input.filters ?? step.filters, template.controls, variables as unknown as Variables);
  return {
    result: { type: step.type, preview: rendered.preview },
    previewPayloadExample: example as PreviewPayloadDto,
    ...(missingTranslations.length > 0 && { missingTranslations }),
    ...(rules.length > 0 && { rules }),
  };
}

/** Whether the step would run for the values, as a worker decides it. No rule keeps the others from being evaluated. */
function rulesOf(filters: StepFilterDto[], controls: JsonObject, variables: Variables): PreviewRuleDto[] {
  const work = new Work();
  const rules: EvaluatedRule[] = [];
  if (filters.length > 0) rules.push(evaluatedConditions(matchFilters(filters, variables, work)));
  runRuleRefusal({ controls, variables, now: new Date(), work, trace: (rule) => rules.push(rule) });
  return rules as PreviewRuleDto[];
}

const refused = ({ path, message }: TemplateFault): DomainError =>
  invalidField(`controlValues.${path}`, `${path} ${message}`);

/** The stored variables replace what a preview shows for them. */
const withVariables = (shown: Json | undefined, variables: Record<string, string> = {}): JsonObject => ({
  ...(isJsonObject(shown) ? shown : {}),
  ...variables,
});

type Renderable = {
  parts: OpenParts;
  stepId: string;
  item: RenderItem & { environmentId: EnvironmentId; escapeHtml: boolean };
};

const PREVIEWS: Record<ContentStepType, (step: Renderable) => Promise<Rendered>> = {
  in_app: previewInApp,
  email: previewEmail,
  sms: previewControls(['body']),
  chat: previewControls(['body']),
  push: previewControls(['subject', 'body']),
};

function render(
  parts: OpenParts,
  { environmentId, escapeHtml }: WorkflowWithSteps,
  { type, stepId }: WorkflowStep,
  controls: JsonObject,
  variables: JsonObject,
): Promise<Rendered> {
  const step = { parts, stepId, item: { environmentId, controls, variables, escapeHtml } };
  return hasContent(type) ? PREVIEWS[type](step) : previewRenderedControls(step);
}

async function previewInApp({ parts, item }: Renderable): Promise<Rendered> {
  const [rendering] = await renderInApps(parts.renderer, [item]);
  return rendering!.ok
    ? { ok: true, preview: inAppPreview(rendering!.message) }
    : emptyPreview(rendering!.fault, { body: '' });
}

async function previewEmail({ parts, stepId, item }: Renderable): Promise<Rendered> {
  const layout = await findLayout(parts.layouts, item.environmentId, stepId, item.controls);
  if (typeof layout === 'string') return { ok: false, fault: { path: 'layoutId', message: `is unknown: ${layout}` } };
  const [frame] = await parts.contents.translate(layout ? [layoutItem(layout, localeIn(item.variables))] : []);
  if (frame && !frame.ok) return { ok: false, fault: { ...frame.fault, path: 'layout' } };
  const [rendering] = await renderEmails(parts.renderer, [{ ...item, layout: frame?.controls ?? null }]);
  return rendering!.ok
    ? { ok: true, preview: emailPreview(rendering!.email) }
    : emptyPreview(rendering!.fault, { subject: '', body: '' });
}

/** Shows the named controls; a control without a value is an empty text. */
function previewControls(names: string[]): (step: Renderable) => Promise<Rendered> {
  return async ({ parts, item }) => {
    const rendering = await parts.renderer.render(item);
    if (!rendering.ok) return rendering;
    const preview = Object.fromEntries(names.map((name): [string, Json] => [name, rendering.controls[name] ?? '']));
    return { ok: true, preview };
  };
}

/** A step without content shows all its controls except the rules that decide whether it runs. */
async function previewRenderedControls({ parts, item }: Renderable): Promise<Rendered> {
  const rendering = await parts.renderer.render(item);
  if (!rendering.ok) return rendering;
  const rules: readonly string[] = RUN_RULES;
  const controls = Object.entries(rendering.controls).filter(([name]) => !rules.includes(name));
  return { ok: true, preview: Object.fromEntries(controls) };
}

/** The layout of the step, else the default of the environment, as in delivery. Returns the id of a missing layout. */
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

/** A step without a body yet has an empty preview; delivery would fail it. */
const emptyPreview = (fault: TemplateFault, empty: JsonObject): Rendered =>
  fault.path === 'body' && fault.message.startsWith('is empty') ? { ok: true, preview: empty } : { ok: false, fault };

const emailPreview = ({ subject, html }: ComposedEmail): JsonObject => ({ subject, body: html });

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

/** A value for every variable: from the payload schema, digest steps so far, or the last part of its path. */
function exampleVariables(
  workflow: WorkflowWithSteps,
  step: WorkflowStep,
  variables: string[][],
  payload: Json | undefined,
): JsonObject {
  const example: JsonObject = { subscriber: {}, payload: payloadExample(workflow.payloadSchema) ?? {}, steps: {} };
  const used = variables.filter(([namespace]) => namespace !== 'workflow');
  const place = workflow.steps.indexOf(step);
  // A step that is not saved yet comes last.
  const reached = [...(place < 0 ? workflow.steps : workflow.steps.slice(0, place)), step];
  const digests = reached.filter(({ type }) => collectsEvents(type));
  for (const path of used) if (path[0] === 'payload') fill(example, path);
  for (const { stepId } of digests) {
    const events = [1, 2].map((number) => ({
      id: `event-${number}`,
      time: `2030-01-01T09:0${number}:00.000Z`,
      payload: isJsonObject(payload) ? merge(example['payload'] as JsonObject, payload) : example['payload']!,
    }));
    (example['steps'] as JsonObject)[stepId] = { events, eventCount: events.length };
  }
  for (const path of used) fill(example, path);
  return example;
}

/**
 * Sets the value at a path to the last part of the path unless there is one. `0` is the first item of a list. A path
 * with more levels than a payload may have stays empty.
 */
export function fill(target: JsonObject, path: string[]): void {
  const [last, ...way] = path.toReversed();
  if (last === undefined || way.length === 0 || path.length > LIMITS.jsonDepth) return;
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

/** Merges the given values into the example, object by object. */
export function merge(example: JsonObject, given: JsonObject): JsonObject {
  const result = { ...example };
  for (const [key, value] of Object.entries(given)) {
    const under = Object.hasOwn(example, key) ? example[key] : undefined;
    result[key] = isJsonObject(value) && isJsonObject(under) ? merge(under, value) : value;
  }
  return result;
}

/** Removes the fields that the DTO class declares and the caller did not send. */
const plain = (payload: PreviewPayloadDto): JsonObject =>
  Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== undefined)) as JsonObject;

/** An example payload for the schema. Undefined without a schema. */
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
