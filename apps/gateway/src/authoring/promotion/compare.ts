import { createHash } from 'node:crypto';
import { canonicalJson, isJsonObject, isSameJson, type Json, type JsonObject, mapInSlices } from '@clarion/contracts';

/** A field that differs. A side that does not have the field is undefined. */
export type FieldChange = { path: string; previous: Json | undefined; new: Json | undefined };

/**
 * A longer value is shown by its size and hash, and so are the others when those before them have more bytes together:
 * a diff of many emails must stay readable and bounded.
 */
const MAX_SHOWN_BYTES = 16 * 1024;
const MAX_SHOWN_TOGETHER = 64 * 1024;

/** An object of which more fields differ is one value. */
const MAX_FIELDS = 500;

/**
 * The fields that differ, with paths such as `steps.email.controlValues.subject`. Lists of objects are compared entry
 * by entry, other lists as a whole, and so are objects and lists with very many fields that differ.
 */
export function compareFields(previous: Json | undefined, next: Json | undefined, path = ''): FieldChange[] {
  const members = membersOf(previous, next);
  if (!members) {
    const isSame = previous === undefined ? next === undefined : isSameJson(previous, next);
    return isSame ? [] : [{ path, previous, new: next }];
  }
  const [before, after] = [previous, next] as JsonObject[];
  const fields: FieldChange[] = [];
  for (const name of members) {
    fields.push(...compareFields(member(before!, name), member(after!, name), joined(path, name)));
    // A path names its step, so changes of different steps stay separate.
    if (fields.length > MAX_FIELDS && path !== '' && path !== 'steps') return [{ path, previous, new: next }];
  }
  return fields;
}

/** The names or positions by which both are compared; undefined if they are compared as a whole. */
function membersOf(previous: Json | undefined, next: Json | undefined): Iterable<string> | undefined {
  const areAlike = (isJsonObject(previous) && isJsonObject(next)) || (isObjectList(previous) && isObjectList(next));
  return areAlike ? new Set([...Object.keys(previous!), ...Object.keys(next!)]) : undefined;
}

const joined = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`);

const member = (object: JsonObject, name: string): Json | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

const isObjectList = (value: Json | undefined): value is JsonObject[] =>
  Array.isArray(value) && value.length > 0 && value.every(isJsonObject);

/** The same text for the same definition; a resource that does not exist has the text of null. */
export const fingerprintOf = (definition: JsonObject | undefined): string => measured(definition).fingerprint;

export function measured(definition: JsonObject | undefined): { fingerprint: string; bytes: number } {
  const text = canonicalJson(definition ?? null);
  return { fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 32), bytes: text.length };
}

/** The values of one side by path, without the fields that this side does not have. */
export async function valuesOf(fields: FieldChange[], side: 'previous' | 'new'): Promise<JsonObject> {
  let left = MAX_SHOWN_TOGETHER;
  const shown = (value: Json): Json => {
    const text = JSON.stringify(value);
    const bytes = Buffer.byteLength(text);
    if (bytes > Math.min(MAX_SHOWN_BYTES, left)) {
      return { bytes, sha256: createHash('sha256').update(text).digest('hex') };
    }
    left -= bytes;
    return value;
  };
  const present = fields.flatMap(({ path, [side]: value }) => (value === undefined ? [] : [{ path, value }]));
  return Object.fromEntries(await mapInSlices(present, ({ path, value }) => [path, shown(value)] as const));
}
