import type { Liquid } from 'liquidjs';

/** Filters in addition to those of Liquid. Values come from payloads, so an argument can have any type. */
export function registerFilters(engine: Liquid): void {
  engine.registerFilter('digest', digest);
  engine.registerFilter('toSentence', toSentence);
  engine.registerFilter('pluralize', pluralize);
}

/** Names and a count of the rest: "A, B and 2 others". */
export function digest(list: unknown, max: unknown = 2, keyPath?: unknown, separator: unknown = ', '): string {
  const words = wordsOf(list, keyPath);
  const limit = wholeNumber(max) ?? 2;
  const shown = words.slice(0, limit).join(text(separator));
  const rest = words.length - limit;
  return rest > 0 ? [shown, countOf(rest, 'other')].filter(Boolean).join(' and ') : shown;
}

/** A list as a sentence: "A", "A and B", "A, B, and C", "A, B, and 3 others". A limit of 0 shows all. */
export function toSentence(
  list: unknown,
  keyPath?: unknown,
  limit: unknown = 2,
  overflowSuffix: unknown = 'other',
  wordsConnector: unknown = ', ',
  twoWordsConnector: unknown = ' and ',
  lastWordConnector: unknown = ', and ',
): string {
  const words = wordsOf(list, keyPath);
  const max = wholeNumber(limit) ?? 2;
  const rest = max === 0 ? 0 : words.length - max;
  const parts = rest > 0 ? [...words.slice(0, max), countOf(rest, text(overflowSuffix))] : words;
  if (parts.length <= 1) return parts[0] ?? '';
  if (parts.length === 2) return parts.join(text(twoWordsConnector));
  return parts.slice(0, -1).join(text(wordsConnector)) + text(lastWordConnector) + parts.at(-1);
}

/** "1 message", "2 messages"; for a number or the length of a list. Empty for zero and below. */
export function pluralize(
  item: unknown,
  singular: unknown = '',
  plural: unknown = '',
  showCount: unknown = true,
): string {
  const count = Array.isArray(item) ? item.length : Number(item);
  if (!(count > 0)) return '';
  const word = count === 1 ? text(singular) : text(plural) || `${text(singular)}s`;
  return showCount === false || showCount === 'false' ? word : `${count} ${word}`;
}

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

function wordsOf(list: unknown, keyPath: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const path = text(keyPath).split('.').filter(Boolean);
  return list.map((item) => text(path.reduce(member, item))).filter((word) => word !== '');
}

function member(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string, unknown>)[key]
    : undefined;
}

function text(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function wholeNumber(value: unknown): number | undefined {
  const number = Number(value);
  return Number.isInteger(number) && number >= 0 ? number : undefined;
}
