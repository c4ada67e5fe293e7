import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { type Call, send } from './call';
import { beforeSending, outcomeOf } from './outcome';
import { type CallContext, type ProviderError, type SendResult } from './provider';

export type AccessToken = { ok: true; value: string } | { ok: false; failure: ProviderError };

export type TokenSource = { key: string; now: Date; exchange(): Promise<AccessToken> };

type Kept = { token: Promise<AccessToken>; until: number; value?: string };

const MOST_TOKENS = 1_000;

/** A cache of access tokens by credentials. Concurrent callers share one token request. */
export class AccessTokens {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly lifeMs: number) {}

  /** A hash of the secrets, so that the map holds no secret as a key. */
  static keyOf(...secrets: readonly string[]): string {
    return createHash('sha256').update(JSON.stringify(secrets)).digest('hex');
  }

  async get(key: string, now: Date, exchange: () => Promise<AccessToken>): Promise<AccessToken> {
    const known = this.kept.get(key);
    if (known && known.until > now.getTime()) return known.token;
    const token = exchange();
    this.kept.delete(key);
    if (this.kept.size >= MOST_TOKENS) this.kept.delete(this.kept.keys().next().value!);
    const entry: Kept = { token, until: now.getTime() + this.lifeMs };
    this.kept.set(key, entry);
    try {
      const result = await token;
      if (result.ok) entry.value = result.value;
      else this.kept.delete(key);
      return result;
    } catch (error) {
      this.kept.delete(key);
      throw error;
    }
  }

  /** With `value`, removes only that token: of many rejected callers the first one renews it. */
  forget(key: string, value?: string): void {
    if (value === undefined || this.kept.get(key)?.value === value) this.kept.delete(key);
  }

  /** Makes the call with a token. If the provider rejects the token, makes the call once more with a new one. */
  async use(
    source: TokenSource,
    call: (token: string) => Promise<SendResult>,
    isRefused: (failure: ProviderError) => boolean = ({ status }) => status === 401,
  ): Promise<SendResult> {
    const token = await this.get(source.key, source.now, source.exchange);
    if (!token.ok) return token.failure;
    const result = await call(token.value);
    if (result.ok || !isRefused(result)) return result;
    this.forget(source.key, token.value);
    const another = await this.get(source.key, source.now, source.exchange);
    return another.ok ? call(another.value) : another.failure;
  }

  /** Requests a new token, regardless of the cache. */
  async check(source: TokenSource): Promise<SendResult> {
    this.forget(source.key);
    const token = await this.get(source.key, source.now, source.exchange);
    return token.ok ? { ok: true } : token.failure;
  }
}

export const jwtText = (header: object, claims: object): string =>
  [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.');

export async function requestToken(
  call: Call,
  credentials: CredentialsDto,
  context: CallContext,
): Promise<AccessToken> {
  let value: string | undefined;
  // The overrides apply to the message, not to the token request.
  const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
    value = answer.at('access_token');
    // The response contains the token, so it is not kept in the result.
    if (answer.isOk)
      return value === undefined
        ? { ...answer.failed('transient', 'The response of the token endpoint has no access token'), raw: '' }
        : { ok: true };
    const message = answer.at('error_description') ?? answer.at('message') ?? answer.at('error');
    return answer.status === 400 ? answer.failed('credentials', message) : outcomeOf(answer, message);
  });
  if (result.ok) return { ok: true, value: value! };
  return { ok: false, failure: beforeSending(result) };
}
