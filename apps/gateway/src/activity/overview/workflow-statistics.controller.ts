import { Controller, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { OverviewQuery, WorkflowStatisticsListDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { OverviewService } from './overview.service';

@ApiTags('workflows')
@Controller('v2/workflows')
export class WorkflowStatisticsController {
  constructor(private readonly overview: OverviewService) {}

  @ReadRoute('statistics')
  @Operation('Count the channel steps of each workflow by outcome', {
    description: 'Exact figures of the notifications that were made in a time range, rounded as in the overview.',
    type: WorkflowStatisticsListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: OverviewQuery) {
    return this.overview.workflows(owner, query);
  }
}
