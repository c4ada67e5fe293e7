import type { TraceContext } from '@clarion/contracts/core';

export type SpanName = 'accept' | 'fan-out' | 'step' | 'render' | 'provider' | 'commit';
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A unit of work in a trace. */
export interface Span {
  /** The context of the children of this span. */
  readonly context: TraceContext;
  set(attributes: SpanAttributes): void;
  /** Links the span to other traces that this work belongs to. */
  link(contexts: readonly TraceContext[]): void;
  fail(reason: unknown): void;
  end(): void;
}

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

/** Traces begin at the gateway only: work for a trigger without a sampled trace has no spans. */
export interface Tracing {
  /** Continues the trace of the caller, or begins one. Undefined when tracing is off. */
  accept(caller: TraceContext | undefined, attributes: SpanAttributes): Span | undefined;
  span(name: SpanName, parent: TraceContext | null | undefined, attributes: SpanAttributes): Span | undefined;
  /** Part of the trace when all contexts belong to one, otherwise a new trace with links. */
  shared(name: SpanName, contexts: Contexts, attributes: SpanAttributes): Span | undefined;
  /** Spans by step id. When many steps of a batch belong to one trace, only the first ones get a span. */
  steps(steps: readonly TracedStep[]): Map<string, Span>;
  /** Flushes the remaining spans, with a time limit. */
  close(): Promise<void>;
}

export const NO_TRACING: Tracing = {
  accept: () => undefined,
  span: () => undefined,
  shared: () => undefined,
  steps: () => new Map(),
  close: () => Promise.resolve(),
};
