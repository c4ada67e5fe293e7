import type { JsonObject } from '@clarion/contracts/core';
import { TextCache } from './text-cache';
import { environmentVariables, missingKeys, translateControls, translationKeys } from './translate';
import { findEndless, knownKeys, readContent, textIn } from './translation-texts';

/** Work on translations for render processes: texts of tenants that name each other. */

export type Template = { controls: JsonObject; isEmail: boolean };

/** What a template names: variables of the environment, and for each chain of contents the keys without a text. */
export type TemplateNames = { environment: string[]; missing: string[][] };

/** Chains are indexes of contents, best first; `standard` has the keys of every chain; `together` merges results. */
export type NamesData = { chains: number[][]; standard?: number; together: boolean };

/** The data of an `endless` job: the contents of a workflow or a layout by locale, and those that are to be added. */
export type EndlessData = {
  stored: [locale: string, content: JsonObject][];
  added: [locale: string, content: JsonObject][];
  standard: string;
};

export type KeyFault = { key: string; message: string };

type Texts = ReadonlyMap<string, string>;

/** Contents are read once; measured: a content takes up to 20 bytes per character. */
const contents = new TextCache<Texts>(8 * 1024 * 1024, (json) => 20 * json.length);

const contentOf = (json: string): Texts => contents.get(json, (text) => textsOf(JSON.parse(text) as JsonObject));

/** A content that was stored under other rules has no texts. */
function textsOf(content: JsonObject): Texts {
  const read = readContent(content);
  return read.ok ? read.texts : new Map<string, string>();
}

const chainOf = (chain: Texts[]): ((key: string) => string | undefined) => {
  const byNumber = new Map(chain.map((texts, index) => [String(index), texts]));
  return textIn(byNumber, [...byNumber.keys()]);
};

/** The translated controls; null when they name no key. The first text is a template, the others are the contents. */
export function translate([template, ...chain]: string[]): JsonObject | null {
  const { controls, isEmail } = JSON.parse(template!) as Template;
  return translateControls(controls, chainOf(chain.map(contentOf)), { isEmail }) ?? null;
}

/** What templates name. The first text is a list of templates, the others are the contents. */
export function templateNames([list, ...texts]: string[], { chains, standard, together }: NamesData): TemplateNames[] {
  const templates = JSON.parse(list!) as Template[];
  const read = texts.map(contentOf);
  const keysOf = knownKeys();
  const expected = standard === undefined ? [] : [...read[standard]!.keys()];
  const namesOf = (members: Template[]): TemplateNames => {
    const named = members.flatMap(({ controls, isEmail }) => translationKeys(controls, { isEmail }));
    const variables = members.flatMap(({ controls, isEmail }) => environmentVariables(controls, { isEmail }));
    const missing = chains.map((chain) => {
      const textOf = chainOf(chain.map((index) => read[index]!));
      const absent = expected.filter((key) => textOf(key) === undefined);
      return [...new Set([...absent, ...missingKeys(named, textOf, keysOf)])].sort();
    });
    return { environment: [...new Set(variables)], missing };
  };
  return together ? [namesOf(templates)] : templates.map((template) => namesOf([template]));
}

/** For each content that is to be added the key that has no end, or null. One without a fault counts for the next. */
export function endlessKeys({ stored, added, standard }: EndlessData): (KeyFault | null)[] {
  const texts = new Map(stored.map(([locale, content]) => [locale, textsOf(content)]));
  const keysOf = knownKeys();
  return added.map(([locale, content]) => {
    const before = texts.get(locale);
    texts.set(locale, textsOf(content));
    const endless = findEndless(texts, standard, locale, keysOf);
    if (!endless) return null;
    if (before) texts.set(locale, before);
    else texts.delete(locale);
    return { key: endless.key, message: `${endless.message} (in ${endless.locale})` };
  });
}
