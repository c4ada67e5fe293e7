import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ChannelConnectionDto,
  ChannelConnectionListDto,
  CreateChannelConnectionDto,
  ListChannelConnectionsQuery,
  UpdateChannelConnectionDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import { Owner } from '../edge/http/request-context';
import { RateCategory, ReadRoute } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { type ChannelCaller, callerWithKey } from './channel-caller';
import { ChannelConnectionsService } from './channel-connections.service';

@ApiTags('channel connections')
@RateCategory('configuration')
@Controller('v1/channel-connections')
export class ChannelConnectionsController {
  constructor(
    private readonly connections: ChannelConnectionsService,
    private readonly config: Config,
  ) {}

  @Post()
  @Operation('Create a channel connection', {
    description:
      'Stores the token of a workspace (Slack) or a tenant (Microsoft Teams) that the caller already has. Usually a ' +
      'person connects the workspace with a link instead: `POST /v1/integrations/channel-connections/oauth`.',
    status: 201,
    type: ChannelConnectionDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateChannelConnectionDto) {
    return this.connections.create(this.callerOf(owner), body);
  }

  @ReadRoute()
  @Operation('List channel connections', {
    description: 'Filters are combined with AND. Tokens are masked for keys that may not change them.',
    type: ChannelConnectionListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListChannelConnectionsQuery) {
    return this.connections.list(this.callerOf(owner), query);
  }

  @ReadRoute(':identifier')
  @Operation('Retrieve a channel connection', { description: 'By its identifier.', type: ChannelConnectionDto })
  retrieve(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.connections.retrieve(this.callerOf(owner), identifier);
  }

  @Patch(':identifier')
  @Operation('Update a channel connection', {
    description: 'Replaces the workspace and the tokens. A masked token that is sent back stays as it is.',
    type: ChannelConnectionDto,
  })
  update(@Owner() owner: KeyOwner, @Param('identifier') identifier: string, @Body() body: UpdateChannelConnectionDto) {
    return this.connections.update(this.callerOf(owner), identifier, body);
  }

  @Delete(':identifier')
  @Operation('Delete a channel connection', {
    description: 'Its endpoints are deleted with it. The token is not withdrawn at the provider.',
    status: 204,
  })
  delete(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.connections.delete(this.callerOf(owner), identifier);
  }

  private callerOf(owner: KeyOwner): ChannelCaller {
    return callerWithKey(owner, this.config.CLARION_CREDENTIALS_IN_RESPONSES === 'masked');
  }
}
