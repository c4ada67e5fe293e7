import type { ChannelCredentialsDto, EnvironmentId } from '@clarion/contracts';
import { type ChannelProviderId, CHANNEL_PROVIDER_IDS, DomainError, isJsonObject } from '@clarion/contracts/core';
import { type ClaimedTrigger, type Database, type Recipient, SubscriberChannelRepository } from '@clarion/persistence';
import { openChannel, openTriggerSecret, sealChannel, type SecretBox } from '@clarion/platform';
import { mergeCredentials } from '@clarion/rules';
import type { RecipientChannelStore } from './ports';

/** Stores channels of recipients as if the caller had updated the subscriber's credentials before the trigger. */
export class RecipientChannels implements RecipientChannelStore {
  private readonly channels: SubscriberChannelRepository;

  constructor(
    private readonly database: Database,
    private readonly secrets: SecretBox,
  ) {
    this.channels = new SubscriberChannelRepository(database);
  }

  async save(trigger: ClaimedTrigger, recipient: Recipient, channels: unknown[]): Promise<string[]> {
    const faults: string[] = [];
    for (const channel of channels) {
      const fault = await this.saveOne(trigger, recipient, channel);
      if (fault) faults.push(fault);
    }
    return faults;
  }

  private async saveOne(
    { id: triggerId, environmentId }: ClaimedTrigger,
    recipient: Recipient,
    channel: unknown,
  ): Promise<string | undefined> {
    const given = this.read(environmentId, triggerId, channel);
    if (!given) return 'a channel of the recipient cannot be read';
    const { providerId, integrationIdentifier, credentials } = given;
    try {
      return await this.database.transaction(async () => {
        const integration = await this.channels.findIntegration(environmentId, providerId, integrationIdentifier);
        if (!integration) return `there is no active ${integrationIdentifier ?? providerId} integration`;
        const row = await this.channels.lockChannel(environmentId, recipient.id, providerId, integration.id);
        const stored = row ? openChannel(this.secrets, row) : {};
        const merged = mergeCredentials(stored, credentials);
        if (row && JSON.stringify(merged) === JSON.stringify(stored)) return undefined;
        await this.channels.save({
          id: row?.id,
          environmentId,
          subscriberId: recipient.id,
          providerId,
          integration,
          credentials: (channelId) => sealChannel(this.secrets, environmentId, channelId, merged),
        });
        return undefined;
      });
    } catch (error) {
      if (error instanceof DomainError) return error.message;
      throw error;
    }
  }

  private read(environmentId: EnvironmentId, triggerId: string, channel: unknown) {
    if (!isJsonObject(channel) || typeof channel['credentials'] !== 'string') return undefined;
    const providerId = channel['providerId'] as ChannelProviderId;
    if (!CHANNEL_PROVIDER_IDS.includes(providerId)) return undefined;
    const integrationIdentifier = channel['integrationIdentifier'] as string | undefined;
    const text = openTriggerSecret(this.secrets, environmentId, triggerId, channel['credentials']);
    return { providerId, integrationIdentifier, credentials: JSON.parse(text) as ChannelCredentialsDto };
  }
}
