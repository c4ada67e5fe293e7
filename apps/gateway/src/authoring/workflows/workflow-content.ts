import type { TemplateRenderer } from '@clarion/content';
import {
  type EnvironmentId,
  invalidField,
  type JsonObject,
  LIMITS,
  sensitiveFieldsFault,
  type WorkflowContentDto,
  type WorkflowPreferences,
  type WorkflowStep,
  type WorkflowVariables,
} from '@clarion/contracts';
import type { WorkflowHead } from '@clarion/persistence';
import { workflowStatus } from './steps';
import { schemaVariables, templateVariables } from './workflow-triggers';

/** The fields to store, without the variables. Fields that are not given get their default. */
export function headOf(
  input: WorkflowContentDto,
  active: boolean,
  origin: WorkflowHead['origin'],
  steps: WorkflowStep[],
): Omit<WorkflowHead, 'variables'> {
  return {
    name: input.name,
    description: input.description ?? null,
    tags: distinct(input.tags ?? []),
    active,
    status: workflowStatus(active, steps),
    origin,
    severity: input.severity ?? 'none',
    validatePayload: input.validatePayload ?? false,
    escapeHtml: input.escapeHtml ?? true,
    whileRetrying: input.whileRetrying ?? 'continue',
    payloadSchema: input.payloadSchema ?? null,
    preferences: (input.preferences ?? {}) as WorkflowPreferences,
  };
}

/** Throws when the schema is too large or no JSON Schema. */
export async function checkPayloadSchema(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  schema: JsonObject | null | undefined,
): Promise<void> {
  if (!schema) return;
  if (Buffer.byteLength(JSON.stringify(schema)) > LIMITS.payloadSchemaBytes) {
    throw invalidField('payloadSchema', `payloadSchema must not be larger than ${LIMITS.payloadSchemaBytes} bytes`);
  }
  const marks = sensitiveFieldsFault(schema);
  if (marks !== undefined) throw invalidField('payloadSchema', `payloadSchema: ${marks}`);
  const fault = await renderer.schemaFault(environmentId, schema);
  if (fault !== undefined) throw invalidField('payloadSchema', `payloadSchema is not a valid JSON Schema: ${fault}`);
}

export async function variablesOf(
  renderer: TemplateRenderer,
  environmentId: EnvironmentId,
  input: Pick<WorkflowContentDto, 'steps' | 'payloadSchema'>,
): Promise<WorkflowVariables> {
  const read = await templateVariables(renderer, environmentId, input.steps);
  return { ...read, schema: schemaVariables(input.payloadSchema) };
}

export const distinct = (tags: string[]): string[] => [...new Set(tags)];
