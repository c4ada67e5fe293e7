import type { Dialect, EnvironmentId, JsonObject, ProviderId, TraceContext } from '@clarion/contracts/core';
import type { Egress, Span, Tracing } from '@clarion/platform';
import {
  type BatchItem,
  describeProvider,
  type OutboundChannel,
  type OutboundMessages,
  OUTBOX_PROVIDERS,
  type OutboxPort,
  type Provider,
  type ProviderError,
  providerFor,
  redirectedMessage,
  type SendContext,
  type SendResult,
  withoutSecrets,
} from '@clarion/providers';
import type { Account } from '../accounts/integration-directory';
import { SharedCalls } from '../accounts/shared-calls';

type OutboundMessage = OutboundMessages[OutboundChannel];

export type SendOptions = {
  trace?: TraceContext;
  /** Secrets that the message contains. No result contains them. */
  secrets?: () => readonly string[];
  /** Who goes first among those that wait for a shared call (`placeOf`). */
  place?: number;
};

type Item = BatchItem<OutboundMessage> & SendOptions;

export type ProviderCallsParts = {
  egress: Pick<Egress, 'portsFor'>;
  outboxOf(environmentId: EnvironmentId): OutboxPort;
  /** The public base URL of this installation; undefined when it is not configured. */
  publicUrl?: string;
  /** The dialect of environments that have chosen none. */
  dialect?: Dialect;
  sharedCalls: number;
  tracing: Tracing;
};

/** Every failure is a value; an exception is a bug. No other code decides whether a sandbox calls providers. */
export class ProviderCalls {
  /** By account object: an integration that was changed is a new account and shares no call with the old one. */
  private readonly shared = new WeakMap<Account, SharedCalls<Item, SendResult>>();
  private readonly contexts = new WeakMap<Account, SendContext>();

  constructor(private readonly parts: ProviderCallsParts) {}

  async send<C extends OutboundChannel>(
    account: Account,
    message: OutboundMessages[C],
    overrides: JsonObject,
    options: SendOptions = {},
  ): Promise<SendResult> {
    const { sandbox, channel } = account;
    if (!sandbox) return this.sendTo(account, providerOf(account), { message, overrides, ...options });
    const { redirectTo } = sandbox;
    if (redirectTo === undefined) {
      const outbox = OUTBOX_PROVIDERS[channel as OutboundChannel] as Provider;
      return this.sendTo(account, outbox, { message, overrides, ...options });
    }
    // Overrides are fields of the provider's request, which may name recipients: none of them is used.
    const redirected = redirectedMessage(channel as 'email' | 'sms', message, redirectTo);
    const item: Item = { message: redirected.message, overrides: {}, ...options };
    const result = await this.sendTo(account, providerOf(account), item);
    return result.ok ? { ...result, intended: redirected.intended } : result;
  }

  private async sendTo(account: Account, provider: Provider | undefined, item: Item): Promise<SendResult> {
    if (!provider) return refusal(`${describeProvider(account.providerId as ProviderId).displayName} sends nothing`);
    if (account.unreadable.length > 0) {
      return refusal(`The stored credentials cannot be decrypted (${account.unreadable.join(', ')}): save them again`);
    }
    try {
      const group = provider.batch?.groupOf(item, account.credentials);
      if (group !== undefined) return await this.sharedOf(account, provider).add(group, item, item.place);
      return await this.sendAlone(account, provider, item);
    } catch (error) {
      // It is unknown whether the message was sent, so it is treated as a lost connection.
      const message = error instanceof Error ? error.message : String(error);
      const result: ProviderError = { ok: false, kind: 'unknown-outcome', message };
      return withoutSecrets([result], account.credentials, item.secrets)[0]!;
    }
  }

  private sharedOf(account: Account, provider: Provider): SharedCalls<Item, SendResult> {
    let shared = this.shared.get(account);
    if (!shared) {
      const limits = { size: provider.batch!.size, calls: this.parts.sharedCalls };
      shared = new SharedCalls(limits, (items) => this.sendTogether(account, provider, items));
      this.shared.set(account, shared);
    }
    return shared;
  }

  private sendTogether(account: Account, provider: Provider, items: Item[]): Promise<SendResult[]> {
    return items.length === 1 ? this.oneByOne(account, provider, items) : this.inOneCall(account, provider, items);
  }

  private async inOneCall(account: Account, provider: Provider, items: Item[]): Promise<SendResult[]> {
    const context = this.contextFor(account, provider, {}, items);
    const traces = items.map(({ trace }) => trace);
    const attributes = { ...describe(account, provider), 'clarion.messages': items.length };
    const span = this.parts.tracing.shared('provider', traces, attributes);
    const results = await recordSpanOutcome(span, () => provider.batch!.send(items, account.credentials, context));
    // Some servers with the API of this provider have no batch endpoint; then no message was sent yet.
    return results.every(isNotThere) ? this.oneByOne(account, provider, items) : results;
  }

  private oneByOne(account: Account, provider: Provider, items: Item[]): Promise<SendResult[]> {
    return Promise.all(items.map((item) => this.sendAlone(account, provider, item)));
  }

  private async sendAlone(account: Account, provider: Provider, item: Item): Promise<SendResult> {
    const context = this.contextFor(account, provider, item.overrides, [item]);
    if (!item.trace) return provider.send(item.message, account.credentials, context);
    const span = this.parts.tracing.span('provider', item.trace, describe(account, provider));
    context.trace = span?.context ?? item.trace;
    const send = () => provider.send(item.message, account.credentials, context);
    const [result] = await recordSpanOutcome(span, async () => [await send()]);
    return result!;
  }

  private contextFor(account: Account, provider: Provider, overrides: JsonObject, items: Item[]): SendContext {
    let common = this.contexts.get(account);
    if (!common) {
      const { egress, outboxOf, dialect } = this.parts;
      const callbackUrl = this.callbackUrlOf(account, provider);
      common = {
        ...egress.portsFor(provider.id),
        outbox: namingProvider(account, outboxOf(account.environmentId)),
        overrides: {},
        ...(callbackUrl !== undefined && { callbackUrl }),
        dialect: account.dialect ?? dialect,
        now: () => new Date(),
      };
      this.contexts.set(account, common);
    }
    const context: SendContext = { ...common, overrides };
    if (items.some(({ secrets }) => secrets)) context.secrets = () => items.flatMap(({ secrets }) => secrets?.() ?? []);
    return context;
  }

  private callbackUrlOf({ id, environmentId, configurations }: Account, { events }: Provider): string | undefined {
    const { publicUrl } = this.parts;
    if (!publicUrl || !events || configurations.inboundWebhookEnabled !== true) return undefined;
    const { inboundWebhookSigningKey: key = '' } = configurations;
    const query = events.keyInUrl ? `?token=${encodeURIComponent(key)}` : '';
    const path = `/v2/inbound-webhooks/delivery-providers/${environmentId}/${id}`;
    return publicUrl + path + query;
  }
}

const providerOf = ({ providerId }: Account): Provider | undefined =>
  providerFor(providerId as ProviderId) as Provider | undefined;

/** The outbox of a sandbox shows the provider that would have sent the message. */
const namingProvider = ({ sandbox, providerId }: Account, outbox: OutboxPort): OutboxPort =>
  sandbox
    ? { put: (entries) => outbox.put(entries.map((entry) => ({ ...entry, providerId: providerId as ProviderId }))) }
    : outbox;

const isNotThere = (result: SendResult): boolean => !result.ok && (result.status === 404 || result.status === 405);

const describe = ({ id }: Account, provider: Provider) => ({
  'clarion.provider': provider.id,
  'clarion.channel': provider.channel,
  'clarion.integration_id': id,
});

/** Makes the call and records its result in the span: the first failure of several messages. */
async function recordSpanOutcome(span: Span | undefined, call: () => Promise<SendResult[]>): Promise<SendResult[]> {
  if (!span) return call();
  try {
    const results = await call();
    const failure = results.find((result): result is ProviderError => !result.ok);
    span.set({ 'clarion.outcome': failure?.kind ?? 'sent', 'http.response.status_code': failure?.status });
    if (failure) span.fail(failure.message);
    return results;
  } catch (error) {
    span.fail(error);
    throw error;
  } finally {
    span.end();
  }
}

const refusal = (message: string): ProviderError => ({ ok: false, kind: 'credentials', message });

/** The object without its undefined members. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
