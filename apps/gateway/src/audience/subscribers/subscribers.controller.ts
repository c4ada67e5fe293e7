import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  AcknowledgedDto,
  BulkCreateSubscribersDto,
  BulkSubscribersResultDto,
  CreateSubscriberDto,
  FailIfExistsQuery,
  invalidField,
  OnlineStatusDto,
  PatchSubscriberDto,
  SearchSubscribersQuery,
  SubscriberDto,
  SubscriberListDto,
  SubscriberUsageDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute, ValidatesEach } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { SubscriberImportService } from './subscriber-import.service';
import { SubscribersService } from './subscribers.service';

@ApiTags('subscribers')
@RateCategory('configuration')
@Controller()
export class SubscribersController {
  constructor(
    private readonly subscribers: SubscribersService,
    private readonly imports: SubscriberImportService,
  ) {}

  @Post('v2/subscribers')
  @Operation('Create a subscriber, or update the one with this subscriberId', { status: 201, type: SubscriberDto })
  create(@Owner() owner: KeyOwner, @Query() query: FailIfExistsQuery, @Body() body: CreateSubscriberDto) {
    return this.subscribers.create(owner, body, query.failIfExists ?? false);
  }

  @Post('v1/subscribers/bulk')
  @Operation('Create or update up to 500 subscribers, with channels and topics', {
    status: 201,
    type: BulkSubscribersResultDto,
  })
  @ValidatesEach('subscribers', 'subscriberId')
  createBulk(@Owner() owner: KeyOwner, @Body() body: BulkCreateSubscribersDto) {
    return this.imports.import(owner, body.subscribers);
  }

  @ReadRoute('v2/subscribers')
  @Operation('Search subscribers', {
    description:
      '`search` finds a part of the subscriberId, the name, the email or the phone, in any case. The other filters ' +
      'are case sensitive. All given filters must match.',
    type: SubscriberListDto,
  })
  search(@Owner() owner: KeyOwner, @Query() query: SearchSubscribersQuery) {
    return this.subscribers.search(owner, query);
  }

  @ReadRoute('v2/subscribers/:subscriberId')
  @Operation('Retrieve a subscriber', { type: SubscriberDto })
  retrieve(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string) {
    return this.subscribers.retrieve(owner, subscriberId);
  }

  @ReadRoute('v2/subscribers/:subscriberId/usage')
  @Operation('Count what is deleted with a subscriber', {
    description:
      'The topics, channels and messages that are deleted together with the subscriber, and the steps that are still ' +
      'open and would end without a recipient.',
    type: SubscriberUsageDto,
  })
  usage(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string) {
    return this.subscribers.usage(owner, subscriberId);
  }

  @Patch('v2/subscribers/:subscriberId')
  @Operation('Update a subscriber', { type: SubscriberDto })
  patch(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: PatchSubscriberDto) {
    return this.subscribers.patch(owner, subscriberId, body);
  }

  @Patch('v1/subscribers/:subscriberId/online-status')
  @Operation('Update whether a subscriber is online', { type: SubscriberDto })
  setOnline(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: OnlineStatusDto) {
    const isOnline = body.isOnline ?? body.online;
    if (isOnline === undefined) throw invalidField('isOnline', 'isOnline must be a boolean value');
    return this.subscribers.setOnline(owner, subscriberId, isOnline);
  }

  @Delete('v2/subscribers/:subscriberId')
  @Operation('Delete a subscriber with its subscriptions, preferences and messages', { type: AcknowledgedDto })
  delete(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string) {
    return this.subscribers.delete(owner, subscriberId);
  }
}
