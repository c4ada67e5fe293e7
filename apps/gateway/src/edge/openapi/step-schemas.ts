import type { OpenAPIObject } from '@nestjs/swagger';
import {
  AUTHORED_STEP_TYPES,
  type AuthoredStepType,
  controlsSchema,
  isJsonObject,
  type Json,
  type JsonObject,
  STEP_CONTROLS,
} from '@clarion/contracts';

type Schemas = Record<string, JsonObject>;

/**
 * Types the control values in the document by step type. A step of a request is one of nine schemas, which its `type`
 * selects. In other places the type of the step is not part of the object, so the control values are any of the nine.
 */
export function typeControlValues(document: OpenAPIObject): void {
  const schemas = document.components!.schemas as unknown as Schemas;
  for (const type of AUTHORED_STEP_TYPES) schemas[controlsName(type)] = controlsDto(type);
  const anyControls = AUTHORED_STEP_TYPES.map((type) => reference(controlsName(type)));
  for (const [name, field] of UNTYPED) {
    const property = propertiesOf(schemas[name]!)[field]!;
    const { additionalProperties: _, ...texts } = property;
    propertiesOf(schemas[name]!)[field] = { ...texts, anyOf: anyControls };
  }
  const step = schemas['WorkflowStepInputDto']!;
  for (const type of AUTHORED_STEP_TYPES) schemas[stepName(type)] = stepOfType(step, type);
  schemas['WorkflowStepInputDto'] = {
    oneOf: AUTHORED_STEP_TYPES.map((type) => reference(stepName(type))),
    discriminator: {
      propertyName: 'type',
      mapping: Object.fromEntries(AUTHORED_STEP_TYPES.map((type) => [type, pathOf(stepName(type))])),
    },
  };
}

/** The control values of objects that do not have the type of the step. */
const UNTYPED = [
  ['StepVariantDto', 'controlValues'],
  ['WorkflowStepDto', 'controlValues'],
  ['StepControlsDto', 'values'],
  ['PreviewStepDto', 'controlValues'],
] as const;

const pascal = (type: string): string =>
  type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
const controlsName = (type: AuthoredStepType): string => `${pascal(type)}ControlsDto`;
const stepName = (type: AuthoredStepType): string => `${pascal(type)}StepInputDto`;
const pathOf = (name: string): string => `#/components/schemas/${name}`;
const reference = (name: string): JsonObject => ({ $ref: pathOf(name) });
const propertiesOf = (schema: JsonObject): Schemas => schema['properties'] as Schemas;

function stepOfType(step: JsonObject, type: AuthoredStepType): JsonObject {
  const { description, nullable } = propertiesOf(step)['controlValues']!;
  return {
    ...step,
    properties: {
      ...propertiesOf(step),
      type: { type: 'string', enum: [type] },
      controlValues: {
        type: 'object',
        description: description!,
        nullable: nullable!,
        allOf: [reference(controlsName(type))],
      },
    },
  };
}

/** The schema of the control values in the subset of JSON Schema that OpenAPI 3.0 has. */
function controlsDto(type: AuthoredStepType): JsonObject {
  const { anyOf: _, ...schema } = controlsSchema(type);
  const kinds = Object.entries(STEP_CONTROLS[type].kinds);
  const needs = kinds
    .map(([name, { needs: all = [], needsOneOf = [] }]) => [
      kinds.length > 1 ? `${name}: ` : '',
      [...all, ...(needsOneOf.length > 0 ? [needsOneOf.map((group) => group.join(' and ')).join(' or ')] : [])],
    ])
    .filter(([, names]) => names!.length > 0)
    .map(([name, names]) => `${String(name)}${(names as string[]).join(', ')}`);
  const description = [String(schema['description']), ...(needs.length > 0 ? [`Required: ${needs.join('; ')}.`] : [])];
  return { ...(toOpenApi(schema) as JsonObject), description: description.join(' ') };
}

function toOpenApi(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(toOpenApi);
  if (!isJsonObject(schema)) return schema;
  const { uiHints: _, format: __, type, properties, items, ...rest } = schema;
  const converted: JsonObject = {
    ...rest,
    ...(isJsonObject(properties) && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, member]) => [name, toOpenApi(member!)])),
    }),
    ...(items !== undefined && { items: toOpenApi(items) }),
  };
  if (!Array.isArray(type)) return type === undefined ? converted : { ...converted, type };
  const { minimum, maximum, ...texts } = converted;
  const types = type.filter((name) => name !== 'null');
  const range: JsonObject = minimum !== undefined && maximum !== undefined ? { minimum, maximum } : {};
  const alternatives = types.map((name): JsonObject => ({
    type: name!,
    ...(name === 'object' && { additionalProperties: true }),
    ...(name === 'array' && { items: {} }),
    ...(name === 'integer' && range),
  }));
  const nullable = types.length < type.length && { nullable: true };
  return alternatives.length === 1
    ? { ...texts, ...alternatives[0]!, ...nullable }
    : { ...texts, anyOf: alternatives, ...nullable };
}
