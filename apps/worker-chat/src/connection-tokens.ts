import type { ConnectionAuth, EnvironmentId, ProviderId } from '@clarion/contracts/core';
import type { Account } from '@clarion/delivery';
import type { ChannelConnectionRepository } from '@clarion/persistence';
import { type Egress, openConnection, sealConnection, type SecretBox } from '@clarion/platform';
import { type CallContext, chatConnectOf, type ProviderError, type SendResult } from '@clarion/providers';
import type { ChannelEndpoint } from '@clarion/rules';

type Connection = NonNullable<ChannelEndpoint['connection']>;
type Token = { ok: true; auth: ConnectionAuth; sealed: string } | ProviderError;

export type ConnectionTokensParts = {
  connections: Pick<ChannelConnectionRepository, 'beginRefresh' | 'endRefresh' | 'readAuth'>;
  egress: Pick<Egress, 'portsFor'>;
  secrets: SecretBox;
  pause(milliseconds: number): Promise<unknown>;
  now(): number;
};

/** A token is renewed this long before it expires. */
const EARLY_MS = 5 * 60_000;
/** How often and how long a process looks for the token that another process is getting. */
const LOOK_MS = 250;
const LOOKS = 40;

/**
 * The access tokens of channel connections. A token that has expired, or that the provider rejects, is renewed and
 * stored. Of all processes one does that; the others wait for the stored token, because a refresh token works once.
 */
export class ConnectionTokens {
  private readonly renewals = new Map<string, Promise<Token>>();

  constructor(private readonly parts: ConnectionTokensParts) {}

  /** Sends with the token of the connection. If the provider rejects the token as expired, sends once more. */
  async use(
    account: Account,
    connection: Connection,
    send: (accessToken: string) => Promise<SendResult>,
  ): Promise<SendResult> {
    const first = await this.current(account, connection);
    if (!first.ok) return first;
    const result = await send(first.auth.accessToken);
    if (result.ok || !result.isTokenRefused) return result;
    const next = await this.renew(account, connection, first.sealed);
    return next.ok ? send(next.auth.accessToken) : next;
  }

  private async current(account: Account, connection: Connection): Promise<Token> {
    const token = this.open(account.environmentId, connection.id, connection.auth);
    if (!token.ok) return token;
    const { expiresAt } = token.auth;
    const isOld = expiresAt !== undefined && Date.parse(expiresAt) - EARLY_MS <= this.parts.now();
    return isOld ? this.renew(account, connection, connection.auth) : token;
  }

  private renew(account: Account, { id }: Connection, seen: string): Promise<Token> {
    const key = `${id} ${seen}`;
    const running = this.renewals.get(key);
    if (running) return running;
    const renewal = this.renewOnce(account, id, seen).finally(() => this.renewals.delete(key));
    this.renewals.set(key, renewal);
    return renewal;
  }

  private async renewOnce(account: Account, id: string, seen: string): Promise<Token> {
    const { connections, pause } = this.parts;
    const { environmentId } = account;
    for (let look = 0; look < LOOKS; look += 1) {
      if (await connections.beginRefresh(environmentId, id, seen)) return this.exchange(account, id, seen);
      const stored = await connections.readAuth(environmentId, id);
      if (!stored) return failure('recipient', 'The connection of the endpoint was deleted');
      if (stored.auth !== seen) return this.open(environmentId, id, stored.auth);
      await pause(LOOK_MS);
    }
    return failure('transient', 'Another process is renewing the token of the connection');
  }

  private async exchange(
    { environmentId, providerId, credentials }: Account,
    id: string,
    seen: string,
  ): Promise<Token> {
    const { connections, secrets, egress } = this.parts;
    const connect = chatConnectOf(providerId as ProviderId);
    const opened = this.open(environmentId, id, seen);
    if (!opened.ok) return opened;
    if (!connect) return failure('credentials', 'The token of the connection has expired and cannot be renewed');
    const context: CallContext = {
      ...egress.portsFor(providerId as ProviderId),
      overrides: {},
      now: () => new Date(this.parts.now()),
    };
    const renewed = await connect.refresh(opened.auth, credentials, context);
    if (!renewed.ok) {
      // Stored again as it is: the others need not wait until the time of this process is over.
      await connections.endRefresh(environmentId, id, seen, seen);
      return renewed;
    }
    const sealed = sealConnection(secrets, { environmentId, id }, renewed.auth);
    await connections.endRefresh(environmentId, id, seen, sealed);
    return { ok: true, auth: renewed.auth, sealed };
  }

  private open(environmentId: EnvironmentId, id: string, auth: string): Token {
    try {
      return { ok: true, auth: openConnection(this.parts.secrets, { environmentId, id, auth }), sealed: auth };
    } catch {
      return failure('credentials', 'The stored token of the connection cannot be decrypted: connect it again');
    }
  }
}

const failure = (kind: ProviderError['kind'], message: string): ProviderError => ({ ok: false, kind, message });
