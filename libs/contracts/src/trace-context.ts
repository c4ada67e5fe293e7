/** Where a trace goes on, as the two headers of W3C Trace Context say it. */
export type TraceContext = { traceparent: string; tracestate?: string | null };

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const NOTHING = /^0+$/;
/** What is longer, or could not stand in a header again, is left out; the trace goes on without it. */
const TRACESTATE = /^[\x20-\x7e]{1,512}$/;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** What a caller says; undefined when it says nothing, or nothing that can be understood. */
export function readTraceContext({ traceparent, tracestate }: Headers): TraceContext | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(String(traceparent ?? '')) ?? [];
  if (traceId === undefined || version === 'ff' || NOTHING.test(traceId) || NOTHING.test(spanId!)) return undefined;
  // Later versions may add to the end, the first one may not.
  if (version === '00' && rest !== undefined) return undefined;
  const state = String(tracestate ?? '');
  return {
    traceparent: `00-${traceId}-${spanId}-0${parseInt(flags!, 16) & 1}`,
    ...(TRACESTATE.test(state) && { tracestate: state }),
  };
}

export const traceIdOf = ({ traceparent }: TraceContext): string => traceparent.slice(3, 35);

/** Whether somebody up the line wants to see this trace. */
export const isSampled = ({ traceparent }: TraceContext): boolean => traceparent.endsWith('1');
