import { Body, Controller, Delete, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiParam, ApiTags } from '@nestjs/swagger';
import {
  CreateSuppressionDto,
  ListSuppressionsQuery,
  SUPPRESSIBLE_CHANNELS,
  SuppressionDto,
  SuppressionListDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import type { FastifyReply } from 'fastify';
import { Owner } from '../../edge/http/request-context';
import { ReadRoute } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { SuppressionsService } from './suppressions.service';

@ApiTags('suppressions')
@Controller('v1/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @ReadRoute()
  @Operation('List the suppressed addresses, newest first', { type: SuppressionListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListSuppressionsQuery) {
    return this.suppressions.list(owner, query);
  }

  @Post()
  @Operation('Stop sending to an address on one channel', { status: 201, type: SuppressionDto, answer: 'Created' })
  @ApiOkResponse({ type: SuppressionDto, description: 'The address was already suppressed and is unchanged' })
  async create(
    @Owner() owner: KeyOwner,
    @Body() body: CreateSuppressionDto,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { suppression, created } = await this.suppressions.create(owner, body);
    void reply.status(created ? 201 : 200);
    return suppression;
  }

  @Delete(':channel/:address')
  @ApiParam({ name: 'channel', enum: SUPPRESSIBLE_CHANNELS })
  @Operation('Lift a suppression: messages are sent to the address again', { status: 204 })
  delete(@Owner() owner: KeyOwner, @Param('channel') channel: string, @Param('address') address: string) {
    return this.suppressions.delete(owner, channel, address);
  }
}
