import { createHash } from 'node:crypto';
import { isJsonObject, isSameJson, type Json, type JsonObject } from '@clarion/contracts';

/** Only this file decides what the audit log stores: never a secret, not even as ciphertext. */

/** Columns that are not configuration: ids that the entry already has, times, and derived values. */
const EXCLUDED_COLUMNS = new Set([
  'id',
  'organizationId',
  'environmentId',
  'createdAt',
  'updatedAt',
  'lastUsedAt',
  'lastTriggeredAt',
  'health',
  'healthHistory',
  'version',
  'versionId',
  'hash',
  'encryptedKey',
]);
/** Objects of which only the names of changed fields are stored, because they hold secrets or personal data. */
const NAMES_ONLY = new Set(['credentials', 'configurations', 'data']);

const MAX_FIELD_BYTES = 16 * 1024;
/** More changed fields of such an object are only counted. */
const MAX_NAMES = 500;

type Row = Record<string, unknown>;

/** Returns undefined if no recorded field changed. */
export function changedFields(
  beforeRow: object | undefined,
  afterRow: object | undefined,
): { before: JsonObject | null; after: JsonObject | null } | undefined {
  const [before, after] = [(beforeRow ?? {}) as Row, (afterRow ?? {}) as Row];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !EXCLUDED_COLUMNS.has(name) && !isSameJson(before[name], after[name]),
  );
  if (beforeRow && afterRow && names.length === 0) return undefined;
  return {
    before: beforeRow ? side(names, before, after, 'set') : null,
    after: afterRow ? side(names, after, before, beforeRow ? 'changed' : 'set') : null,
  };
}

function side(names: string[], own: Row, other: Row, label: 'set' | 'changed'): JsonObject {
  const result: JsonObject = {};
  for (const name of names) {
    const value = own[name];
    if (value === undefined || value === null) continue;
    result[name] = bounded(NAMES_ONLY.has(name) ? changedNames(value, other[name], label) : value);
  }
  return result;
}

function changedNames(value: unknown, other: unknown, label: string): unknown {
  if (!isJsonObject(value)) return label;
  const known = isJsonObject(other) ? other : {};
  const names = Object.keys(value).filter((name) => !isSameJson(value[name], known[name]));
  if (names.length > MAX_NAMES) return `${names.length} fields`;
  return Object.fromEntries(names.map((name) => [name, name in known ? label : 'set']));
}

/** The value as JSON: dates become texts, and members that are undefined are left out. */
function bounded(value: unknown): Json {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_FIELD_BYTES
    ? (JSON.parse(text) as Json)
    : { bytes, sha256: createHash('sha256').update(text).digest('hex') };
}
