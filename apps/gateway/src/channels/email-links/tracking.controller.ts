import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../edge/http/route-policy';
import { PAGE_HEADERS, sendUnknownLink } from './pages';
import { TrackingService } from './tracking.service';

const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');

/** The links of tracked emails. People follow them without a key; the signature of the token authorizes the request. */
@ApiExcludeController()
@Public()
@Controller('t')
export class TrackingController {
  constructor(private readonly tracking: TrackingService) {}

  @Get('o/:token')
  async open(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const link = this.tracking.read('open', token);
    if (!link) return sendUnknownLink(reply);
    if (isVisit(request)) await this.tracking.record(link);
    return reply.headers({ ...PAGE_HEADERS, 'Content-Type': 'image/gif' }).send(PIXEL);
  }

  @Get('c/:token')
  async click(@Param('token') token: string, @Req() request: FastifyRequest, @Res() reply: FastifyReply) {
    const link = this.tracking.read('click', token);
    if (!link) return sendUnknownLink(reply);
    if (isVisit(request)) await this.tracking.record(link);
    // The target is part of the signed token. A URL object writes it in the characters that a header allows.
    return reply
      .status(302)
      .headers({ ...PAGE_HEADERS, Location: new URL(link.url).href })
      .send();
  }
}

/** A HEAD request and a prefetch are no visits of a person. */
function isVisit({ method, headers }: FastifyRequest): boolean {
  const purposes = [headers['sec-purpose'], headers['purpose'], headers['x-purpose'], headers['x-moz']].flat();
  return method === 'GET' && !purposes.some((purpose) => /prefetch|preview/i.test(purpose ?? ''));
}
