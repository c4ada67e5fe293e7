import type { ChannelCredentialsDto, ChannelSettingsDto } from '@clarion/contracts';
import type { SubscriberChannel } from '@clarion/persistence';
import type { SecretBox, SecretPlace } from '@clarion/platform';

/** Webhook URLs and device tokens open a person's devices: they are stored encrypted, bound to their row. */
const placeOf = (environmentId: string, channelId: string): SecretPlace => [
  environmentId,
  'subscriber_channel',
  channelId,
];

export function sealChannel(
  secrets: SecretBox,
  environmentId: string,
  channelId: string,
  credentials: ChannelCredentialsDto,
): string {
  return secrets.encrypt(JSON.stringify(credentials), placeOf(environmentId, channelId));
}

export function openChannel(secrets: SecretBox, row: SubscriberChannel): ChannelCredentialsDto {
  return JSON.parse(secrets.decrypt(row.credentials, placeOf(row.environmentId, row.id))) as ChannelCredentialsDto;
}

export function channelSettings(secrets: SecretBox, row: SubscriberChannel): ChannelSettingsDto {
  return {
    providerId: row.providerId,
    integrationIdentifier: row.integrationIdentifier,
    credentials: openChannel(secrets, row),
    _integrationId: row.integrationId,
  };
}
