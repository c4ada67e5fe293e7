import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type ListWorkflowVersionsQuery,
  TimeSlices,
  type WorkflowDto,
  type WorkflowVersionDetailDto,
  type WorkflowVersionDto,
  type WorkflowVersionListDto,
} from '@clarion/contracts';
import {
  Database,
  type KeyOwner,
  type WorkflowVersionRow,
  WorkflowVersionRepository,
  type WorkflowWithSteps,
} from '@clarion/persistence';
import { withoutNulls } from '../../edge/http/page';
import { versionChanges } from './version-changes';
import { toStepDto } from './workflow-answers';
import { WorkflowsService } from './workflows.service';

/** The history of the steps of a workflow. Other fields have no versions; the audit log has their changes. */
@Injectable()
export class WorkflowVersionsService {
  constructor(
    private readonly database: Database,
    private readonly versions: WorkflowVersionRepository,
    private readonly workflows: WorkflowsService,
  ) {}

  async list(
    owner: KeyOwner,
    identifier: string,
    { limit, before }: ListWorkflowVersionsQuery,
  ): Promise<WorkflowVersionListDto> {
    const workflow = await this.workflows.find(owner, identifier);
    const range = { limit: limit + 1, before };
    const { rows, isCut } = await this.versions.list(owner.environmentId, workflow.id, range);
    const shown = isCut ? rows.length - 1 : limit;
    const data: WorkflowVersionDto[] = [];
    const slices = new TimeSlices();
    for (const [at, row] of rows.slice(0, shown).entries()) {
      // Comparing the steps of two versions may take a while, and so did reading them.
      await slices.pause();
      data.push(toVersionDto(workflow, row, rows[at + 1]));
    }
    return { data, hasMore: rows.length > shown };
  }

  async retrieve(owner: KeyOwner, identifier: string, version: number): Promise<WorkflowVersionDetailDto> {
    const workflow = await this.workflows.find(owner, identifier);
    const [row, previous] = await this.find(owner, workflow, version);
    const then = { ...workflow, steps: row.steps };
    const slices = new TimeSlices();
    const shown = toVersionDto(workflow, row, previous);
    await slices.rest();
    return { ...shown, steps: row.steps.map((step) => toStepDto(then, step)) };
  }

  /** Saves the steps of the version again; they keep their ids. Their issues are found anew. */
  async restore(owner: KeyOwner, identifier: string, version: number): Promise<WorkflowDto> {
    const [{ steps }] = await this.database.beforehand(async () =>
      this.find(owner, await this.workflows.find(owner, identifier), version),
    );
    return this.workflows.replaceSteps(owner, identifier, steps);
  }

  /** The version, and the one before it if there is one. */
  private async find(
    owner: KeyOwner,
    workflow: WorkflowWithSteps,
    version: number,
  ): Promise<[WorkflowVersionRow, WorkflowVersionRow?]> {
    const range = { limit: 2, before: version + 1 };
    const {
      rows: [row, previous],
    } = await this.versions.list(owner.environmentId, workflow.id, range);
    if (row?.version !== version) {
      throw new DomainError('not_found', `Workflow ${workflow.workflowId} has no version ${version}`);
    }
    await new TimeSlices().pause();
    return [row, previous];
  }
}

function toVersionDto(
  { currentVersion }: WorkflowWithSteps,
  row: WorkflowVersionRow,
  previous: WorkflowVersionRow | undefined,
): WorkflowVersionDto {
  return {
    version: row.version,
    isCurrent: row.version === currentVersion,
    createdAt: row.createdAt.toISOString(),
    changes: versionChanges(previous?.version === row.version - 1 ? previous.steps : null, row.steps),
    ...(row.actorType && {
      actor: withoutNulls({
        type: row.actorType,
        keyId: row.actorId ?? undefined,
        keyPrefix: row.actorName ?? undefined,
      }),
    }),
  };
}
