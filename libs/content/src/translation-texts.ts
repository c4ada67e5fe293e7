import { type Json, type JsonObject, LIMITS, localeChain } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { keysOfText, MOST_LEVELS, type TextOfKey } from './translate';

/** The content of a translation as texts by key, or the key that is wrong and the reason. */
export type ReadContent = { ok: true; texts: Map<string, string> } | { ok: false; key: string; message: string };

const KEY = /^[\p{L}\p{N}_-]+(?:\.[\p{L}\p{N}_-]+)*$/u;

/** Reads a content: objects inside objects, and keys with dots, are the same. Stops at the limit of keys. */
export function readContent(content: JsonObject): ReadContent {
  const texts = new Map<string, string>();
  const groups = new Set<string>();
  let fault: { key: string; message: string } | undefined;
  const read = (value: Json, key: string): void => {
    if (fault) return;
    if (isJsonObject(value)) {
      if (key !== '') groups.add(key);
      for (const [name, member] of Object.entries(value)) {
        const path = key === '' ? name : `${key}.${name}`;
        if (KEY.test(name) && path.length <= LIMITS.translationKey) read(member, path);
        else fault ??= { key: path.slice(0, LIMITS.translationKey), message: KEY_RULE };
      }
    } else if (typeof value !== 'string') {
      fault = { key, message: 'must be a text or an object with texts' };
    } else if (texts.has(key)) {
      fault = { key, message: 'is there twice' };
    } else if (texts.size === LIMITS.translationKeys) {
      fault = { key, message: `is one of more than ${LIMITS.translationKeys} keys` };
    } else {
      texts.set(key, value);
      for (let end = key.lastIndexOf('.'); end > 0; end = key.lastIndexOf('.', end - 1)) groups.add(key.slice(0, end));
    }
  };
  read(content, '');
  for (const key of texts.keys()) if (groups.has(key)) fault ??= { key, message: 'is a text and has keys below it' };
  return fault ? { ok: false, ...fault } : { ok: true, texts };
}

const KEY_RULE =
  `is not a key: keys have letters, digits, _ and -, with dots between them, and at most ` +
  `${LIMITS.translationKey} characters`;

export type TextsByLocale = ReadonlyMap<string, ReadonlyMap<string, string>>;

export const localesFor = (
  contents: ReadonlyMap<string, unknown>,
  locale: string | null | undefined,
  standard: string | undefined,
): string[] => localeChain(locale, standard).filter((candidate) => contents.has(candidate));

/** Finds the text of a key in the first of the locales that has one. */
export function textIn(contents: TextsByLocale, locales: string[]): TextOfKey {
  return (key) => {
    for (const locale of locales) {
      const text = contents.get(locale)?.get(key);
      if (text !== undefined) return text;
    }
    return undefined;
  };
}

/** Finds the keys that a text names, once for each text. */
export type KeysOf = (text: string) => string[];

export function knownKeys(): KeysOf {
  const known = new Map<string, string[]>();
  return (text) => {
    let keys = known.get(text);
    if (!keys) known.set(text, (keys = keysOfText(text)));
    return keys;
  };
}

/**
 * A key whose text names itself, directly or through other keys, in one of the locales that use the texts of `changed`;
 * or one whose text becomes too long. Undefined when there is none. A text is visited once for each locale.
 */
export function findEndless(
  contents: TextsByLocale,
  standard: string,
  changed: string,
  keysOf: KeysOf = knownKeys(),
): { locale: string; key: string; message: string } | undefined {
  for (const locale of contents.keys()) {
    const locales = localesFor(contents, locale, standard);
    if (!locales.includes(changed)) continue;
    const textOf = textIn(contents, locales);
    const lengths = new Map<string, number>();
    for (const start of new Set(locales.flatMap((one) => [...contents.get(one)!.keys()]))) {
      const fault = measure(start, textOf, lengths, keysOf);
      if (fault) return { locale, ...fault };
    }
  }
  return undefined;
}

/** Computes the lengths of a key and of all keys that its text names, without recursion: a chain may be long. */
function measure(
  start: string,
  textOf: TextOfKey,
  lengths: Map<string, number>,
  keysOf: KeysOf,
): { key: string; message: string } | undefined {
  const way: { key: string; named: string[]; next: number; length: number }[] = [];
  const onWay = new Set<string>();
  const enter = (key: string): void => {
    const text = textOf(key) ?? key;
    way.push({ key, named: keysOf(text), next: 0, length: text.length });
    onWay.add(key);
  };
  if (!lengths.has(start)) enter(start);
  while (way.length > 0) {
    const current = way.at(-1)!;
    if (current.next === current.named.length) {
      if (current.length > LIMITS.translatedCharacters) {
        const message = `is longer than ${LIMITS.translatedCharacters} characters with the keys that it names`;
        return { key: current.key, message };
      }
      lengths.set(current.key, current.length);
      onWay.delete(current.key);
      way.pop();
      continue;
    }
    const named = current.named[current.next]!;
    const known = lengths.get(named);
    if (known !== undefined) {
      current.length += known;
      current.next += 1;
    } else if (onWay.has(named)) {
      const keys = way.slice(way.findIndex(({ key }) => key === named)).map(({ key }) => key);
      return { key: named, message: `names itself: ${[...keys, named].slice(0, 10).join(' -> ')}` };
    } else if (way.length === MOST_LEVELS) {
      return { key: start, message: `names keys that name keys, more than ${MOST_LEVELS} levels deep` };
    } else {
      enter(named);
    }
  }
  return undefined;
}
