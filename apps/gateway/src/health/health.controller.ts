import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Database } from '@clarion/persistence';
import { QueueProducer } from '@clarion/queue';
import type { FastifyReply } from 'fastify';

/**
 * Live: the process answers. Ready: it can keep the promise of a 201, which takes Postgres alone; the queue is reported and
 * not required, because accepted work waits safely in its rows.
 */
@ApiExcludeController()
@Controller('health')
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly producer: QueueProducer,
  ) {}

  @Get('live')
  live() {
    return { status: 'ok' };
  }

  @Get('ready')
  async ready(@Res({ passthrough: true }) reply: FastifyReply) {
    const database = await this.database.ping().then(
      () => 'up',
      () => 'down',
    );
    if (database === 'down') void reply.status(503);
    return {
      status: database === 'up' ? 'ok' : 'error',
      database,
      queue: { engine: this.producer.engine.kind, failedAdds: this.producer.failedAdds },
    };
  }
}
