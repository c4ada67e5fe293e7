import type { TraceContext } from '@clarion/contracts/core';
import type { Config } from '../config/config';
import type { Logger } from '../logging/logger';
import type * as OtlpTracingModule from './otlp-tracing';

export type SpanName = 'accept' | 'fan-out' | 'step' | 'render' | 'provider' | 'commit';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A piece of work as it shows in a trace. */
export interface Span {
  /** Where the trace goes on below it. */
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  /** Other traces that this work was done for as well. */
  link(contexts: readonly TraceContext[]): void;
  fail(reason: unknown): void;
  end(): void;
}

/** A step that runs for a notification. */
export type TracedStep = {
  id: string;
  type: string;
  attempt: number;
  environmentId: string;
  notificationId: string;
  transactionId: string;
  notification: { trace: TraceContext | null };
};

type Contexts = readonly (TraceContext | null | undefined)[];

/**
 * Tells a collector what was done for whom. Traces begin at the gateway and nowhere else: work for a trigger without a trace,
 * or with one that nobody wants to see, has no spans.
 */
export interface Tracing {
  /** Takes part in the trace of a caller, or begins one. Undefined when nothing is traced here. */
  accept(caller: TraceContext | undefined, attributes: SpanAttributes): Span | undefined;
  span(name: SpanName, parent: TraceContext | null | undefined, attributes: SpanAttributes): Span | undefined;
  /**
   * One span for what is done for many at once. Where all belong to one trace it is part of that trace; otherwise it is a
   * trace of its own. Links lead to the others.
   */
  shared(name: SpanName, contexts: Contexts, attributes: SpanAttributes): Span | undefined;
  /** By id. Of a trace that has many steps in the batch only the first get a span. */
  steps(steps: readonly TracedStep[]): Map<string, Span>;
  /** Sends what is left, unless that takes long. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  accept: () => undefined,
  span: () => undefined,
  shared: () => undefined,
  steps: () => new Map(),
  close: () => Promise.resolve(),
};

type TracingConfig = Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_SERVICE_NAME' | 'OTEL_TRACES_SAMPLER_ARG'>;

/** The SDK is loaded by those alone who have a collector. */
export function openTracing(config: TracingConfig, role: string, logger: Logger): Tracing {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return NO_TRACING;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import would be loaded by everybody
  const { OtlpTracing } = require('./otlp-tracing') as typeof OtlpTracingModule;
  return new OtlpTracing({
    url: `${endpoint}/v1/traces`,
    service: config.OTEL_SERVICE_NAME ?? `clarion-${role}`,
    ratio: config.OTEL_TRACES_SAMPLER_ARG,
    warn: (error) => logger.warn({ err: error }, 'spans did not reach the collector; they are dropped'),
  });
}
