import { isSampled, readTraceContext, traceIdOf } from './trace-context';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SPAN = '00f067aa0ba902b7';

describe('readTraceContext', () => {
  it('reads the headers of a caller', () => {
    const context = readTraceContext({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1,other=2' })!;
    expect(context).toEqual({ traceparent: `00-${TRACE}-${SPAN}-01`, tracestate: 'vendor=1,other=2' });
    expect([traceIdOf(context), isSampled(context)]).toEqual([TRACE, true]);
  });

  it.each([
    ['00', false],
    ['01', true],
    ['02', false],
    ['ff', true],
  ])('reads from the flags %s whether the trace is sampled', (flags, sampled) => {
    expect(isSampled(readTraceContext({ traceparent: `00-${TRACE}-${SPAN}-${flags}` })!)).toBe(sampled);
  });

  it('reads the known part of a later version', () => {
    expect(readTraceContext({ traceparent: `cc-${TRACE}-${SPAN}-01-what-comes` })).toEqual({
      traceparent: `00-${TRACE}-${SPAN}-01`,
    });
  });

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01\r\nx: y`,
  ])('ignores the header %j', (traceparent) => {
    expect(readTraceContext({ traceparent })).toBeUndefined();
  });

  it.each(['', 'x'.repeat(513), 'a=\n', 'a=\u00e9'])(
    'leaves out a tracestate that cannot be sent on: %j',
    (tracestate) => {
      const traceparent = `00-${TRACE}-${SPAN}-00`;
      expect(readTraceContext({ traceparent, tracestate })).toEqual({ traceparent });
    },
  );
});
