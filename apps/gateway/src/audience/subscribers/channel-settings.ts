import { type ChannelCredentialsDto, type ChannelSettingsDto, invalidField } from '@clarion/contracts';
import type { KeyOwner, SubscriberChannel } from '@clarion/persistence';
import { openChannel, type SecretBox } from '@clarion/platform';
import { seesSecrets } from '../../edge/http/disclosure';
import { isMask, maskText } from '../../edge/http/masked-text';

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

/** The credentials without masks that a caller sent back, which stand for stored values. Throws on any other mask. */
export function withoutMasks(given: ChannelCredentialsDto, stored: ChannelCredentialsDto): ChannelCredentialsDto {
  const known = new Set([...(stored.deviceTokens ?? []), stored.webhookUrl ?? ''].map(maskText));
  const isStored = (field: string, text: string): boolean => {
    if (!isMask(text)) return false;
    if (known.has(text)) return true;
    throw invalidField(field, `${field} is masked, but not the mask of a stored value: send the value itself`);
  };
  const { webhookUrl, deviceTokens, ...others } = given;
  const isKept = webhookUrl !== undefined && isStored('credentials.webhookUrl', webhookUrl);
  const added = deviceTokens?.filter((token) => !isStored('credentials.deviceTokens', token));
  return { ...others, ...(!isKept && { webhookUrl }), ...(added && { deviceTokens: added }) };
}
