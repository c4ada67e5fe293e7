import type { ChannelSettingsDto } from '@clarion/contracts';
import type { SubscriberChannel } from '@clarion/persistence';
import { openChannel, type SecretBox } from '@clarion/platform';

export function channelSettings(secrets: SecretBox, row: SubscriberChannel): ChannelSettingsDto {
  return {
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    credentials: openChannel(secrets, row),
    _integrationId: row.integrationId,
  };
}
