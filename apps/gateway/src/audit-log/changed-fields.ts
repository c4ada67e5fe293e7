import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, type Json, type JsonObject } from '@clarion/contracts';

/**
 * Which fields of a resource a change touched, in a form that can be kept for ever: this is the one place that decides what
 * the audit log holds. Secrets never get into it, not even as ciphertext.
 */

/** Columns that say nothing about the configuration: ids that the entry has anyway, times, and what is derived. */
const LEFT_OUT = new Set([
  'id',
  'organizationId',
  'environmentId',
  'createdAt',
  'updatedAt',
  'lastUsedAt',
  'lastTriggeredAt',
  'health',
  'version',
  'versionId',
  'hash',
  'encryptedKey',
]);
/** Objects of which only the names of the changed fields are kept: secrets, and what callers store about people. */
const NAMES_ONLY = new Set(['credentials', 'configurations', 'data']);

const LARGEST_FIELD = 16 * 1024;

/** Undefined when nothing changed. */
export function changedFields(
  beforeRow: object | undefined,
  afterRow: object | undefined,
): { before: JsonObject | null; after: JsonObject | null } | undefined {
  const [before, after] = [plain(beforeRow), plain(afterRow)];
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !LEFT_OUT.has(name) && !isSame(before[name], after[name]),
  );
  if (beforeRow && afterRow && names.length === 0) return undefined;
  return {
    before: beforeRow ? side(names, before, after, 'set') : null,
    after: afterRow ? side(names, after, before, beforeRow ? 'changed' : 'set') : null,
  };
}

/** The fields as one side of the change has them. */
function side(names: string[], own: JsonObject, other: JsonObject, word: 'set' | 'changed'): JsonObject {
  const result: JsonObject = {};
  for (const name of names) {
    const value = own[name];
    if (value === undefined || value === null) continue;
    result[name] = NAMES_ONLY.has(name) ? changedNames(value, other[name], word) : bounded(value);
  }
  return result;
}

function changedNames(value: Json, other: Json | undefined, word: string): Json {
  if (!isJsonObject(value)) return word;
  const known = isJsonObject(other) ? other : {};
  const names = Object.keys(value).filter((name) => !isSame(value[name], known[name]));
  return Object.fromEntries(names.map((name) => [name, name in known ? word : 'set']));
}

function bounded(value: Json): Json {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= LARGEST_FIELD ? value : { bytes, sha256: createHash('sha256').update(text).digest('hex') };
}

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  canonicalJson(one ?? null) === canonicalJson(other ?? null);

/** A row as JSON: times as texts, without what is undefined. */
const plain = (row: object | undefined): JsonObject =>
  row === undefined ? {} : (JSON.parse(JSON.stringify(row)) as JsonObject);
