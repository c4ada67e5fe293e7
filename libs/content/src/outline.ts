import type { Json, JsonObject } from '@clarion/contracts/core';
import { escapeHtml } from './escape';
import type { TextMode } from './template-html';

/**
 * Templates that only insert values (`{{ payload.name }}`) need no Liquid for each message. A render process parses
 * such a template once (`read-outline.ts`). Afterwards the event loop inserts the values: a few reads of properties and
 * one concatenation, limited in length. Where a value has to be treated in any other way, these functions return
 * undefined and a render process renders the text.
 */
export type Outline = {
  /** The text around the values; one more than there are values. */
  literals: string[];
  values: OutlineValue[];
};

/** A value, and the text of the filter `default`. */
export type OutlineValue = { path: string[]; fallback?: string };

/** Longer results are rendered in a process, which can be ended. */
export const FILLED_CHARACTERS = 256 * 1024;

/** Writes the values into the text, as `print` does; at most `most` characters. */
export function fillText(
  { literals, values }: Outline,
  variables: JsonObject,
  mode: TextMode,
  most: number,
): string | undefined {
  let text = literals[0]!;
  for (let index = 0; index < values.length; index += 1) {
    const { path, fallback } = values[index]!;
    const content = mode === 'layout' && path[0] === 'content' ? contentOf(variables, path, fallback) : undefined;
    const value = content ?? textAt(variables, path, fallback);
    if (value === undefined) return undefined;
    text += content === undefined && mode !== 'text' ? escaped(value, mode) : value;
    text += literals[index + 1]!;
    if (text.length > most) return undefined;
  }
  return text.length > most ? undefined : text;
}

const escaped = (text: string, mode: TextMode): string =>
  mode === 'feed' && !text.includes('<') ? text : escapeHtml(text);

/** The content of a layout is HTML. With a filter, Liquid decides what it becomes. */
function contentOf({ content }: JsonObject, path: string[], fallback: string | undefined): string | undefined {
  return typeof content === 'string' && path.length === 1 && fallback === undefined ? content : undefined;
}

/** A value as Liquid prints it; undefined for lists, objects and what JSON would change. */
export function textAt(variables: JsonObject, path: string[], fallback: string | undefined): string | undefined {
  let value: Json | undefined = variables;
  for (const key of path) {
    if (value === undefined || value === null) break;
    // Strings and lists have properties that JSON does not show, such as `length`.
    if (typeof value !== 'object' || Array.isArray(value) || isConverted(value)) return undefined;
    value = Object.hasOwn(value, key) ? value[key] : undefined;
  }
  const isMissing = value === undefined || value === null;
  if (fallback !== undefined && (isMissing || value === '' || value === false)) return fallback;
  if (isMissing) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'boolean' || Number.isFinite(value) ? String(value) : undefined;
}

/** The longest serialized form of one character: `\u0000`. */
const ESCAPED_CHARACTERS = 6;
const ENTRY_CHARACTERS = 32;
const ENTRIES = 5_000;

/** True when the variables certainly take at most this many characters as JSON, the limit of a render job. */
export function isAtMost(variables: JsonObject, characters: number): boolean {
  const left = { characters, entries: ENTRIES };
  takeFrom(left, variables);
  return left.characters >= 0 && left.entries >= 0;
}

/** Objects with very many entries, such as the payload for all recipients: a walk would first list all their keys. */
const LARGE = new WeakSet<object>();

function takeFrom(left: { characters: number; entries: number }, value: Json | undefined): void {
  left.entries -= 1;
  left.characters -= ENTRY_CHARACTERS;
  if (typeof value === 'string') left.characters -= ESCAPED_CHARACTERS * value.length;
  if (typeof value !== 'object' || value === null) return;
  if (isConverted(value) || LARGE.has(value)) left.entries = -1;
  if (left.characters < 0 || left.entries < 0) return;
  const isList = Array.isArray(value);
  const before = left.entries;
  for (const key in value) {
    if (left.characters < 0 || left.entries < 0) break;
    if (!isList) left.characters -= ESCAPED_CHARACTERS * key.length;
    takeFrom(left, (value as JsonObject)[key]);
  }
  if (before - left.entries > ENTRIES / 2) LARGE.add(value);
}

/** JSON writes such an object as something else, for example a date. */
const isConverted = (value: object): boolean => typeof (value as { toJSON?: unknown }).toJSON === 'function';
