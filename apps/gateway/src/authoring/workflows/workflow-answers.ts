import {
  CHANNELS,
  collectsEvents,
  type CompletePreferenceLayerDto,
  type JsonObject,
  type PreferenceLayer,
  type WorkflowDto,
  type WorkflowOverviewDto,
  type WorkflowStep,
  type WorkflowStepDto,
  pick,
} from '@clarion/contracts';
import type { WorkflowOverview, WorkflowWithSteps } from '@clarion/persistence';
import { withoutNulls } from '../../edge/http/page';
import { revisionOf } from '../revision';
import { payloadExample } from './preview';
import { stepSlug, workflowSlug } from './slugs';

function headOf(row: WorkflowWithSteps | WorkflowOverview) {
  return {
    _id: row.id,
    workflowId: row.workflowId,
    slug: workflowSlug(row.name, row.id),
    ...pick(row, 'name', 'description', 'tags', 'active', 'status', 'origin', 'severity'),
    lastTriggeredAt: row.lastTriggeredAt?.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

export function revisionOfWorkflow(row: WorkflowWithSteps): string {
  const { name, description, tags, active, origin, severity, validatePayload, escapeHtml, whileRetrying } = row;
  const content = {
    ...{ name, description, tags, active, origin, severity, validatePayload, escapeHtml, whileRetrying },
    ...{ payloadSchema: row.payloadSchema, preferences: row.preferences },
    steps: row.steps.map(({ issues: _, ...step }) => step),
  };
  return revisionOf(content as unknown as JsonObject);
}

export function toWorkflowDto(row: WorkflowWithSteps, revision: string): WorkflowDto {
  const { user, workflow } = row.preferences;
  return withoutNulls({
    ...headOf(row),
    revision,
    ...pick(row, 'validatePayload', 'escapeHtml', 'whileRetrying', 'payloadSchema'),
    payloadExample: payloadExample(row.payloadSchema),
    preferences: { default: completeLayer(workflow ?? {}), ...(user && { user: completeLayer(user) }) },
    steps: row.steps.map((step) => toStepDto(row, step)),
  }) as WorkflowDto;
}

export function toStepDto(workflow: WorkflowWithSteps, step: WorkflowStep): WorkflowStepDto {
  return {
    _id: step.id,
    stepId: step.stepId,
    slug: stepSlug(step.name, step.id),
    name: step.name,
    type: step.type,
    origin: workflow.origin,
    workflowId: workflow.workflowId,
    workflowDatabaseId: workflow.id,
    controls: { values: step.controlValues },
    controlValues: step.controlValues,
    variables: variablesSchema(workflow, step),
    ...(step.issues && { issues: step.issues }),
    active: step.active,
    shouldStopOnFail: step.shouldStopOnFail,
    filters: step.filters,
    variants: step.variants.map(({ id, ...variant }) => ({ _id: id, ...variant })),
  };
}

export function toWorkflowOverviewDto(row: WorkflowOverview): WorkflowOverviewDto {
  return withoutNulls({
    ...headOf(row),
    stepTypeOverviews: row.steps.map(({ type }) => type),
    steps: row.steps.map(({ id, stepId, name, type, issues }) =>
      withoutNulls({ _id: id, stepId, slug: stepSlug(name, id), name, type, issues }),
    ),
  }) as WorkflowOverviewDto;
}

/** A channel that the layer does not name has the value of `all`. */
function completeLayer({ all, channels }: PreferenceLayer): CompletePreferenceLayerDto {
  const enabled = all?.enabled ?? true;
  return {
    all: { enabled, readOnly: all?.readOnly ?? false },
    channels: Object.fromEntries(
      CHANNELS.map((channel) => [channel, { enabled: channels?.[channel]?.enabled ?? enabled }]),
    ),
  };
}

const SUBSCRIBER_TEXTS = ['subscriberId', 'firstName', 'lastName', 'email', 'phone', 'avatar', 'locale', 'timezone'];
const ANYTHING: JsonObject = { type: 'object', additionalProperties: true };

const DIGEST_RESULT: JsonObject = {
  type: 'object',
  properties: {
    eventCount: { type: 'number' },
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, time: { type: 'string' }, payload: ANYTHING },
      },
    },
  },
};

/** The JSON schema of the variables that the templates of a step can read, with the outputs of earlier steps. */
function variablesSchema(workflow: WorkflowWithSteps, step: WorkflowStep): JsonObject {
  const earlier = workflow.steps.slice(0, workflow.steps.indexOf(step));
  return {
    type: 'object',
    properties: {
      subscriber: {
        type: 'object',
        properties: {
          ...Object.fromEntries(SUBSCRIBER_TEXTS.map((name) => [name, { type: 'string' }])),
          data: ANYTHING,
        },
      },
      payload: workflow.payloadSchema ?? ANYTHING,
      steps: {
        type: 'object',
        properties: Object.fromEntries(
          earlier.map(({ stepId, type }) => [stepId, collectsEvents(type) ? DIGEST_RESULT : ANYTHING]),
        ),
      },
      workflow: ANYTHING,
      context: ANYTHING,
      env: ANYTHING,
    },
  };
}
