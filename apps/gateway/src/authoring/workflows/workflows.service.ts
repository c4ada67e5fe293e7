import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import {
  type CreateWorkflowDto,
  DomainError,
  isId,
  isSameJson,
  type ListWorkflowsQuery,
  type PatchWorkflowDto,
  type PreviewStepDto,
  type StepPreviewDto,
  TimeSlices,
  type UpdateWorkflowDto,
  type WorkflowDto,
  type WorkflowListDto,
  type WorkflowStep,
  type WorkflowStepDto,
} from '@clarion/contracts';
import {
  Database,
  HoldRepository,
  IntegrationRepository,
  type KeyOwner,
  LayoutRepository,
  type WorkflowName,
  type WorkflowPage,
  WorkflowRepository,
  type WorkflowWithSteps,
} from '@clarion/persistence';
import { AuditLog } from '../../edge/audit-log/audit-log';
import { resumeDeleted } from '../../edge/auth/operator-holds';
import { refuseOtherRevision } from '../revision';
import { type MissingNames, missingNames, type StepContents, withEnvironmentIssues } from './environment-issues';
import { previewStep } from './preview';
import { idOfSlug } from './slugs';
import { buildSteps, toStepInput, workflowStatus } from './steps';
import { readTemplates } from './template-issues';
import { revisionOfWorkflow, toStepDto, toWorkflowDto, toWorkflowOverviewDto } from './workflow-answers';
import { checkPayloadSchema, distinct, headOf, variablesOf } from './workflow-content';
import { WorkflowDirectory } from './workflow-directory';
import { schemaVariables, templateVariables } from './workflow-triggers';

const IDENTIFIER_TRIES = 4;

const ORDER_COLUMNS = {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name',
  lastTriggeredAt: 'last_triggered_at',
} as const satisfies Record<ListWorkflowsQuery['orderBy'], WorkflowPage['orderBy']>;

@Injectable()
export class WorkflowsService {
  constructor(
    readonly database: Database,
    private readonly workflows: WorkflowRepository,
    private readonly directory: WorkflowDirectory,
    readonly renderer: TemplateRenderer,
    readonly layouts: LayoutRepository,
    readonly integrations: IntegrationRepository,
    private readonly holds: HoldRepository,
    private readonly audit: AuditLog,
  ) {}

  /** When the workflowId is taken, a random suffix is added. */
  async create(owner: KeyOwner, input: CreateWorkflowDto): Promise<WorkflowDto> {
    await checkPayloadSchema(this.renderer, owner.environmentId, input.payloadSchema);
    const templates = await readTemplates(this.renderer, owner.environmentId, input.steps);
    const steps = buildSteps([], input.steps, templates, input.payloadSchema);
    const variables = await variablesOf(this.renderer, owner.environmentId, input);
    const missing = await this.missing(owner, input.steps);
    const head = { ...headOf(input, input.active ?? true, input.origin ?? 'platform-cloud', steps), variables };
    for (let attempt = 1; attempt <= IDENTIFIER_TRIES; attempt += 1) {
      const workflowId = attempt === 1 ? input.workflowId : `${input.workflowId}-${randomSuffix()}`;
      const created = await this.database.transaction(async () => {
        const workflow = await this.workflows.insert(owner.environmentId, workflowId, head, steps);
        return workflow && this.changed(owner, undefined, workflow);
      });
      if (created) return this.answer(created, missing);
    }
    throw new DomainError('conflict', `Workflow with id "${input.workflowId}" already exists`);
  }

  async list(owner: KeyOwner, query: ListWorkflowsQuery): Promise<WorkflowListDto> {
    const { rows, totalCount } = await this.workflows.list(
      owner.environmentId,
      { query: query.query, tags: query.tags, status: query.status },
      { ...query, orderBy: ORDER_COLUMNS[query.orderBy] },
    );
    return { workflows: rows.map(toWorkflowOverviewDto), totalCount };
  }

  async retrieve(owner: KeyOwner, identifier: string): Promise<WorkflowDto> {
    return this.answer(await this.find(owner, identifier));
  }

  async retrieveStep(owner: KeyOwner, identifier: string, stepIdentifier: string): Promise<WorkflowStepDto> {
    const workflow = await this.surrounded(await this.find(owner, identifier));
    return toStepDto(workflow, stepOf(workflow, stepIdentifier));
  }

  preview(owner: KeyOwner, identifier: string, stepIdentifier: string, input: PreviewStepDto): Promise<StepPreviewDto> {
    return this.database.beforehand(async () => {
      const workflow = await this.find(owner, identifier);
      const step = input.type ? unsavedStep(stepIdentifier, input.type) : stepOf(workflow, stepIdentifier);
      return previewStep(this, workflow, step, input);
    });
  }

  /** Replaces everything except the workflowId. Unchanged steps write no new version; a later edit is a conflict. */
  async update(owner: KeyOwner, identifier: string, input: UpdateWorkflowDto): Promise<WorkflowDto> {
    await checkPayloadSchema(this.renderer, owner.environmentId, input.payloadSchema);
    // Before the transaction, which must not wait for the render processes.
    const [variables, templates, missing] = await Promise.all([
      variablesOf(this.renderer, owner.environmentId, input),
      readTemplates(this.renderer, owner.environmentId, input.steps),
      this.missing(owner, input.steps, identifier),
    ]);
    return this.edit(owner, identifier, missing, async (workflow) => {
      const slices = new TimeSlices();
      if (input.revision !== undefined) {
        refuseOtherRevision(input.revision, revisionOfWorkflow(workflow), `Workflow ${identifier}`);
      }
      const steps = buildSteps(workflow.steps, input.steps, templates, input.payloadSchema);
      const head = headOf(input, input.active ?? workflow.active, input.origin ?? workflow.origin, steps);
      await slices.rest();
      const isSame = isSameJson(steps, workflow.steps);
      await slices.rest();
      return this.workflows.update(workflow, { ...head, variables }, isSame ? undefined : steps);
    });
  }

  /** Replaces the steps and nothing else. The given steps keep their ids. */
  async replaceSteps(owner: KeyOwner, identifier: string, given: WorkflowStep[]): Promise<WorkflowDto> {
    const inputs = given.map(toStepInput);
    const [read, templates, missing] = await Promise.all([
      templateVariables(this.renderer, owner.environmentId, inputs),
      readTemplates(this.renderer, owner.environmentId, inputs),
      this.missing(owner, inputs, identifier),
    ]);
    return this.edit(owner, identifier, missing, async (workflow) => {
      const steps = buildSteps(given, inputs, templates, workflow.payloadSchema);
      if (isSameJson(steps, workflow.steps)) return workflow;
      const status = workflowStatus(workflow.active, steps);
      return this.workflows.update(workflow, { status, variables: { ...workflow.variables, ...read } }, steps);
    });
  }

  async patch(owner: KeyOwner, identifier: string, input: PatchWorkflowDto): Promise<WorkflowDto> {
    await checkPayloadSchema(this.renderer, owner.environmentId, input.payloadSchema);
    const { steps } = await this.database.beforehand(() => this.find(owner, identifier));
    return this.edit(owner, identifier, await this.missing(owner, steps, identifier), (workflow) =>
      this.workflows.update(workflow, {
        ...input,
        tags: input.tags && distinct(input.tags),
        status: workflowStatus(input.active ?? workflow.active, workflow.steps),
        ...(input.payloadSchema !== undefined && {
          variables: { ...workflow.variables, schema: schemaVariables(input.payloadSchema) },
        }),
      }),
    );
  }

  delete(owner: KeyOwner, identifier: string): Promise<void> {
    return this.database.transaction(async () => {
      const before = await this.workflows.lock(owner.environmentId, nameOf(identifier));
      if (!before) throw notFound(identifier);
      await this.workflows.deleteMany(owner.environmentId, [before.id]);
      // Its notifications go on with their version; no hold can be found by the name of a deleted workflow.
      await resumeDeleted(this.holds, owner, owner, 'workflow', [before.id]);
      await this.audit.record(owner, { resource: 'workflow', id: before.id, before });
      this.database.afterCommit(() => this.directory.forget(owner.environmentId));
    });
  }

  /** Edits of one workflow run one after the other: each sees the result of the one before. */
  private async edit(
    owner: KeyOwner,
    identifier: string,
    missing: MissingNames,
    apply: (workflow: WorkflowWithSteps) => Promise<WorkflowWithSteps>,
  ): Promise<WorkflowDto> {
    const edited = await this.database.transaction(async () => {
      const workflow = await this.workflows.lock(owner.environmentId, nameOf(identifier));
      if (!workflow) throw notFound(identifier);
      return this.changed(owner, workflow, await apply(workflow));
    });
    return this.answer(edited, missing);
  }

  private async changed(
    owner: KeyOwner,
    before: WorkflowWithSteps | undefined,
    workflow: WorkflowWithSteps,
  ): Promise<WorkflowWithSteps> {
    await this.audit.record(owner, { resource: 'workflow', id: workflow.id, before, after: workflow });
    this.database.afterCommit(() => this.directory.forget(workflow.environmentId));
    return workflow;
  }

  /** What the steps name and the environment does not have. Before the transaction, as it waits for a process. */
  private missing(owner: KeyOwner, steps: StepContents[], identifier?: string): Promise<MissingNames> {
    const workflowId = async (): Promise<string | undefined> =>
      identifier === undefined ? undefined : (await this.find(owner, identifier)).id;
    return this.database.beforehand(() => missingNames(this, owner.environmentId, steps, workflowId));
  }

  private async answer(workflow: WorkflowWithSteps, missing?: MissingNames): Promise<WorkflowDto> {
    const row = await this.surrounded(workflow, missing);
    const slices = new TimeSlices();
    const revision = revisionOfWorkflow(row);
    await slices.rest();
    return toWorkflowDto(row, revision);
  }

  private async surrounded(workflow: WorkflowWithSteps, missing?: MissingNames): Promise<WorkflowWithSteps> {
    return { ...workflow, steps: await withEnvironmentIssues(this, workflow, missing) };
  }

  async find(owner: KeyOwner, identifier: string): Promise<WorkflowWithSteps> {
    const workflow = await this.workflows.find(owner.environmentId, nameOf(identifier));
    if (!workflow) throw notFound(identifier);
    // To read the JSON of a large one takes a slice of time by itself.
    await new TimeSlices().pause();
    return workflow;
  }
}

export const notFound = (identifier: string): DomainError =>
  new DomainError('not_found', `Workflow ${identifier} was not found`);

/** Reads a path parameter that is a workflowId, an id or a slug. */
export function nameOf(identifier: string): WorkflowName {
  const id = isId(identifier) ? identifier : idOfSlug(identifier, 'wf');
  return { workflowId: identifier, ...(id !== undefined && { id }) };
}

function stepOf(workflow: WorkflowWithSteps, identifier: string): WorkflowStep {
  const id = isId(identifier) ? identifier.toLowerCase() : idOfSlug(identifier, 'st');
  const step =
    workflow.steps.find(({ stepId }) => stepId === identifier) ??
    workflow.steps.find((candidate) => candidate.id === id);
  if (!step) throw new DomainError('not_found', `Step ${identifier} was not found`);
  return step;
}

/** A step that an editor shows before it is saved. */
const unsavedStep = (stepId: string, type: WorkflowStep['type']): WorkflowStep => ({
  ...{ id: stepId, stepId, name: stepId, type, active: true, shouldStopOnFail: false },
  ...{ filters: [], variants: [], controlValues: {} },
});

const randomSuffix = (): string => randomBytes(4).toString('hex');
