import { type CredentialsDto, type JsonObject, PROVIDER_IDS, type ProviderId } from '@clarion/contracts';
import { Egress } from '@clarion/platform';
import {
  type OutboundChannel,
  type OutboundMessages,
  type Provider,
  type SendContext,
  type SendResult,
} from '@clarion/providers';
import { type FakeProvider, startFakeProvider } from './fake-provider';
import { type FakeSmtp, startFakeSmtp } from './fake-smtp';

export type ProviderStage = {
  readonly fake: FakeProvider;
  readonly smtp: FakeSmtp;
  context(id: ProviderId, credentials: CredentialsDto, overrides?: JsonObject): SendContext;
  send<C extends OutboundChannel>(
    provider: Provider<C>,
    message: OutboundMessages[C],
    credentials: CredentialsDto,
    overrides?: JsonObject,
  ): Promise<SendResult>;
  reset(): void;
  close(): Promise<void>;
};

/** Adapters on their way to fakes through the real door: every provider's API and every loopback webhook is there. */
export async function startProviderStage(now: () => Date = () => new Date()): Promise<ProviderStage> {
  const [fake, smtp] = await Promise.all([startFakeProvider(), startFakeSmtp()]);
  const egress = new Egress({
    allow: ['127.0.0.1'],
    providerUrls: {
      ...Object.fromEntries(PROVIDER_IDS.map((id) => [id, fake.url])),
      nodemailer: smtp.url,
    },
  });
  const context: ProviderStage['context'] = (id, credentials, overrides = {}) => ({
    credentials,
    ...egress.portsFor(id),
    overrides,
    now,
  });
  return {
    fake,
    smtp,
    context,
    send: (provider, message, credentials, overrides) =>
      provider.send(message, context(provider.id, credentials, overrides)),
    reset: () => {
      fake.reset();
      smtp.reset();
    },
    close: async () => {
      await egress.close();
      await Promise.all([fake.close(), smtp.close()]);
    },
  };
}
