import { CHANNELS } from '../../api/channels';
import type { Schemas } from '../../api/client';
import { objectOf } from '../../ui/typed';

export type Workflow = Schemas['WorkflowDto'];
export type Step = Schemas['WorkflowStepDto'];
export type StepType = Step['type'];
export type StepTypes = Schemas['StepTypeListDto'];
export type Filter = Schemas['StepFilterDto'];
export type Values = Record<string, unknown>;

/** A step in the editor. `key` stays the same while the step is edited, moved and saved. */
export type DraftStep = {
  key: string;
  _id?: string;
  stepId?: string;
  name: string;
  type: StepType;
  active: boolean;
  shouldStopOnFail: boolean;
  filters: Filter[];
  variants: Step['variants'];
  values: Values;
};

/** What the editor changes. Texts that must be parsed stay texts, so that nothing that was typed is lost. */
export type Draft = {
  name: string;
  description: string;
  tags: string;
  active: boolean;
  severity: Workflow['severity'];
  isCritical: boolean;
  isEnabled: boolean;
  channels: Record<string, boolean>;
  validatePayload: boolean;
  escapeHtml: boolean;
  whileRetrying: 'continue' | 'wait';
  payloadSchema: string;
  steps: DraftStep[];
};

/** The preferences that count: those of the operator, else those of the workflow. */
function layerOf({ preferences }: Workflow) {
  const { all, channels } = preferences.user ?? preferences.default;
  return {
    all: { enabled: all.enabled ?? true, readOnly: all.readOnly ?? false },
    channels: Object.fromEntries(CHANNELS.map((name) => [name, { enabled: channels[name]?.enabled ?? true }])),
  };
}

export function draftOf(workflow: Workflow): Draft {
  const { all, channels } = layerOf(workflow);
  return {
    name: workflow.name,
    description: workflow.description ?? '',
    tags: workflow.tags.join(', '),
    active: workflow.active,
    severity: workflow.severity,
    isCritical: all.readOnly,
    isEnabled: all.enabled,
    channels: Object.fromEntries(Object.entries(channels).map(([name, { enabled }]) => [name, enabled])),
    validatePayload: workflow.validatePayload,
    escapeHtml: workflow.escapeHtml,
    whileRetrying: workflow.whileRetrying,
    payloadSchema: workflow.payloadSchema ? JSON.stringify(workflow.payloadSchema, null, 2) : '',
    steps: workflow.steps.map(draftStepOf),
  };
}

const draftStepOf = (step: Step): DraftStep => ({
  key: step.stepId,
  _id: step._id,
  stepId: step.stepId,
  name: step.name,
  type: step.type,
  active: step.active,
  shouldStopOnFail: step.shouldStopOnFail,
  filters: step.filters,
  variants: step.variants,
  values: step.controlValues,
});

export function newStep(types: StepTypes, type: StepType, steps: readonly DraftStep[]): DraftStep {
  const { title, controls } = types.data.find((each) => each.type === type)!;
  const schema = controls as ControlsSchema;
  const required = schema.required ?? schema.anyOf?.[0]?.required ?? [];
  const values = required.flatMap((name) => {
    const initial = schema.properties[name]?.default;
    return initial === undefined ? [] : [[name, initial] as const];
  });
  const stepId = freeStepId(type.replace('_', '-'), steps);
  return {
    key: stepId,
    stepId,
    name: title,
    type,
    active: true,
    shouldStopOnFail: false,
    filters: [],
    variants: [],
    values: Object.fromEntries(values),
  };
}

function freeStepId(base: string, steps: readonly DraftStep[]): string {
  const taken = new Set(steps.map(({ stepId }) => stepId));
  let stepId = base;
  for (let suffix = 2; taken.has(stepId); suffix += 1) stepId = `${base}-${suffix}`;
  return stepId;
}

/** The JSON Schema of one control, as `GET /v2/step-types` has it. */
export type ControlSchema = {
  title?: string;
  description?: string;
  type?: string | string[];
  enum?: string[];
  default?: unknown;
  properties?: Record<string, ControlSchema>;
  items?: ControlSchema;
  required?: string[];
  minimum?: number;
  const?: string;
  uiHints?: {
    template?: true;
    multiline?: true;
    language?: 'html' | 'json' | 'rule';
    reference?: 'layout' | 'step' | 'variable';
    advanced?: true;
  };
};

export type ControlsSchema = ControlSchema & {
  properties: Record<string, ControlSchema>;
  anyOf?: (ControlSchema & { properties?: Record<string, ControlSchema> })[];
};

export function bodyOf(draft: Draft, base: Workflow): { body: Schemas['UpdateWorkflowDto'] } | { fault: string } {
  const schema = objectOf(draft.payloadSchema);
  if (schema.fault !== undefined) return { fault: `The payload schema cannot be saved. ${schema.fault}` };
  const { default: workflow, user = null } = base.preferences;
  const own = {
    all: { enabled: draft.isEnabled, readOnly: draft.isCritical },
    channels: Object.fromEntries(CHANNELS.map((name) => [name, { enabled: draft.channels[name] ?? true }])),
  };
  return {
    body: {
      name: draft.name,
      description: draft.description === '' ? null : draft.description,
      tags: draft.tags
        .split(',')
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ''),
      active: draft.active,
      severity: draft.severity,
      validatePayload: draft.validatePayload,
      escapeHtml: draft.escapeHtml,
      whileRetrying: draft.whileRetrying,
      payloadSchema: draft.payloadSchema.trim() === '' ? null : schema.value,
      preferences: { workflow, user: isSame(own, layerOf(base)) ? user : own },
      steps: draft.steps.map(({ key: _, values, ...step }) => ({ ...step, controlValues: values })),
    } as Schemas['UpdateWorkflowDto'],
  };
}

export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export function moved<T>(list: readonly T[], from: number, by: number): T[] {
  const rest = list.filter((_, index) => index !== from);
  return [...rest.slice(0, from + by), list[from]!, ...rest.slice(from + by)];
}
