import { Controller, Get, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { LagRepository } from '@clarion/persistence';
import { Config, Metrics } from '@clarion/platform';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/route-policy';

/** What an operator watches, in the text format of Prometheus. */
@ApiExcludeController()
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    config: Config,
    lag: LagRepository,
  ) {
    metrics.exportLag(() => lag.read(config.CLARION_METRICS_ENVIRONMENTS));
  }

  @Get()
  read(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    void reply.header('content-type', this.metrics.contentType);
    return this.metrics.expose();
  }
}
