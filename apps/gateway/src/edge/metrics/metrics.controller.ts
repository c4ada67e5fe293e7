import { timingSafeEqual } from 'node:crypto';
import { Controller, Get, Headers, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { DomainError } from '@clarion/contracts';
import { LagRepository } from '@clarion/persistence';
import { Config, Metrics, sha256 } from '@clarion/platform';
import type { FastifyReply } from 'fastify';
import { Public } from '../http/route-policy';
import { metricsAccess } from './metrics-access';

@ApiExcludeController()
@Public()
@Controller('metrics')
export class MetricsController {
  constructor(
    private readonly metrics: Metrics,
    private readonly config: Config,
    lag: LagRepository,
  ) {
    metrics.exportLag(() => lag.read(config.CLARION_METRICS_ENVIRONMENTS));
  }

  @Get()
  read(
    @Headers('authorization') authorization: string | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    const { CLARION_METRICS_TOKEN: token } = this.config;
    const access = metricsAccess(this.config);
    if (access === 'closed') {
      throw new DomainError(
        'not_found',
        'The metrics are not shown here: set CLARION_METRICS_TOKEN, or read them on CLARION_OBSERVE_PORT',
      );
    }
    if (access === 'token' && !isSame(authorization ?? '', `Bearer ${token}`)) {
      const challenge = { 'WWW-Authenticate': 'Bearer realm="clarion metrics"' };
      throw new DomainError('unauthorized', 'The metrics take the token of CLARION_METRICS_TOKEN', {}, challenge);
    }
    void reply.header('content-type', this.metrics.contentType);
    return this.metrics.expose();
  }
}

/** Compares in constant time. */
const isSame = (given: string, expected: string): boolean => timingSafeEqual(sha256(given), sha256(expected));
