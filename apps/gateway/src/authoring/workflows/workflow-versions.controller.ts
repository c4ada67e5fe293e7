import { Controller, Param, Post, Query } from '@nestjs/common';
import { ApiParam, ApiTags } from '@nestjs/swagger';
import {
  invalidField,
  ListWorkflowVersionsQuery,
  WorkflowDto,
  WorkflowVersionDetailDto,
  WorkflowVersionListDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Documents, RateCategory, ReadRoute, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { WorkflowVersionsService } from './workflow-versions.service';

const VERSION = { name: 'version', schema: { type: 'integer', minimum: 1 } } as const;

@ApiTags('workflows')
@RateCategory('configuration')
@Documents('one')
@Controller('v2/workflows/:workflowId/versions')
export class WorkflowVersionsController {
  constructor(private readonly versions: WorkflowVersionsService) {}

  @ReadRoute()
  @Operation('List the versions of a workflow', {
    description:
      'Each save that changes the steps writes a version. Newest first, with what changed in words and, if the audit ' +
      'log has it, the key that made the change.',
    type: WorkflowVersionListDto,
  })
  list(
    @Owner() owner: KeyOwner,
    @Param('workflowId') workflowId: string,
    @Query() query: ListWorkflowVersionsQuery,
  ): Promise<WorkflowVersionListDto> {
    return this.versions.list(owner, workflowId, query);
  }

  @ReadRoute(':version')
  @ApiParam(VERSION)
  @Operation('Retrieve a version of a workflow', {
    description: 'The steps as they were saved, with the issues that they had at that time.',
    type: WorkflowVersionDetailDto,
  })
  retrieve(
    @Owner() owner: KeyOwner,
    @Param('workflowId') workflowId: string,
    @Param('version') version: string,
  ): Promise<WorkflowVersionDetailDto> {
    return this.versions.retrieve(owner, workflowId, versionOf(version));
  }

  @Post(':version/restore')
  @TenantWork('always')
  @ApiParam(VERSION)
  @Operation('Restore the steps of a version', {
    description:
      'Saves the steps of the version as a new version. The name, the settings and the payload schema stay as they ' +
      'are. Nothing is saved if the steps are the current ones.',
    type: WorkflowDto,
  })
  restore(
    @Owner() owner: KeyOwner,
    @Param('workflowId') workflowId: string,
    @Param('version') version: string,
  ): Promise<WorkflowDto> {
    return this.versions.restore(owner, workflowId, versionOf(version));
  }
}

/** Nine digits fit into the column. */
function versionOf(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw invalidField('version', 'version must be a whole number above 0', text);
  return Number(text);
}
