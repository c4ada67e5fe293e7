import { hostname } from 'node:os';
import {
  type Attributes,
  createTraceState,
  type Link,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import { isSampled, type TraceContext, traceIdOf, withTimeoutOr } from '@clarion/contracts/core';
import type { Span, SpanAttributes, SpanName, TracedStep, Tracing } from './tracing';

export type OtlpTracingOptions = {
  url: string;
  service: string;
  /** The share of the traces begun here that is recorded; for other traces the caller has decided. */
  ratio: number;
  /** Called at most once a minute. */
  warn(error: Error): void;
};

const MAX_LINKS = 128;
/** The most steps of one trace and batch with spans: a broadcast must not create a million. */
const MAX_STEPS_PER_TRACE = 20;
const EXPORT = { maxQueueSize: 8_192, maxExportBatchSize: 512, scheduledDelayMillis: 1_000 };
const EXPORT_MS = 5_000;
const CLOSE_MS = 2_000;
const WARN_EACH_MS = 60_000;

const KINDS: Partial<Record<SpanName, SpanKind>> = { accept: SpanKind.SERVER, provider: SpanKind.CLIENT };

/** Exports spans over OTLP. Loaded only with a collector; see `openTracing`. */
export class OtlpTracing implements Tracing {
  private readonly provider: BasicTracerProvider;
  private readonly tracer: Tracer;

  constructor({ url, service, ratio, warn }: OtlpTracingOptions) {
    const exporter = new OTLPTraceExporter({ url, timeoutMillis: EXPORT_MS });
    this.provider = new BasicTracerProvider({
      resource: resourceFromAttributes({
        'service.name': service,
        'service.instance.id': `${hostname()}-${process.pid}`,
      }),
      sampler: new ParentBasedSampler({ root: alwaysWhenLinked(new TraceIdRatioBasedSampler(ratio)) }),
      spanLimits: { linkCountLimit: MAX_LINKS, attributeValueLengthLimit: 1_024 },
      spanProcessors: [new BatchSpanProcessor(withRateLimitedWarning(exporter, warn), EXPORT)],
    });
    this.tracer = this.provider.getTracer('clarion');
  }

  accept(caller: TraceContext | undefined, attributes: SpanAttributes): Span {
    return this.start('accept', caller, [], attributes);
  }

  span(name: SpanName, parent: TraceContext | null | undefined, attributes: SpanAttributes): Span | undefined {
    return parent && isSampled(parent) ? this.start(name, parent, [], attributes) : undefined;
  }

  shared(
    name: SpanName,
    contexts: readonly (TraceContext | null | undefined)[],
    attributes: SpanAttributes,
  ): Span | undefined {
    const [first, ...others] = distinct(contexts);
    if (!first) return undefined;
    const isOneTrace = others.every((other) => traceIdOf(other) === traceIdOf(first));
    return isOneTrace
      ? this.start(name, first, others, attributes)
      : this.start(name, undefined, [first, ...others], attributes);
  }

  steps(steps: readonly TracedStep[]): Map<string, Span> {
    const spans = new Map<string, Span>();
    const counts = new Map<string, number>();
    for (const step of steps) {
      const { trace: parent } = step.notification;
      if (!parent || !isSampled(parent)) continue;
      const count = counts.get(traceIdOf(parent)) ?? 0;
      counts.set(traceIdOf(parent), count + 1);
      if (count < MAX_STEPS_PER_TRACE) spans.set(step.id, this.start('step', parent, [], attributesOf(step)));
    }
    return spans;
  }

  async close(): Promise<void> {
    const closed = this.provider.shutdown().catch(() => undefined);
    await withTimeoutOr(closed, CLOSE_MS, undefined);
  }

  private start(
    name: SpanName,
    parent: TraceContext | undefined,
    links: readonly TraceContext[],
    attributes: SpanAttributes,
  ): Span {
    const above = parent ? trace.setSpanContext(ROOT_CONTEXT, spanContextOf(parent)) : ROOT_CONTEXT;
    const options = { kind: KINDS[name], attributes: attributes as Attributes, links: linksTo(links) };
    return new OtlpSpan(this.tracer.startSpan(name, options, above));
  }
}

class OtlpSpan implements Span {
  readonly context: TraceContext;

  constructor(private readonly span: OtelSpan) {
    const { traceId, spanId, traceFlags, traceState } = span.spanContext();
    const tracestate = traceState?.serialize();
    const traceparent = `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`;
    this.context = { traceparent, ...(tracestate && { tracestate }) };
  }

  set(attributes: SpanAttributes): void {
    this.span.setAttributes(attributes as Attributes);
  }

  link(contexts: readonly TraceContext[]): void {
    this.span.addLinks(linksTo(distinct(contexts)));
  }

  fail(reason: unknown): void {
    const message = reason instanceof Error ? reason.message : String(reason);
    this.span.setStatus({ code: SpanStatusCode.ERROR, message });
  }

  end(): void {
    this.span.end();
  }
}

const attributesOf = ({ id, type, attempt, environmentId, notificationId, transactionId }: TracedStep) => ({
  'clarion.step_id': id,
  'clarion.step_type': type,
  'clarion.attempt': attempt,
  'clarion.environment_id': environmentId,
  'clarion.notification_id': notificationId,
  'clarion.transaction_id': transactionId,
});

function spanContextOf({ traceparent, tracestate }: TraceContext): SpanContext {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  return {
    traceId,
    spanId,
    traceFlags: Number(flags),
    isRemote: true,
    ...(tracestate && { traceState: createTraceState(tracestate) }),
  };
}

const linksTo = (contexts: readonly TraceContext[]): Link[] =>
  contexts.slice(0, MAX_LINKS).map((context) => ({ context: spanContextOf(context) }));

function distinct(contexts: readonly (TraceContext | null | undefined)[]): TraceContext[] {
  const known = new Map<string, TraceContext>();
  for (const context of contexts) if (context && isSampled(context)) known.set(context.traceparent, context);
  return [...known.values()];
}

/** Work for several sampled traces is a new trace, which is always recorded. */
const alwaysWhenLinked = (sampler: Sampler): Sampler => ({
  shouldSample: (context, traceId, name, kind, attributes, links) =>
    links.length > 0
      ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
      : sampler.shouldSample(context, traceId, name, kind, attributes, links),
  toString: () => `linked or ${sampler.toString()}`,
});

/** Reports an unreachable collector at most once a minute and drops its spans. */
function withRateLimitedWarning(exporter: SpanExporter, warn: (error: Error) => void): SpanExporter {
  let warnedAt = -Infinity;
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code, error }) => {
        if (code !== 0 && performance.now() - warnedAt >= WARN_EACH_MS) {
          warnedAt = performance.now();
          warn(error ?? new Error('the collector refused the spans'));
        }
        done({ code: 0 });
      }),
    shutdown: () => exporter.shutdown(),
  };
}
