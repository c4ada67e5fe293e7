import { type ControlVariables, type TemplateFault, type TemplateRenderer } from '@clarion/content';
import {
  AUTHORING_VARIABLES,
  type ContentIssue,
  type EnvironmentId,
  isJsonObject,
  type Json,
  type JsonObject,
  type WorkflowStepInputDto,
} from '@clarion/contracts';
import { didYouMean } from './did-you-mean';

export type Found = [field: string, issue: ContentIssue];

/** Issues that one step shows. A caller can cause very many, so no others are computed. */
export const ISSUES_PER_STEP = 100;

/** Render processes read the templates of a step and of its variants, because tenants write them. */
export type ReadTemplates = { faults: TemplateFault[]; variables: ControlVariables[] };

export const NOTHING_READ: ReadTemplates = { faults: [], variables: [] };

export async function readTemplates(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  steps: WorkflowStepInputDto[],
): Promise<ReadTemplates[]> {
  const contents = steps.flatMap(({ controlValues, variants = [] }, step) => [
    { step, prefix: '', controls: controlValues ?? {} },
    ...variants.map((variant, index) => ({
      step,
      prefix: `variants.${index}.`,
      controls: variant.controlValues ?? {},
    })),
  ]);
  const controls = contents.map((content) => content.controls);
  const [faults, variables] = await Promise.all([
    renderer.templateFaults(environmentId, controls),
    renderer.variablesByControl(environmentId, controls),
  ]);
  const read = steps.map((): ReadTemplates => ({ faults: [], variables: [] }));
  for (const [index, { step, prefix }] of contents.entries()) {
    const placed = <T extends { path: string }>(item: T): T => ({ ...item, path: prefix + item.path });
    read[step]!.faults.push(...faults[index]!.map(placed));
    read[step]!.variables.push(...variables[index]!.map(placed).map(withoutIndexes));
  }
  return read;
}

/** The entries of a list count as the list itself. */
const withoutIndexes = ({ path, variables }: ControlVariables): ControlVariables => ({
  path,
  variables: variables.map((variable) => variable.filter((key) => key !== '0')),
});

export type TemplateFacts = {
  payloadSchema: JsonObject | null;
  earlier: string[];
  /** Unknown variables that still get the name that is most like them: a schema can have very many names. */
  suggestions: { left: number };
};

/** Issues of templates that do not compile and of variables that are always empty. */
export function templateIssues({ faults, variables }: ReadTemplates, facts: TemplateFacts): Found[] {
  const issueType = 'ILLEGAL_VARIABLE_IN_CONTROL_VALUE';
  const known = knownVariables(facts);
  const found = faults.slice(0, ISSUES_PER_STEP).map(({ path, message }): Found => [path, { issueType, message }]);
  for (const { path, variables: used } of variables) {
    for (const variable of used) {
      if (found.length >= ISSUES_PER_STEP) return found;
      const message = unknownReason(variable, known, facts.suggestions);
      if (message !== undefined) found.push([path, { issueType, message, variableName: variable.join('.') }]);
    }
  }
  return found;
}

/** The names below a name, or true when any name is allowed. */
type Known = true | { [name: string]: Known };

/** `current` is an entry of a repeated part of the block editor; the last two belong to loops. */
const ALWAYS: Record<string, Known> = { ...documentedVariables(), current: true, forloop: true, tablerowloop: true };

/** The tree of the names that the reference lists; true where any name may follow. */
function documentedVariables(): Record<string, Known> {
  const roots: Record<string, Known> = {};
  for (const { name } of AUTHORING_VARIABLES.filter((variable) => !variable.name.includes('<'))) {
    const path = name.split('.');
    const last = path.pop()!;
    let place = roots;
    for (const key of path) place = (place[key] ??= {}) as Record<string, Known>;
    place[last] = true;
  }
  return roots;
}

const knownVariables = ({ payloadSchema, earlier }: TemplateFacts): Record<string, Known> => ({
  ...ALWAYS,
  payload: withAttachments(payloadSchema ? knownIn(payloadSchema, SCHEMA_DEPTH) : true),
  steps: Object.fromEntries(earlier.map((stepId) => [stepId, true])),
});

/** The payload of a trigger may have files, whether its schema names them or not. */
const withAttachments = (payload: Known): Known => (payload === true ? true : { ...payload, attachments: true });

const SCHEMA_DEPTH = 10;

/** True unless the schema lists its properties and forbids others. The items of a list count as the list itself. */
function knownIn(schema: Json | undefined, levels: number): Known {
  if (!isJsonObject(schema) || levels === 0) return true;
  const { properties, items, additionalProperties, type } = schema;
  if (isJsonObject(items) && (type === 'array' || properties === undefined)) return knownIn(items, levels - 1);
  const isOpen = additionalProperties === true || isJsonObject(additionalProperties);
  const isComposed = ['$ref', 'allOf', 'anyOf', 'oneOf', 'patternProperties', 'if'].some((word) => word in schema);
  if (!isJsonObject(properties) || isOpen || isComposed) return true;
  return Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, knownIn(member, levels - 1)]));
}

/** Properties of every list and text in Liquid. */
const ALWAYS_THERE = new Set(['size', 'first', 'last']);

function unknownReason(
  variable: string[],
  roots: Record<string, Known>,
  suggestions: TemplateFacts['suggestions'],
): string | undefined {
  // Texts are written into the template by their keys: there is no object with all of them.
  if (variable.length === 1 && variable[0] === 't') return '"t" must be followed by a key: {{ t.greeting }}';
  let known: Known = roots;
  for (const [index, key] of variable.entries()) {
    if (known === true || (index > 0 && ALWAYS_THERE.has(key))) return undefined;
    const next: Known | undefined = Object.hasOwn(known, key) ? known[key] : undefined;
    if (next === undefined) {
      const before = variable
        .slice(0, index)
        .map((part) => `${part}.`)
        .join('');
      const hint = suggestions.left-- > 0 ? didYouMean(key, Object.keys(known), before) : '';
      return `the variable "${variable.join('.')}" is unknown${hint}`;
    }
    known = next;
  }
  return undefined;
}
