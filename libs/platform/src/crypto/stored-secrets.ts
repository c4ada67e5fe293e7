import type { ChannelCredentialsDto, ConfigurationsDto, CredentialsDto } from '@clarion/contracts';
import type { SecretBox, SecretPlace } from './secret-box';

/**
 * How secrets lie in the rows that hold them. Whoever writes and whoever reads such a row must name the same place, so the
 * places are stated here and nowhere else.
 */
type IntegrationPart = 'credentials' | 'configurations';
type IntegrationValues = { credentials: CredentialsDto; configurations: ConfigurationsDto };
type IntegrationRow = { id: string; environmentId: string };
type SealedIntegration = IntegrationRow & Record<IntegrationPart, Record<string, string>>;

const PREFIX: Record<IntegrationPart, string> = { credentials: '', configurations: 'configurations.' };

const integrationPlace = (row: IntegrationRow, part: IntegrationPart, field: string): SecretPlace => [
  row.environmentId,
  'integration',
  row.id,
  PREFIX[part] + field,
];

/** Every top-level field on its own, as ciphertext of its JSON. */
export function sealIntegration<P extends IntegrationPart>(
  secrets: SecretBox,
  row: IntegrationRow,
  part: P,
  values: IntegrationValues[P],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      secrets.encrypt(JSON.stringify(value), integrationPlace(row, part, field)),
    ]),
  );
}

export type OpenedIntegration = IntegrationValues & {
  /** Stored fields that do not decrypt: the key is gone, or the ciphertext was written for another row. */
  unreadable: Record<IntegrationPart, string[]>;
};

/** A field that cannot be read is left out and named: one bad row must not hide the others, nor keep itself from repair. */
export function openIntegration(secrets: SecretBox, row: SealedIntegration): OpenedIntegration {
  const credentials = openPart(secrets, row, 'credentials');
  const configurations = openPart(secrets, row, 'configurations');
  return {
    credentials: credentials.values,
    configurations: configurations.values,
    unreadable: { credentials: credentials.unreadable, configurations: configurations.unreadable },
  };
}

function openPart<P extends IntegrationPart>(
  secrets: SecretBox,
  row: SealedIntegration,
  part: P,
): { values: IntegrationValues[P]; unreadable: string[] } {
  const values: Record<string, unknown> = {};
  const unreadable: string[] = [];
  for (const [field, sealed] of Object.entries(row[part])) {
    try {
      values[field] = JSON.parse(secrets.decrypt(sealed, integrationPlace(row, part, field)));
    } catch {
      unreadable.push(field);
    }
  }
  return { values: values as IntegrationValues[P], unreadable };
}

/** Where a subscriber can be reached at one provider. */
export function sealChannel(
  secrets: SecretBox,
  environmentId: string,
  channelId: string,
  credentials: ChannelCredentialsDto,
): string {
  return secrets.encrypt(JSON.stringify(credentials), [environmentId, 'subscriber_channel', channelId]);
}

export function openChannel(
  secrets: SecretBox,
  row: { id: string; environmentId: string; credentials: string },
): ChannelCredentialsDto {
  return JSON.parse(
    secrets.decrypt(row.credentials, [row.environmentId, 'subscriber_channel', row.id]),
  ) as ChannelCredentialsDto;
}

/** What a recipient of a trigger brings along, bound to the trigger. */
export const sealTriggerSecret = (secrets: SecretBox, environmentId: string, triggerId: string, text: string): string =>
  secrets.encrypt(text, [environmentId, 'trigger', triggerId]);

export const openTriggerSecret = (
  secrets: SecretBox,
  environmentId: string,
  triggerId: string,
  sealed: string,
): string => secrets.decrypt(sealed, [environmentId, 'trigger', triggerId]);

/** The webhook URL or device token that a message went to. */
export const sealMessageTarget = (
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  target: string,
): string => secrets.encrypt(target, [environmentId, 'message', messageId]);

/** A row of before, or of a test, may hold it in clear. */
const isSealed = (text: string): boolean => text.startsWith('v1.');

export const openMessageTarget = (
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  sealed: string,
): string => (isSealed(sealed) ? secrets.decrypt(sealed, [environmentId, 'message', messageId]) : sealed);

type SealedKey = { id: string; environmentId: string; encryptedKey: string };

const apiKeyPlace = (environmentId: string, id: string): SecretPlace => [environmentId, 'api_key', id];

export const sealApiKey = (secrets: SecretBox, environmentId: string, id: string, key: string): string =>
  secrets.encrypt(key, apiKeyPlace(environmentId, id));

/** What is wrong with the encryption keys, shown by stored secrets that they ought to open. */
export function encryptionKeyFault(secrets: SecretBox, stored: SealedKey[]): string | undefined {
  const closed = stored.filter(({ id, environmentId, encryptedKey }) => {
    try {
      secrets.decrypt(encryptedKey, apiKeyPlace(environmentId, id));
      return false;
    } catch {
      return true;
    }
  });
  if (closed.length === 0) return undefined;
  const kids = [...new Set(closed.map(({ encryptedKey }) => `"${encryptedKey.split('.')[1]}"`))];
  return `CLARION_ENCRYPTION_KEY does not open what is stored under the key id ${kids.join(', ')}: give the key that it was written with, after a newer one if there is one`;
}
