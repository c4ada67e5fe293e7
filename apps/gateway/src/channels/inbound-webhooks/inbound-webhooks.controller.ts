import { Controller, Get, Param, Post, Req, Res } from '@nestjs/common';
import { ApiBody, ApiConsumes, ApiQuery, ApiTags } from '@nestjs/swagger';
import { InboundEventDto } from '@clarion/contracts';
import { Config } from '@clarion/platform';
import type { InboundCall } from '@clarion/providers';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { publicUrl } from '../../edge/http/public-url';
import { CalledByProviders } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { InboundWebhooksService, type InboundResponse } from './inbound-webhooks.service';

const TOKEN = {
  name: 'token',
  required: false,
  schema: { type: 'string' as const },
  description: 'The signing key of the integration, for providers that do not sign their calls.',
};

/** Receives delivery events of messages. Providers have no API key; each integration checks the call in another way. */
@ApiTags('inbound webhooks')
@Controller('v2/inbound-webhooks/delivery-providers/:environmentId/:integrationId')
export class InboundWebhooksController {
  constructor(
    private readonly inbound: InboundWebhooksService,
    private readonly config: Config,
  ) {}

  /** The handlers name the parameters for Swagger; the edge has found the integration. */
  @Post()
  @CalledByProviders()
  @ApiQuery(TOKEN)
  @Operation('Take delivery events from the provider of an integration', { security: [], type: [InboundEventDto] })
  @ApiConsumes('*/*')
  @ApiBody({ schema: { type: 'string', format: 'binary' }, required: false })
  receive(
    @Param('environmentId') _environmentId: string,
    @Param('integrationId') _integrationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.answer(request, reply);
  }

  @Get()
  @CalledByProviders()
  @ApiQuery(TOKEN)
  @Operation('The same for providers that report in the query string or verify the URL before they use it', {
    security: [],
    type: [InboundEventDto],
  })
  receiveQuery(
    @Param('environmentId') _environmentId: string,
    @Param('integrationId') _integrationId: string,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    return this.answer(request, reply);
  }

  private async answer(request: FastifyRequest, reply: FastifyReply): Promise<InboundEventDto[] | Buffer> {
    const response: InboundResponse = await this.inbound.receive(request.calledIntegration!, this.callOf(request));
    if (Array.isArray(response)) return response;
    const { status, headers = {}, body = '' } = response;
    // The provider compares the response byte by byte.
    void reply.status(status).headers({ 'content-type': 'text/plain; charset=utf-8', ...lowerCased(headers) });
    return Buffer.from(body);
  }

  private callOf(request: FastifyRequest): InboundCall {
    return {
      method: request.method === 'POST' ? 'POST' : 'GET',
      url: publicUrl(this.config, request) + request.url,
      headers: Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
      ),
      body: Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    };
  }
}

const lowerCased = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
