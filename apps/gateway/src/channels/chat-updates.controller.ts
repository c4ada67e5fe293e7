import { Controller, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiTags } from '@nestjs/swagger';
import { BotReplyDto } from '@clarion/contracts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { CalledByProviders } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { ChatBotsService } from './chat-bots.service';

/** Receives what people write to bots. Providers have no API key; a key of the integration in a header is the proof. */
@ApiTags('inbound webhooks')
@Controller('v1/integrations/chat/updates/:environmentId/:integrationId')
export class ChatUpdatesController {
  constructor(private readonly bots: ChatBotsService) {}

  @Post()
  @CalledByProviders()
  @Operation('Take a message of a person to the bot of an integration', {
    description:
      'Telegram calls it. `/start` with the code of a link makes the chat an endpoint of the subscriber; other ' +
      'messages have no effect. The response is a reply to the person, or empty.',
    security: [],
    type: BotReplyDto,
  })
  @ApiConsumes('*/*')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: false })
  async receive(
    @Param('environmentId') environmentId: string,
    @Param('integrationId') integrationId: string,
    @Req() { headers, body }: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
    const answer = await this.bots.receive(environmentId, integrationId, headers, bytes);
    // Not in a dialect: the provider reads it as a call of its API.
    void reply.status(200).send(answer);
  }
}
