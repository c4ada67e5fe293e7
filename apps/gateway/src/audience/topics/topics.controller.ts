import { Body, Controller, Delete, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiTags } from '@nestjs/swagger';
import {
  AcknowledgedDto,
  CreateTopicDto,
  FailIfExistsQuery,
  ListTopicsQuery,
  PatchTopicDto,
  TopicDto,
  TopicListDto,
  TopicUsageDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyReply } from 'fastify';
import { Owner } from '../../edge/http/request-context';
import { RateCategory, ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { TopicsService } from './topics.service';

@ApiTags('topics')
@RateCategory('configuration')
@Controller('v2/topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post()
  @Operation('Create a topic, or update the one with this key', { status: 201, type: TopicDto, answer: 'Created' })
  @ApiOkResponse({ type: TopicDto, description: 'The topic already existed' })
  async create(
    @Owner() owner: KeyOwner,
    @Query() query: FailIfExistsQuery,
    @Body() body: CreateTopicDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { topic, created } = await this.topics.create(owner, body, query.failIfExists ?? false);
    void reply.status(created ? 201 : 200);
    return topic;
  }

  @ReadRoute()
  @Operation('List topics', { type: TopicListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListTopicsQuery) {
    return this.topics.list(owner, query);
  }

  @ReadRoute(':topicKey')
  @Operation('Retrieve a topic', { type: TopicDto })
  retrieve(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.retrieve(owner, topicKey);
  }

  @ReadRoute(':topicKey/usage')
  @Operation('Count what a topic is used by', {
    description: 'The subscribers of the topic, and how often triggers named it in the last 30 days.',
    type: TopicUsageDto,
  })
  usage(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.usage(owner, topicKey);
  }

  @Patch(':topicKey')
  @Operation('Rename a topic', { type: TopicDto })
  patch(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string, @Body() body: PatchTopicDto) {
    return this.topics.patch(owner, topicKey, body);
  }

  @Delete(':topicKey')
  @Operation('Delete a topic with its subscriptions', { type: AcknowledgedDto })
  delete(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.delete(owner, topicKey);
  }
}
