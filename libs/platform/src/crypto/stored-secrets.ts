import type { ChannelCredentialsDto, ConfigurationsDto, CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
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

const channelPlace = (environmentId: string, channelId: string): SecretPlace => [
  environmentId,
  'subscriber_channel',
  channelId,
];

/** Where a subscriber can be reached at one provider. */
export function sealChannel(
  secrets: SecretBox,
  environmentId: string,
  channelId: string,
  credentials: ChannelCredentialsDto,
): string {
  return secrets.encrypt(JSON.stringify(credentials), channelPlace(environmentId, channelId));
}

export function openChannel(
  secrets: SecretBox,
  row: { id: string; environmentId: string; credentials: string },
): ChannelCredentialsDto {
  return JSON.parse(secrets.decrypt(row.credentials, channelPlace(row.environmentId, row.id))) as ChannelCredentialsDto;
}

const triggerPlace = (environmentId: string, triggerId: string): SecretPlace => [environmentId, 'trigger', triggerId];

/** What a recipient of a trigger brings along, bound to the trigger. */
export const sealTriggerSecret = (secrets: SecretBox, environmentId: string, triggerId: string, text: string): string =>
  secrets.encrypt(text, triggerPlace(environmentId, triggerId));

export const openTriggerSecret = (
  secrets: SecretBox,
  environmentId: string,
  triggerId: string,
  sealed: string,
): string => secrets.decrypt(sealed, triggerPlace(environmentId, triggerId));

const messagePlace = (environmentId: string, messageId: string): SecretPlace => [environmentId, 'message', messageId];

/** The webhook URL or device token that a message went to. */
export const sealMessageTarget = (
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  target: string,
): string => secrets.encrypt(target, messagePlace(environmentId, messageId));

/** A row of before, or of a test, may hold it in clear. */
const isSealed = (text: string): boolean => text.startsWith('v1.');

/** Undefined when its key is gone: a message can be shown without it, and a list must not fail for one of its rows. */
export function openMessageTarget(
  secrets: SecretBox,
  environmentId: string,
  messageId: string,
  sealed: string,
): string | undefined {
  if (!isSealed(sealed)) return sealed;
  try {
    return secrets.decrypt(sealed, messagePlace(environmentId, messageId));
  } catch {
    return undefined;
  }
}

/** A request that is answered again as it was. */
type AnsweredRequest = { environmentId: string; method: string; path: string; key: string };

const answerPlace = ({ environmentId, method, path, key }: AnsweredRequest): SecretPlace => [
  environmentId,
  'idempotency',
  method,
  path,
  key,
];

export const sealAnswer = (secrets: SecretBox, request: AnsweredRequest, body: string): string =>
  secrets.encrypt(body, answerPlace(request));

export const openAnswer = (secrets: SecretBox, request: AnsweredRequest, sealed: string): string =>
  secrets.decrypt(sealed, answerPlace(request));

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

/** A row as whoever puts its secrets under another key sees it: its primary key, and the columns that hold secrets. */
type SealedRow = { key: string[]; environmentId: string; columns: JsonObject };

type PlaceInRow = (environmentId: string, key: string[], path: string[], text: string) => SecretPlace | undefined;

/** By table: the place of the text at this path of a row's columns; undefined when that text is no secret. */
const PLACES = {
  integration: (environmentId, [id], [part, field]) =>
    integrationPlace({ id: id!, environmentId }, part as IntegrationPart, field!),
  api_key: (environmentId, [id]) => apiKeyPlace(environmentId, id!),
  subscriber_channel: (environmentId, [id]) => channelPlace(environmentId, id!),
  idempotency_record: (environmentId, [, key, method, path]) =>
    answerPlace({ environmentId, method: method!, path: path!, key: key! }),
  trigger: (environmentId, [id], path) => (isChannelSecret(path) ? triggerPlace(environmentId, id!) : undefined),
  message: (environmentId, [id], _, text) => (isSealed(text) ? messagePlace(environmentId, id!) : undefined),
} satisfies Record<string, PlaceInRow>;

/** `recipients[i].channels[j].credentials`, and the same of the actor; a caller's own data may look alike elsewhere. */
function isChannelSecret([column, ...rest]: string[]): boolean {
  const [list, , field] = column === 'recipients' ? rest.slice(1) : rest;
  return list === 'channels' && field === 'credentials';
}

export type Resealed = {
  columns: JsonObject;
  isChanged: boolean;
  /** Whether a secret was left as it is because no key opens it, or because it was written for another row. */
  hasUnreadable: boolean;
};

/** Puts every secret of a row under the newest key. */
export function resealRow(secrets: SecretBox, table: keyof typeof PLACES, row: SealedRow): Resealed {
  const placeOf: PlaceInRow = PLACES[table];
  const found = { isChanged: false, hasUnreadable: false };
  const resealText = (text: string, path: string[]): string => {
    const place = secrets.isUnderNewest(text) ? undefined : placeOf(row.environmentId, row.key, path, text);
    if (!place) return text;
    const resealed = reseal(secrets, place, text);
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

/** The same secret under the newest key; undefined when it cannot be read. */
function reseal(secrets: SecretBox, place: SecretPlace, sealed: string): string | undefined {
  try {
    return secrets.encrypt(secrets.decrypt(sealed, place), place);
  } catch {
    return undefined;
  }
}
