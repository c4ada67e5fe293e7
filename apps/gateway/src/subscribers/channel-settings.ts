import type { ChannelSettingsDto } from '@clarion/contracts';
import type { KeyOwner, SubscriberChannel } from '@clarion/persistence';
import { openChannel, type SecretBox } from '@clarion/platform';
import { seesSecrets } from '../http/disclosure';
import { maskText } from '../http/masked-text';

/** A browser, and a key that may not change credentials, sees that they exist, and not what they are. */
export function channelSettings(
  owner: Pick<KeyOwner, 'scope' | 'isBrowser'>,
  secrets: SecretBox,
  row: SubscriberChannel,
): ChannelSettingsDto {
  const credentials = openChannel(secrets, row);
  return {
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    credentials: seesSecrets(owner) ? credentials : masked(credentials),
    _integrationId: row.integrationId,
  };
}

function masked(credentials: ChannelSettingsDto['credentials']): ChannelSettingsDto['credentials'] {
  const { webhookUrl, deviceTokens } = credentials;
  return {
    ...credentials,
    ...(webhookUrl !== undefined && { webhookUrl: maskText(webhookUrl) }),
    ...(deviceTokens !== undefined && { deviceTokens: deviceTokens.map(maskText) }),
  };
}
