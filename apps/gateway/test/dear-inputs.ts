import type { JsonObject } from '@clarion/contracts';
import { nestedChoices } from '@clarion/testing';
import { type OpenApiDocument, resolve, type Schema } from './openapi-document';

/** Inputs that are small to send and dear to process. `bytes` is about the size of the JSON of the value. */
type Make<T> = (bytes: number) => T;

const repeat = (text: string, bytes: number): string => text.repeat(Math.max(1, Math.floor(bytes / text.length)));
const nested = (depth: number, wrap: (inner: unknown) => unknown, inner: unknown): unknown => {
  let value = inner;
  for (let level = 0; level < depth; level += 1) value = wrap(value);
  return value;
};

/** Long runs, repetition and nesting in a text, and templates. */
export const TEXTS: Record<string, Make<string>> = {
  'a run of letters': (bytes) => repeat('a', bytes),
  'a run of blanks': (bytes) => `a${repeat(' ', bytes)}b`,
  'a run of slashes': (bytes) => `https://a${repeat('/', bytes)}b`,
  'a run of dots and signs': (bytes) => `a@${repeat('a.-_', bytes)}!`,
  'opening braces': (bytes) => repeat('{{', bytes),
  'opening tags of Liquid': (bytes) => repeat('{% if a %}', bytes),
  'opening tags of HTML': (bytes) => repeat('<b>', bytes),
  'less-than signs': (bytes) => repeat('<', bytes),
  'unclosed comments': (bytes) => repeat('<!--', bytes),
  'unclosed attributes': (bytes) => repeat('<a b="', bytes),
  entities: (bytes) => repeat('&amp', bytes),
  'many values': (bytes) => repeat('{{payload.a}}', bytes),
  'a long path': (bytes) => `{{ ${repeat('a.', bytes)}a }}`,
  'many filters': (bytes) => `{{ payload.a ${repeat('| append: b ', bytes)}}}`,
  'translated keys': (bytes) => repeat('{{t.k1}}', bytes),
  'nested loops': () => '{% for a in (1..99999) %}{% for b in (1..99999) %}{% endfor %}{% endfor %}',
  'a loop with output': () => `{% for a in (1..9999) %}${repeat('x', 1_000)}{% endfor %}`,
  'nested captures': () => `${'{% if a %}{% capture b %}'.repeat(40)}${'{% endcapture %}{% endif %}'.repeat(40)}`,
  'lines and quotes': (bytes) => repeat('"\n\\', bytes / 2),
};

const keys = (bytes: number, value: unknown = 1): JsonObject =>
  Object.fromEntries(
    Array.from({ length: Math.floor(bytes / (7 + JSON.stringify(value).length)) }, (_, at) => [at.toString(36), value]),
  ) as JsonObject;

/** Many keys, nesting and long values in an object that the interface does not describe. */
export const OBJECTS: Record<string, Make<JsonObject>> = {
  'many keys': (bytes) => keys(bytes),
  'many objects': (bytes) => keys(bytes, {}),
  'keys of one long prefix': (bytes) =>
    Object.fromEntries(Array.from({ length: Math.floor(bytes / 210) }, (_, at) => [`${'k'.repeat(200)}${at}`, at])),
  'deep lists': (bytes) => ({ a: Array(Math.floor(bytes / 52)).fill(nested(24, (inner) => [inner], 0)) }) as JsonObject,
  'deep objects': (bytes) =>
    ({ a: Array(Math.floor(bytes / 150)).fill(nested(24, (inner) => ({ a: inner }), 0)) }) as JsonObject,
  'a long text': (bytes) => ({ a: repeat('ä', bytes / 2) }),
  'long numbers': (bytes) => ({ a: Array(Math.floor(bytes / 7)).fill(1e308) }),
  'integers of many digits': (bytes) => ({ a: Array(Math.floor(bytes / 21)).fill(123456789012345680000) }),
  'many texts': (bytes) => keys(bytes, '{{payload.a}}'),
};

const rule = (depth: number): unknown =>
  nested(depth, (inner) => ({ some: [{ var: 'payload.l' }, inner] }), { '==': [1, 2] });

const RULES: Record<string, Make<JsonObject>> = {
  'nested loops in a rule': () => rule(8) as JsonObject,
  'many comparisons in a rule': (bytes) => ({
    or: Array(Math.floor(bytes / 30)).fill({ '==': [{ var: 'payload.s' }, 1] }),
  }),
  'long paths in a rule': (bytes) => ({ '==': [{ var: repeat('a.', bytes) }, 1] }),
  'a long concatenation': (bytes) => ({
    '==': [{ cat: Array(Math.floor(bytes / 20)).fill({ var: 'payload.s' }) }, 'x'],
  }),
  'a list in a list': (bytes) => ({ in: [{ var: 'payload.s' }, repeat('a', bytes)] }),
};

const SCHEMAS: Record<string, Make<JsonObject>> = {
  'many properties': (bytes) => ({ type: 'object', properties: keys(bytes, { type: 'string' }) }),
  'deep properties': (bytes) => ({
    type: 'object',
    properties: keys(
      bytes,
      nested(8, (inner) => ({ properties: { a: inner } }), { type: 'string' }),
    ),
  }),
  'a pattern that backtracks': () => ({ type: 'object', properties: { s: { type: 'string', pattern: '^(a+)+$' } } }),
  'doubled references': () => nestedChoices(200),
  'a long enumeration': (bytes) => ({
    properties: { s: { enum: Array.from({ length: bytes / 8 }, (_, at) => `${at}`) } },
  }),
  'many required keys': (bytes) => ({ required: Array.from({ length: bytes / 8 }, (_, at) => `k${at}`) }),
};

type Node = { type: string; attrs?: JsonObject; content?: Node[]; text?: string; marks?: unknown[] };
const doc = (...content: Node[]): Node => ({ type: 'doc', content });
const paragraph = (...content: Node[]): Node => ({ type: 'paragraph', content });
const repeated = (iterations: number, ...content: Node[]): Node => ({
  type: 'repeat',
  attrs: { each: 'payload.l', iterations },
  content,
});

/** The document of an email, as its editor stores it. */
const DOCUMENTS: Record<string, Make<Node>> = {
  'nested repeats around code': (bytes) =>
    doc(repeated(48, repeated(99, { type: 'htmlCodeBlock', content: [{ type: 'text', text: repeat('x', bytes) }] }))),
  'a repeat over a long expression': (bytes) => doc({ type: 'repeat', attrs: { each: `a${repeat(' ', bytes)}b` } }),
  'a text of braces': (bytes) => doc(paragraph({ type: 'text', text: repeat('{{', bytes) })),
  'many nodes': (bytes) => doc(...Array<Node>(Math.floor(bytes / 70)).fill(paragraph({ type: 'text', text: 'a' }))),
  'deep nodes': () => doc(nested(12, (inner) => ({ type: 'section', content: [inner as Node] }), paragraph()) as Node),
  'many marks': (bytes) =>
    doc(paragraph({ type: 'text', text: 'a', marks: Array(Math.floor(bytes / 20)).fill({ type: 'bold' }) })),
  'repeats of repeats': () => doc(nested(6, (inner) => repeated(99, inner as Node), paragraph()) as Node),
};

const emailControls = (document: Node): JsonObject => ({ subject: 'Dear', body: JSON.stringify(document) });

/** Texts that name each other. */
const TRANSLATIONS: Record<string, Make<JsonObject>> = {
  'references to references': () => ({ k1: '{{t.k2}}'.repeat(90), k2: '{{t.k3}}'.repeat(90), k3: '' }),
  'a long chain': () => Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`k${at}`, `{{t.k${at + 1}}}`])),
  'a circle': () => ({ k1: '{{t.k2}}'.repeat(500), k2: '{{t.k1}}'.repeat(500) }),
};

/** Values for members by their name, wherever a body has such a member. */
const BY_NAME: Record<string, Record<string, Make<unknown>>> = {
  payloadSchema: SCHEMAS,
  skip: RULES,
  runIf: RULES,
  condition: RULES,
  conditions: RULES,
  content: TRANSLATIONS,
  controlValues: Object.fromEntries(
    Object.entries(DOCUMENTS).map(([name, make]) => [name, (bytes) => emailControls(make(bytes))]),
  ),
  payload: {
    'a long text and a long list': (bytes) => ({ s: repeat('a', bytes / 2), l: repeat('a', bytes / 8).split('') }),
  },
};

/** Payloads, and how many events with them a bulk call may have. */
export const fullEvents = (): { name: string; payload: JsonObject; count: number }[] => [
  { name: 'long texts', payload: { s: repeat('x', 490_000) }, count: 16 },
  { name: 'texts that are escaped', payload: { s: repeat('"\\€', 200_000) }, count: 16 },
  { name: 'many keys', payload: keys(360_000, 'x'.repeat(53)), count: 16 },
  { name: 'many events', payload: keys(60_000, 'x'.repeat(53)), count: 100 },
];

export type Place = { path: (string | number)[]; kind: 'text' | 'object' | 'list' | 'named' };

/** Every place of a body that takes a text, an object that is not described, or a list. */
export function placesOf(document: OpenApiDocument, given: Schema): Place[] {
  const found = new Map<string, Place>();
  const visit = (at: Schema, path: Place['path'], within: string[]): void => {
    const schema = resolve(document, at);
    const name = (at.$ref ?? at.allOf?.[0]?.$ref) || '';
    if (schema.enum || (name !== '' && within.includes(name))) return;
    const inside = [...within, name];
    const add = (kind: Place['kind']): void => void found.set(`${path.join('.')} ${kind}`, { path, kind });
    if (schema.oneOf) for (const form of schema.oneOf) visit(form, path, inside);
    else if (schema.type === 'string') add('text');
    else if (schema.type === 'array') {
      add('list');
      visit(schema.items ?? {}, [...path, 0], inside);
    } else if (schema.properties) {
      for (const [key, member] of Object.entries(schema.properties)) {
        if (key in BY_NAME) found.set(`${path.join('.')}.${key}`, { path: [...path, key], kind: 'named' });
        visit(member, [...path, key], inside);
      }
    } else if (schema.type === undefined || schema.type === 'object') add('object');
  };
  visit(given, [], []);
  return [...found.values()];
}

/**
 * Chooses places for the small set: of each operation one of each kind, and each name of a member in two operations.
 * Members that are named alike are mostly processed alike.
 */
export class FewPlaces {
  private readonly uses = new Map<string, number>();

  of(places: Place[]): Place[] {
    const kinds = new Set<Place['kind']>();
    const names = new Set<string>();
    return places.filter(({ path, kind }) => {
      const name = `${path.findLast((key) => typeof key === 'string')} ${kind}`;
      const uses = this.uses.get(name) ?? 0;
      if (names.has(name) || (kinds.has(kind) && uses >= 2)) return false;
      kinds.add(kind);
      names.add(name);
      this.uses.set(name, uses + 1);
      return true;
    });
  }
}

export type DearInput = { name: string; value: unknown };

/** The dear inputs for one place. */
export function inputsFor({ path, kind }: Place, bytes: number): DearInput[] {
  const makes: Record<Place['kind'], Record<string, Make<unknown>>> = {
    text: TEXTS,
    object: OBJECTS,
    list: LISTS,
    named: BY_NAME[String(path.at(-1))] ?? {},
  };
  return Object.entries(makes[kind]).map(([name, make]) => ({ name, value: make(bytes) }));
}

const LISTS: Record<string, Make<unknown>> = {
  'many texts': (bytes) => Array.from({ length: bytes / 8 }, (_, at) => `k${at}`),
  'many objects': (bytes) => Array(Math.floor(bytes / 3)).fill({}),
  'long texts': (bytes) => Array(10).fill(repeat('a', bytes / 10)),
};

/** A copy with another value at the path. Members and elements on the way are created. */
export function placed(value: unknown, [key, ...rest]: Place['path'], replacement: unknown): unknown {
  if (key === undefined) return replacement;
  if (typeof key === 'number') {
    const [first, ...others] = Array.isArray(value) ? (value as unknown[]) : [];
    return [placed(first, rest, replacement), ...others];
  }
  const object = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  return { ...object, [key]: placed((object as JsonObject)[key], rest, replacement) };
}

/** A copy of an example body with the values of members that this database knows; undefined removes the member. */
export function withKnown(example: unknown, known: Record<string, unknown>): unknown {
  if (Array.isArray(example)) return example.map((element) => withKnown(element, known));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, value]) => [name, name in known ? known[name] : withKnown(value, known)]),
  );
}

/** What the templates and rules of `AUTHORED` read. */
export const DEAR_PAYLOAD: JsonObject = { a: 'a', s: 'a'.repeat(50_000), l: Array<string>(99).fill('a') };

/** A workflow that is saved, previewed, explained and run. `translation` are its texts. */
export type Authored = { name: string; steps: object[]; translation?: JsonObject };

/** Texts that differ in how they are rendered; the others differ in how they are read, which a body shows. */
const RENDERED_TEXTS = [
  'many values',
  'a long path',
  'nested loops',
  'a loop with output',
  'opening braces',
  'entities',
];

/** Dear content, as authors store it. `all`: with every text. */
export function authored(bytes: number, all: boolean): Authored[] {
  const stepsOf = (type: string, controlValues: object): object[] => [
    { name: 'Dear', stepId: 'dear', type, controlValues },
  ];
  return [
    ...Object.entries(DOCUMENTS).map(([name, make]) => ({ name, steps: stepsOf('email', emailControls(make(bytes))) })),
    ...Object.entries(TEXTS)
      .filter(([name]) => all || RENDERED_TEXTS.includes(name))
      .map(([name, make]) => ({ name, steps: stepsOf('in_app', { body: make(bytes) }) })),
    ...Object.entries(RULES).map(([name, make]) => ({
      name,
      steps: stepsOf('in_app', { body: 'b', skip: make(bytes) }),
    })),
    ...Object.entries(TRANSLATIONS).map(([name, make]) => ({
      name,
      steps: stepsOf('in_app', { body: '{{t.k1}}'.repeat(600) }),
      translation: make(bytes),
    })),
  ];
}

/** Bodies that are passed to a provider adapter as they are. */
export const rawInputs = (bytes: number): DearInput[] =>
  Object.entries({ ...OBJECTS, ...LISTS }).map(([name, make]) => ({ name, value: JSON.stringify(make(bytes)) }));
