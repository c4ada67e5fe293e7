import type { Config } from '../config/config';
import type { Logger } from '../logging/logger';
import type * as OtlpTracingModule from './otlp-tracing';
import { NO_TRACING, type Tracing } from './tracing';

type TracingConfig = Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>;

/** The SDK is loaded only when a collector is configured. */
export function openTracing(config: TracingConfig, role: string, logger: Logger): Tracing {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return NO_TRACING;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would load the SDK in every process
  const { OtlpTracing } = require('./otlp-tracing') as typeof OtlpTracingModule;
  return new OtlpTracing({
    url: `${endpoint}/v1/traces`,
    service: config.OTEL_SERVICE_NAME ?? `clarion-${role}`,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    warn: (error) =>
      logger.warn(
        { err: error },
        'spans did not reach the collector and are dropped; check OTEL_EXPORTER_OTLP_ENDPOINT',
      ),
  });
}
