import {
  DomainError,
  type FieldErrors,
  InboxFilterDto,
  invalidField,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  type TagFilter,
} from '@clarion/contracts';
import type { InboxFilter } from '@clarion/persistence';
import { checkElement } from '../edge/http/check-element';
import { parseJsonBody } from '../edge/http/json-body';
import { givenContexts } from '../edge/http/query-list';

export function toInboxFilter(given: InboxFilterDto): InboxFilter {
  const { read, seen, archived, snoozed, severity } = given;
  if (read === false && archived) throw unreadAndArchived();
  return {
    read,
    seen,
    archived,
    snoozed,
    severity: severity && severity.length > 0 ? severity : undefined,
    tags: given.tags && toTagGroups(given.tags),
    data: given.data === undefined ? undefined : dataGroups(readDataFilter(given.data)),
    createdFrom: given.createdGte,
    createdTo: given.createdLte,
    contextKeys: givenContexts(given.contextKeys),
  };
}

export function readCountFilters(text: string): InboxFilterDto[] {
  const elements = parse(text);
  if (!Array.isArray(elements) || elements.length === 0 || elements.length > LIMITS.inboxCountFilters) {
    throw invalidField('filters', `filters must be a JSON list of 1 to ${LIMITS.inboxCountFilters} objects`);
  }
  return elements.map((element, index) => {
    const checked = checkElement(InboxFilterDto, element);
    if (checked.valid) return checked.value;
    throw invalidField(`filters.${index}`, checked.message);
  });
}

/** The values of a query by name, as `parseQueryString` returns them. */
export type QueryValues = Record<string, string | string[]>;

/** Reads `tags[0][]=a&tags[0][]=b&tags[1][]=c`: of each group, one tag. */
export function readTagGroups(query: QueryValues): TagFilter | undefined {
  const names = Object.keys(query).filter((name) => /^tags\[\d{1,3}\]$/.test(name));
  if (names.length === 0) return undefined;
  const tags = { and: names.map((name) => ({ or: [query[name]!].flat() })) };
  const checked = checkElement(InboxFilterDto, { tags });
  if (!checked.valid) throw invalidField('tags', checked.message);
  return tags;
}

/** An empty list does not filter, like an absent one. */
function toTagGroups(tags: TagFilter): string[][] {
  if ('or' in tags) return toTagGroups(tags.or);
  if (Array.isArray(tags)) return tags.length > 0 ? [tags] : [];
  return (tags.and ?? []).map(({ or }) => or);
}

function readDataFilter(given: string | JsonObject): JsonObject {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  const value = Buffer.byteLength(text) <= LIMITS.inboxDataBytes ? parse(text) : undefined;
  if (isJsonObject(value)) return value;
  throw invalidField('data', `data must be a JSON object of at most ${LIMITS.inboxDataBytes} bytes`);
}

/**
 * Converts a filter by data to groups of objects: of each group, the data must contain one. A list of values, or
 * `{ or: [values] }`, means one of them; `{ and: [{ or: [values] }] }` means one of each.
 */
function dataGroups(filter: JsonObject): JsonObject[][] {
  const { plain, choices } = splitData(filter);
  if (choices.length > LIMITS.inboxTagGroups) {
    throw invalidField('data', `data must not have more than ${LIMITS.inboxTagGroups} choices of values`);
  }
  return [[plain], ...choices];
}

/** Separates what must be contained as it is from the choices. */
function splitData(filter: JsonObject): { plain: JsonObject; choices: JsonObject[][] } {
  const choices: JsonObject[][] = [];
  const plain = Object.entries(filter).flatMap(([name, value]): [string, Json][] => {
    const choose = (values: Json[]): [] => {
      choices.push(values.map((each) => ({ [name]: each })));
      return [];
    };
    // The data may also hold a list that contains the given one.
    if (isScalars(value) && value.length > 0) return choose([...value, value]);
    if (!isJsonObject(value)) return [[name, value]];
    if (isChoice(value)) return choose(value.or);
    const { and } = value;
    if (Array.isArray(and) && and.length > 0 && and.every(isChoice)) return and.flatMap(({ or }) => choose(or));
    const inner = splitData(value);
    for (const group of inner.choices) choose(group);
    return [[name, inner.plain]];
  });
  return { plain: Object.fromEntries(plain), choices };
}

const isScalars = (value: Json | undefined): value is Json[] =>
  Array.isArray(value) && value.every((each) => typeof each !== 'object' || each === null);

const isChoice = (value: Json): value is { or: Json[] } =>
  isJsonObject(value) && Object.keys(value).length === 1 && isScalars(value['or']);

function parse(text: string): unknown {
  try {
    return parseJsonBody(text);
  } catch {
    return undefined;
  }
}

function unreadAndArchived(): DomainError {
  const message = 'Unread and archived cannot be asked for together: what is archived has been read.';
  const errors: FieldErrors = { read: { messages: [message] }, archived: { messages: [message] } };
  return new DomainError('bad_request', message, { errors });
}
