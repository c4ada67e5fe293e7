/** Any JSON value. Payloads and custom data have this type, never `any`. */
export type Json = string | number | boolean | null | Json[] | JsonObject;
export type JsonObject = { [key: string]: Json };

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True when objects and lists are nested in at most so many levels. It reads no deeper. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

export const jsonBytes = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '');

/** What a value takes beside its characters: an object of an array, with its place in it. */
const VALUE_BYTES = 40;

/** About the bytes of a value in memory. Many small ones take twenty times their JSON. */
export function memoryOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let bytes = VALUE_BYTES;
  if (isArray(value)) for (const item of value) bytes += VALUE_BYTES + memoryOf(item);
  else for (const key of keysOf(value)) bytes += VALUE_BYTES + key.length + memoryOf((value as JsonObject)[key]);
  return bytes;
}

export const tooManyBytes = (field: string, bytes: number): string =>
  `${field} must not be larger than ${bytes} bytes as JSON`;

/** The same text for equal values in any order of keys. Members that are `undefined` are left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(sorted(value)) ?? 'null';
}

/** Whether the canonical texts are the same, without writing them: it ends at the first difference. */
export function isSameJson(one: unknown, other: unknown): boolean {
  const [a, b] = [asJson(one), asJson(other)];
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (isArray(a) || isArray(b)) {
    return isArray(a) && isArray(b) && a.length === b.length && a.every((item, at) => isSameJson(item, b[at]));
  }
  const [first, second] = [a as Record<string, unknown>, b as Record<string, unknown>];
  const names = keysOf(first).filter((name) => first[name] !== undefined);
  return (
    names.every((name) => second[name] !== undefined && isSameJson(first[name], second[name])) &&
    keysOf(second).filter((name) => second[name] !== undefined).length === names.length
  );
}

const asJson = (value: unknown): unknown => (value instanceof Date ? value.toJSON() : (value ?? null));

/** Looked up once: a lookup for each value takes as long as the rest. */
const { isArray } = Array;
const { keys: keysOf } = Object;

/** Itself when no member changes, else a copy that shares the others. */
export function mapMembers<T extends object>(value: T, map: (member: unknown, key: string) => unknown): T {
  const members = value as Record<string, unknown>;
  let copy: Record<string, unknown> | undefined;
  for (const key of keysOf(members)) {
    const mapped = map(members[key], key);
    if (mapped === members[key]) continue;
    copy ??= { ...members };
    setOwn(copy, key, mapped);
  }
  return (copy ?? value) as T;
}

/** The same for a list. The keys of a long list as texts would cost more than the rest. */
export function mapItems(list: unknown[], map: (item: unknown, index: number) => unknown): unknown[] {
  let copy: unknown[] | undefined;
  for (let index = 0; index < list.length; index += 1) {
    const mapped = map(list[index], index);
    if (mapped !== list[index]) (copy ??= list.slice())[index] = mapped;
  }
  return copy ?? list;
}

/** Returns the value itself when its keys are sorted, which saves a copy. JSON.stringify writes the text. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (isArray(value)) return mapItems(value, sorted);
  const record = value as Record<string, unknown>;
  const keys = keysOf(record);
  if (isAscending(keys)) return mapMembers(record, sorted);
  const copy = {};
  for (const key of keys.sort()) setOwn(copy, key, sorted(record[key]));
  return copy;
}

function isAscending(keys: string[]): boolean {
  for (let index = 1; index < keys.length; index += 1) if (keys[index - 1]! > keys[index]!) return false;
  return true;
}

/** An assignment to this name would change the prototype instead. */
export function setOwn(object: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
