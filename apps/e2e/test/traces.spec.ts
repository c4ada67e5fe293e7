import type { NotificationDto } from '@clarion/contracts';
import { type CollectedSpan, type FakeCollector, startFakeCollector, until } from '@clarion/testing';
import { allEnded, type Clarion, startClarion, startOwnClarion, type StepInput } from './harness';

const ANN = { subscriberId: 'ann', email: 'ann@example.com' };
const EMAIL: StepInput = { type: 'email', controlValues: { subject: 'Hello', body: 'Hello' } };
const IN_APP: StepInput = { type: 'in_app', controlValues: { body: 'Hello' } };
const WEBHOOK = { webhookUrl: '', secretKey: 'whsec_c2VjcmV0', from: 'hello@clarion.test', senderName: 'Clarion' };

/** A span of a caller, each in a new trace. */
let callers = 0;
function caller(): { traceId: string; spanId: string; traceparent: string } {
  callers += 1;
  const traceId = `${callers}`.padStart(32, 'c');
  const spanId = `${callers}`.padStart(16, 'a');
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-01` };
}

const post = async (clarion: Clarion, headers: Record<string, string>, body: object, path = ''): Promise<string> => {
  const response = await fetch(`${clarion.url}/v1/events/trigger${path}`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${clarion.key}`, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(201);
  const answer = (await response.json()) as { transactionId: string } | { transactionId: string }[];
  return (Array.isArray(answer) ? answer[0]! : answer).transactionId;
};

describe('traces', () => {
  let collector: FakeCollector;
  let clarion: Clarion;

  beforeAll(async () => {
    collector = await startFakeCollector();
    clarion = await startOwnClarion({
      roles: ['engine', 'in_app', 'email'],
      environment: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    });
    await clarion.integration('sendgrid', 'email');
    await clarion.workflow('mail', [EMAIL]);
  });
  afterAll(async () => {
    await clarion?.close();
    await collector.close();
  });
  beforeEach(() => clarion.provider.reset());

  /** Waits for this many spans of a trace and returns them. */
  const spansOf = async (traceId: string, expected: number): Promise<CollectedSpan[]> => {
    const spans = (): CollectedSpan[] => collector.spans.filter((span) => span.traceId === traceId);
    await until(() => spans().length >= expected);
    expect(spans().map(describeSpan)).toHaveLength(expected);
    return spans();
  };
  const describeSpan = ({ name, attributes }: CollectedSpan): string =>
    [name, attributes['clarion.step_type'], attributes['clarion.outcome']].filter(Boolean).join(' ');
  const one = (spans: CollectedSpan[], description: string): CollectedSpan => {
    const found = spans.filter((span) => describeSpan(span) === description);
    expect({ found: found.length, among: spans.map(describeSpan) }).toMatchObject({ found: 1 });
    return found[0]!;
  };
  const isWaiting = ([notification]: NotificationDto[]): boolean =>
    notification?.jobs?.some(({ status }) => status === 'delayed' || status === 'merged') ?? false;

  it('connects the spans of caller, gateway, engine, worker and provider call in one trace', async () => {
    const from = caller();
    const headers = { traceparent: from.traceparent, tracestate: 'vendor=1' };
    const transactionId = await post(clarion, headers, { name: 'mail', to: ANN });
    const [notification] = await clarion.activity(transactionId, allEnded());
    expect(notification!.traceId).toBe(from.traceId);
    const alone = await clarion.callOk<NotificationDto>('GET', `/v1/notifications/${notification!._id}`);
    expect(alone.traceId).toBe(from.traceId);

    const spans = await spansOf(from.traceId, 6);
    const accept = one(spans, 'accept');
    const step = one(spans, 'step email completed');
    expect(accept).toMatchObject({ service: 'clarion-gateway', parentSpanId: from.spanId, tracestate: 'vendor=1' });
    expect(accept.attributes).toMatchObject({
      'http.route': '/v1/events/trigger',
      'http.response.status_code': 201,
      'clarion.environment_id': clarion.environmentId,
      'clarion.transaction_id': transactionId,
    });
    expect(one(spans, 'fan-out')).toMatchObject({ service: 'clarion-e2e', parentSpanId: accept.spanId, links: [] });
    expect(step).toMatchObject({ parentSpanId: accept.spanId, links: [] });
    expect(step.attributes).toMatchObject({
      'clarion.notification_id': notification!._id,
      'clarion.transaction_id': transactionId,
    });
    expect(one(spans, 'render').parentSpanId).toBe(step.spanId);
    expect(one(spans, 'commit').parentSpanId).toBe(step.spanId);
    expect(one(spans, 'provider sent')).toMatchObject({
      parentSpanId: step.spanId,
      kind: 3,
      attributes: { 'clarion.provider': 'sendgrid', 'clarion.channel': 'email' },
    });
    // The trace of the caller is not sent to providers.
    expect(clarion.provider.calls.map((call) => call.headers['traceparent'])).toEqual([undefined]);
  });

  it('begins a trace at the gateway when the caller sends none', async () => {
    const transactionId = await post(clarion, {}, { name: 'mail', to: ANN });
    const [notification] = await clarion.activity(transactionId, allEnded());
    const spans = await spansOf(notification!.traceId!, 6);
    expect(one(spans, 'accept')).not.toHaveProperty('parentSpanId');
  });

  it('records the error of a failed provider call in its spans', async () => {
    clarion.provider.always('/v3/mail/send', { status: 400, text: 'what is this' });
    const from = caller();
    await clarion.activity(
      await post(clarion, { traceparent: from.traceparent }, { name: 'mail', to: ANN }),
      allEnded(),
    );
    const spans = await spansOf(from.traceId, 6);
    const provider = one(spans, 'provider permanent');
    expect(provider.attributes['http.response.status_code']).toBe(400);
    expect(provider.error).toEqual(expect.any(String));
    expect(one(spans, 'step email failed').error).toEqual(expect.any(String));
  });

  it('continues the trace after a delay step', async () => {
    const delay = { type: 'delay', controlValues: { type: 'regular', amount: 2, unit: 'hours' } } as const;
    await clarion.workflow('later', [delay, IN_APP]);
    const from = caller();
    const transactionId = await post(clarion, { traceparent: from.traceparent }, { name: 'later', to: ANN });
    await clarion.activity(transactionId, isWaiting);
    await clarion.makeDue(transactionId);
    await clarion.activity(transactionId, allEnded());

    const spans = await spansOf(from.traceId, 7);
    const accept = one(spans, 'accept');
    for (const description of ['step delay delayed', 'step delay completed', 'step in_app completed']) {
      expect(one(spans, description).parentSpanId).toBe(accept.spanId);
    }
    expect(one(spans, 'commit').parentSpanId).toBe(one(spans, 'step in_app completed').spanId);
  });

  it('links the span of a digest to the traces of the events that joined it', async () => {
    const digest = { type: 'digest', controlValues: { type: 'regular', amount: 2, unit: 'hours' } } as const;
    await clarion.workflow('digest', [digest, EMAIL]);
    const [first, second] = [caller(), caller()];
    const opens = await post(clarion, { traceparent: first.traceparent }, { name: 'digest', to: ANN });
    await clarion.activity(opens, isWaiting);
    const joins = await post(clarion, { traceparent: second.traceparent }, { name: 'digest', to: ANN });
    await clarion.activity(joins, isWaiting);
    await clarion.makeDue(opens);
    await clarion.activity(opens, allEnded());

    const joined = await spansOf(second.traceId, 3);
    const opened = await spansOf(first.traceId, 8);
    const collecting = one(opened, 'step digest completed');
    const { traceId, spanId } = one(joined, 'accept');
    expect(collecting.parentSpanId).toBe(one(opened, 'accept').spanId);
    expect(collecting.links).toEqual([{ traceId, spanId }]);
    expect(one(joined, 'step digest digest').parentSpanId).toBe(spanId);
    expect(one(opened, 'provider sent').parentSpanId).toBe(one(opened, 'step email completed').spanId);
  });

  it('uses one trace for all events of a bulk call', async () => {
    const from = caller();
    const events = Array.from({ length: 30 }, (_, at) => ({ name: 'mail', to: { ...ANN, subscriberId: `s-${at}` } }));
    await post(clarion, { traceparent: from.traceparent }, { events }, '/bulk');
    await until(() => clarion.provider.count === 30);
    const spans = (name: string): CollectedSpan[] =>
      collector.spans.filter((span) => span.traceId === from.traceId && span.name === name);
    // Gateway and workers send their spans at different times.
    const hasAll = () => spans('step').length >= 20 && ['accept', 'fan-out', 'commit'].every((name) => spans(name)[0]);
    await until(hasAll);
    expect(spans('accept')).toHaveLength(1);
    expect(spans('fan-out')).toHaveLength(1);
    expect(spans('commit').length).toBeLessThan(30);
  });

  it('sends the traceparent to the webhook of the tenant', async () => {
    await clarion.integration('email-webhook', 'email', {
      credentials: { ...WEBHOOK, webhookUrl: `${clarion.provider.url}/hook` },
      identifier: 'hook',
    });
    const from = caller();
    const overrides = { email: { integrationIdentifier: 'hook' } };
    const headers = { traceparent: from.traceparent, tracestate: 'vendor=1' };
    await clarion.activity(await post(clarion, headers, { name: 'mail', to: ANN, overrides }), allEnded());
    const provider = one(await spansOf(from.traceId, 6), 'provider sent');
    const [call] = clarion.provider.calls;
    expect(call!.headers).toMatchObject({
      traceparent: `00-${from.traceId}-${provider.spanId}-01`,
      tracestate: 'vendor=1',
    });
  });
});

describe('traces without a collector', () => {
  let clarion: Clarion;

  beforeAll(async () => {
    clarion = await startClarion({ roles: ['engine', 'email'] });
    await clarion.workflow('mail', [EMAIL]);
    await clarion.integration('email-webhook', 'email', {
      credentials: { ...WEBHOOK, webhookUrl: `${clarion.provider.url}/hook` },
    });
  });
  afterAll(() => clarion?.close());

  it('passes on and shows the trace of the caller without a collector', async () => {
    const { traceparent, traceId } = caller();
    const headers = { traceparent, tracestate: 'vendor=1' };
    const [notification] = await clarion.activity(await post(clarion, headers, { name: 'mail', to: ANN }), allEnded());
    expect(notification!.traceId).toBe(traceId);
    expect(clarion.provider.calls[0]!.headers).toMatchObject(headers);
  });

  it('logs the ids of a step that a worker could not record', async () => {
    await clarion.stop('email');
    const worker = await clarion.startKillable('email', (statement) => statement.startsWith('record-steps'));
    const { traceparent, traceId } = caller();
    const transactionId = await post(clarion, { traceparent }, { name: 'mail', to: ANN });
    const line = (): string | undefined => clarion.logged.find((text) => text.includes('could not be recorded'));
    await until(() => line() !== undefined);
    const [notification] = await clarion.activity(transactionId, ([one]) => one !== undefined);
    expect(JSON.parse(line()!)).toMatchObject({
      stepId: notification!.jobs![0]!._id,
      notificationId: notification!._id,
      transactionId,
      traceId,
      channel: 'email',
    });
    worker.kill();
    await clarion.start('email');
    await clarion.expireLeases();
    await clarion.activity(transactionId, allEnded());
  });

  it('creates no trace without a collector when the caller sends none', async () => {
    const [notification] = await clarion.activity(await post(clarion, {}, { name: 'mail', to: ANN }), allEnded());
    expect(notification).not.toHaveProperty('traceId');
    expect(clarion.provider.calls.at(-1)!.headers).not.toHaveProperty('traceparent');
  });
});
