import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Put, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { RateCategory, Scope, TenantWork } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { WorkflowsService } from './workflows.service';

/** `workflowId` in a path is the workflowId, the id or the slug; `stepId` likewise. */
@ApiTags('workflows')
@RateCategory('configuration')
@Controller('v2/workflows')
export class WorkflowsController {
  constructor(private readonly workflows: WorkflowsService) {}

  @Post()
  @TenantWork('always')
  @ApiOperation({ summary: 'Create a workflow' })
  @Answers({ status: 201, type: WorkflowDto })
  create(@Owner() owner: KeyOwner, @Body() body: CreateWorkflowDto) {
    return this.workflows.create(owner, body);
  }

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List workflows' })
  @Answers({ type: WorkflowListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListWorkflowsQuery) {
    return this.workflows.list(owner, query);
  }

  @Get(':workflowId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a workflow' })
  @Answers({ type: WorkflowDto })
  retrieve(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string) {
    return this.workflows.retrieve(owner, workflowId);
  }

  @Put(':workflowId')
  @TenantWork('always')
  @ApiOperation({ summary: 'Replace a workflow; steps that are not given are removed' })
  @Answers({ type: WorkflowDto })
  update(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Body() body: UpdateWorkflowDto) {
    return this.workflows.update(owner, workflowId, body);
  }

  @Patch(':workflowId')
  @ApiOperation({ summary: 'Update fields of a workflow' })
  @Answers({ type: WorkflowDto })
  patch(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Body() body: PatchWorkflowDto) {
    return this.workflows.patch(owner, workflowId, body);
  }

  @Delete(':workflowId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a workflow; notifications that are under way go on' })
  @Answers({ status: 204, description: 'No Content' })
  delete(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string) {
    return this.workflows.delete(owner, workflowId);
  }

  @Get(':workflowId/steps/:stepId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a step of a workflow' })
  @Answers({ type: WorkflowStepDto })
  retrieveStep(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Param('stepId') stepId: string) {
    return this.workflows.retrieveStep(owner, workflowId, stepId);
  }

  @Post(':workflowId/step/:stepId/preview')
  @TenantWork('always')
  @ApiOperation({ summary: 'Render a step with example values' })
  @Answers({ status: 201, type: StepPreviewDto })
  preview(
    @Owner() owner: KeyOwner,
    @Param('workflowId') workflowId: string,
    @Param('stepId') stepId: string,
    @Body() body: PreviewStepDto,
  ) {
    return this.workflows.preview(owner, workflowId, stepId, body);
  }
}
