import { type Agent, type Dispatcher, errors } from 'undici';
import type { HttpRequest, HttpResponse } from '@clarion/contracts/core';
import { EgressError } from './egress-error';

/** An `HttpRequest` that the caller can abort, and whose response may be larger than usual. */
export type EgressRequest = HttpRequest & { signal?: AbortSignal; bodyBytes?: number };

export type EgressLimits = {
  /** Includes name resolution and TLS. */
  connectMs: number;
  headersMs: number;
  /** Between two chunks of the body. */
  idleMs: number;
  /** From the start to the last byte. Limits a slow trickle, which never looks idle. */
  totalMs: number;
  bodyBytes: number;
  /** Maximum connections to one origin. */
  connections: number;
};

/** Scheme, host and port; a connection pool belongs to one endpoint. */
export type HttpEndpoint = {
  origin: string;
  host: string;
  port: number;
  /** Path prefix of a provider that the operator redirected; it precedes the path of the provider's API. */
  prefix?: string;
};
/** One URL of an endpoint. */
export type Destination = HttpEndpoint & { path: string };

/** Informational responses before the response. */
const INFORMATIONAL = 10;
/** Pieces of a body that may be short, and the mean length of more: each takes time and memory. */
const SHORT_PIECES = 1_000;
const PIECE_BYTES = 64;

/** Implements undici's handler directly, without its streams, because this is the hot path. */
export class HttpExchange implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
  private informational = 0;
  private status = 0;
  private headers: Record<string, string> = {};
  private controller: Dispatcher.DispatchController | undefined;
  private ended = false;
  private timer: NodeJS.Timeout | undefined;
  private settle!: { resolve(response: HttpResponse): void; reject(error: EgressError): void };

  constructor(
    private readonly request: EgressRequest,
    private readonly destination: Destination,
    private readonly limits: EgressLimits,
  ) {}

  sendOver(agent: Agent): Promise<HttpResponse> {
    const { method, headers, body, signal, http2 } = this.request;
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      if (signal?.aborted) return this.abort('The call was aborted');
      this.timer = setTimeout(() => this.abort(`No full answer within ${this.limits.totalMs} ms`), this.limits.totalMs);
      signal?.addEventListener('abort', this.onAbort);
      const { origin, path } = this.destination;
      try {
        // Without `idempotent` undici sends nothing else on an HTTP/2 connection while a POST is in flight. It never
        // repeats a request: requests in flight fail when the connection ends.
        agent.dispatch({ origin, path, method, headers, body, idempotent: http2 ? true : undefined }, this);
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private readonly onAbort = (): void => this.abort('The call was aborted');

  /** From here on bytes of the request may have been sent. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.ended) controller.abort(new Error('aborted'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (status < 200 && (this.informational += 1) > INFORMATIONAL) {
      return this.abort(`More than ${INFORMATIONAL} informational responses`);
    }
    this.status = status;
    for (const name of Object.keys(headers)) {
      const value = headers[name];
      if (Array.isArray(value)) headers[name] = value.join(', ');
    }
    this.headers = headers as Record<string, string>;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    const pieces = this.chunks.push(chunk);
    const bodyBytes = this.request.bodyBytes ?? this.limits.bodyBytes;
    const areCrumbs = pieces > SHORT_PIECES && this.bytes < pieces * PIECE_BYTES;
    if (this.bytes <= bodyBytes && !areCrumbs) return;
    const fault = areCrumbs ? `has over ${SHORT_PIECES} short pieces` : `is over ${bodyBytes} bytes`;
    this.end(() => this.settle.reject(new EgressError('too-large', `The answer ${fault}`, this.status)));
    controller.abort(new Error('too large'));
  }

  onResponseEnd(): void {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.end(() => this.settle.resolve({ status: this.status, headers: this.headers, body }));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private abort(reason: string): void {
    this.fail(new Error(reason));
    this.controller?.abort(new Error('aborted'));
  }

  private fail(error: Error): void {
    this.end(() => this.settle.reject(this.faultOf(error)));
  }

  private faultOf(error: Error): EgressError {
    if (error instanceof EgressError) return error;
    if (error instanceof errors.InvalidArgumentError) return new EgressError('refused', error.message);
    const { host } = this.destination;
    return this.controller
      ? new EgressError('unknown', `${host} did not answer in full after the request was sent: ${error.message}`)
      : new EgressError('unreachable', `No connection to ${host}: ${messageOf(error)}`);
  }

  private end(settle: () => void): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.timer);
    this.request.signal?.removeEventListener('abort', this.onAbort);
    settle();
  }
}

/** When every address of a name failed, the messages are in the parts. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((part: Error) => part.message).join('; ') : error.message;
