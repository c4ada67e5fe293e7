import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ChannelEndpointDto,
  ChannelEndpointListDto,
  CreateChannelEndpointDto,
  ListChannelEndpointsQuery,
  UpdateChannelEndpointDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Config } from '@clarion/platform';
import { Owner } from '../edge/http/request-context';
import { RateCategory, ReadRoute } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { type ChannelCaller, callerWithKey } from './channel-caller';
import { ChannelEndpointsService } from './channel-endpoints.service';

@ApiTags('channel endpoints')
@RateCategory('configuration')
@Controller('v1/channel-endpoints')
export class ChannelEndpointsController {
  constructor(
    private readonly endpoints: ChannelEndpointsService,
    private readonly config: Config,
  ) {}

  @Post()
  @Operation('Create a channel endpoint', {
    description:
      'Where chat messages of a subscriber go: a Slack channel, a person in Teams, a webhook. A chat step sends one ' +
      'message to each endpoint of the subscriber whose contexts are those of the notification.',
    status: 201,
    type: ChannelEndpointDto,
  })
  create(@Owner() owner: KeyOwner, @Body() body: CreateChannelEndpointDto) {
    return this.endpoints.create(this.callerOf(owner), body);
  }

  @ReadRoute()
  @Operation('List channel endpoints', {
    description: 'Filters are combined with AND. Webhook URLs are masked for keys that may not change them.',
    type: ChannelEndpointListDto,
  })
  list(@Owner() owner: KeyOwner, @Query() query: ListChannelEndpointsQuery) {
    return this.endpoints.list(this.callerOf(owner), query);
  }

  @ReadRoute(':identifier')
  @Operation('Retrieve a channel endpoint', { description: 'By its identifier.', type: ChannelEndpointDto })
  retrieve(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.endpoints.retrieve(this.callerOf(owner), identifier);
  }

  @Patch(':identifier')
  @Operation('Update a channel endpoint', {
    description: 'Replaces the fields of the endpoint. Its type stays.',
    type: ChannelEndpointDto,
  })
  update(@Owner() owner: KeyOwner, @Param('identifier') identifier: string, @Body() body: UpdateChannelEndpointDto) {
    return this.endpoints.update(this.callerOf(owner), identifier, body);
  }

  @Delete(':identifier')
  @Operation('Delete a channel endpoint', { description: 'Later chat steps do not send to it.', status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('identifier') identifier: string) {
    return this.endpoints.delete(this.callerOf(owner), identifier);
  }

  private callerOf(owner: KeyOwner): ChannelCaller {
    return callerWithKey(owner, this.config.CLARION_CREDENTIALS_IN_RESPONSES === 'masked');
  }
}
