import { Body, Controller, Delete, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateWorkflowDto,
  ListWorkflowsQuery,
  PatchWorkflowDto,
  PreviewStepDto,
  StepPreviewDto,
  UpdateWorkflowDto,
  WorkflowDto,
  WorkflowListDto,
  WorkflowStepDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Documents, RateCategory, ReadRoute, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { WorkflowsService } from './workflows.service';

/** `workflowId` in a path is the workflowId, the id or the slug; `stepId` likewise. */
@ApiTags('workflows')
@RateCategory('configuration')
@Documents('one')
@Controller('v2/workflows')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Post()
  @TenantWork('always')
  @Operation('Create a workflow', { status: 201, type: WorkflowDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateWorkflowDto) {
    return this.workflows.create(owner, body);
  }

  @ReadRoute()
  @Operation('List workflows', { type: WorkflowListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListWorkflowsQuery) {
    return this.workflows.list(owner, query);
  }

  @ReadRoute(':workflowId')
  @Operation('Retrieve a workflow', { type: WorkflowDto })
  retrieve(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string) {
    return this.workflows.retrieve(owner, workflowId);
  }

  @Put(':workflowId')
  @TenantWork('always')
  @Operation('Replace a workflow; steps that are not given are removed', { type: WorkflowDto })
  update(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Body() body: UpdateWorkflowDto) {
    return this.workflows.update(owner, workflowId, body);
  }

  @Patch(':workflowId')
  @Operation('Update fields of a workflow', { type: WorkflowDto })
  patch(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Body() body: PatchWorkflowDto) {
    return this.workflows.patch(owner, workflowId, body);
  }

  @Delete(':workflowId')
  @Operation('Delete a workflow; notifications that are under way go on', { status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string) {
    return this.workflows.delete(owner, workflowId);
  }

  @ReadRoute(':workflowId/steps/:stepId')
  @Operation('Retrieve a step of a workflow', { type: WorkflowStepDto })
  retrieveStep(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Param('stepId') stepId: string) {
    return this.workflows.retrieveStep(owner, workflowId, stepId);
  }

  @Post(':workflowId/step/:stepId/preview')
  @TenantWork('always')
  @Operation('Render a step with example values', { status: 201, type: StepPreviewDto })
  preview(
    @Owner() owner: KeyOwner,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
    @Body() body: PreviewStepDto,
  ) {
    return this.workflows.preview(owner, workflowId, stepId, body);
  }
}
