import { Body, Controller, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { ChatWebhookDto, LIMITS, MobileLinkDto, MobileLinkResponseDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '../edge/http/public-url';
import { Owner } from '../edge/http/request-context';
import { Operation } from '../edge/openapi/operation';
import { ChatBotsService } from './chat-bots.service';

@ApiTags('integrations')
@Controller('v1/integrations/:integrationIdentifier')
export class ChatBotsController {
  constructor(
    private readonly bots: ChatBotsService,
    private readonly config: Config,
  ) {}

  @Post('webhook/configure')
  @Operation('Let a bot report the messages of people to this service', {
    description:
      'Telegram only. Registers the webhook at the provider with a new key. It is needed for the links of ' +
      '`POST /v1/integrations/channel-endpoints/link`.',
    type: ChatWebhookDto,
  })
  configure(
    @Owner() owner: KeyOwner,
    @Param('integrationIdentifier') identifier: string,
    @Req() request: FastifyRequest,
  ) {
    return this.bots.configureWebhook(owner, identifier, this.publicUrl(request));
  }

  @Post('mobile-link')
  @Operation('Make a link with which a person sets up the bot of an integration on a phone', {
    description:
      `Telegram only. The page asks for the token of the bot, registers the webhook and activates the integration. ` +
      `The link works once, within ${LIMITS.mobileLinkMinutes} minutes.`,
    type: MobileLinkResponseDto,
  })
  mobileLink(
    @Owner() owner: KeyOwner,
    @Param('integrationIdentifier') identifier: string,
    @Body() { subscriberId }: MobileLinkDto,
    @Req() request: FastifyRequest,
  ) {
    return this.bots.mobileLink(owner, identifier, this.publicUrl(request), subscriberId);
  }

  private publicUrl(request: FastifyRequest): string {
    return publicUrl(this.config, request);
  }
}
