import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { RateCategory, Scope } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { TopicsService } from './topics.service';

@ApiTags('topics')
@RateCategory('configuration')
@Controller('v2/topics')
export class TopicsController {
  constructor(private readonly topics: TopicsService) {}

  @Post()
  @ApiOperation({ summary: 'Create a topic, or update the one with this key' })
  @Answers({ status: 201, type: TopicDto, description: 'Created' })
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

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List topics' })
  @Answers({ type: TopicListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListTopicsQuery) {
    return this.topics.list(owner, query);
  }

  @Get(':topicKey')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a topic' })
  @Answers({ type: TopicDto })
  retrieve(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.retrieve(owner, topicKey);
  }

  @Get(':topicKey/usage')
  @Scope('read')
  @ApiOperation({
    summary: 'Count what a topic is used by',
    description: 'The subscribers of the topic, and how often triggers named it in the last 30 days.',
  })
  @Answers({ type: TopicUsageDto })
  usage(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.usage(owner, topicKey);
  }

  @Patch(':topicKey')
  @ApiOperation({ summary: 'Rename a topic' })
  @Answers({ type: TopicDto })
  patch(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string, @Body() body: PatchTopicDto) {
    return this.topics.patch(owner, topicKey, body);
  }

  @Delete(':topicKey')
  @HttpCode(200)
  @ApiOperation({ summary: 'Delete a topic with its subscriptions' })
  @Answers({ type: AcknowledgedDto })
  delete(@Owner() owner: KeyOwner, @Param('topicKey') topicKey: string) {
    return this.topics.delete(owner, topicKey);
  }
}
