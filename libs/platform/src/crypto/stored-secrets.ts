import type { ChannelCredentialsDto, ConfigurationsDto, CredentialsDto } from '@clarion/contracts';
import {
  type ConnectionAuth,
  type EndpointFields,
  isJsonObject,
  type Json,
  type JsonObject,
} from '@clarion/contracts/core';
import type { SecretBox, SecretLocation } from './secret-box';

/** Writer and reader of a row must use the same location, so all locations are defined here. */
type Row = { id: string; environmentId: string };
export type IntegrationPart = 'credentials' | 'configurations';
export type IntegrationValues = { credentials: CredentialsDto; configurations: ConfigurationsDto };
type SealedIntegration = Row & Record<IntegrationPart, Record<string, string>>;

const PREFIX: Record<IntegrationPart, string> = { credentials: '', configurations: 'configurations.' };

const integrationLocation = (row: Row, part: IntegrationPart, field: string): SecretLocation => [
  row.environmentId,
  'integration',
  row.id,
  PREFIX[part] + field,
];

/** Encrypts each top-level field separately, as JSON. */
export function sealIntegration<P extends IntegrationPart>(
  secrets: SecretBox,
  row: Row,
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

/** Names unreadable fields and leaves them out: one bad row must not hide the others. */
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

/** The location in a row of a table that has one secret. */
const inTable =
  (table: string, ...field: string[]) =>
  (environmentId: string, id: string): SecretLocation => [environmentId, table, id, ...field];

type LocationOfRow = ReturnType<typeof inTable>;

const channelLocation = inTable('subscriber_channel');
const connectionLocation = inTable('channel_connection');
const endpointLocation = inTable('channel_endpoint');
const triggerLocation = inTable('trigger');
const messageLocation = inTable('message');
const apiKeyLocation = inTable('api_key');
const inboxSecretLocation = inTable('inbox_secret');
const variableLocation = inTable('environment_variable', 'value');
const webhookLocation = inTable('webhook_endpoint');
const copyLocation = inTable('mirror_copy');

const textAt = (locationOf: LocationOfRow) => ({
  seal: (secrets: SecretBox, environmentId: string, id: string, text: string): string =>
    secrets.encrypt(text, locationOf(environmentId, id)),
  open: (secrets: SecretBox, environmentId: string, id: string, sealed: string): string =>
    secrets.decrypt(sealed, locationOf(environmentId, id)),
});

/** Undefined when the encryption key is missing, or the text was written for another row. */
function opened(secrets: SecretBox, location: SecretLocation, sealed: string): string | undefined {
  try {
    return secrets.decrypt(sealed, location);
  } catch {
    return undefined;
  }
}

const sealJson = (secrets: SecretBox, location: SecretLocation, value: object): string =>
  secrets.encrypt(JSON.stringify(value), location);
const openJson = (secrets: SecretBox, location: SecretLocation, sealed: string): unknown =>
  JSON.parse(secrets.decrypt(sealed, location));

export const sealChannel = (
  secrets: SecretBox,
  environmentId: string,
  channelId: string,
  credentials: ChannelCredentialsDto,
): string => sealJson(secrets, channelLocation(environmentId, channelId), credentials);

export const openChannel = (secrets: SecretBox, row: Row & { credentials: string }): ChannelCredentialsDto =>
  openJson(secrets, channelLocation(row.environmentId, row.id), row.credentials) as ChannelCredentialsDto;

export const sealConnection = (secrets: SecretBox, { environmentId, id }: Row, auth: ConnectionAuth): string =>
  sealJson(secrets, connectionLocation(environmentId, id), auth);

export const openConnection = (secrets: SecretBox, row: Row & { auth: string }): ConnectionAuth =>
  openJson(secrets, connectionLocation(row.environmentId, row.id), row.auth) as ConnectionAuth;

/** Encrypts the fields of a channel endpoint: a webhook URL is a secret, and an id of a person is personal data. */
export const sealEndpoint = (secrets: SecretBox, { environmentId, id }: Row, fields: EndpointFields): string =>
  sealJson(secrets, endpointLocation(environmentId, id), fields);

export const openEndpoint = (secrets: SecretBox, row: Row & { sealed: string }): EndpointFields =>
  openJson(secrets, endpointLocation(row.environmentId, row.id), row.sealed) as EndpointFields;

/** Channel credentials given with a recipient of a trigger, bound to the trigger. */
export const { seal: sealTriggerSecret, open: openTriggerSecret } = textAt(triggerLocation);

/** The webhook URL or device token that a message was sent to. */
export const { seal: sealMessageTarget } = textAt(messageLocation);

/** Older rows, and rows of tests, may hold plain text. */
const isSealed = (text: string): boolean => text.startsWith('v1.');

/** Undefined when the key is missing: a list must not fail for one row. */
export const openMessageTarget = (
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  sealed: string,
): string | undefined =>
  isSealed(sealed) ? opened(secrets, messageLocation(environmentId, messageId), sealed) : sealed;

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

type SealedKey = Row & { encryptedKey: string };

export const { seal: sealApiKey } = textAt(apiKeyLocation);

/** Undefined when the encryption key is missing. */
export const openApiKey = (secrets: SecretBox, { environmentId, id, encryptedKey }: SealedKey): string | undefined =>
  opened(secrets, apiKeyLocation(environmentId, id), encryptedKey);

export const sealInboxSecret = (secrets: SecretBox, { environmentId, id }: Row, secret: string): string =>
  secrets.encrypt(secret, inboxSecretLocation(environmentId, id));

/** The secret that signs inbox sessions; undefined when the encryption key is missing. */
export const openInboxSecret = (secrets: SecretBox, row: Row & { secret: string }): string | undefined =>
  opened(secrets, inboxSecretLocation(row.environmentId, row.id), row.secret);

export const sealVariable = (secrets: SecretBox, { environmentId, id }: Row, value: string): string =>
  secrets.encrypt(value, variableLocation(environmentId, id));

/** The value of a secret environment variable; undefined when no key decrypts it. */
export const openVariable = (secrets: SecretBox, row: Row & { sealedValue: string }): string | undefined =>
  opened(secrets, variableLocation(row.environmentId, row.id), row.sealedValue);

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

export const { seal: sealWebhookSecret, open: openWebhookSecret } = textAt(webhookLocation);

const mirrorLocation = (environmentId: string): SecretLocation => [environmentId, 'mirror', 'key'];

export const sealMirrorKey = (secrets: SecretBox, environmentId: string, key: string): string =>
  secrets.encrypt(key, mirrorLocation(environmentId));

export const openMirrorKey = (secrets: SecretBox, environmentId: string, sealed: string): string =>
  secrets.decrypt(sealed, mirrorLocation(environmentId));

/** A trigger that waits for the other system: it may contain channel credentials and redacted fields. */
export const { seal: sealMirrorCopy, open: openMirrorCopy } = textAt(copyLocation);

/** A row for re-encryption: its primary key, and the columns that hold secrets. */
type SealedRow = { key: string[]; environmentId: string; columns: JsonObject };

type LocationInRow = (environmentId: string, key: string[], path: string[], text: string) => SecretLocation | undefined;

/** By table: the location of the text at this path of the columns; undefined when the text is not a secret. */
const LOCATIONS = {
  integration: (environmentId, [id], [part, field]) =>
    integrationLocation({ id: id!, environmentId }, part as IntegrationPart, field!),
  api_key: (environmentId, [id]) => apiKeyLocation(environmentId, id!),
  inbox_secret: (environmentId, [, id]) => inboxSecretLocation(environmentId, id!),
  subscriber_channel: (environmentId, [id]) => channelLocation(environmentId, id!),
  channel_connection: (environmentId, [id]) => connectionLocation(environmentId, id!),
  channel_endpoint: (environmentId, [id]) => endpointLocation(environmentId, id!),
  environment_variable: (environmentId, [id]) => variableLocation(environmentId, id!),
  idempotency_record: (environmentId, [, key, method, path]) =>
    answerLocation({ environmentId, method: method!, path: path!, key: key! }),
  trigger: (environmentId, [id], path) => (isChannelSecret(path) ? triggerLocation(environmentId, id!) : undefined),
  webhook_endpoint: (environmentId, [id]) => webhookLocation(environmentId, id!),
  mirror: (environmentId) => mirrorLocation(environmentId),
  mirror_copy: (environmentId, [id]) => copyLocation(environmentId, id!),
  message: (environmentId, [id], _, text) => (isSealed(text) ? messageLocation(environmentId, id!) : undefined),
} satisfies Record<string, LocationInRow>;

/** `recipients[i].channels[j].credentials`, and the same for the actor; the caller's data may look alike. */
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

export function resealRow(secrets: SecretBox, table: keyof typeof LOCATIONS, row: SealedRow): Resealed {
  const locationOf: LocationInRow = LOCATIONS[table];
  const found = { isChanged: false, hasUnreadable: false };
  const resealText = (text: string, path: string[]): string => {
    const location = secrets.isUnderNewest(text) ? undefined : locationOf(row.environmentId, row.key, path, text);
    if (!location) return text;
    const secret = opened(secrets, location, text);
    if (secret === undefined) found.hasUnreadable = true;
    else found.isChanged = true;
    return secret === undefined ? text : secrets.encrypt(secret, location);
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
