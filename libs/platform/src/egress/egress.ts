/**
 * The one door to the outside network. Every URL and mail server that leaves the process goes through here, because guards
 * that have to be called are guards that somebody forgets to call.
 */
import { Agent, buildConnector, type Dispatcher, errors, Pool } from 'undici';
import type { HttpPort, HttpRequest, HttpResponse, ProviderId, SmtpPort, SmtpServer } from '@clarion/contracts/core';
import { type Config } from '../config/config';
import { AddressRules, EVERYTHING_ALLOWED, KnownAlone } from './address-rules';
import { EgressError } from './egress-error';
import { ConnectionGuard, type NameResolvers } from './guarded-connections';
import { resolvePublicName, resolveSystemName } from './name-resolver';
import { type ProviderUrls } from './provider-urls';
import { SmtpEgress } from './smtp-egress';

/** An `HttpRequest` that the caller can abort. */
export type EgressRequest = HttpRequest & { signal?: AbortSignal };

export type EgressLimits = {
  /** Look-up and TLS included. */
  connectMs: number;
  headersMs: number;
  /** Between two pieces of the body. */
  idleMs: number;
  /** From the call to the last byte. A slow drip never looks idle, so this one bounds it. */
  totalMs: number;
  bodyBytes: number;
  /** Connections to one origin. */
  connections: number;
};

export const EGRESS_LIMITS: EgressLimits = {
  connectMs: 3_000,
  headersMs: 10_000,
  idleMs: 5_000,
  totalMs: 15_000,
  bodyBytes: 64 * 1024,
  connections: 256,
};

export type EgressOptions = {
  allow?: readonly string[];
  providerUrls?: ProviderUrls;
  limits?: Partial<EgressLimits>;
  resolvers?: Partial<NameResolvers>;
  /** Asked before every call; throws where nothing may wait for the network, as inside a transaction. */
  mayCall?: () => void;
};

/** What a provider's adapter is given: the door, with the knowledge of whose API it calls. */
export type ProviderPorts = {
  http: HttpPort;
  smtp: SmtpPort;
};

/** Calls under way on one HTTP/2 connection; a server may allow fewer. */
const HTTP2_STREAMS = 100;

/** Headers that are ours to write. Another host name would also be another server name in the TLS handshake. */
const OWN_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

export class Egress {
  private readonly limits: EgressLimits;
  private readonly guarded: ConnectionGuard;
  private readonly trusted: ConnectionGuard;
  private readonly providerUrls: ReadonlyMap<string, URL>;
  private readonly agents = new Map<string, Agent>();
  private readonly mail: SmtpEgress;
  private readonly ports = new Map<ProviderId, ProviderPorts>();
  private readonly mayCall: () => void;

  constructor({ allow = [], providerUrls = {}, limits, resolvers, mayCall = () => undefined }: EgressOptions = {}) {
    this.mayCall = mayCall;
    this.limits = { ...EGRESS_LIMITS, ...limits };
    const names = { public: resolvePublicName, system: resolveSystemName, ...resolvers };
    const rules = new AddressRules(allow);
    this.guarded = new ConnectionGuard(rules, names);
    this.trusted = new ConnectionGuard(EVERYTHING_ALLOWED, names);
    this.providerUrls = new Map(Object.entries(providerUrls).map(([id, url]) => [id, new URL(url)]));
    const known = new ConnectionGuard(new KnownAlone(rules), names);
    this.mail = new SmtpEgress(this.guarded, known, this.trusted, this.limits);
  }

  static fromConfig(
    config: Pick<Config, 'CLARION_EGRESS_ALLOW' | 'CLARION_PROVIDER_URLS'>,
    mayCall: () => void,
  ): Egress {
    return new Egress({ allow: config.CLARION_EGRESS_ALLOW, providerUrls: config.CLARION_PROVIDER_URLS, mayCall });
  }

  /** A request to nobody's API in particular; the operator's addresses for providers do not apply. */
  request(request: EgressRequest): Promise<HttpResponse> {
    return this.exchange(request);
  }

  /** The ports of one provider's adapter. */
  portsFor(providerId: ProviderId): ProviderPorts {
    let ports = this.ports.get(providerId);
    if (!ports) {
      const moved = this.providerUrls.get(providerId);
      const place = moved && { ...placeOf(moved), prefix: moved.pathname.replace(/\/+$/, '') };
      ports = {
        http: {
          request: (request) => this.exchange(request, place),
          addressOf: (url) => (place ? place.origin + destinationOf(place, new URL(url)).path : url),
        },
        smtp: {
          send: (server, mail) => {
            this.mayCall();
            return this.mail.send(...movedServer(server, moved), mail);
          },
          verify: (server) => {
            this.mayCall();
            return this.mail.verify(...movedServer(server, moved));
          },
        },
      };
      this.ports.set(providerId, ports);
    }
    return ports;
  }

  async close(): Promise<void> {
    this.mail.close();
    await Promise.all([...this.agents.values()].map((agent) => agent.destroy()));
    this.agents.clear();
  }

  private async exchange(request: EgressRequest, moved?: Place): Promise<HttpResponse> {
    this.mayCall();
    const isMoved = moved !== undefined && request.origin === 'provider';
    const asked = parse(request.url);
    const destination = destinationOf(isMoved ? moved : placeOf(asked), asked);
    const guard = isMoved ? this.trusted : this.guarded;
    guard.checkLiteral(destination.host, destination.port, 'http');
    for (const name of Object.keys(request.headers ?? {})) {
      if (OWN_HEADERS.has(name.toLowerCase())) throw new EgressError('refused', `The header ${name} cannot be set`);
    }
    return new Exchange(request, destination, this.limits).over(this.agentFor(guard, request.http2 ?? false));
  }

  /** Trusted and guarded connections never share a pool: who may use one was decided when it was opened. */
  private agentFor(guard: ConnectionGuard, http2: boolean): Agent {
    const key = `${guard === this.trusted} ${http2}`;
    let agent = this.agents.get(key);
    if (!agent) {
      const { connections, headersMs, idleMs } = this.limits;
      agent = new Agent({
        // One HTTP/2 connection carries many calls.
        ...(http2 ? { connections: 4, pipelining: HTTP2_STREAMS } : { connections }),
        headersTimeout: headersMs,
        bodyTimeout: idleMs,
        allowH2: http2,
        factory: (origin, options) =>
          new Pool(origin, { ...(options as Pool.Options), connect: this.connector(guard, new URL(origin), http2) }),
      });
      this.agents.set(key, agent);
    }
    return agent;
  }

  private connector(guard: ConnectionGuard, origin: URL, http2: boolean): buildConnector.connector {
    const [host, port] = [hostOf(origin), portOf(origin)];
    const connect = buildConnector({
      timeout: this.limits.connectMs,
      allowH2: http2,
      useH2c: http2 && origin.protocol === 'http:',
      lookup: guard.lookup(host, port, 'http'),
      autoSelectFamily: true,
    } as buildConnector.BuildOptions);
    return (options, callback) => {
      try {
        guard.checkLiteral(host, port, 'http');
      } catch (refusal) {
        return callback(refusal as EgressError, null);
      }
      connect(options, (...[error, socket]) => {
        if (error) return callback(error, null);
        try {
          guard.checkConnected(socket, host, port, 'http');
        } catch (refusal) {
          socket.destroy();
          return callback(refusal as EgressError, null);
        }
        callback(null, socket);
      });
    };
  }
}

/** One request and its answer. Undici's own handler, without the streams around it: this is the hot path. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly chunks: Buffer[] = [];
  private bytes = 0;
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

  over(agent: Agent): Promise<HttpResponse> {
    const { method, headers, body, signal, http2 } = this.request;
    return new Promise((resolve, reject) => {
      this.settle = { resolve, reject };
      if (signal?.aborted) return this.giveUp('The call was given up');
      this.timer = setTimeout(
        () => this.giveUp(`No full answer within ${this.limits.totalMs} ms`),
        this.limits.totalMs,
      );
      signal?.addEventListener('abort', this.abandon);
      const { origin, path } = this.destination;
      try {
        // Without the word undici keeps every other call off an HTTP/2 connection while a POST is under way. Nothing is
        // made again for it: what is under way when the connection ends fails.
        agent.dispatch({ origin, path, method, headers, body, ...(http2 && { idempotent: true }) }, this);
      } catch (error) {
        this.fail(error as Error);
      }
    });
  }

  private readonly abandon = (): void => this.giveUp('The call was given up');

  /** From here on bytes may have left. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.controller = controller;
    if (this.ended) controller.abort(new Error('given up'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    this.status = status;
    for (const name of Object.keys(headers)) {
      const value = headers[name];
      if (Array.isArray(value)) headers[name] = value.join(', ');
    }
    this.headers = headers as Record<string, string>;
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.bytes += chunk.length;
    if (this.bytes <= this.limits.bodyBytes) {
      this.chunks.push(chunk);
      return;
    }
    const { bodyBytes } = this.limits;
    this.end(() =>
      this.settle.reject(new EgressError('too-large', `The answer is over ${bodyBytes} bytes`, this.status)),
    );
    controller.abort(new Error('too large'));
  }

  onResponseEnd(): void {
    const body = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    this.end(() => this.settle.resolve({ status: this.status, headers: this.headers, body }));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  private giveUp(reason: string): void {
    this.fail(new Error(reason));
    this.controller?.abort(new Error('given up'));
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
    this.request.signal?.removeEventListener('abort', this.abandon);
    settle();
  }
}

/** When every address of a name failed, the text is in the parts. */
const messageOf = (error: Error): string =>
  error instanceof AggregateError ? error.errors.map((part: Error) => part.message).join('; ') : error.message;

function toUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new EgressError('refused', 'The address to call is no URL');
  }
}

/** The URL as given never stands in a message: paths and queries hold secrets. */
function parse(text: string): URL {
  const url = toUrl(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError('refused', `Only http and https addresses are called, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('refused', 'An address with a user name or password in it is not called');
  }
  return url;
}

/** URLs spell hosts in one way already, but for the brackets and a dot at the end. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

/** What a pool is kept for. */
type Place = {
  origin: string;
  host: string;
  port: number;
  /** Of a provider that the operator moved: what stands before the provider's own path. */
  prefix?: string;
};
type Destination = Place & { path: string };

const placeOf = (url: URL): Place => ({ origin: url.origin, host: hostOf(url), port: portOf(url) });

const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** Scheme, host, port and the beginning of the path of one, the rest of the other. */
const destinationOf = ({ origin, host, port, prefix = '' }: Place, url: URL): Destination => ({
  origin,
  host,
  port,
  path: prefix + pathOf(url),
});

/**
 * `smtp:` may be plain, as `http:` is. A server that wants STARTTLS gets it, with any certificate: there is none for an
 * address of the operator's choice.
 */
function movedServer(server: SmtpServer, target: URL | undefined): [SmtpServer, isTrusted: boolean] {
  if (!target) return [server, false];
  const secure = target.protocol === 'smtps:';
  const port = Number(target.port) || (secure ? 465 : 25);
  const tlsOptions = secure ? server.tlsOptions : { ...server.tlsOptions, rejectUnauthorized: false };
  return [{ ...server, host: hostOf(target), port, secure, requireTls: false, tlsOptions }, true];
}
