import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { FeedDto, FeedQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, Scope } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { FeedService } from './feed.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v1/subscribers/:subscriberId/notifications/feed')
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve the in-app feed of a subscriber' })
  @Answers({ type: FeedDto })
  list(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: FeedQuery) {
    return this.feed.list(owner, subscriberId, query);
  }
}
