import { traceIdOf, type TraceContext } from '@clarion/contracts';
import { createLogger, loadConfig, NO_TRACING, openTracing, type Tracing } from '@clarion/platform';
import { type CollectedSpan, type FakeCollector, startFakeCollector, until } from '@clarion/testing';

const contextOf = (trace: string, span = '1', flags = '01'): TraceContext => ({
  traceparent: `00-${trace.padStart(32, '0')}-${span.padStart(16, '0')}-${flags}`,
});

describe('openTracing', () => {
  let collector: FakeCollector;
  let tracing: Tracing;
  let logged: string[];

  const open = (environment: Record<string, string> = {}): Tracing => {
    const config = loadConfig([], { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...environment });
    const destination = { write: (line: string) => void logged.push(line) };
    return openTracing(config, 'engine', createLogger({ level: 'warn', name: 'spec', destination }));
  };
  /** The spans that the collector has received after everything was sent. */
  const sent = async (): Promise<CollectedSpan[]> => {
    await tracing.close();
    return collector.spans;
  };

  beforeEach(async () => {
    collector = await startFakeCollector();
    logged = [];
    tracing = open();
  });
  afterEach(async () => {
    await tracing.close();
    await collector.close();
  });

  it('disables tracing without a collector', () => {
    expect(open({ OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBe(NO_TRACING);
  });

  it('continues the trace of the caller', async () => {
    const caller = { ...contextOf('a'), tracestate: 'vendor=1' };
    const accept = tracing.accept(caller, { kind: 'spec' })!;
    const step = tracing.span('provider', accept.context, {})!;
    step.fail(new Error('no answer'));
    step.end();
    accept.end();
    expect(traceIdOf(accept.context)).toBe(traceIdOf(caller));
    expect(accept.context.tracestate).toBe('vendor=1');
    expect(await sent()).toEqual([
      expect.objectContaining({
        service: 'clarion-engine',
        name: 'provider',
        kind: 3,
        traceId: traceIdOf(caller),
        parentSpanId: accept.context.traceparent.split('-')[2],
        tracestate: 'vendor=1',
        error: 'no answer',
      }),
      expect.objectContaining({
        name: 'accept',
        kind: 2,
        traceId: traceIdOf(caller),
        parentSpanId: '0000000000000001',
        attributes: { kind: 'spec' },
      }),
    ]);
  });

  it('begins a trace for a caller without one and uses the configured service name', async () => {
    await tracing.close();
    tracing = open({ OTEL_SERVICE_NAME: 'orders' });
    const span = tracing.accept(undefined, {})!;
    span.end();
    const [collected] = await sent();
    expect(collected).toMatchObject({ service: 'orders', traceId: traceIdOf(span.context) });
    expect(collected).not.toHaveProperty('parentSpanId');
  });

  it('records nothing of an unsampled trace and passes the decision on', async () => {
    const unwanted = contextOf('a', '1', '00');
    const accept = tracing.accept(unwanted, {})!;
    accept.end();
    expect(accept.context.traceparent).toMatch(/-00$/);
    expect(tracing.span('provider', accept.context, {})).toBeUndefined();
    expect(tracing.shared('render', [unwanted, null, undefined], {})).toBeUndefined();
    expect(await sent()).toEqual([]);
  });

  it('records the configured share of its own traces', async () => {
    await tracing.close();
    tracing = open({ OTEL_TRACES_SAMPLER_ARG: '0' });
    expect(tracing.accept(undefined, {})!.context.traceparent).toMatch(/-00$/);
    expect(tracing.accept(contextOf('a'), {})!.context.traceparent).toMatch(/-01$/);
  });

  describe('shared spans', () => {
    const shared = async (contexts: TraceContext[]) => {
      tracing.shared('commit', contexts, {})!.end();
      const [span] = await sent();
      return { span: span!, links: span!.links.map(({ traceId, spanId }) => [traceId, spanId]) };
    };
    const [a1, a2, b1] = [contextOf('a', '1'), contextOf('a', '2'), contextOf('b', '1')] as const;
    const idsOf = ({ traceparent }: TraceContext) => traceparent.split('-').slice(1, 3);

    it('makes a shared span part of the trace when there is only one', async () => {
      const { span, links } = await shared([a1, a1, a1]);
      expect([span.traceId, span.parentSpanId, links]).toEqual([...idsOf(a1), []]);
    });

    it('links a shared span to the other spans of the same trace', async () => {
      const { span, links } = await shared([a1, a2]);
      expect([span.traceId, span.parentSpanId, links]).toEqual([...idsOf(a1), [idsOf(a2)]]);
    });

    it('begins a new trace with links to all when there are several traces', async () => {
      await tracing.close();
      tracing = open({ OTEL_TRACES_SAMPLER_ARG: '0' });
      const { span, links } = await shared([a1, b1, contextOf('c', '1', '00')]);
      expect(span).not.toHaveProperty('parentSpanId');
      expect(links).toEqual([idsOf(a1), idsOf(b1)]);
    });

    it('gives a shared span at most 128 links', async () => {
      const many = Array.from({ length: 300 }, (_, at) => contextOf((at + 1).toString(16)));
      expect((await shared(many)).links).toHaveLength(128);
    });
  });

  it('creates spans for steps, limited per trace and batch', async () => {
    const step = (id: number, trace: TraceContext | null) => ({
      id: `step-${id}`,
      type: 'email',
      attempt: 1,
      environmentId: 'e',
      notificationId: `n-${id}`,
      transactionId: 't',
      notification: { trace },
    });
    const crowd = Array.from({ length: 500 }, (_, at) => step(at, contextOf('a')));
    const spans = tracing.steps([
      ...crowd,
      step(500, contextOf('b')),
      step(501, null),
      step(502, contextOf('c', '1', '00')),
    ]);
    expect(spans.size).toBe(21);
    expect(spans.has('step-500')).toBe(true);
    for (const span of spans.values()) span.end();
    const collected = await sent();
    expect(collected.find(({ traceId }) => traceId.endsWith('b'))).toMatchObject({
      name: 'step',
      parentSpanId: '0000000000000001',
      attributes: { 'clarion.step_type': 'email', 'clarion.notification_id': 'n-500', 'clarion.transaction_id': 't' },
    });
  });

  it('never waits for a collector and logs an unreachable one once', async () => {
    collector.answer(400);
    for (let batch = 0; batch < 3; batch += 1) {
      // A full batch is sent at once.
      for (let at = 0; at < 512; at += 1) tracing.accept(undefined, {})!.end();
      await until(() => collector.calls > batch);
    }
    await tracing.close();
    expect(logged).toHaveLength(1);
    expect(logged[0]).toContain('spans did not reach the collector');
  });

  it('closes when the collector cannot be reached', async () => {
    await collector.close();
    tracing.accept(undefined, {})!.end();
    const before = performance.now();
    await tracing.close();
    expect(performance.now() - before).toBeLessThan(30_000);
    collector = await startFakeCollector();
  });
});
