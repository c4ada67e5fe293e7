import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { readBody } from './email-body';
import { isEmailDocument } from './email-blocks';
import { mapTexts } from './templates';

/**
 * Writes translations into templates. `{{ t.greeting }}` becomes the text of the key `greeting`, which is a template
 * itself, so it may insert values, and a template that only inserts values still does. This is a search for names
 * between braces; no template runs here.
 */

/** The text of a key; undefined when there is none. */
export type TextOfKey = (key: string) => string | undefined;

/** The namespace of the translations in templates. */
const NAMESPACE = 't';

/** A text that grows beyond this is left as it is then: Liquid and the limit of the output refuse it. */
const MOST_CHARACTERS = 1024 * 1024 + 1;

/** Keys inside texts are resolved this deep; a deeper one, which only a cycle has, is written as the key. */
export const MOST_LEVELS = 20;

/** One part of a template: a text, an output (`{{ }}`) or a tag (`{% %}`). */
type Part = {
  kind: 'text' | 'output' | 'tag';
  source: string;
  inside: string;
  trimsLeft: boolean;
  trimsRight: boolean;
};

/** One part of a path: `.name`, `["name"]` or `['name']`. */
const STEP = `\\.([\\p{L}\\p{N}_-]+)|\\[\\s*(?:"([^"]+)"|'([^']+)')\\s*\\]`;
const PATH = `((?:${STEP.replaceAll(/\((?!\?)/g, '(?:')})+)`;

/** Names outside quotes that are not the property of another name. */
const nameIn = (namespace: string): RegExp =>
  new RegExp(`"[^"]*"|'[^']*'|(?<![\\p{L}\\p{N}_.\\]-])${namespace}${PATH}(?![\\p{L}\\p{N}_-])`, 'gu');

const TRANSLATION = nameIn(NAMESPACE);
const VARIABLE = nameIn('env');
const WHOLE_NAME = new RegExp(`^${NAMESPACE}${PATH}$`, 'u');
const STEPS = new RegExp(STEP, 'gu');

/** A path with dots, however it is written: `a.b` for `.a["b"]`. */
const keyOf = (path: string): string =>
  Array.from(path.matchAll(STEPS), ([, plain, double, single]) => plain ?? double ?? single).join('.');

/** The parts of a template, in one pass. The contents of `raw` and `comment` are text. */
function partsOf(template: string): Part[] {
  const parts: Part[] = [];
  let begin = 0;
  const addText = (end: number): void => {
    const source = template.slice(begin, end);
    if (source !== '') parts.push({ kind: 'text', source, inside: source, trimsLeft: false, trimsRight: false });
    begin = end;
  };
  for (let open = template.indexOf('{'); open >= 0; open = template.indexOf('{', Math.max(open + 1, begin))) {
    const kind = template[open + 1] === '{' ? 'output' : template[open + 1] === '%' ? 'tag' : undefined;
    if (!kind) continue;
    const close = template.indexOf(kind === 'output' ? '}}' : '%}', open + 2);
    if (close < 0) break;
    addText(open);
    const source = template.slice(open, close + 2);
    const trimsLeft = source[2] === '-';
    const trimsRight = source.at(-3) === '-' && source.length > 5;
    const inside = source.slice(trimsLeft ? 3 : 2, trimsRight ? -3 : -2).trim();
    parts.push({ kind, source, inside, trimsLeft, trimsRight });
    begin = close + 2;
    const block = kind === 'tag' ? /^(raw|comment)\b/.exec(inside)?.[1] : undefined;
    if (block === undefined) continue;
    const end = new RegExp(`\\{%-?\\s*end${block}\\s*-?%\\}`, 'g');
    end.lastIndex = begin;
    const found = end.exec(template);
    if (!found) break;
    addText(end.lastIndex);
  }
  addText(template.length);
  return parts;
}

/** The paths below a namespace that the outputs and tags of a template name. */
function namesOf(template: string, name: RegExp): string[] {
  if (!template.includes('{')) return [];
  const found: string[] = [];
  for (const { kind, inside } of partsOf(template)) {
    if (kind === 'text') continue;
    for (const [, path] of inside.matchAll(name)) if (path !== undefined) found.push(keyOf(path));
  }
  return found;
}

/** The keys of the translations that a template names. */
export const keysOfText = (template: string): string[] => namesOf(template, TRANSLATION);

/** Writes the texts of all keys into a template. A key without a text is written as itself. */
function translateText(template: string, textOf: TextOfKey, level = 0): string {
  if (!template.includes('{')) return template;
  const resolve = (key: string): string => {
    const text = level < MOST_LEVELS ? textOf(key) : undefined;
    return text === undefined ? key : translateText(text, textOf, level + 1);
  };
  let names = 0;
  let ahead = '';
  let written = '';
  let trimNext = false;
  for (const { kind, source, inside, trimsLeft, trimsRight } of partsOf(template)) {
    const whole = kind === 'output' ? WHOLE_NAME.exec(inside)?.[1] : undefined;
    if (kind === 'text') {
      written += trimNext ? source.trimStart() : source;
      trimNext = false;
    } else if (whole !== undefined) {
      written = (trimsLeft ? written.trimEnd() : written) + resolve(keyOf(whole));
      trimNext = trimsRight;
    } else {
      // Liquid applies filters to the text or compares it, so the text gets a name.
      let captures = '';
      const named = source.replace(TRANSLATION, (match: string, path: string | undefined) => {
        if (path === undefined) return match;
        const name = `clarion_t${level}_${(names += 1)}`;
        captures += `{% capture ${name} %}${resolve(keyOf(path))}{% endcapture %}`;
        return name;
      });
      // A tag may belong to a branch that does not run: its texts come first. An output may be inside a loop whose
      // entry the text reads: its texts stay where it is.
      if (kind === 'tag') ahead += captures;
      else written += captures;
      written += named;
      trimNext = false;
    }
    if (ahead.length + written.length > MOST_CHARACTERS) break;
  }
  return ahead + written;
}

/** The control values of a step with all texts translated. `isEmail` reads a body that is JSON text first. */
export function translateControls(
  controls: JsonObject,
  textOf: TextOfKey,
  { isEmail }: { isEmail: boolean },
): JsonObject {
  return mapTexts(readable(controls, isEmail), (text) => translateText(text, textOf));
}

/** The keys that control values name, each once. */
export const translationKeys = (controls: JsonObject, { isEmail }: { isEmail: boolean }): string[] =>
  namesIn(readable(controls, isEmail), TRANSLATION);

/** The environment variables that control values name as `env.KEY`, each once. */
export const environmentVariables = (controls: JsonObject, { isEmail }: { isEmail: boolean }): string[] => [
  ...new Set(namesIn(readable(controls, isEmail), VARIABLE).map((path) => path.split('.', 1)[0]!)),
];

function namesIn(controls: JsonObject, name: RegExp): string[] {
  const names = new Set<string>();
  mapTexts(controls, (text) => {
    for (const found of namesOf(text, name)) names.add(found);
    return text;
  });
  return [...names];
}

/** The keys without a text that control values name, directly or in texts that they name. */
export function missingKeys(controls: JsonObject, textOf: TextOfKey, kind: { isEmail: boolean }): string[] {
  const seen = new Set<string>();
  const missing: string[] = [];
  const open = translationKeys(controls, kind);
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const text = textOf(key);
    if (text === undefined) missing.push(key);
    else open.push(...keysOfText(text));
  }
  return missing.sort();
}

/** A text inside JSON text has to be replaced after the JSON is read: it may contain quotes. */
function readable(controls: JsonObject, isEmail: boolean): JsonObject {
  if (!isEmail) return controls;
  const body = readBody(controls['body']);
  return { ...controls, body: isEmailDocument(body) ? (withTemplates(body as Json) as Json) : body };
}

/** Writes the variables of the block editor that are translations as templates. */
function withTemplates(node: Json): Json {
  if (Array.isArray(node)) return node.map(withTemplates);
  if (!isJsonObject(node)) return node;
  const attrs = isJsonObject(node['attrs']) ? node['attrs'] : {};
  if (node['type'] === 'variable' && isKey(attrs['id'])) {
    const { marks } = node;
    return { type: 'text', text: `{{ ${attrs['id']} }}`, ...(marks !== undefined && { marks }) };
  }
  return Object.fromEntries(
    Object.entries(node).map(([name, member]) => [
      name,
      isKey(member) && isVariable(node, name) ? `{{ ${member} }}` : withTemplates(member),
    ]),
  );
}

const isKey = (value: Json | undefined): value is string => typeof value === 'string' && WHOLE_NAME.test(value);

/** `isUrlVariable: true` beside `url` or `href` means that the value is the name of a variable. */
const isVariable = (attrs: JsonObject, name: string): boolean =>
  attrs[`is${name === 'href' ? 'Url' : name.charAt(0).toUpperCase() + name.slice(1)}Variable`] === true;

type Reads = { translations?: boolean; environment?: boolean };

/** Control values of a version never change, so they are searched once. */
const searched = new WeakMap<JsonObject, Reads>();

function readsOf(controls: JsonObject): Reads {
  let reads = searched.get(controls);
  if (!reads) searched.set(controls, (reads = {}));
  return reads;
}

/** True when the templates name a translation. */
export function readsTranslations(controls: JsonObject, kind: { isEmail: boolean }): boolean {
  const reads = readsOf(controls);
  reads.translations ??= /t[.[]/.test(JSON.stringify(controls)) && translationKeys(controls, kind).length > 0;
  return reads.translations;
}

/** True when the templates may read a variable of the environment, in any spelling. */
export function readsEnvironment(controls: JsonObject): boolean {
  const reads = readsOf(controls);
  reads.environment ??= JSON.stringify(controls).includes('env');
  return reads.environment;
}
