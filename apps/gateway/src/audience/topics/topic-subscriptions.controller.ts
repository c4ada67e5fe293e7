import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  CreateTopicSubscriptionsDto,
  DeleteTopicSubscriptionsDto,
  ListSubscriberSubscriptionsQuery,
  ListTopicSubscriptionsQuery,
  PatchTopicSubscriptionDto,
  TopicSubscriberDto,
  TopicSubscriptionDetailsDto,
  TopicSubscriptionDto,
  TopicSubscriptionListDto,
  TopicSubscriptionsResultDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { TopicSubscriptionsService } from './topic-subscriptions.service';

@ApiTags('topics')
@RateCategory('configuration')
@Controller()
export class TopicSubscriptionsController {
  constructor(private readonly subscriptions: TopicSubscriptionsService) {}

  @ReadRoute('v2/topics/:topicKey/subscriptions')
  @Operation('List the subscriptions of a topic', { type: TopicSubscriptionListDto })
  listOfTopic(
    @Owner() owner: KeyOwner,
    @Param('topicKey') topicKey: string,
    @Query() query: ListTopicSubscriptionsQuery,
  ) {
    return this.subscriptions.listOfTopic(owner, topicKey, query);
  }

  @Post('v2/topics/:topicKey/subscriptions')
  @Operation('Subscribe up to 100 subscribers; a missing topic is created', {
    status: 201,
    type: TopicSubscriptionsResultDto,
  })
  subscribe(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string, @Body() body: CreateTopicSubscriptionsDto) {
    return this.subscriptions.subscribe(owner, topicKey, body);
  }

  @Delete('v2/topics/:topicKey/subscriptions')
  @Operation('Unsubscribe up to 100 subscribers', { type: TopicSubscriptionsResultDto })
  unsubscribe(
    @Owner() owner: KeyOwner,
    @Param('topicKey') topicKey: string,
    @Body() body: DeleteTopicSubscriptionsDto,
  ) {
    return this.subscriptions.unsubscribe(owner, topicKey, body);
  }

  @ReadRoute('v2/topics/:topicKey/subscriptions/:identifier')
  @Operation('Retrieve a subscription', { type: TopicSubscriptionDetailsDto })
  retrieve(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string, @Param('identifier') identifier: string) {
    return this.subscriptions.retrieve(owner, topicKey, identifier);
  }

  @Patch('v2/topics/:topicKey/subscriptions/:identifier')
  @Operation('Update the name and the preferences of a subscription', { type: TopicSubscriptionDto })
  patch(
    @Owner() owner: KeyOwner,
    @Param('topicKey') topicKey: string,
    @Param('identifier') identifier: string,
    @Body() body: PatchTopicSubscriptionDto,
  ) {
    return this.subscriptions.patch(owner, topicKey, identifier, body);
  }

  @ReadRoute('v1/topics/:topicKey/subscribers/:externalSubscriberId')
  @Operation('Check whether a subscriber is subscribed', { type: TopicSubscriberDto })
  check(
    @Owner() owner: KeyOwner,
    @Param('topicKey') topicKey: string,
    @Param('externalSubscriberId') externalSubscriberId: string,
  ) {
    return this.subscriptions.check(owner, topicKey, externalSubscriberId);
  }

  @ReadRoute('v2/subscribers/:subscriberId/subscriptions')
  @ApiTags('subscribers')
  @Operation('List the subscriptions of a subscriber', { type: TopicSubscriptionListDto })
  listOfSubscriber(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Query() query: ListSubscriberSubscriptionsQuery,
  ) {
    return this.subscriptions.listOfSubscriber(owner, subscriberId, query);
  }
}
