import type { CredentialsDto } from '@clarion/contracts';
import { type JsonObject, PROVIDER_IDS, type ProviderId } from '@clarion/contracts/core';
import { Egress, type EgressLimits } from '@clarion/platform/egress';
import {
  type OutboundChannel,
  type OutboundMessages,
  type OutboxEntry,
  type Provider,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import { type FakeProvider, type FakeProviderOptions, startFakeProvider } from './fake-provider';
import { type FakeSmtp, startFakeSmtp } from './fake-smtp';

/** Fake servers and the contexts that lead adapters to them. */
export type ProviderStage = {
  readonly fake: FakeProvider;
  readonly smtp: FakeSmtp;
  /** Entries of the outbox since the last `reset`. */
  readonly outbox: OutboxEntry[];
  context(id: ProviderId, overrides?: JsonObject): SendContext;
  /** A context with short timeouts, for providers that never answer. */
  withShortTimeouts(id: ProviderId): SendContext;
  send<C extends OutboundChannel>(
    provider: Provider<C>,
    message: OutboundMessages[C],
    credentials: CredentialsDto,
    overrides?: JsonObject,
  ): Promise<SendResult>;
  reset(): void;
  close(): Promise<void>;
};

/** Providers that send over SMTP. */
const SMTP_PROVIDERS: readonly ProviderId[] = ['nodemailer', 'emailjs', 'outlook365'];
const SHORT_TIMEOUTS: Partial<EgressLimits> = { headersMs: 200, idleMs: 200, totalMs: 300 };

/**
 * Connects adapters to the fakes through the real egress: it redirects every provider's API and allows loopback
 * webhooks.
 */
export async function startProviderStage(
  now: () => Date = () => new Date(),
  options: FakeProviderOptions = {},
): Promise<ProviderStage> {
  const [fake, smtp] = await Promise.all([startFakeProvider(options), startFakeSmtp()]);
  const providerUrls = {
    ...Object.fromEntries(PROVIDER_IDS.map((id) => [id, fake.url])),
    ...Object.fromEntries(SMTP_PROVIDERS.map((id) => [id, smtp.url])),
  };
  const allow = ['127.0.0.1'];
  const usualEgress = new Egress({ allow, providerUrls });
  const shortEgress = new Egress({ allow, providerUrls, limits: SHORT_TIMEOUTS });
  const outbox: OutboxEntry[] = [];
  const contextOver = (egress: Egress, id: ProviderId, overrides: JsonObject): SendContext => ({
    ...egress.portsFor(id),
    outbox: {
      put: (entries) => {
        outbox.push(...entries);
        return Promise.resolve();
      },
    },
    overrides,
    now,
  });
  const context: ProviderStage['context'] = (id, overrides = {}) => contextOver(usualEgress, id, overrides);
  return {
    fake,
    smtp,
    outbox,
    context,
    withShortTimeouts: (id) => contextOver(shortEgress, id, {}),
    send: (provider, message, credentials, overrides) =>
      provider.send(message, credentials, context(provider.id, overrides)),
    reset: () => {
      fake.reset();
      smtp.reset();
      outbox.length = 0;
    },
    close: async () => {
      await Promise.all([usualEgress.close(), shortEgress.close()]);
      await Promise.all([fake.close(), smtp.close()]);
    },
  };
}
