import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  BulkActionDto,
  BulkActionListDto,
  CreateBulkActionDto,
  LIMITS,
  ListBulkActionsQuery,
  RunBulkActionDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { BulkActionsService } from './bulk-actions.service';

@ApiTags('bulk actions')
@Controller('v1/bulk-actions')
export class BulkActionsController {
  constructor(private readonly bulkActions: BulkActionsService) {}

  @Post()
  @StrictInput()
  @Operation('Freeze a set of notifications to replay or cancel; nothing runs yet', {
    description:
      'Stores the exact items that the action can change now, and answers their number and how many of them may have ' +
      'reached a provider already. `POST /v1/bulk-actions/{bulkActionId}/run` with that number starts the action, ' +
      `within ${LIMITS.plannedBulkActionHours} hours. An environment has at most ${LIMITS.plannedBulkActions} ` +
      `planned actions with ${LIMITS.plannedBulkActionItems} items, and an organization ` +
      `${LIMITS.plannedBulkActionsOfOrganization}; one more gets 409.`,
    status: 201,
    type: BulkActionDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateBulkActionDto) {
    return this.bulkActions.create(owner, owner, body);
  }

  @ReadRoute()
  @Operation('List bulk actions, newest first', {
    description:
      'Actions that have ended are deleted after 30 days, ' +
      `planned ones after ${LIMITS.plannedBulkActionHours} hours.`,
    type: BulkActionListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListBulkActionsQuery) {
    return this.bulkActions.list(owner, query);
  }

  @ReadRoute(':bulkActionId')
  @Operation('Retrieve a bulk action with its progress', {
    description: '`done` + `unchanged` + `failed` is the number of items that were worked off so far.',
    type: BulkActionDto,
  })
  retrieve(@Owner() owner: KeyOwner, @IdParam('bulkActionId') bulkActionId: string) {
    return this.bulkActions.retrieve(owner, bulkActionId);
  }

  @Post(':bulkActionId/run')
  @StrictInput()
  @Operation('Run a planned bulk action', {
    description:
      'Runs in the background at `perSecond`, across restarts. A batch that fails is tried again later with fewer ' +
      'items (`failures`, `lastError`, `nextAt`). Of one environment three actions run at a time, and at most ' +
      `${LIMITS.startedBulkActions} (of an organization ${LIMITS.startedBulkActionsOfOrganization}) are started and ` +
      'have not ended; one more gets 409. The `count` of the request confirms the number of items: any other number ' +
      'is refused with 409. A second request for an action that runs or has ended changes nothing.',
    type: BulkActionDto,
  })
  run(@Owner() owner: KeyOwner, @IdParam('bulkActionId') bulkActionId: string, @Body() body: RunBulkActionDto) {
    return this.bulkActions.run(owner, owner, bulkActionId, body);
  }

  @Post(':bulkActionId/stop')
  @Operation('Stop a bulk action', {
    description:
      'Waits for the batch that is running and stops before the next one, so the counts of the response are final. ' +
      'Steps that were replayed before go on.',
    type: BulkActionDto,
  })
  stop(@Owner() owner: KeyOwner, @IdParam('bulkActionId') bulkActionId: string) {
    return this.bulkActions.stop(owner, owner, bulkActionId);
  }
}
