/** The only access to the outside network: a guard that callers have to call would be forgotten. */
import { Agent, buildConnector, Pool } from 'undici';
import {
  type HttpPort,
  type HttpResponse,
  type ProviderId,
  type SmtpPort,
  type SmtpServer,
  withoutTrailingSlashes,
} from '@clarion/contracts/core';
import { type Config } from '../config/config';
import { AddressRules, EVERYTHING_ALLOWED, ListedOnly } from './address-rules';
import { EgressError, UnknownHostError } from './egress-error';
import { ConnectionGuard, type NameResolvers } from './guarded-connections';
import {
  type Destination,
  type EgressLimits,
  type EgressRequest,
  type HttpEndpoint,
  HttpExchange,
} from './http-exchange';
import { resolvePublicName, resolveSystemName } from './name-resolver';
import { paceReads } from './paced-reads';
import { type ProviderUrls } from './provider-urls';
import { SmtpEgress } from './smtp-egress';

const EGRESS_LIMITS: EgressLimits = {
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
  /** Called before every request; throws where waiting for the network is not allowed, as inside a transaction. */
  mayCall?: () => void;
};

/** The network access of a provider's adapter, bound to the provider. */
export type ProviderPorts = {
  http: HttpPort;
  smtp: SmtpPort;
};

/** Parsed URLs to keep for one provider. Most providers have one or two; endpoints of tenants have many. */
const KNOWN_URLS = 200;
const KNOWN_URL_CHARACTERS = 1_000;

/** Requests in flight on one HTTP/2 connection; a server may allow fewer. */
const HTTP2_STREAMS = 100;

const INVISIBLE = /[\p{C}\p{Z}]/u;

/** Headers that callers must not set. Another host name would also be another server name in the TLS handshake. */
const RESERVED_HEADERS: ReadonlySet<string> = new Set(['host', 'content-length', 'transfer-encoding', 'connection']);

export class Egress {
  private readonly limits: EgressLimits;
  private readonly rules: AddressRules;
  private readonly guarded: ConnectionGuard;
  private readonly trusted: ConnectionGuard;
  private readonly providerUrls: ReadonlyMap<string, URL>;
  private readonly agents = new Map<string, Agent>();
  /** URLs whose literal address was checked, by the endpoint that replaces theirs. */
  private readonly known = new Map<HttpEndpoint | undefined, Map<string, Destination>>();
  private readonly mail: SmtpEgress;
  private readonly ports = new Map<ProviderId, ProviderPorts>();
  private readonly mayCall: () => void;

  constructor({ allow = [], providerUrls = {}, limits, resolvers, mayCall = () => undefined }: EgressOptions = {}) {
    this.mayCall = mayCall;
    this.limits = { ...EGRESS_LIMITS, ...limits };
    const names = { public: resolvePublicName, system: resolveSystemName, ...resolvers };
    this.rules = new AddressRules(allow);
    this.guarded = new ConnectionGuard(this.rules, names);
    this.trusted = new ConnectionGuard(EVERYTHING_ALLOWED, names);
    this.providerUrls = new Map(Object.entries(providerUrls).map(([id, url]) => [id, new URL(url)]));
    const known = new ConnectionGuard(new ListedOnly(this.rules), names);
    this.mail = new SmtpEgress(this.guarded, known, this.trusted, this.limits);
  }

  static fromConfig(
    config: Pick<Config, 'CLARION_EGRESS_ALLOW' | 'CLARION_PROVIDER_URLS'>,
    mayCall: () => void,
  ): Egress {
    return new Egress({ allow: config.CLARION_EGRESS_ALLOW, providerUrls: config.CLARION_PROVIDER_URLS, mayCall });
  }

  /** A request that belongs to no provider; CLARION_PROVIDER_URLS does not apply. */
  request(request: EgressRequest): Promise<HttpResponse> {
    return this.exchange(request).catch((error: unknown) => {
      if (!(error instanceof UnknownHostError)) throw error;
      throw new EgressError('unreachable', `The host name ${error.host} cannot be resolved`);
    });
  }

  /** Why a stored URL cannot be called, without a lookup. `https`: unlisted hosts have to use https. */
  faultOf(text: string, schemes: 'https' | 'http or https'): string | undefined {
    // The URL parser would remove some of them, and the text is stored.
    if (INVISIBLE.test(text)) return 'It must not contain spaces or control characters';
    try {
      const { host } = this.destinationFor(text, undefined);
      const mayBePlain = schemes !== 'https' || this.rules.isListed(host) || this.rules.isKnown(host, host);
      return new URL(text).protocol === 'https:' || mayBePlain ? undefined : 'It must begin with https://';
    } catch (error) {
      if (error instanceof EgressError) return error.message;
      throw error;
    }
  }

  portsFor(providerId: ProviderId): ProviderPorts {
    let ports = this.ports.get(providerId);
    if (!ports) {
      const moved = this.providerUrls.get(providerId);
      const endpoint = moved && { ...endpointOf(moved), prefix: withoutTrailingSlashes(moved.pathname) };
      ports = {
        http: {
          request: (request) => this.exchange(request, endpoint),
          addressOf: (url) => (endpoint ? endpoint.origin + destinationOf(endpoint, new URL(url)).path : url),
        },
        smtp: {
          send: (server, mail) => {
            this.mayCall();
            return this.mail.send(...redirectedServer(server, moved), mail);
          },
          verify: (server) => {
            this.mayCall();
            return this.mail.verify(...redirectedServer(server, moved));
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

  private async exchange(request: EgressRequest, moved?: HttpEndpoint): Promise<HttpResponse> {
    this.mayCall();
    const replaced = request.origin === 'provider' ? moved : undefined;
    const destination = this.destinationFor(request.url, replaced);
    for (const name of Object.keys(request.headers ?? {})) {
      if (RESERVED_HEADERS.has(name.toLowerCase()))
        throw new EgressError('refused', `The header ${name} cannot be set`);
    }
    const agent = this.agentFor(this.guardFor(replaced), request.http2 ?? false);
    return new HttpExchange(request, destination, this.limits).sendOver(agent);
  }

  /** The operator chose the endpoints that replace those of providers. */
  private guardFor(replaced: HttpEndpoint | undefined): ConnectionGuard {
    return replaced ? this.trusted : this.guarded;
  }

  /** Once for all calls: the rules never change. Addresses of a name are checked when connecting. */
  private destinationFor(text: string, replaced: HttpEndpoint | undefined): Destination {
    let known = this.known.get(replaced);
    if (!known) this.known.set(replaced, (known = new Map()));
    let destination = known.get(text);
    if (!destination) {
      const url = parseHttpUrl(text);
      destination = destinationOf(replaced ?? endpointOf(url), url);
      this.guardFor(replaced).checkLiteral(destination.host, destination.port, 'http');
      if (text.length > KNOWN_URL_CHARACTERS) return destination;
      if (known.size >= KNOWN_URLS) known.clear();
      known.set(text, destination);
    }
    return destination;
  }

  /** Trusted and guarded connections share no pool: permission is checked when a connection is opened. */
  private agentFor(guard: ConnectionGuard, http2: boolean): Agent {
    const key = `${guard === this.trusted} ${http2}`;
    let agent = this.agents.get(key);
    if (!agent) {
      const { connections, headersMs, idleMs } = this.limits;
      agent = new Agent({
        // One HTTP/2 connection carries many requests.
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
        if (!http2) paceReads(socket);
        callback(null, socket);
      });
    };
  }
}

function toUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new EgressError('refused', 'The address to call is not a URL');
  }
}

/** The URL must never appear in a message: paths and queries contain secrets. */
function parseHttpUrl(text: string): URL {
  const url = toUrl(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new EgressError('refused', `Only http and https URLs can be called, not ${url.protocol}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new EgressError('refused', 'A URL with a user name or password cannot be called');
  }
  return url;
}

/** The URL parser has already normalized the host, except for brackets and a trailing dot. */
const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');

const portOf = (url: URL): number => Number(url.port) || (url.protocol === 'https:' ? 443 : 80);

const endpointOf = (url: URL): HttpEndpoint => ({ origin: url.origin, host: hostOf(url), port: portOf(url) });

const pathOf = ({ pathname, search }: URL): string => pathname + search;

/** Scheme, host, port and path prefix of the endpoint, path and query of the URL. */
const destinationOf = ({ origin, host, port, prefix = '' }: HttpEndpoint, url: URL): Destination => ({
  origin,
  host,
  port,
  path: prefix + pathOf(url),
});

/** `smtp:` may be unencrypted. With STARTTLS any certificate is accepted: the operator chose the address. */
function redirectedServer(server: SmtpServer, target: URL | undefined): [SmtpServer, isTrusted: boolean] {
  if (!target) return [server, false];
  const secure = target.protocol === 'smtps:';
  const port = Number(target.port) || (secure ? 465 : 25);
  const tlsOptions = secure ? server.tlsOptions : { ...server.tlsOptions, rejectUnauthorized: false };
  return [{ ...server, host: hostOf(target), port, secure, requireTls: false, tlsOptions }, true];
}
