import { Controller, Delete, Get, HttpCode, Query, Req, Res } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { LIMITS, ListOutboxQuery, OutboxListDto, OutboxMessageDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maySeeLinks } from '../../edge/http/disclosure';
import { IdParam } from '../../edge/http/id-param';
import { publicUrl } from '../../edge/http/public-url';
import { Owner } from '../../edge/http/request-context';
import { Scope, StrictInput } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { OutboxService } from './outbox.service';
import { sendPreview } from './preview';

@ApiTags('outbox')
@Controller('v1/outbox')
export class OutboxController {
  constructor(
    private readonly outbox: OutboxService,
    private readonly config: Config,
  ) {}

  @Get()
  @Scope('read')
  @ApiOperation({
    summary:
      'List the messages that the built-in demo providers stored: ' +
      `the newest ${LIMITS.outboxMessages} of ${LIMITS.outboxDays} days`,
  })
  @Answers({ type: OutboxListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListOutboxQuery, @Req() request: FastifyRequest) {
    return this.outbox.list(owner, query, publicUrl(this.config, request));
  }

  @Get(':messageId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve a message as it would have been sent' })
  @Answers({ type: OutboxMessageDto })
  retrieve(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string, @Req() request: FastifyRequest) {
    return this.outbox.retrieve(owner, messageId, publicUrl(this.config, request));
  }

  @Get(':messageId/preview')
  @Scope('read')
  @ApiOperation({ summary: 'Show a message as an HTML page' })
  @Answers({ isPage: true })
  async preview(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string, @Res() reply: FastifyReply) {
    const message = await this.outbox.find(owner.environmentId, messageId);
    sendPreview(reply, message, { hasLinks: maySeeLinks(owner) });
  }

  @Delete()
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Empty the outbox' })
  @Answers({ status: 204, description: 'No Content' })
  empty(@Owner() owner: KeyOwner) {
    return this.outbox.empty(owner);
  }
}
