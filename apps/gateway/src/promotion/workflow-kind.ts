import type { TemplateRenderer } from '@clarion/content';
import {
  type Channel,
  CreateWorkflowDto,
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  isChannelStepType,
  type JsonObject,
  type StepIssues,
  type WorkflowStep,
  type WorkflowStepInputDto,
  type WorkflowVariables,
} from '@clarion/contracts';
import type {
  Database,
  HoldRepository,
  PromotionRepository,
  WorkflowHead,
  WorkflowRepository,
  WorkflowWithSteps,
} from '@clarion/persistence';
import type { AuditLog } from '../audit-log/audit-log';
import { readDto } from '../http/compiled-dto';
import { namedLayouts } from '../workflows/environment-issues';
import { buildSteps } from '../workflows/steps';
import { readTemplates } from '../workflows/template-issues';
import { checkPayloadSchema, headOf, sameSteps, variablesOf } from '../workflows/workflow-content';
import { faultsOf } from './file-faults';
import type { Place, Reference, Resource, ResourceKind, Save } from './resource-kind';

export type WorkflowStores = {
  database: Database;
  promotion: PromotionRepository;
  workflows: WorkflowRepository;
  holds: HoldRepository;
  renderer: TemplateRenderer;
  audit: AuditLog;
  /** Called after a commit that changed workflows of the environment. */
  onChange: (environmentId: EnvironmentId) => void;
};

/** A definition as the interface takes it. It has all fields, because `definitionOf` wrote it. */
type WorkflowDefinition = Omit<CreateWorkflowDto, 'steps'> & { steps: (WorkflowStepInputDto & { stepId: string })[] };

/** The variables that the templates read, and the issues by stepId. Both follow from the definition alone. */
type Findings = { variables: WorkflowVariables; issues: Record<string, StepIssues> };

const asDefinition = (definition: JsonObject): WorkflowDefinition => definition as unknown as WorkflowDefinition;

export class WorkflowKind implements ResourceKind {
  readonly type = 'workflow';

  constructor(private readonly stores: WorkflowStores) {}

  async *all(environmentId: EnvironmentId): AsyncGenerator<Resource> {
    for await (const row of this.stores.promotion.workflows(environmentId)) yield toResource(row);
  }

  async find(environmentId: EnvironmentId, ids: string[]): Promise<Resource[]> {
    return (await this.stores.promotion.findWorkflows(environmentId, ids)).map(toResource);
  }

  lock(environmentId: EnvironmentId, ids: string[]): Promise<void> {
    return this.stores.promotion.lockWorkflows(environmentId, ids);
  }

  /** Steps by their stepId, so that a path names the step and a moved step is the same step. */
  comparable(definition: JsonObject): JsonObject {
    const { steps } = asDefinition(definition);
    return {
      ...definition,
      steps: Object.fromEntries(steps.map(({ stepId, ...step }) => [stepId, step as unknown as JsonObject])),
      stepOrder: steps.map(({ stepId }) => stepId),
    };
  }

  needs(definition: JsonObject): Reference[] {
    const steps = asDefinition(definition).steps as unknown as WorkflowStep[];
    const ids = new Set(steps.flatMap((step) => namedLayouts(step).map(([, layoutId]) => layoutId)));
    return [...ids].map((id) => ({ type: 'layout', id }));
  }

  channels(definition: JsonObject): Channel[] {
    return [...new Set(asDefinition(definition).steps.map(({ type }) => type))].filter(isChannelStepType);
  }

  read(content: JsonObject): Resource | { errors: FieldErrors } {
    const read = readDto(CreateWorkflowDto, content);
    if (!('value' in read) || read.unknown) return { errors: faultsOf(read) };
    const { value } = read;
    const steps = buildSteps([], value.steps);
    const head = headOf(value, value.active ?? true, value.origin ?? 'platform-cloud', steps);
    return { id: value.workflowId, name: value.name, definition: definitionOf(value.workflowId, head, steps) };
  }

  async prepare(environmentId: EnvironmentId, resource: Resource): Promise<Save> {
    const { workflows, promotion, audit } = this.stores;
    const { id, rowId, definition } = resource;
    const input = asDefinition(definition);
    const { variables, issues } = resource.findings
      ? (resource.findings as unknown as Findings)
      : await this.check(environmentId, input);
    return async (place, before) => {
      const isThere = before !== undefined || (rowId !== undefined && (await this.restore(environmentId, rowId)));
      const [current] = isThere ? await promotion.findWorkflows(environmentId, [id]) : [];
      const inputs = withVariantIds(input.steps, current?.steps ?? []);
      const steps = withIssues(buildSteps(current?.steps ?? [], inputs), issues);
      const head = { ...headOf(input, input.active!, input.origin!, steps), variables };
      const after = current
        ? await workflows.update(current, head, sameSteps(steps, current.steps) ? undefined : steps)
        : await workflows.insert(environmentId, id, head, steps);
      if (!after) throw new DomainError('conflict', `The workflow ${id} was created at the same time`);
      // What was there before a restored row was deleted is in the record of its deletion.
      const shownBefore = before ? current : undefined;
      await audit.recordIn(place.actor, place, { resource: 'workflow', id: after.id, before: shownBefore, after });
      this.changed(environmentId);
    };
  }

  private async check(environmentId: EnvironmentId, input: WorkflowDefinition): Promise<Findings> {
    const { renderer } = this.stores;
    await checkPayloadSchema(renderer, environmentId, input.payloadSchema);
    const [variables, templates] = await Promise.all([
      variablesOf(renderer, environmentId, input),
      readTemplates(renderer, environmentId, input.steps),
    ]);
    return { variables, issues: issuesOf(buildSteps([], input.steps, templates, input.payloadSchema)) };
  }

  async remove(place: Place, { id }: Resource): Promise<void> {
    const { workflows, holds, audit } = this.stores;
    const { environmentId } = place;
    const before = (await workflows.lock(environmentId, { workflowId: id }))!;
    await workflows.delete(environmentId, before);
    await holds.resumeTarget(environmentId, 'workflow', before.id);
    await audit.recordIn(place.actor, place, { resource: 'workflow', id: before.id, before });
    this.changed(environmentId);
  }

  private restore(environmentId: EnvironmentId, rowId: string): Promise<boolean> {
    return this.stores.promotion.restoreWorkflow(environmentId, rowId);
  }

  private changed(environmentId: EnvironmentId): void {
    this.stores.database.afterCommit(() => this.stores.onChange(environmentId));
  }
}

const toResource = (row: WorkflowWithSteps): Resource => ({
  id: row.workflowId,
  name: row.name,
  rowId: row.id,
  updatedAt: row.updatedAt,
  definition: definitionOf(row.workflowId, row, row.steps),
  findings: { variables: row.variables, issues: issuesOf(row.steps) } satisfies Findings as unknown as JsonObject,
});

const issuesOf = (steps: WorkflowStep[]): Findings['issues'] =>
  Object.fromEntries(steps.flatMap(({ stepId, issues }) => (issues ? [[stepId, issues]] : [])));

const withIssues = (steps: WorkflowStep[], found: Findings['issues']): WorkflowStep[] =>
  steps.map(({ issues: _, ...step }) => {
    const issues = found[step.stepId];
    return { ...step, ...(issues && { issues }) };
  });

/** Every field of a workflow that its author writes. */
type Head = Omit<WorkflowHead, 'status' | 'variables'>;

/** In the order in which files show the fields. Ids, issues and what is derived from the steps are left out. */
function definitionOf(workflowId: string, head: Head, steps: WorkflowStep[]): JsonObject {
  const fields: Head = {
    name: head.name,
    description: head.description,
    tags: head.tags,
    active: head.active,
    severity: head.severity,
    origin: head.origin,
    validatePayload: head.validatePayload,
    escapeHtml: head.escapeHtml,
    payloadSchema: head.payloadSchema,
    preferences: head.preferences,
  };
  const definition = {
    workflowId,
    ...fields,
    steps: steps.map(({ id: _, issues: __, stepId, variants, ...step }) => ({
      stepId,
      ...step,
      variants: variants.map(({ id: ___, ...variant }) => variant),
    })),
  };
  return JSON.parse(JSON.stringify(definition)) as JsonObject;
}

/** The variants of a step keep their ids in the order in which they stand: messages refer to them. */
function withVariantIds(inputs: WorkflowDefinition['steps'], existing: WorkflowStep[]): WorkflowStepInputDto[] {
  const known = new Map(existing.map((step) => [step.stepId, step.variants]));
  return inputs.map((input) => ({
    ...input,
    variants: (input.variants ?? []).map((variant, at) => ({ ...variant, _id: known.get(input.stepId)?.[at]?.id })),
  }));
}
