import { Injectable } from '@nestjs/common';
import {
  CHANNEL_PROVIDER_IDS,
  type ChannelProviderId,
  DomainError,
  invalidField,
  type SubscriberDto,
  toOurName,
  type UpdateCredentialsDto,
} from '@clarion/contracts';
import { Database, type KeyOwner, SubscriberChannelRepository, SubscriberRepository } from '@clarion/persistence';
import { openChannel, sealChannel, SecretBox } from '@clarion/platform';
import { mergeCredentials } from '@clarion/rules';
import { withoutMasks } from './channel-settings';
import { found, SubscribersService } from './subscribers.service';

@Injectable()
export class SubscriberCredentialsService {
  constructor(
    private readonly database: Database,
    private readonly subscribers: SubscriberRepository,
    private readonly channels: SubscriberChannelRepository,
    private readonly describer: SubscribersService,
    private readonly secrets: SecretBox,
  ) {}

  /** Given fields replace the stored ones. Device tokens are appended without duplicates. */
  update(owner: KeyOwner, subscriberId: string, input: UpdateCredentialsDto): Promise<SubscriberDto> {
    const { environmentId } = owner;
    return this.database.transaction(async () => {
      const subscriber = found(await this.subscribers.find(environmentId, subscriberId), subscriberId);
      const integration = await this.channels.findIntegration(
        environmentId,
        input.providerId,
        input.integrationIdentifier,
      );
      if (!integration) {
        throw new DomainError(
          'bad_request',
          `Subscribers environment (${environmentId}) do not have active ${input.providerId} integration.`,
        );
      }
      const row = await this.channels.lockChannel(environmentId, subscriber.id, input.providerId, integration.id);
      const stored = row ? openChannel(this.secrets, row) : {};
      const credentials = mergeCredentials(stored, withoutMasks(input.credentials, stored));
      await this.channels.save({
        id: row?.id,
        environmentId,
        subscriberId: subscriber.id,
        providerId: input.providerId,
        integration,
        credentials: (channelId) => sealChannel(this.secrets, environmentId, channelId, credentials),
      });
      return this.describer.retrieve(owner, subscriberId);
    });
  }

  async delete(owner: KeyOwner, subscriberId: string, provider: string): Promise<void> {
    const providerId = toOurName(provider) as ChannelProviderId;
    if (!CHANNEL_PROVIDER_IDS.includes(providerId)) {
      throw invalidField('providerId', `providerId must be one of: ${CHANNEL_PROVIDER_IDS.join(', ')}`, provider);
    }
    const subscriber = found(await this.subscribers.find(owner.environmentId, subscriberId), subscriberId);
    await this.channels.deleteProvider(owner.environmentId, subscriber.id, providerId);
  }
}
