import type { JsonObject, ProviderId } from '@clarion/contracts';
import type { Egress } from '@clarion/platform';
import {
  describeProvider,
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  providerFor,
  type SendResult,
} from '@clarion/providers';
import type { Account } from './integration-directory';

/** Hands a message to the provider of an account. Whatever happens there is a value; an exception would be a bug of ours. */
export class ProviderCalls {
  constructor(private readonly egress: Pick<Egress, 'portsFor'>) {}

  async send<C extends OutboundChannel>(
    account: Account,
    message: OutboundMessages[C],
    overrides: JsonObject,
  ): Promise<SendResult> {
    const provider = providerFor(account.providerId as ProviderId) as Provider<C> | undefined;
    if (!provider)
      return refusal(`${describeProvider(account.providerId as ProviderId).displayName} is not part of this build`);
    if (account.unreadable.length > 0) {
      return refusal(`The stored credentials cannot be decrypted (${account.unreadable.join(', ')}): save them again`);
    }
    try {
      const { http, smtp } = this.egress.portsFor(provider.id);
      return await provider.send(message, {
        credentials: account.credentials,
        http,
        smtp,
        overrides,
        now: () => new Date(),
      });
    } catch (error) {
      // Nobody can say whether it went out, so it is treated as a call that was lost.
      return { ok: false, kind: 'unknown', message: error instanceof Error ? error.message : String(error) };
    }
  }
}

const refusal = (message: string): SendResult => ({ ok: false, kind: 'account', message });

/** Without the members that are not there. */
export function given<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as never;
}
