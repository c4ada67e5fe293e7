import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import {
  canonicalJson,
  ChannelConnectionDto,
  ChannelConnectionListDto,
  ChannelEndpointDto,
  ChannelEndpointListDto,
  ChatOAuthUrlDto,
  ChatOAuthUrlResponseDto,
  ConnectOAuthUrlDto,
  CreateChannelConnectionDto,
  CreateInboxEndpointDto,
  DomainError,
  InboxLinkEndpointDto,
  InboxLinkUserDto,
  LinkChannelEndpointResponseDto,
  ListChannelConnectionsQuery,
  ListChannelEndpointsQuery,
} from '@clarion/contracts';
import { Config } from '@clarion/platform';
import type { FastifyRequest } from 'fastify';
import { publicUrl } from '../edge/http/public-url';
import { InboxSignatures } from '../inbox/inbox-signatures';
import { InboxRoutes, OwnInbox } from '../inbox/inbox.guard';
import type { Inbox } from '../inbox/inbox.service';
import { InboxOperation } from '../edge/openapi/operation';
import { callerOfInbox } from './channel-caller';
import { ChannelConnectionsService } from './channel-connections.service';
import { ChannelEndpointsService } from './channel-endpoints.service';
import { ChatLinksService } from './chat-links.service';

/** The connections and endpoints of the subscriber of the session. Tokens and webhook URLs are always masked. */
@InboxRoutes()
@Controller('v1/inbox')
export class InboxChannelsController {
  constructor(
    private readonly connections: ChannelConnectionsService,
    private readonly endpoints: ChannelEndpointsService,
    private readonly links: ChatLinksService,
    private readonly signatures: InboxSignatures,
    private readonly config: Config,
  ) {}

  @Get('channel-connections')
  @InboxOperation('List the channel connections of the subscriber', {
    description: 'Those of the contexts of the session. With `connectionMode=shared` the shared ones.',
    type: ChannelConnectionListDto,
    isEnvelope: true,
  })
  listConnections(@OwnInbox() inbox: Inbox, @Query() query: ListChannelConnectionsQuery) {
    return this.connections.list(callerOfInbox(inbox), query);
  }

  @Post('channel-connections')
  @InboxOperation('Create a channel connection of the subscriber', {
    description: 'A shared connection can be made only with a link or an API key.',
    status: 201,
    type: ChannelConnectionDto,
  })
  createConnection(@OwnInbox() inbox: Inbox, @Body() body: CreateChannelConnectionDto) {
    if (body.connectionMode === 'shared') throw notShared();
    return this.connections.create(callerOfInbox(inbox), body);
  }

  @Post('channel-connections/oauth')
  @InboxOperation('Make a link with which the subscriber connects a workspace', {
    description: 'A shared connection needs a `contextHash`, because other subscribers use it too.',
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async connect(@OwnInbox() inbox: Inbox, @Req() request: FastifyRequest, @Body() body: ConnectOAuthUrlDto) {
    await this.checkShared(inbox, body);
    return { url: await this.links.connectUrl(callerOfInbox(inbox), this.publicUrl(request), body) };
  }

  @Get('channel-connections/:identifier')
  @InboxOperation('Retrieve a channel connection of the subscriber', {
    description: 'Its own, or a shared one of the contexts of the session.',
    type: ChannelConnectionDto,
  })
  retrieveConnection(@OwnInbox() inbox: Inbox, @Param('identifier') identifier: string) {
    return this.connections.retrieve(callerOfInbox(inbox), identifier);
  }

  @Delete('channel-connections/:identifier')
  @InboxOperation('Delete a channel connection that the subscriber owns', {
    description: 'Its endpoints are deleted with it.',
    status: 204,
  })
  deleteConnection(@OwnInbox() inbox: Inbox, @Param('identifier') identifier: string) {
    return this.connections.delete(callerOfInbox(inbox), identifier);
  }

  @Get('channel-endpoints')
  @InboxOperation('List the channel endpoints of the subscriber', {
    description: 'Those of the contexts of the session.',
    type: ChannelEndpointListDto,
    isEnvelope: true,
  })
  listEndpoints(@OwnInbox() inbox: Inbox, @Query() query: ListChannelEndpointsQuery) {
    return this.endpoints.list(callerOfInbox(inbox), query);
  }

  @Post('channel-endpoints')
  @InboxOperation('Create a channel endpoint of the subscriber', {
    description: 'In the contexts of the session.',
    status: 201,
    type: ChannelEndpointDto,
  })
  createEndpoint(@OwnInbox() inbox: Inbox, @Body() body: CreateInboxEndpointDto) {
    return this.endpoints.create(callerOfInbox(inbox), body);
  }

  @Post('channel-endpoints/oauth')
  @InboxOperation('Make a link with which the subscriber shows who it is at the provider', {
    description: 'The result is a channel endpoint of the subscriber.',
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async linkUser(@OwnInbox() inbox: Inbox, @Req() request: FastifyRequest, @Body() body: InboxLinkUserDto) {
    return { url: await this.links.linkUserUrl(callerOfInbox(inbox), this.publicUrl(request), body) };
  }

  @Post('channel-endpoints/link')
  @InboxOperation('Make a link to a sign-in page or to a bot', {
    description: 'The result is a channel endpoint of the subscriber.',
    type: LinkChannelEndpointResponseDto,
  })
  link(@OwnInbox() inbox: Inbox, @Req() request: FastifyRequest, @Body() body: InboxLinkEndpointDto) {
    return this.links.linkEndpoint(callerOfInbox(inbox), this.publicUrl(request), body);
  }

  @Get('channel-endpoints/:identifier')
  @InboxOperation('Retrieve a channel endpoint of the subscriber', {
    description: 'By its identifier.',
    type: ChannelEndpointDto,
  })
  retrieveEndpoint(@OwnInbox() inbox: Inbox, @Param('identifier') identifier: string) {
    return this.endpoints.retrieve(callerOfInbox(inbox), identifier);
  }

  @Delete('channel-endpoints/:identifier')
  @InboxOperation('Delete a channel endpoint of the subscriber', {
    description: 'Later chat steps do not send to it.',
    status: 204,
  })
  deleteEndpoint(@OwnInbox() inbox: Inbox, @Param('identifier') identifier: string) {
    return this.endpoints.delete(callerOfInbox(inbox), identifier);
  }

  @Post('chat/oauth')
  @InboxOperation('Make a link to connect a workspace or to link the subscriber', {
    description: 'By `mode`. A shared connection needs a `contextHash`.',
    status: 201,
    type: ChatOAuthUrlResponseDto,
  })
  async chat(@OwnInbox() inbox: Inbox, @Req() request: FastifyRequest, @Body() body: ChatOAuthUrlDto) {
    await this.checkShared(inbox, body);
    return { url: await this.links.chatUrl(callerOfInbox(inbox), this.publicUrl(request), body) };
  }

  /** Other subscribers use a shared connection, so the backend has to sign its contexts. */
  private async checkShared({ environmentId }: Inbox, body: ConnectOAuthUrlDto): Promise<void> {
    if (body.connectionMode !== 'shared') return;
    const signerOf = await this.signatures.checksFor(environmentId);
    if (body.context === undefined || !signerOf(canonicalJson(body.context), body.contextHash)) throw notShared();
  }

  private publicUrl(request: FastifyRequest): string {
    return publicUrl(this.config, request);
  }
}

const notShared = (): DomainError =>
  new DomainError('forbidden', 'A shared connection needs a context with its contextHash, or an API key');
