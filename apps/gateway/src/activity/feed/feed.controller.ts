import { Controller, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { FeedDto, FeedQuery } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { FeedService } from './feed.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v1/subscribers/:subscriberId/notifications/feed')
export class FeedController {
  constructor(private readonly feed: FeedService) {}

  @ReadRoute()
  @Operation('Retrieve the in-app feed of a subscriber', { type: FeedDto })
  list(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: FeedQuery) {
    return this.feed.list(owner, subscriberId, query);
  }
}
