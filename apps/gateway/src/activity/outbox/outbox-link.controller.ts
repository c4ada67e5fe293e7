import type { EnvironmentId } from '@clarion/contracts';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply } from 'fastify';
import { Public } from '../../edge/http/route-policy';
import { OutboxService } from './outbox.service';
import { sendPreview } from './preview';

/** The page of a message for browsers, which send no API key. The signature in the link authorizes the request. */
@ApiExcludeController()
@Public()
@Controller('outbox')
export class OutboxLinkController {
  constructor(private readonly outbox: OutboxService) {}

  @Get(':environmentId/:messageId')
  async preview(
    @Param('environmentId') environmentId: EnvironmentId,
    @Param('messageId') messageId: string,
    @Query('expires') expires: unknown,
    @Query('signature') signature: unknown,
    @Res() reply: FastifyReply,
  ) {
    const link = { environmentId, messageId, expires: String(expires), signature: String(signature) };
    const hasLinks = this.outbox.readLink(link);
    sendPreview(reply, await this.outbox.find(environmentId, messageId), { hasLinks });
  }
}
