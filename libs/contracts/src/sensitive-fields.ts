import { isJsonObject, type Json, type JsonObject } from './json';

/** What the record shows in place of a value that was redacted. */
export const REDACTED = '[redacted]';

/** The keyword of a payload schema that marks a field as sensitive. */
const KEYWORD = 'x-sensitive';

/** The names on the way to a field; null means every element of a list, or every member of an object. */
export type SensitivePath = (string | null)[];

/** Keywords whose schemas apply to the same value. */
const SAME_VALUE = ['if', 'then', 'else'] as const;
const SAME_VALUE_LISTS = ['allOf', 'anyOf', 'oneOf'] as const;

/** Keywords that name another schema. */
const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'] as const;

const MAX_FIELDS = 100;

/** Schemas of the cache of workflows; each is read once. */
const known = new WeakMap<JsonObject, SensitivePath[]>();

/** The fields that a payload schema marks with `"x-sensitive": true`. A schema that was saved has no fault. */
export function sensitivePaths(schema: JsonObject | null): SensitivePath[] {
  if (!schema) return [];
  let paths = known.get(schema);
  if (!paths) known.set(schema, (paths = [...markedIn(schema).values()]));
  return paths;
}

/** Why the marks of a schema cannot be used. */
export function sensitiveFieldsFault(schema: JsonObject): string | undefined {
  const marked = markedIn(schema);
  if (marked.has('[]')) return `${KEYWORD} cannot mark the whole payload: mark its properties`;
  if (marked.size > MAX_FIELDS) return `${KEYWORD} may mark at most ${MAX_FIELDS} fields`;
  const reached = new Set<JsonObject>();
  walk(schema, [], (found) => reached.add(found));
  return findUnreached(schema, reached) ?? (marked.size > 0 ? findMarkedReference(schema, schema) : undefined);
}

/** References are not followed, so the fields that a marked schema describes through one would stay. */
function findMarkedReference(value: Json | undefined, root: JsonObject): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (each) => findMarkedReference(each, root));
  if (!isJsonObject(value)) return undefined;
  for (const keyword of REFERENCES) {
    const target = value[keyword];
    if (typeof target === 'string' && hasMark(resolve(target, root))) {
      return `${KEYWORD} has no effect through a reference: write the schema in place of ${keyword} "${target}"`;
    }
  }
  return firstOf(Object.values(value), (each) => findMarkedReference(each, root));
}

/** What a JSON pointer names. Any other reference may name the whole schema. */
function resolve(reference: string, root: JsonObject): Json | undefined {
  if (!reference.startsWith('#/')) return root;
  let found: Json | undefined = root;
  for (const part of decoded(reference.slice(2)).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(name)];
    else found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  }
  return found;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const hasMark = (value: Json | undefined): boolean =>
  Array.isArray(value)
    ? value.some(hasMark)
    : isJsonObject(value) && (value[KEYWORD] === true || Object.values(value).some(hasMark));

/** By its text: several schemas of one field may mark it. */
function markedIn(schema: JsonObject): Map<string, SensitivePath> {
  const marked = new Map<string, SensitivePath>();
  walk(schema, [], (found, path) => {
    if (found[KEYWORD] === true) marked.set(JSON.stringify(path), path);
  });
  return marked;
}

/** Calls `visit` with each schema of which the place in the payload is known. References are not followed. */
function walk(schema: Json | undefined, path: SensitivePath, visit: (schema: JsonObject, path: SensitivePath) => void) {
  if (!isJsonObject(schema)) return;
  visit(schema, path);
  const { properties, items, prefixItems, additionalProperties } = schema;
  if (isJsonObject(properties)) {
    for (const [name, each] of Object.entries(properties)) walk(each, [...path, name], visit);
  }
  for (const elements of [items, prefixItems]) {
    for (const each of Array.isArray(elements) ? elements : [elements]) walk(each, [...path, null], visit);
  }
  walk(additionalProperties, [...path, null], visit);
  for (const keyword of SAME_VALUE) walk(schema[keyword], path, visit);
  for (const keyword of SAME_VALUE_LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) for (const each of list) walk(each, path, visit);
  }
}

/** A mark that would have no effect is a fault: the author relies on it. */
function findUnreached(value: Json | undefined, reached: Set<JsonObject>): string | undefined {
  if (Array.isArray(value)) return firstOf(value, (each) => findUnreached(each, reached));
  if (!isJsonObject(value)) return undefined;
  const mark = value[KEYWORD];
  if (reached.has(value) && mark !== undefined && typeof mark !== 'boolean') return `${KEYWORD} must be true or false`;
  if (!reached.has(value) && mark === true) {
    return (
      `${KEYWORD} has no effect at this place: mark the field where properties, items, additionalProperties, allOf, ` +
      'anyOf, oneOf, if, then or else describe it, not below $defs or patternProperties'
    );
  }
  return firstOf(Object.values(value), (each) => findUnreached(each, reached));
}

function firstOf(values: Json[], faultOf: (value: Json) => string | undefined): string | undefined {
  for (const value of values) {
    const fault = faultOf(value);
    if (fault !== undefined) return fault;
  }
  return undefined;
}
