import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import {
  DomainError,
  type EnvironmentId,
  isId,
  isJsonObject,
  type Json,
  LIMITS,
  type SubscriberRowId,
} from '@clarion/contracts';
import { equalInConstantTime, SecretBox } from '@clarion/platform';

export type InboxClaims = {
  environmentId: EnvironmentId;
  /** The id of the subscriber's row: the token of a deleted subscriber does not open the inbox of a new one. */
  subscriberRowId: SubscriberRowId;
  subscriberId: string;
  /** The contexts of the session as sorted `type:id`. The token opens messages of exactly these contexts. */
  contextKeys: string[];
  /**
   * The id of the secret or the key that signed the session; null for an unsigned session. Undefined in tokens of an
   * older release, which did not say: they open what an unsigned session opens.
   */
  signer?: string | null;
  /** When the token ends, in milliseconds since 1970. */
  expiresAt: number;
};

const PURPOSE = 'inbox session tokens';
const AUDIENCE = 'inbox';
const LIFE_SECONDS = LIMITS.inboxTokenHours * 3600;
/** A token with the longest subscriberId and five contexts has about 3,000 characters. */
const LONGEST_TOKEN = 8 * 1024;
/** How far the clocks of two gateways may differ. */
const SKEW_SECONDS = 300;

/**
 * Issues and verifies the tokens of inbox sessions: JWTs (RFC 7519), always HMAC-SHA256. The `kid` of the header names
 * the key of CLARION_ENCRYPTION_KEY from which the signing key is derived. So a token stays valid while that key is in
 * the list, and removing the key ends its tokens.
 */
@Injectable()
export class InboxTokens {
  private readonly signingKeys = new Map<string, Buffer>();

  constructor(private readonly secrets: SecretBox) {}

  issue(claims: Omit<InboxClaims, 'expiresAt'>, now = Date.now()): string {
    const issuedAt = Math.floor(now / 1_000);
    const signed = [
      { alg: 'HS256', typ: 'JWT', kid: this.secrets.newest },
      {
        aud: AUDIENCE,
        environmentId: claims.environmentId,
        sub: claims.subscriberRowId,
        subscriberId: claims.subscriberId,
        contextKeys: claims.contextKeys,
        signer: claims.signer,
        iat: issuedAt,
        exp: issuedAt + LIFE_SECONDS,
      },
    ]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    return `${signed}.${signatureOf(signed, this.signingKey(this.secrets.newest)!)}`;
  }

  /** Returns what the token opens. Throws an `unauthorized` DomainError for every other token. */
  verify(token: string, now = Date.now()): InboxClaims {
    const [header = '', payload = '', signature = '', ...rest] = token.length <= LONGEST_TOKEN ? token.split('.') : [];
    const { alg, kid } = readPart(header);
    // The algorithm is never taken from the token: a header that names another one is refused.
    const key = alg === 'HS256' && typeof kid === 'string' ? this.signingKey(kid) : undefined;
    if (!key || rest.length > 0) throw invalidToken();
    const expected = signatureOf(`${header}.${payload}`, key);
    if (!equalInConstantTime(Buffer.from(signature), Buffer.from(expected))) throw invalidToken();
    return readClaims(readPart(payload), now / 1_000);
  }

  private signingKey(kid: string): Buffer | undefined {
    const known = this.signingKeys.get(kid);
    if (known) return known;
    const derived = this.secrets.deriveKey(PURPOSE, kid);
    if (derived) this.signingKeys.set(kid, derived);
    return derived;
  }
}

const signatureOf = (signed: string, key: Buffer): string =>
  createHmac('sha256', key).update(signed).digest('base64url');

/** The signature is verified, so a claim of another type comes from another release of this service. */
function readClaims(claims: { [name: string]: Json }, now: number): InboxClaims {
  const { aud, environmentId, sub, subscriberId, contextKeys, signer, iat, exp } = claims;
  if (aud !== AUDIENCE || !isId(environmentId) || !isId(sub) || typeof subscriberId !== 'string') throw invalidToken();
  if (!Array.isArray(contextKeys) || !contextKeys.every((key) => typeof key === 'string')) throw invalidToken();
  if (signer !== undefined && signer !== null && !isId(signer)) throw invalidToken();
  if (typeof iat !== 'number' || typeof exp !== 'number' || iat > now + SKEW_SECONDS) throw invalidToken();
  if (exp <= now || exp - iat > LIFE_SECONDS) {
    throw inboxUnauthorized('The inbox session has ended: open a new one with POST /v1/inbox/session');
  }
  return {
    environmentId: environmentId as EnvironmentId,
    subscriberRowId: sub as SubscriberRowId,
    subscriberId,
    contextKeys,
    signer,
    expiresAt: exp * 1_000,
  };
}

function readPart(encoded: string): { [name: string]: Json } {
  try {
    const value: unknown = JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
    if (isJsonObject(value)) return value;
  } catch {
    // Not JSON: refused below like every other text that is not a token.
  }
  throw invalidToken();
}

export const inboxUnauthorized = (message: string): DomainError =>
  new DomainError('unauthorized', message, {}, { 'WWW-Authenticate': 'Bearer realm="clarion"' });

const invalidToken = (): DomainError => inboxUnauthorized('The inbox token is not valid');
