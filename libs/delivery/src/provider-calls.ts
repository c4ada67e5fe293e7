import type { JsonObject, ProviderId } from '@clarion/contracts';
import type { Egress } from '@clarion/platform';
import {
  type BatchItem,
  describeProvider,
  type OutboundChannel,
  type OutboundMessages,
  type OutboxPort,
  type Provider,
  type ProviderError,
  providerFor,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import type { Account } from './integration-directory';
import { SharedCalls } from './shared-calls';

type Message = OutboundMessages[OutboundChannel];

export type ProviderCallsParts = {
  egress: Pick<Egress, 'portsFor'>;
  outboxOf(environmentId: string): OutboxPort;
  /** Where providers find this installation; undefined when nobody said. */
  publicUrl?: string;
  /** Calls that carry several messages and are under way at a time, for one account. */
  sharedCalls: number;
};

/** Hands messages to the provider of an account. Whatever happens there is a value; an exception would be a bug of ours. */
export class ProviderCalls {
  /** By account: one that was changed is another one, with calls of its own. */
  private readonly shared = new WeakMap<Account, SharedCalls<BatchItem<Message>, SendResult>>();

  constructor(private readonly parts: ProviderCallsParts) {}

  async send<C extends OutboundChannel>(
    account: Account,
    message: OutboundMessages[C],
    overrides: JsonObject,
  ): Promise<SendResult> {
    const provider = providerFor(account.providerId as ProviderId) as Provider | undefined;
    if (!provider) return refusal(`${describeProvider(account.providerId as ProviderId).displayName} sends nothing`);
    if (account.unreadable.length > 0) {
      return refusal(`The stored credentials cannot be decrypted (${account.unreadable.join(', ')}): save them again`);
    }
    try {
      const item = { message, overrides };
      const group = provider.batch?.groupOf(item, account.credentials);
      if (group !== undefined) return await this.sharedOf(account, provider).add(group, item);
      return await this.sendAlone(account, provider, item);
    } catch (error) {
      // Nobody can say whether it went out, so it is treated as a call that was lost.
      return { ok: false, kind: 'unknown-outcome', message: error instanceof Error ? error.message : String(error) };
    }
  }

  private sharedOf(account: Account, provider: Provider): SharedCalls<BatchItem<Message>, SendResult> {
    let shared = this.shared.get(account);
    if (!shared) {
      const limits = { size: provider.batch!.size, calls: this.parts.sharedCalls };
      shared = new SharedCalls(limits, (items) => this.sendTogether(account, provider, items));
      this.shared.set(account, shared);
    }
    return shared;
  }

  private async sendTogether(account: Account, provider: Provider, items: BatchItem<Message>[]): Promise<SendResult[]> {
    const context = this.contextFor(account, provider, {});
    const alone = () => Promise.all(items.map((item) => this.sendAlone(account, provider, item)));
    if (items.length === 1) return alone();
    const results = await provider.batch!.send(items, account.credentials, context);
    // Not every server that speaks like this provider takes several at a time; then nothing was sent yet.
    return results.every(isNotThere) ? alone() : results;
  }

  private sendAlone(account: Account, provider: Provider, item: BatchItem<Message>): Promise<SendResult> {
    return provider.send(item.message, account.credentials, this.contextFor(account, provider, item.overrides));
  }

  private contextFor(account: Account, provider: Provider, overrides: JsonObject): SendContext {
    const { egress, outboxOf } = this.parts;
    const callbackUrl = this.callbackUrlOf(account, provider);
    return {
      ...egress.portsFor(provider.id),
      outbox: outboxOf(account.environmentId),
      overrides,
      ...(callbackUrl !== undefined && { callbackUrl }),
      now: () => new Date(),
    };
  }

  private callbackUrlOf({ id, environmentId, configurations }: Account, { events }: Provider): string | undefined {
    const { publicUrl } = this.parts;
    if (!publicUrl || !events || configurations.inboundWebhookEnabled !== true) return undefined;
    const { inboundWebhookSigningKey: key = '' } = configurations;
    const query = events.keyInUrl ? `?token=${encodeURIComponent(key)}` : '';
    const path = `/v2/inbound-webhooks/delivery-providers/${environmentId}/${id}`;
    return publicUrl.replace(/\/+$/, '') + path + query;
  }
}

const isNotThere = (result: SendResult): boolean => !result.ok && (result.status === 404 || result.status === 405);

const refusal = (message: string): ProviderError => ({ ok: false, kind: 'credentials', message });

/** Without the members that are not there. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
