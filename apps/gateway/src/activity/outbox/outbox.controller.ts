import { Controller, Delete, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { LIMITS, ListOutboxQuery, OutboxListDto, OutboxMessageDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { maySeeLinks } from '../../edge/http/disclosure';
import { IdParam } from '../../edge/http/id-param';
import { publicUrl } from '../../edge/http/public-url';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute, StrictInput } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { OutboxService } from './outbox.service';
import { sendPreview } from './preview';

@ApiTags('outbox')
@Controller('v1/outbox')
export class OutboxController {
  constructor(
    private readonly outbox: OutboxService,
    private readonly config: Config,
  ) {}

  @ReadRoute()
  @Operation(
    'List the messages that the built-in demo providers stored: ' +
      `the newest ${LIMITS.outboxMessages} of ${LIMITS.outboxDays} days`,
    { type: OutboxListDto },
  )
  list(@Owner() owner: KeyOwner, @Query() query: ListOutboxQuery, @Req() request: FastifyRequest) {
    return this.outbox.list(owner, query, publicUrl(this.config, request));
  }

  @ReadRoute(':messageId')
  @Operation('Retrieve a message as it would have been sent', { type: OutboxMessageDto })
  retrieve(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string, @Req() request: FastifyRequest) {
    return this.outbox.retrieve(owner, messageId, publicUrl(this.config, request));
  }

  @ReadRoute(':messageId/preview')
  @Operation('Show a message as an HTML page', { isPage: true })
  async preview(@Owner() owner: KeyOwner, @IdParam('messageId') messageId: string, @Res() reply: FastifyReply) {
    const message = await this.outbox.find(owner.environmentId, messageId);
    sendPreview(reply, message, { hasLinks: maySeeLinks(owner) });
  }

  @Delete()
  @StrictInput()
  @Operation('Empty the outbox', { status: 204 })
  empty(@Owner() owner: KeyOwner) {
    return this.outbox.empty(owner);
  }
}
