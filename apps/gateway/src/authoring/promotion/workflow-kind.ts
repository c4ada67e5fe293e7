import type { TemplateRenderer } from '@clarion/content';
import {
  type Channel,
  CreateWorkflowDto,
  DomainError,
  type EnvironmentId,
  type FieldErrors,
  isChannelStepType,
  isSameJson,
  type JsonObject,
  mapInSlices,
  type StepIssues,
  TimeSlices,
  type WorkflowStep,
  type WorkflowStepInputDto,
  type WorkflowVariables,
  pick,
} from '@clarion/contracts';
import type {
  Database,
  HoldRepository,
  NewWorkflow,
  PromotionRepository,
  WorkflowEdit,
  WorkflowHead,
  WorkflowRepository,
  WorkflowWithSteps,
} from '@clarion/persistence';
import type { AuditLog } from '../../edge/audit-log/audit-log';
import { resumeDeleted } from '../../edge/auth/operator-holds';
import { readDto } from '../../edge/http/compiled-dto';
import { namedLayouts } from '../workflows/environment-issues';
import { buildSteps } from '../workflows/steps';
import { readTemplates } from '../workflows/template-issues';
import { checkPayloadSchema, headOf, variablesOf } from '../workflows/workflow-content';
import { faultsOf } from './file-faults';
import type { Edit, Place, Reference, Resource, ResourceKind } from './resource-kind';

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
    const slices = new TimeSlices();
    for await (const row of this.stores.promotion.workflows(environmentId)) {
      await slices.rest();
      yield toResource(row);
    }
  }

  async find(environmentId: EnvironmentId, ids: string[]): Promise<Resource[]> {
    return mapInSlices(await this.stores.promotion.findWorkflows(environmentId, ids), toResource);
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
    // As a row has it: without members that are undefined.
    const definition = JSON.parse(JSON.stringify(definitionOf(value.workflowId, head, steps))) as JsonObject;
    return { id: value.workflowId, name: value.name, definition };
  }

  async prepare(environmentId: EnvironmentId, resource: Resource): Promise<Resource> {
    if (resource.findings) return resource;
    const findings = await this.check(environmentId, asDefinition(resource.definition));
    return { ...resource, findings: findings as unknown as JsonObject };
  }

  async save(place: Place, edits: Edit[]): Promise<void> {
    const { workflows, promotion, audit } = this.stores;
    const { environmentId } = place;
    const absent = edits.filter(({ before }) => before === undefined);
    const restored = await promotion.restoreWorkflows(
      environmentId,
      absent.flatMap(({ after }) => after.rowId ?? []),
    );
    const wasThere = ({ before, after }: Edit): boolean => before !== undefined || restored.has(after.rowId ?? '');
    const present = await promotion.findWorkflows(
      environmentId,
      edits.filter(wasThere).map(({ after }) => after.id),
    );
    const currents = new Map(present.map((row) => [row.workflowId, row]));
    const [added, changed]: [NewWorkflow[], WorkflowEdit[]] = [[], []];
    const slices = new TimeSlices();
    for (const { after } of edits) {
      const workflow = currents.get(after.id);
      const { head, steps } = contentOf(after, workflow?.steps ?? []);
      await slices.rest();
      if (!workflow) added.push({ workflowId: after.id, head, steps });
      else changed.push({ workflow, changes: head, ...(!isSameJson(steps, workflow.steps) && { steps }) });
    }
    const inserted = await workflows.insertMany(environmentId, added);
    if (inserted.length < added.length) {
      const names = new Set(inserted.map(({ workflowId }) => workflowId));
      const taken = added.find(({ workflowId }) => !names.has(workflowId))!;
      throw new DomainError('conflict', `The workflow ${taken.workflowId} was created at the same time`);
    }
    const written = [...inserted, ...(await workflows.updateMany(environmentId, changed))];
    // What was there before a restored row was deleted is in the record of its deletion.
    const known = new Set(edits.flatMap(({ before, after }) => (before ? [after.id] : [])));
    const records = written.map((after) => {
      const before = known.has(after.workflowId) ? currents.get(after.workflowId) : undefined;
      return { resource: 'workflow' as const, id: after.id, before, after };
    });
    await audit.recordMany(place.actor, place, records);
    this.changed(environmentId);
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

  async remove(place: Place, resources: Resource[]): Promise<void> {
    const { workflows, promotion, holds, audit } = this.stores;
    const { environmentId } = place;
    const names = resources.map(({ id }) => id);
    const rows = await promotion.findWorkflows(environmentId, names);
    const ids = rows.map(({ id }) => id);
    await workflows.deleteMany(environmentId, ids);
    await resumeDeleted(holds, place.actor, place, 'workflow', ids);
    const records = rows.map((before) => ({ resource: 'workflow' as const, id: before.id, before }));
    await audit.recordMany(place.actor, place, records);
    this.changed(environmentId);
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

function contentOf({ definition, findings }: Resource, existing: WorkflowStep[]) {
  const input = asDefinition(definition);
  const { variables, issues } = findings as unknown as Findings;
  const steps = withIssues(buildSteps(existing, withVariantIds(input.steps, existing)), issues);
  return { head: { ...headOf(input, input.active!, input.origin!, steps), variables }, steps };
}

const issuesOf = (steps: WorkflowStep[]): Findings['issues'] =>
  Object.fromEntries(steps.flatMap(({ stepId, issues }) => (issues ? [[stepId, issues]] : [])));

const withIssues = (steps: WorkflowStep[], found: Findings['issues']): WorkflowStep[] =>
  steps.map(({ issues: _, ...step }) => {
    const issues = found[step.stepId];
    return { ...step, ...(issues && { issues }) };
  });

type Head = Omit<WorkflowHead, 'status' | 'variables'>;

/** In the order in which files show the fields. Ids, issues and what is derived from the steps are left out. */
function definitionOf(workflowId: string, head: Head, steps: WorkflowStep[]): JsonObject {
  const fields: Head = {
    ...pick(head, 'name', 'description', 'tags', 'active', 'severity', 'origin'),
    ...pick(head, 'validatePayload', 'escapeHtml', 'whileRetrying', 'payloadSchema', 'preferences'),
  };
  return {
    workflowId,
    ...fields,
    steps: steps.map(({ id: _, issues: __, stepId, variants, ...step }) => ({
      stepId,
      ...step,
      variants: variants.map(({ id: ___, ...variant }) => variant),
    })),
  } as unknown as JsonObject;
}

/** The variants of a step keep their ids in the order in which they stand: messages refer to them. */
function withVariantIds(inputs: WorkflowDefinition['steps'], existing: WorkflowStep[]): WorkflowStepInputDto[] {
  const known = new Map(existing.map((step) => [step.stepId, step.variants]));
  return inputs.map((input) => ({
    ...input,
    variants: (input.variants ?? []).map((variant, at) => ({ ...variant, _id: known.get(input.stepId)?.[at]?.id })),
  }));
}
