/** Reading JSON of providers: a body may be anything, so a missing or malformed part is undefined and never throws. */
import { isJsonObject, type Json, readJson } from '@clarion/contracts/core';

/** Parses JSON that may be encoded twice, as some forms do with a key file. */
export function parseKeyFile(text: string): Json | undefined {
  const once = readJson(text);
  return typeof once === 'string' ? readJson(once) : once;
}

/** Parses JSON and keeps the numbers with this name as texts, because a long id would lose digits. */
export const parseWithIds = (text: string, name: string): Json | undefined =>
  readJson(text.replace(new RegExp(`("${name}"\\s*:\\s*)(\\d+)`, 'g'), '$1"$2"'));

/** Reads own members only, so a path that a tenant wrote cannot reach the prototype. */
export function textAt(value: Json | undefined, path: readonly (string | number)[]): string | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  if (typeof found === 'string') return found === '' ? undefined : found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

/** The list with this name in an object; empty if there is none. */
export function listAt(value: Json | undefined, name: string): Json[] {
  const list = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}
