import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, isSameJson, type Json, type JsonObject } from '@clarion/contracts';

/** A field that differs. A side that does not have the field is undefined. */
export type FieldChange = { path: string; previous: Json | undefined; new: Json | undefined };

/** A longer value is shown by its size and hash: a diff of many emails must stay readable and bounded. */
const MAX_SHOWN_BYTES = 16 * 1024;

/**
 * The fields that differ, with paths such as `steps.email.controlValues.subject`. Lists of objects are compared entry
 * by entry, other lists as a whole.
 */
export function compareFields(previous: Json | undefined, next: Json | undefined, path = ''): FieldChange[] {
  if (isJsonObject(previous) && isJsonObject(next)) {
    const names = [...new Set([...Object.keys(previous), ...Object.keys(next)])];
    return names.flatMap((name) => compareFields(member(previous, name), member(next, name), joined(path, name)));
  }
  if (isObjectList(previous) && isObjectList(next)) {
    return Array.from({ length: Math.max(previous.length, next.length) }, (_, at) => at).flatMap((at) =>
      compareFields(previous[at], next[at], joined(path, String(at))),
    );
  }
  const isSame = previous === undefined ? next === undefined : isSameJson(previous, next);
  return isSame ? [] : [{ path, previous, new: next }];
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObjectList = (value: Json | undefined): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/** The same text for the same definition; a resource that does not exist has the text of null. */
export const fingerprintOf = (definition: JsonObject | undefined): string =>
  createHash('sha256')
    .update(canonicalJson(definition ?? null))
    .digest('hex')
    .slice(0, 32);

/** The values of one side by path, without the fields that this side does not have. */
export const valuesOf = (fields: FieldChange[], side: 'previous' | 'new'): JsonObject =>
  Object.fromEntries(fields.flatMap((field) => (field[side] === undefined ? [] : [[field.path, shown(field[side])]])));

function shown(value: Json): Json {
  const text = JSON.stringify(value);
  const bytes = Buffer.byteLength(text);
  return bytes <= MAX_SHOWN_BYTES ? value : { bytes, sha256: createHash('sha256').update(text).digest('hex') };
}
