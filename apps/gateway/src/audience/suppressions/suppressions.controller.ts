import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
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
import { Scope } from '../../edge/http/route-policy';
import { Answers } from '../../edge/openapi/answers';
import { SuppressionsService } from './suppressions.service';

@ApiTags('suppressions')
@Controller('v1/suppressions')
export class SuppressionsController {
  constructor(private readonly suppressions: SuppressionsService) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List the suppressed addresses, newest first' })
  @Answers({ type: SuppressionListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListSuppressionsQuery) {
    return this.suppressions.list(owner, query);
  }

  @Post()
  @ApiOperation({ summary: 'Stop sending to an address on one channel' })
  @Answers({ status: 201, type: SuppressionDto, description: 'Created' })
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
  @HttpCode(204)
  @ApiParam({ name: 'channel', enum: SUPPRESSIBLE_CHANNELS })
  @ApiOperation({ summary: 'Lift a suppression: messages are sent to the address again' })
  @Answers({ status: 204, description: 'No Content' })
  delete(@Owner() owner: KeyOwner, @Param('channel') channel: string, @Param('address') address: string) {
    return this.suppressions.delete(owner, channel, address);
  }
}
