import { Body, Controller, Param, Put } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { SyncWorkflowDto, WorkflowDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { AcrossEnvironments, Documents, RateCategory, Scope } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { PromotionService } from './promotion.service';

@ApiTags('workflows')
@RateCategory('configuration')
@Documents('all')
@Controller('v2/workflows')
@AcrossEnvironments()
export class WorkflowSyncController {
  constructor(private readonly promotion: PromotionService) {}

  @Put(':workflowId/sync')
  @Scope('admin')
  @Operation('Copy a workflow to another environment', {
    description:
      'Publishes one workflow of the environment of the key to another environment of the organization and returns ' +
      'the workflow there. Requires a key of the scope `admin`. Layouts that the other environment does not have are ' +
      'named (409). The history of the other environment has a record, which can be undone.',
    type: WorkflowDto,
  })
  sync(@Owner() owner: KeyOwner, @Param('workflowId') workflowId: string, @Body() body: SyncWorkflowDto) {
    return this.promotion.sync(owner, workflowId, body);
  }
}
