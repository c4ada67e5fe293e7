/** The trace of a request, as the two headers of W3C Trace Context. */
export type TraceContext = { traceparent: string; tracestate?: string | null };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
/** A longer text, or one that cannot be sent as a header again, is left out; the trace continues without it. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** The trace context of the caller. Undefined without a valid `traceparent`. */
export function readTraceContext({ traceparent, tracestate }: Headers): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(String(traceparent ?? '')) ?? [];
  if (traceId === undefined || version === 'ff' || NOTHING.test(traceId) || NOTHING.test(spanId!)) return undefined;
  // Later versions may append fields, the first version may not.
  if (version === '00' && rest !== undefined) return undefined;
  const state = String(tracestate ?? '');
  return {
    traceparent: `00-${traceId}-${spanId}-0${parseInt(flags!, 16) & 1}`,
    ...(TRACESTATE.test(state) && { tracestate: state }),
  };
}

export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);

export const isSampled = ({ traceparent }: TraceContext): boolean => traceparent.endsWith('1');
