/** A collector of traces on a loopback port: takes OTLP as JSON over HTTP and shows what it was told. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedLink = { traceId: string; spanId: string };

export type CollectedSpan = {
  service: string;
  name: string;
  /** As OTLP numbers them: 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Absent where a trace begins. */
  parentSpanId?: string;
  tracestate?: string;
  links: CollectedLink[];
  attributes: Record<string, string | number | boolean>;
  /** What went wrong, when something did. */
  error?: string;
};

export type FakeCollector = {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** Calls that came, whatever they were answered. */
  readonly calls: number;
  /** Every call from now on is answered with this status. */
  answer(status: number): void;
  close(): Promise<void>;
};

export async function startFakeCollector(): Promise<FakeCollector> {
  const spans: CollectedSpan[] = [];
  let calls = 0;
  let status = 200;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls += 1;
      const isTraces = request.method === 'POST' && request.url === '/v1/traces';
      if (isTraces && status === 200) spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as Told));
      response.writeHead(isTraces ? status : 404, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    get calls() {
      return calls;
    },
    answer: (next) => void (status = next),
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number; boolValue?: boolean };
type Attribute = { key: string; value: Value };
type ToldSpan = {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  links?: CollectedLink[];
  attributes: Attribute[];
  status: { code?: number; message?: string };
};
type Told = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ToldSpan[] }[] }[];
};

const spansOf = ({ resourceSpans }: Told): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(service, span)));
  });

const ERROR = 2;

const toSpan = (service: string, span: ToldSpan): CollectedSpan => ({
  service,
  name: span.name,
  kind: span.kind,
  traceId: span.traceId,
  spanId: span.spanId,
  ...(span.parentSpanId && { parentSpanId: span.parentSpanId }),
  ...(span.traceState && { tracestate: span.traceState }),
  links: (span.links ?? []).map(({ traceId, spanId }) => ({ traceId, spanId })),
  attributes: valuesOf(span.attributes),
  ...(span.status.code === ERROR && { error: span.status.message ?? '' }),
});

const valuesOf = (attributes: Attribute[]): Record<string, string | number | boolean> =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? value.boolValue ?? Number(value.intValue ?? value.doubleValue),
    ]),
  );
