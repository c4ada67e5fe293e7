/** A fake trace collector on a loopback port: accepts OTLP as JSON over HTTP and shows the spans. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export type CollectedLink = { traceId: string; spanId: string };

export type CollectedSpan = {
  service: string;
  name: string;
  /** OTLP span kind: 1 internal, 2 server, 3 client. */
  kind: number;
  traceId: string;
  spanId: string;
  /** Absent for the root of a trace. */
  parentSpanId?: string;
  tracestate?: string;
  links: CollectedLink[];
  attributes: Record<string, string | number | boolean>;
  /** The error message of a failed span. */
  error?: string;
};

export type FakeCollector = {
  readonly url: string;
  readonly spans: CollectedSpan[];
  /** The number of calls, with any response. */
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
      if (isTraces && status === 200)
        spans.push(...spansOf(JSON.parse(Buffer.concat(chunks).toString()) as ExportRequest));
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
type ExportedSpan = {
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
type ExportRequest = {
  resourceSpans: { resource: { attributes: Attribute[] }; scopeSpans: { spans: ExportedSpan[] }[] }[];
};

const spansOf = ({ resourceSpans }: ExportRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) => spans.map((span) => toSpan(service, span)));
  });

const ERROR = 2;

const toSpan = (service: string, span: ExportedSpan): CollectedSpan => ({
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
