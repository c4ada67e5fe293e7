import { Controller, Get, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { ActivityFilterDto, ActivityGroupsDto, ActivityListDto, LIMITS, ListActivityQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../http/request-context';
import { Scope } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { ActivityService } from './activity.service';

const BOUND =
  `Filters by status, provider, reason and payload look at ${LIMITS.searchedHistory} notifications in one call; ` +
  'filters for `failed` and `in_doubt` look at the notifications of that many failed steps.';

@ApiTags('activity')
@Controller('v1/activity')
export class ActivityController {
  constructor(private readonly activity: ActivityService) {}

  @Get()
  @Scope('read')
  @ApiOperation({
    summary: 'List notifications with the outcome of each channel step, newest first',
    description:
      'Light rows without payloads and execution details, in pages by cursor: page 1,000 costs as much as page 1. ' +
      `${BOUND} A page that is not full because of it has \`isBounded\`, and its \`next\` goes on with the search.`,
  })
  @Answers({ type: ActivityListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListActivityQuery) {
    return this.activity.list(owner, query);
  }

  @Get('groups')
  @Scope('read')
  @ApiOperation({
    summary: 'Group the steps that were not delivered by reason, provider and channel',
    description:
      'Takes the filters of the activity. Without `status`, failed, skipped and in-doubt steps are grouped. The reason ' +
      'is what the provider answered or, if no provider was called, the last execution detail. ' +
      `${BOUND} Without these filters, the newest ${LIMITS.searchedHistory} notifications that match are grouped.`,
  })
  @Answers({ type: ActivityGroupsDto })
  groups(@Owner() owner: KeyOwner, @Query() query: ActivityFilterDto) {
    return this.activity.groups(owner, query);
  }
}
