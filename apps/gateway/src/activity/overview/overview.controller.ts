import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ActivityGroupsDto, IntegrationOverviewListDto, LIMITS, OverviewDto, OverviewQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { FromReplica, Scope } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { OverviewService } from './overview.service';

@ApiTags('overview')
@Scope('read')
@FromReplica()
@Controller('v1/overview')
export class OverviewController {
  constructor(private readonly overview: OverviewService) {}

  @Get()
  @Operation('Count channel steps by outcome, with their reconciliation', {
    description:
      'Exact figures of the notifications that were made in a time range, whenever their steps ended. They are ' +
      'counted by the statements that write the outcomes, so a month is read as fast as an hour. In flight is ' +
      'counted separately, from the open work: if the figures did not add up, `difference` would show it. Events ' +
      'that have not become notifications yet are not accepted yet. The backlog is that of now.',
    type: OverviewDto,
  })
  retrieve(@Owner() owner: KeyOwner, @Query() query: OverviewQuery) {
    return this.overview.retrieve(owner, query);
  }

  @Get('error-groups')
  @Operation('Group the failed and in-doubt steps of a time range by reason', {
    description:
      'With the number of people that each group touches, and of those whom another channel of the same notification ' +
      `reached. Looks at the newest ${LIMITS.searchedHistory} failed steps of the range; \`isBounded\` says whether ` +
      'there are more. The range is rounded as in the overview.',
    type: ActivityGroupsDto,
  })
  errorGroups(@Owner() owner: KeyOwner, @Query() query: OverviewQuery) {
    return this.overview.errorGroups(owner, query);
  }

  @Get('integrations')
  @Operation('List the state of every integration', {
    description:
      'The circuit breaker, until when the provider asked for a pause, and the last error among the newest failures ' +
      'of the last seven days. Messages and failures are those of the last day, as far as they are counted.',
    type: IntegrationOverviewListDto,
  })
  integrations(@Owner() owner: KeyOwner) {
    return this.overview.integrations(owner);
  }
}
