import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ChatOAuthUrlDto,
  ChatOAuthUrlResponseDto,
  ConnectOAuthUrlDto,
  LIMITS,
  LinkChannelEndpointDto,
  LinkChannelEndpointResponseDto,
  LinkUserOAuthUrlDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '../edge/http/public-url';
import { Owner } from '../edge/http/request-context';
import { Operation } from '../edge/openapi/operation';
import { callerWithKey } from './channel-caller';
import { ChatLinksService } from './chat-links.service';

const LINK = `The link works once, within ${LIMITS.oauthLinkMinutes} minutes.`;

@ApiTags('integrations')
@Controller('v1/integrations')
export class ChatLinksController {
  constructor(
    private readonly links: ChatLinksService,
    private readonly config: Config,
  ) {}

  @Post('chat/oauth')
  @Operation('Make a link to connect a workspace or to link a person', {
    description: `Slack and Microsoft Teams. ${LINK} See docs/chat.md.`,
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async chat(@Owner() owner: KeyOwner, @Req() request: FastifyRequest, @Body() body: ChatOAuthUrlDto) {
    return { url: await this.links.chatUrl(this.callerOf(owner), this.publicUrl(request), body) };
  }

  @Post('channel-connections/oauth')
  @Operation('Make a link to connect a workspace or a tenant', {
    description: `An administrator of the workspace follows it; the result is a channel connection. ${LINK}`,
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async connect(@Owner() owner: KeyOwner, @Req() request: FastifyRequest, @Body() body: ConnectOAuthUrlDto) {
    return { url: await this.links.connectUrl(this.callerOf(owner), this.publicUrl(request), body) };
  }

  @Post('channel-endpoints/oauth')
  @Operation('Make a link with which a subscriber shows who it is at the provider', {
    description: `The result is a channel endpoint of the subscriber. ${LINK}`,
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async linkUser(@Owner() owner: KeyOwner, @Req() request: FastifyRequest, @Body() body: LinkUserOAuthUrlDto) {
    return { url: await this.links.linkUserUrl(this.callerOf(owner), this.publicUrl(request), body) };
  }

  @Post('channel-endpoints/link')
  @Operation('Make a link for one subscriber: to a sign-in page or to a bot', {
    description: `Slack and Microsoft Teams: the sign-in page. Telegram: the bot of the integration. ${LINK}`,
    type: LinkChannelEndpointResponseDto,
  })
  link(@Owner() owner: KeyOwner, @Req() request: FastifyRequest, @Body() body: LinkChannelEndpointDto) {
    return this.links.linkEndpoint(this.callerOf(owner), this.publicUrl(request), body);
  }

  private callerOf(owner: KeyOwner) {
    return callerWithKey(owner, this.config.CLARION_CREDENTIALS_IN_RESPONSES === 'masked');
  }

  private publicUrl(request: FastifyRequest): string {
    return publicUrl(this.config, request);
  }
}
