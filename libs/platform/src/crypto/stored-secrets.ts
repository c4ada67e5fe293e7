import type { ChannelCredentialsDto, ConfigurationsDto, CredentialsDto } from '@clarion/contracts';
import {
  type ConnectionAuth,
  type EndpointFields,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@clarion/contracts/core';
import type { SecretBox, SecretLocation } from './secret-box';

/**
 * How secrets are stored in rows. The writer and the reader of a row must use the same location, so all locations are
 * defined here.
 */
type IntegrationPart = 'credentials' | 'configurations';
type IntegrationValues = { credentials: CredentialsDto; configurations: ConfigurationsDto };
type IntegrationRow = { id: string; environmentId: string };
type SealedIntegration = IntegrationRow & Record<IntegrationPart, Record<string, string>>;

const PREFIX: Record<IntegrationPart, string> = { credentials: '', configurations: 'configurations.' };

const integrationLocation = (row: IntegrationRow, part: IntegrationPart, field: string): SecretLocation => [
  row.environmentId,
  'integration',
  row.id,
  PREFIX[part] + field,
];

/** Encrypts each top-level field separately, as JSON. */
export function sealIntegration<P extends IntegrationPart>(
  secrets: SecretBox,
  row: IntegrationRow,
  part: P,
  values: IntegrationValues[P],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [
      field,
      secrets.encrypt(JSON.stringify(value), integrationLocation(row, part, field)),
    ]),
  );
}

export type OpenedIntegration = IntegrationValues & {
  /** Stored fields that do not decrypt: the key is missing, or the ciphertext was written for another row. */
  unreadable: Record<IntegrationPart, string[]>;
};

/**
 * Leaves out fields that cannot be read and names them: one bad row must not hide the others or prevent its own repair.
 */
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
      values[field] = JSON.parse(secrets.decrypt(sealed, integrationLocation(row, part, field)));
    } catch {
      unreadable.push(field);
    }
  }
  return { values: values as IntegrationValues[P], unreadable };
}

const channelLocation = (environmentId: string, channelId: string): SecretLocation => [
  environmentId,
  'subscriber_channel',
  channelId,
];

/** Encrypts the credentials of one channel of a subscriber. */
export function sealChannel(
  secrets: SecretBox,
  environmentId: string,
  channelId: string,
  credentials: ChannelCredentialsDto,
): string {
  return secrets.encrypt(JSON.stringify(credentials), channelLocation(environmentId, channelId));
}

export function openChannel(
  secrets: SecretBox,
  row: { id: string; environmentId: string; credentials: string },
): ChannelCredentialsDto {
  return JSON.parse(
    secrets.decrypt(row.credentials, channelLocation(row.environmentId, row.id)),
  ) as ChannelCredentialsDto;
}

type ChannelRow = { id: string; environmentId: string };

const connectionLocation = ({ environmentId, id }: ChannelRow): SecretLocation => [
  environmentId,
  'channel_connection',
  id,
];

/** Encrypts the tokens of a channel connection. */
export const sealConnection = (secrets: SecretBox, row: ChannelRow, auth: ConnectionAuth): string =>
  secrets.encrypt(JSON.stringify(auth), connectionLocation(row));

export const openConnection = (secrets: SecretBox, row: ChannelRow & { auth: string }): ConnectionAuth =>
  JSON.parse(secrets.decrypt(row.auth, connectionLocation(row))) as ConnectionAuth;

const endpointLocation = ({ environmentId, id }: ChannelRow): SecretLocation => [environmentId, 'channel_endpoint', id];

/** Encrypts the fields of a channel endpoint: a webhook URL is a secret, and an id of a person is personal data. */
export const sealEndpoint = (secrets: SecretBox, row: ChannelRow, fields: EndpointFields): string =>
  secrets.encrypt(JSON.stringify(fields), endpointLocation(row));

export const openEndpoint = (secrets: SecretBox, row: ChannelRow & { sealed: string }): EndpointFields =>
  JSON.parse(secrets.decrypt(row.sealed, endpointLocation(row))) as EndpointFields;

const triggerLocation = (environmentId: string, triggerId: string): SecretLocation => [
  environmentId,
  'trigger',
  triggerId,
];

/** Encrypts channel credentials given with a recipient of a trigger, bound to the trigger. */
export const sealTriggerSecret = (secrets: SecretBox, environmentId: string, triggerId: string, text: string): string =>
  secrets.encrypt(text, triggerLocation(environmentId, triggerId));

export const openTriggerSecret = (
  secrets: SecretBox,
  environmentId: string,
  triggerId: string,
  sealed: string,
): string => secrets.decrypt(sealed, triggerLocation(environmentId, triggerId));

const messageLocation = (environmentId: string, messageId: string): SecretLocation => [
  environmentId,
  'message',
  messageId,
];

/** Encrypts the webhook URL or device token that a message was sent to. */
export const sealMessageTarget = (
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  target: string,
): string => secrets.encrypt(target, messageLocation(environmentId, messageId));

/** Older rows, and rows of tests, may hold plain text. */
const isSealed = (text: string): boolean => text.startsWith('v1.');

/**
 * Undefined when the key is missing: the message can be shown without its target, and a list must not fail for one row.
 */
export function openMessageTarget(
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  sealed: string,
): string | undefined {
  if (!isSealed(sealed)) return sealed;
  try {
    return secrets.decrypt(sealed, messageLocation(environmentId, messageId));
  } catch {
    return undefined;
  }
}

/** A request whose stored response is replayed. */
type AnsweredRequest = { environmentId: string; method: string; path: string; key: string };

const answerLocation = ({ environmentId, method, path, key }: AnsweredRequest): SecretLocation => [
  environmentId,
  'idempotency',
  method,
  path,
  key,
];

export const sealAnswer = (secrets: SecretBox, request: AnsweredRequest, body: string): string =>
  secrets.encrypt(body, answerLocation(request));

export const openAnswer = (secrets: SecretBox, request: AnsweredRequest, sealed: string): string =>
  secrets.decrypt(sealed, answerLocation(request));

type SealedKey = { id: string; environmentId: string; encryptedKey: string };

const apiKeyLocation = (environmentId: string, id: string): SecretLocation => [environmentId, 'api_key', id];

export const sealApiKey = (secrets: SecretBox, environmentId: string, id: string, key: string): string =>
  secrets.encrypt(key, apiKeyLocation(environmentId, id));

/** Undefined when the encryption key is missing. */
export function openApiKey(secrets: SecretBox, { environmentId, id, encryptedKey }: SealedKey): string | undefined {
  try {
    return secrets.decrypt(encryptedKey, apiKeyLocation(environmentId, id));
  } catch {
    return undefined;
  }
}

type InboxSecretRow = { id: string; environmentId: string };

const inboxSecretLocation = ({ environmentId, id }: InboxSecretRow): SecretLocation => [
  environmentId,
  'inbox_secret',
  id,
];

export const sealInboxSecret = (secrets: SecretBox, row: InboxSecretRow, secret: string): string =>
  secrets.encrypt(secret, inboxSecretLocation(row));

/** The secret that signs inbox sessions; undefined when the encryption key is missing. */
export function openInboxSecret(secrets: SecretBox, row: InboxSecretRow & { secret: string }): string | undefined {
  try {
    return secrets.decrypt(row.secret, inboxSecretLocation(row));
  } catch {
    return undefined;
  }
}

type VariableRow = { id: string; environmentId: string };

const variableLocation = ({ environmentId, id }: VariableRow): SecretLocation => [
  environmentId,
  'environment_variable',
  id,
  'value',
];

export const sealVariable = (secrets: SecretBox, row: VariableRow, value: string): string =>
  secrets.encrypt(value, variableLocation(row));

/** The value of a secret environment variable; undefined when no key decrypts it. */
export function openVariable(secrets: SecretBox, row: VariableRow & { sealedValue: string }): string | undefined {
  try {
    return secrets.decrypt(row.sealedValue, variableLocation(row));
  } catch {
    return undefined;
  }
}

/** Why the encryption keys do not fit the stored secrets; undefined when they do. */
export function encryptionKeyFault(secrets: SecretBox, stored: SealedKey[]): string | undefined {
  const closed = stored.filter((key) => openApiKey(secrets, key) === undefined);
  if (closed.length === 0) return undefined;
  const kids = [...new Set(closed.map(({ encryptedKey }) => `"${encryptedKey.split('.')[1]}"`))];
  return (
    `CLARION_ENCRYPTION_KEY does not open what is stored under the key id ${kids.join(', ')}: ` +
    'give the key that it was written with, after a newer one if there is one'
  );
}

const webhookLocation = (environmentId: string, endpointId: string): SecretLocation => [
  environmentId,
  'webhook_endpoint',
  endpointId,
];

/** Encrypts the secret that signs the calls of a webhook endpoint. */
export const sealWebhookSecret = (
  secrets: SecretBox,
  environmentId: string,
  endpointId: string,
  secret: string,
): string => secrets.encrypt(secret, webhookLocation(environmentId, endpointId));

export const openWebhookSecret = (
  secrets: SecretBox,
  environmentId: string,
  endpointId: string,
  sealed: string,
): string => secrets.decrypt(sealed, webhookLocation(environmentId, endpointId));

const mirrorLocation = (environmentId: string): SecretLocation => [environmentId, 'mirror', 'key'];

/** Encrypts the API key of the other system that an environment is mirrored to. */
export const sealMirrorKey = (secrets: SecretBox, environmentId: string, key: string): string =>
  secrets.encrypt(key, mirrorLocation(environmentId));

export const openMirrorKey = (secrets: SecretBox, environmentId: string, sealed: string): string =>
  secrets.decrypt(sealed, mirrorLocation(environmentId));

const copyLocation = (environmentId: string, copyId: string): SecretLocation => [environmentId, 'mirror_copy', copyId];

/** Encrypts a trigger that waits for the other system: it may contain channel credentials and redacted fields. */
export const sealMirrorCopy = (secrets: SecretBox, environmentId: string, copyId: string, body: string): string =>
  secrets.encrypt(body, copyLocation(environmentId, copyId));

export const openMirrorCopy = (secrets: SecretBox, environmentId: string, copyId: string, sealed: string): string =>
  secrets.decrypt(sealed, copyLocation(environmentId, copyId));

/** A row for re-encryption: its primary key, and the columns that hold secrets. */
type SealedRow = { key: string[]; environmentId: string; columns: JsonObject };

type LocationInRow = (environmentId: string, key: string[], path: string[], text: string) => SecretLocation | undefined;

/** By table: the location of the text at this path of the columns; undefined when the text is not a secret. */
const LOCATIONS = {
  integration: (environmentId, [id], [part, field]) =>
    integrationLocation({ id: id!, environmentId }, part as IntegrationPart, field!),
  api_key: (environmentId, [id]) => apiKeyLocation(environmentId, id!),
  inbox_secret: (environmentId, [, id]) => inboxSecretLocation({ environmentId, id: id! }),
  subscriber_channel: (environmentId, [id]) => channelLocation(environmentId, id!),
  channel_connection: (environmentId, [id]) => connectionLocation({ environmentId, id: id! }),
  channel_endpoint: (environmentId, [id]) => endpointLocation({ environmentId, id: id! }),
  environment_variable: (environmentId, [id]) => variableLocation({ environmentId, id: id! }),
  idempotency_record: (environmentId, [, key, method, path]) =>
    answerLocation({ environmentId, method: method!, path: path!, key: key! }),
  trigger: (environmentId, [id], path) => (isChannelSecret(path) ? triggerLocation(environmentId, id!) : undefined),
  webhook_endpoint: (environmentId, [id]) => webhookLocation(environmentId, id!),
  mirror: (environmentId) => mirrorLocation(environmentId),
  mirror_copy: (environmentId, [id]) => copyLocation(environmentId, id!),
  message: (environmentId, [id], _, text) => (isSealed(text) ? messageLocation(environmentId, id!) : undefined),
} satisfies Record<string, LocationInRow>;

/**
 * `recipients[i].channels[j].credentials`, and the same for the actor; data of the caller may look similar elsewhere.
 */
function isChannelSecret([column, ...rest]: string[]): boolean {
  const [list, , field] = column === 'recipients' ? rest.slice(1) : rest;
  return list === 'channels' && field === 'credentials';
}

export type Resealed = {
  columns: JsonObject;
  isChanged: boolean;
  /** True when a secret was left unchanged because no key decrypts it or it was written for another row. */
  hasUnreadable: boolean;
};

/** Encrypts every secret of a row with the newest key. */
export function resealRow(secrets: SecretBox, table: keyof typeof LOCATIONS, row: SealedRow): Resealed {
  const locationOf: LocationInRow = LOCATIONS[table];
  const found = { isChanged: false, hasUnreadable: false };
  const resealText = (text: string, path: string[]): string => {
    const location = secrets.isUnderNewest(text) ? undefined : locationOf(row.environmentId, row.key, path, text);
    if (!location) return text;
    const resealed = reseal(secrets, location, text);
    if (resealed === undefined) found.hasUnreadable = true;
    else found.isChanged = true;
    return resealed ?? text;
  };
  const resealWithin = (value: Json, path: string[]): Json => {
    if (typeof value === 'string') return resealText(value, path);
    if (Array.isArray(value)) return value.map((item, index) => resealWithin(item, [...path, String(index)]));
    return isJsonObject(value) ? resealMembers(value, path) : value;
  };
  const resealMembers = (members: JsonObject, path: string[]): JsonObject =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [name, resealWithin(value, [...path, name])]));
  const columns = resealMembers(row.columns, []);
  return { columns, ...found };
}

/** The same secret encrypted with the newest key; undefined when it cannot be read. */
function reseal(secrets: SecretBox, location: SecretLocation, sealed: string): string | undefined {
  try {
    return secrets.encrypt(secrets.decrypt(sealed, location), location);
  } catch {
    return undefined;
  }
}
