import { createHash } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { type Call, send } from './call';
import { outcomeOf } from './outcome';
import { type CallContext, type ProviderError, type SendResult } from './provider';

export type AccessToken = { ok: true; value: string } | { ok: false; failure: ProviderError };

/** Where the tokens of one account come from. */
export type TokenSource = { key: string; now: Date; exchange(): Promise<AccessToken> };

type Kept = { token: Promise<AccessToken>; until: number; value?: string };

const MOST_TOKENS = 1_000;

/** Tokens that open a provider's API for a while, by credentials. A burst waits for one exchange instead of making a hundred. */
export class AccessTokens {
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly lifeMs: number) {}

  /** Secrets are no keys of maps: what is kept under is their fingerprint. */
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

  /** With a value only that one: when a burst is refused, the first renews the token and the others share the new one. */
  forget(key: string, value?: string): void {
    if (value === undefined || this.kept.get(key)?.value === value) this.kept.delete(key);
  }

  /** A call with a token, and once more with a new one where the provider no longer takes the old one. */
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

  /** Whether the account gets a token now, whatever it got before. */
  async check(source: TokenSource): Promise<SendResult> {
    this.forget(source.key);
    const token = await this.get(source.key, source.now, source.exchange);
    return token.ok ? { ok: true } : token.failure;
  }
}

/** Asks an OAuth server for a token. */
export async function askForToken(call: Call, credentials: CredentialsDto, context: CallContext): Promise<AccessToken> {
  let value: string | undefined;
  // The overrides are for the message, not for this.
  const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
    value = answer.at('access_token');
    // The answer holds the token, so it is not kept.
    if (answer.isOk)
      return value === undefined ? { ...answer.failed('transient', 'No access token came'), raw: '' } : { ok: true };
    const message = answer.at('error_description') ?? answer.at('message') ?? answer.at('error');
    return answer.status === 400 ? answer.failed('credentials', message) : outcomeOf(answer, message);
  });
  if (result.ok) return { ok: true, value: value! };
  // Nothing was sent yet, so nothing is in doubt.
  return { ok: false, failure: result.kind === 'unknown-outcome' ? { ...result, kind: 'transient' } : result };
}
