import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Health } from '@clarion/platform';
import { QueueProducer } from '@clarion/queue';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/route-policy';

/** Live: the roles make progress. Ready: Postgres answers; triggers are stored there, so no queue is required. */
@ApiExcludeController()
@Public()
@Controller('health')
export class HealthController {
  constructor(
    private readonly health: Health,
    private readonly producer: QueueProducer,
  ) {}

  @Get('live')
  live(@Res({ passthrough: true }) reply: FastifyReply) {
    const { ok, body } = this.health.live();
    if (!ok) void reply.status(503);
    return body;
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const { ok, body } = await this.health.ready();
    if (!ok) void reply.status(503);
    return { ...body, queue: { engine: this.producer.backend.kind, failedAdds: this.producer.failedAdds } };
  }
}
