import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { OperatorError } from '../process/lifecycle';
import type { Health, HealthReport } from './health';
import type { Metrics } from './metrics';
import { SECURITY_HEADERS } from './security-headers';

export type ObserveServerOptions = {
  port: number;
  host: string;
  /** The variable that sets the port, for the error message when the port is in use. */
  variable: 'CLARION_OBSERVE_PORT' | 'PORT';
  health: Health;
  /** Without it `/metrics` is answered like every other path. */
  metrics?: Metrics | undefined;
  /** The status for every other path. */
  otherwise: 404 | 503;
};

export type ObserveServer = { port: number; close(): Promise<void> };

/** Serves probes and Prometheus in a process that serves nothing else, or nothing else yet. */
export async function openObserveServer(options: ObserveServerOptions): Promise<ObserveServer> {
  const server = createServer((request, response) => {
    answer(request, options)
      .catch((error: unknown) => json(500, { status: 'error', message: String(error) }))
      .then(({ status, type, body }) => {
        response.writeHead(status, {
          ...SECURITY_HEADERS,
          'content-type': type,
          ...(status === 503 && { 'retry-after': '1' }),
        });
        response.end(request.method === 'HEAD' ? undefined : body);
      })
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error: Error & { code?: string }) => {
      reject(error.code === 'EADDRINUSE' ? taken(options) : error);
    });
    server.listen(options.port, options.host, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = { status: number; type: string; body: string };

async function answer({ method, url = '' }: IncomingMessage, options: ObserveServerOptions): Promise<Answer> {
  const { health, metrics, otherwise } = options;
  const path = method === 'GET' || method === 'HEAD' ? url.split('?', 1)[0] : undefined;
  switch (path) {
    case '/health/live':
      return report(health.live());
    case '/health/ready':
      return report(await health.ready());
    case '/metrics':
      if (!metrics) break;
      return { status: 200, type: metrics.contentType, body: await metrics.expose() };
    default:
  }
  return json(otherwise, { status: 'error' });
}

const report = ({ ok, body }: HealthReport): Answer => json(ok ? 200 : 503, body);

const json = (status: number, body: object): Answer => ({
  status,
  type: 'application/json; charset=utf-8',
  body: JSON.stringify(body),
});

const taken = ({ port, host, variable }: ObserveServerOptions): OperatorError =>
  new OperatorError(`Port ${port} is in use on ${host}: stop the other program or set ${variable} to a free one`);
