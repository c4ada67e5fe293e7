import type { IncomingMessage } from 'node:http';
import { DomainError, type EnvironmentId, LIMITS, type TenantLevel, type TenantShare } from '@clarion/contracts';
import { AddressList, type Config, type Health } from '@clarion/platform';
import type { WrongKeys } from '../../edge/auth/wrong-keys';
import { isOriginAllowed } from '../cors';
import type { InboxEnvironments } from '../inbox-environments';
import type { InboxClaims, InboxTokens } from '../../edge/auth/inbox-tokens';
import { callerAddress } from './caller-address';
import type { Connections } from './connections';

export type Refusal = 'token' | 'origin' | 'stopping' | 'subscriber' | 'traffic' | TenantLevel;

export class RefusedConnection extends Error {
  constructor(
    readonly reason: Refusal,
    message: string,
    /** Answered with this status before there is a connection, so that the client tries again later. */
    readonly status?: 429 | 503,
  ) {
    super(message);
  }
}

type Parts = {
  config: Config;
  health: Health;
  tokens: InboxTokens;
  environments: InboxEnvironments;
  wrongKeys: WrongKeys;
  connections: Connections;
  share: () => TenantShare;
};

/** The share of the connections of a gateway that may be open without a valid token, for some seconds. */
const UNKNOWN_SHARE = 0.1;

export class Admission {
  private readonly proxies: AddressList;
  /** What was found out before the connection was opened. */
  private readonly verified = new WeakMap<IncomingMessage, InboxClaims>();

  constructor(private readonly parts: Parts) {
    this.proxies = new AddressList(parts.config.CLARION_TRUST_PROXY);
  }

  /** A wrong token is refused later, when the client can read why, unless its address sends many of them. */
  checkRequest(request: IncomingMessage, open: { all: number; unknown: number }, isStopping: boolean): void {
    const { config, health } = this.parts;
    if (isStopping || health.isDraining) throw new RefusedConnection('stopping', 'The gateway is stopping', 503);
    if (open.all >= config.CLARION_SOCKETS) throw full('gateway', config.CLARION_SOCKETS);
    const claims = this.readToken(request, tokenIn(request.url ?? ''));
    if (claims) {
      this.verified.set(request, claims);
      this.checkTenant(claims.environmentId);
    } else if (open.unknown >= Math.ceil(config.CLARION_SOCKETS * UNKNOWN_SHARE)) {
      throw new RefusedConnection('gateway', 'Too many connections without a valid token are open', 503);
    }
  }

  hasValidToken(request: IncomingMessage): boolean {
    return this.verified.has(request);
  }

  /** Checks an open connection before it is sent anything. */
  async check(request: IncomingMessage, token: unknown): Promise<InboxClaims> {
    const { tokens, environments } = this.parts;
    const claims = this.verified.get(request) ?? verify(tokens, typeof token === 'string' ? token : '');
    const environment = await environments.findForSession(claims).catch(refuseToken);
    const { origin } = request.headers;
    if (!isOriginAllowed(environment, origin)) {
      throw new RefusedConnection('origin', `The origin ${origin} is not among the allowedOrigins of the environment`);
    }
    this.checkLimits(claims);
    return claims;
  }

  /** Throws when the environment, its organization or the subscriber has as many connections as it may have. */
  checkLimits({ environmentId, subscriberRowId, signer }: InboxClaims): void {
    this.checkTenant(environmentId);
    // A stranger with an unsigned session of the subscriber must not use up its connections.
    const limit = signer ? LIMITS.socketsPerSubscriber : LIMITS.socketsPerSubscriber / 2;
    if (this.parts.connections.countOf(subscriberRowId) >= limit) throw full('subscriber', limit);
  }

  /** Whether the session of an open connection still holds. */
  async holds(claims: InboxClaims): Promise<boolean> {
    try {
      await this.parts.environments.findForSession(claims);
      return true;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  }

  private checkTenant(environmentId: EnvironmentId): void {
    const level = this.parts.connections.counts.fullLevel(environmentId);
    if (level) throw full(level, this.parts.share()[level]);
  }

  private readToken(request: IncomingMessage, token: string | undefined): InboxClaims | undefined {
    if (token === undefined) return undefined;
    try {
      return verify(this.parts.tokens, token);
    } catch (error) {
      const { code, message } = this.parts.wrongKeys.refuse(callerAddress(request, this.proxies), String(error));
      if (code === 'too_many_requests') throw new RefusedConnection('token', message, 429);
      return undefined;
    }
  }
}

function verify(tokens: InboxTokens, token: string): InboxClaims {
  try {
    return tokens.verify(token);
  } catch (error) {
    return refuseToken(error);
  }
}

function refuseToken(error: unknown): never {
  if (error instanceof DomainError) throw new RefusedConnection('token', error.message);
  throw error;
}

const full = (what: TenantLevel | 'subscriber', limit: number): RefusedConnection =>
  new RefusedConnection(what, `The ${what} has ${limit} open connections, which is its limit at this gateway`, 503);

const tokenIn = (url: string): string | undefined => new URLSearchParams(url.split('?')[1]).get('token') ?? undefined;
