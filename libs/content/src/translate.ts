import type { Json, JsonObject } from '@clarion/contracts/core';
import { isJsonObject } from '@clarion/contracts/json';
import { ControlFault } from './control-fault';
import { readBody } from './email-body';
import { isEmailDocument } from './email-blocks';
import { mapTexts, reasonOf, visitTexts } from './templates';

/**
 * Writes translations into templates. `{{ t.greeting }}` becomes the text of the key `greeting`, which is a template
 * itself, so it may insert values, and a template that only inserts values still does. This is a search for names
 * between braces; no template runs here.
 */

/** The text of a key; undefined when there is none. */
export type TextOfKey = (key: string) => string | undefined;

const NAMESPACE = 't';

/** The most characters of the texts of a step once its translations are written into them. */
const MOST_CHARACTERS = 1024 * 1024;

/** Keys inside texts are resolved this deep; a deeper one is written as the key. */
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

function namesOf(template: string, name: RegExp): string[] {
  if (!template.includes('{')) return [];
  const found: string[] = [];
  for (const { kind, inside } of partsOf(template)) {
    if (kind === 'text') continue;
    for (const [, path] of inside.matchAll(name)) if (path !== undefined) found.push(keyOf(path));
  }
  return found;
}

export const keysOfText = (template: string): string[] => namesOf(template, TRANSLATION);

/** Writes the texts of keys into the templates of one step. Each key is resolved once. */
class Translation {
  /** Whether a template named a key. */
  isUsed = false;
  /** The texts of the keys, with the texts of the keys that they name. */
  private readonly known = new Map<string, string>();
  /** The keys that are being resolved, each in the text of the one before. */
  private readonly open = new Set<string>();

  constructor(private readonly textOf: TextOfKey) {}

  /** `names` begins the names of variables for texts that Liquid has to read. */
  write(template: string, names: string): string {
    if (!template.includes('{')) return template;
    const ahead = new Pieces();
    const written = new Pieces();
    let count = 0;
    let trimNext = false;
    for (const { kind, source, inside, trimsLeft, trimsRight } of partsOf(template)) {
      const whole = kind === 'output' ? WHOLE_NAME.exec(inside)?.[1] : undefined;
      if (kind === 'text') {
        written.add(trimNext ? source.trimStart() : source);
        trimNext = false;
      } else if (whole !== undefined) {
        if (trimsLeft) written.trimEnd();
        written.add(this.resolve(keyOf(whole)));
        trimNext = trimsRight;
      } else {
        // Liquid applies filters to the text or compares it, so the text gets a name. A tag may belong to a branch that
        // does not run: its texts come first. An output may be inside a loop whose entry the text reads: its texts stay
        // where it is.
        const captures = kind === 'tag' ? ahead : written;
        const named = source.replace(TRANSLATION, (match: string, path: string | undefined) => {
          if (path === undefined) return match;
          const name = `${names}_${(count += 1)}`;
          captures.add(`{% capture ${name} %}${this.resolve(keyOf(path))}{% endcapture %}`);
          return name;
        });
        written.add(named);
        trimNext = false;
      }
    }
    return ahead.text() + written.text();
  }

  /** The text of a key; the key itself when there is none, and when a text names its own key. */
  private resolve(key: string): string {
    this.isUsed = true;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const text = this.open.has(key) || this.open.size === MOST_LEVELS ? undefined : this.textOf(key);
    if (text === undefined) return key;
    this.open.add(key);
    const written = this.write(text, `clarion_t${this.known.size + this.open.size}`);
    this.open.delete(key);
    this.known.set(key, written);
    return written;
  }
}

/** The pieces of a text. Counts characters before they are joined. */
class Pieces {
  private readonly pieces: string[] = [];
  private characters = 0;

  add(piece: string): void {
    this.pieces.push(piece);
    this.characters += piece.length;
    if (this.characters > MOST_CHARACTERS) throw new Error(TOO_LONG);
  }

  trimEnd(): void {
    for (let last = this.pieces.pop(); last !== undefined; last = this.pieces.pop()) {
      const trimmed = last.trimEnd();
      if (trimmed !== '') return void this.pieces.push(trimmed);
    }
  }

  text(): string {
    return this.pieces.join('');
  }
}

const TOO_LONG = `has more than ${MOST_CHARACTERS} characters once its translations are written into it`;

/** Undefined when they name no key. A key without a text is written as itself. Throws a ControlFault. */
export function translateControls(
  controls: JsonObject,
  textOf: TextOfKey,
  { isEmail }: { isEmail: boolean },
): JsonObject | undefined {
  const translation = new Translation(textOf);
  let left = MOST_CHARACTERS;
  const translated = mapTexts(readable(controls, isEmail), (text, path) => {
    try {
      const written = translation.write(text, 'clarion_t0');
      if ((left -= written.length) < 0 && translation.isUsed) throw new Error(TOO_LONG);
      return written;
    } catch (error) {
      throw new ControlFault(path, reasonOf(error));
    }
  });
  return translation.isUsed ? translated : undefined;
}

export const translationKeys = (controls: JsonObject, { isEmail }: { isEmail: boolean }): string[] =>
  namesIn(readable(controls, isEmail), TRANSLATION);

/** The environment variables that control values name as `env.KEY`, each once. */
export const environmentVariables = (controls: JsonObject, { isEmail }: { isEmail: boolean }): string[] => [
  ...new Set(namesIn(readable(controls, isEmail), VARIABLE).map((path) => path.split('.', 1)[0]!)),
];

function namesIn(controls: JsonObject, name: RegExp): string[] {
  const names = new Set<string>();
  visitTexts(controls, (text) => {
    for (const found of namesOf(text, name)) names.add(found);
  });
  return [...names];
}

/** The keys without a text of these and of those that their texts name. `keysOf` finds the keys that a text names. */
export function missingKeys(named: string[], textOf: TextOfKey, keysOf: (text: string) => string[]): string[] {
  const seen = new Set<string>();
  const missing: string[] = [];
  const open = [...named];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (seen.has(key)) continue;
    seen.add(key);
    const text = textOf(key);
    if (text === undefined) missing.push(key);
    else for (const inner of keysOf(text)) open.push(inner);
  }
  return missing;
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
