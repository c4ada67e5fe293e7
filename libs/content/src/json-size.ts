import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';

/** Shorter values are written at once. */
const SHORT = 16 * 1024;
/** Objects that are written member by member: those around the large values, such as the variables and a tenant. */
const LEVELS = 3;
const MEMBERS = 32;

/** The JSON of long objects that several values have in common, and '' for those that one has had. */
export type WrittenJson = Map<Json, string>;

/**
 * The JSON of a value; undefined when it has more characters than allowed. Then at most one of its parts is written in
 * vain: to measure a part takes longer than to write it. Objects that several values have, such as the payload for all
 * recipients, are written once or twice. They must not change while `written` is in use.
 */
export function writeWithin(value: Json, characters: number, written: WrittenJson): string | undefined {
  if (characters < 0) return undefined;
  const isLong = leftAfter(Math.min(SHORT, characters), value, written) < 0;
  const json = isLong ? writeLong(value, characters, written, LEVELS) : JSON.stringify(value);
  return json !== undefined && json.length <= characters ? json : undefined;
}

function writeLong(value: Json, characters: number, written: WrittenJson, levels: number): string | undefined {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const known = written.get(value);
  if (known) return known;
  const isPart = levels > 0 && hasFewMembers(value);
  const json = isPart ? writeMembers(value, characters, written, levels) : JSON.stringify(value);
  if (json !== undefined && json.length > SHORT) written.set(value, known === '' ? json : '');
  return json;
}

/** Other than a list, or an object that JSON writes as something else, for example a date. */
const hasFewMembers = (value: Json): value is JsonObject =>
  isJsonObject(value) && typeof value['toJSON'] !== 'function' && Object.keys(value).length <= MEMBERS;

function writeMembers(value: JsonObject, characters: number, written: WrittenJson, levels: number): string | undefined {
  const members: string[] = [];
  for (const [key, member] of Object.entries(value)) {
    // As in JSON, a member that is not there is left out.
    if (member === undefined) continue;
    const json = writeLong(member, characters, written, levels - 1);
    if (json === undefined) return undefined;
    characters -= json.length;
    if (characters < 0) return undefined;
    members.push(`${JSON.stringify(key)}:${json}`);
  }
  return `{${members.join()}}`;
}

/** Negative when the value certainly takes more than this many characters as JSON. Stops there, and writes no JSON. */
function leftAfter(left: number, value: Json | undefined, written: WrittenJson): number {
  if (typeof value === 'string') return left - value.length - 2;
  if (typeof value !== 'object' || value === null) return left - 1;
  // Known to be longer than any of these limits; to begin with its keys would list all of them.
  if (written.has(value)) return -1;
  left -= 1;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length && left >= 0; index += 1)
      left = leftAfter(left - 1, value[index], written);
    return left;
  }
  for (const key in value) {
    if (left < 0) break;
    left = leftAfter(left - key.length - 4, value[key], written);
  }
  return left;
}
