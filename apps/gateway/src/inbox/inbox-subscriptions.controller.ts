import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import {
  CreateInboxSubscriptionDto,
  InboxSubscriptionDto,
  InboxSubscriptionQuery,
  LIMITS,
  PatchTopicSubscriptionDto,
} from '@clarion/contracts';
import type { FastifyReply } from 'fastify';
import { InboxOperation } from '../edge/openapi/operation';
import { InboxSubscriptionsService } from './inbox-subscriptions.service';
import { InboxRoutes, OwnInbox } from './inbox.guard';
import type { Inbox } from './inbox.service';

@InboxRoutes()
@Controller('v1/inbox/topics/:topicKey/subscriptions')
export class InboxSubscriptionsController {
  constructor(private readonly subscriptions: InboxSubscriptionsService) {}

  @Get()
  @InboxOperation('List the subscriptions of the subscriber to a topic', {
    description: 'At most 100, of exactly the contexts of the session. An unknown topic has none.',
    type: [InboxSubscriptionDto],
  })
  list(@OwnInbox() inbox: Inbox, @Param('topicKey') topicKey: string): Promise<InboxSubscriptionDto[]> {
    return this.subscriptions.list(inbox, topicKey);
  }

  @Post()
  @InboxOperation('Subscribe the subscriber to a topic; a missing topic is created', {
    description: `An existing subscription is returned as it is. A subscriber can have ${LIMITS.inboxSubscriptions}.`,
    status: 201,
    type: InboxSubscriptionDto,
  })
  create(
    @OwnInbox() inbox: Inbox,
    @Param('topicKey') topicKey: string,
    @Body() body: CreateInboxSubscriptionDto,
  ): Promise<InboxSubscriptionDto> {
    return this.subscriptions.create(inbox, topicKey, body);
  }

  @Get(':identifier')
  @InboxOperation('Retrieve a subscription of the subscriber', {
    description: 'Without such a subscription the response is 204, which clients read as not subscribed.',
    type: InboxSubscriptionDto,
    orEmpty: true,
  })
  async retrieve(
    @OwnInbox() inbox: Inbox,
    @Param('topicKey') topicKey: string,
    @Param('identifier') identifier: string,
    @Query() query: InboxSubscriptionQuery,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<InboxSubscriptionDto | undefined> {
    const found = await this.subscriptions.find(inbox, topicKey, identifier, query);
    if (!found) void reply.status(204);
    return found;
  }

  @Patch(':identifier')
  @InboxOperation('Update the name and the preferences of a subscription of the subscriber', {
    description: 'Given preferences take the place of those that are there.',
    type: InboxSubscriptionDto,
  })
  change(
    @OwnInbox() inbox: Inbox,
    @Param('topicKey') topicKey: string,
    @Param('identifier') identifier: string,
    @Body() body: PatchTopicSubscriptionDto,
  ): Promise<InboxSubscriptionDto> {
    return this.subscriptions.change(inbox, topicKey, identifier, body);
  }

  @Delete(':identifier')
  @InboxOperation('End a subscription of the subscriber', { description: 'The topic stays.', status: 204 })
  end(
    @OwnInbox() inbox: Inbox,
    @Param('topicKey') topicKey: string,
    @Param('identifier') identifier: string,
  ): Promise<void> {
    return this.subscriptions.end(inbox, topicKey, identifier);
  }
}
