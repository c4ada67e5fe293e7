import type { Json, JsonObject } from '@clarion/contracts/core';
import { mapItems, mapMembers, setOwn } from '@clarion/contracts/json';
import { type Context, Liquid, type Template } from 'liquidjs';
import { mapBraces } from './braces';
import { registerFilters } from './template-filters';
import { TextCache } from './text-cache';
import { HtmlPlaces } from './html-place';
import { Html, htmlAware, print, registerHtmlTags, TextContext, type TextMode } from './template-html';

/** Runs in the render process too. Tenants write templates, which see their variables and nothing else. */
export type TemplateFault = { path: string; message: string };
export type PlacedText = { path: string; text: string; mode?: TextMode };
export type TextModes = (path: string, text: string) => TextMode;
export type Rendering = { ok: true; controls: JsonObject } | { ok: false; fault: TemplateFault };

const PARSE_CHARACTERS = 1024 * 1024;
/** Characters and entries that one rendering may process. */
const MEMORY_UNITS = 4 * 1024 * 1024;
const CACHE_BYTES = 16 * 1024 * 1024;

/** Templates in the controls of one step, and as many as a translation may have keys: they are checked together. */
const MOST_TEMPLATES = 2_000;

/** JSON-Logic rules. They read the same variables and are never templates. */
const NO_TEMPLATES = new Set(['skip', 'runIf']);

const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: false,
  strictVariables: false,
  // An empty in-memory set replaces the file system. It has no prototype, whose members would be templates.
  templates: Object.create(null) as Record<string, string>,
  parseLimit: PARSE_CHARACTERS,
  memoryLimit: MEMORY_UNITS,
  timezoneOffset: 0,
  locale: 'en-US',
  outputEscape: print as (value: unknown) => string,
});
registerFilters(engine);
registerHtmlTags(engine);
refuseFiles(engine);
wrapFilters(engine);
limitOutput(engine);

/** Undefined values become an empty text. There is no time limit here: the pool ends the process. */
export function renderText(text: string, variables: JsonObject, mode: TextMode = 'text'): string {
  const { content } = variables;
  const seen =
    mode === 'layout' && typeof content === 'string' ? { ...variables, content: new Html(content, true) } : variables;
  return String(engine.renderSync(parsed(text), new TextContext(text, seen, mode, engine)));
}

const parsedTemplates = new TextCache<Template[]>(CACHE_BYTES, parsedSize);

/** Runs in the render process. */
export const parsed = (text: string): Template[] => parsedTemplates.get(text, (source) => engine.parse(source));

/** Measured: text takes 2 bytes per character, tags and outputs up to 140 bytes per character once parsed. */
function parsedSize(text: string): number {
  let inBraces = 0;
  mapBraces(text, (braces) => {
    inBraces += braces.length;
    return '';
  });
  return 2 * text.length + 140 * inBraces;
}

/** Why a template does not compile; undefined when it does. Runs in the render process. */
function syntaxFault(text: string): string | undefined {
  try {
    engine.parse(text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** As `syntaxFault`, with unknown filters and tags that read files: the author would notice neither. */
export function authoringFault(text: string): string | undefined {
  engine.options.strictFilters = true;
  try {
    return syntaxFault(text);
  } finally {
    engine.options.strictFilters = false;
  }
}

type TagClass = NonNullable<Liquid['tags'][string]>;

/** There are no files. A template that was stored with such a tag compiles, because the tag may never run. */
function refuseFiles(target: Liquid): void {
  for (const name of ['include', 'render', 'layout']) {
    const construct: ProxyHandler<TagClass>['construct'] = (tag, parameters: ConstructorParameters<TagClass>) => {
      if (target.options.strictFilters) throw new Error(`tag "${name}" cannot be used: there are no files`);
      return new tag(...parameters);
    };
    target.registerTag(name, new Proxy(target.tags[name]!, { construct }));
  }
}

/** The variables that a template reads, as paths; none when it does not compile. Runs in the render process. */
export function variablesOfText(text: string): string[][] {
  if (syntaxFault(text) !== undefined) return [];
  return engine.globalVariableSegmentsSync(text, { partials: false }).map((segments) => {
    // A path ends at a computed key or a list index.
    const end = segments.findIndex((segment) => typeof segment !== 'string');
    return (end < 0 ? segments : segments.slice(0, end)) as string[];
  });
}

/** True when a text is more than a list of values. */
export const hasTags = (text: string): boolean => text.includes('{%');

export const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

type Found = {
  templates: PlacedText[];
  /** Where each of them is: the keys from the controls on. */
  ways: string[][];
  /** One more template than a step may have. */
  surplus?: string;
  /** Characters of the other texts, and the path of the longest one. */
  characters: number;
  longest: PlacedText;
};

/** Control values never change, and an author's are searched by several checks. */
const searched = new WeakMap<JsonObject, Found>();

function search(controls: JsonObject): Found {
  let found = searched.get(controls);
  if (!found) {
    searched.set(controls, (found = { templates: [], ways: [], characters: 0, longest: { path: '', text: '' } }));
    collect(controls, [], found);
  }
  return found;
}

function collect(value: Json, way: string[], found: Found): void {
  if (typeof value === 'string') return collectText(value, way, found);
  if (typeof value !== 'object' || value === null) return;
  for (const key of Object.keys(value)) {
    if (way.length === 0 && NO_TEMPLATES.has(key)) continue;
    way.push(key);
    collect((value as JsonObject)[key]!, way, found);
    way.pop();
  }
}

function collectText(text: string, way: string[], found: Found): void {
  if (!isTemplate(text)) {
    found.characters += text.length;
    if (text.length > found.longest.text.length) found.longest = { path: way.join('.'), text };
  } else if (found.templates.length < MOST_TEMPLATES) {
    found.templates.push({ path: way.join('.'), text });
    found.ways.push(way.slice());
  } else {
    found.surplus ??= way.join('.');
  }
}

/** The texts that are templates; of too many, the first ones. */
export function templatesOf(controls: JsonObject, modes: TextModes = () => 'text'): PlacedText[] {
  return search(controls).templates.map(({ path, text }) => ({ path, text, mode: modes(path, text) }));
}

/** A step whose every field is a template would take as long for each message as thousands of messages. */
export function surplusTemplate(controls: JsonObject): TemplateFault | undefined {
  const { surplus } = search(controls);
  return surplus === undefined
    ? undefined
    : { path: surplus, message: `is one of more than ${MOST_TEMPLATES} templates` };
}

/** The controls with the rendered texts in place of their templates. What holds none is not copied. */
export function withRendered(controls: JsonObject, rendered: string[], most: number): Rendering {
  const { templates, ways, characters, longest } = search(controls);
  let [left, last] = [most - characters, longest];
  const copies = new Map<Json, JsonObject>();
  const copyOf = (value: Json): JsonObject => {
    let copy = copies.get(value);
    // A list has its entries as members.
    if (!copy)
      copies.set(value, (copy = (Array.isArray(value) ? value.slice() : { ...(value as object) }) as JsonObject));
    return copy;
  };
  const filled = templates.length === 0 ? controls : copyOf(controls);
  for (const [index, way] of ways.entries()) {
    const text = rendered[index]!;
    left -= text.length;
    if (text.length > last.text.length) last = { path: templates[index]!.path, text };
    let [from, to]: [Json, JsonObject] = [controls, filled];
    for (const [at, key] of way.entries()) {
      const isLast = at === way.length - 1;
      from = (from as JsonObject)[key]!;
      const own: Json = isLast ? text : copyOf(from);
      setOwn(to, key, own);
      to = own as JsonObject;
    }
  }
  return left < 0 ? { ok: false, fault: { path: last.path, message: tooLong(most) } } : { ok: true, controls: filled };
}

export function visitTexts(value: Json, visit: (text: string, path: string) => void, path = ''): void {
  if (typeof value === 'string') return visit(value, path);
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index += 1) visitTexts(value[index]!, visit, join(path, String(index)));
    return;
  }
  for (const key of Object.keys(value)) {
    const at = join(path, key);
    if (!NO_TEMPLATES.has(at)) visitTexts(value[key]!, visit, at);
  }
}

/** The controls with mapped texts. What has no text that changes is not copied. */
export function mapTexts(controls: JsonObject, map: (text: string, path: string) => string): JsonObject {
  return mapValue(controls, '', map) as JsonObject;
}

function mapValue(value: Json, path: string, map: (text: string, path: string) => string): Json {
  if (typeof value === 'string') return map(value, path);
  if (typeof value !== 'object' || value === null) return value;
  const mapAt = (member: unknown, key: string | number): unknown => {
    const at = join(path, String(key));
    return NO_TEMPLATES.has(at) ? member : mapValue(member as Json, at, map);
  };
  return (Array.isArray(value) ? mapItems(value, mapAt) : mapMembers(value, mapAt)) as Json;
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * Output without an emitter (a whole text, a capture) gets one that counts and, in HTML, follows where values are.
 * Liquid's memory limit counts the results of most filters, but not the literal text and not the serialized form of a
 * list. A single string of many megabytes is prevented in advance, because V8 would end the process.
 */
function limitOutput({ renderer }: Liquid): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  const renderAlone = function* (templates: Template[], context: Context): Generator<unknown, unknown, unknown> {
    const isHtml = context instanceof TextContext && context.mode !== 'text';
    const outer = isHtml ? context.places : undefined;
    const places = isHtml ? new HtmlPlaces() : undefined;
    if (isHtml) context.places = places;
    try {
      return yield* renderTemplates(templates, context, new CountingEmitter(context.memoryLimit, places)) as Generator;
    } finally {
      if (isHtml) context.places = outer;
    }
  };
  renderer.renderTemplates = (templates, context, emitter) =>
    (emitter
      ? renderTemplates(templates, context, emitter)
      : renderAlone(templates, context)) as IterableIterator<string>;
}

/** Makes all filters count their arguments against the memory limit and distinguish HTML from text. */
function wrapFilters({ filters }: Liquid): void {
  for (const [name, filter] of Object.entries(filters)) {
    const { handler } = typeof filter === 'function' ? { handler: filter } : filter;
    const aware = htmlAware(name, handler as (...values: unknown[]) => unknown);
    const counting: typeof handler = function (...values: unknown[]) {
      for (const value of values) count(this.context.memoryLimit, value);
      return aware.apply(this, values);
    };
    filters[name] = counting;
  }
}

class CountingEmitter {
  buffer = '';

  constructor(
    private readonly limit: Limit,
    private readonly places?: HtmlPlaces,
  ) {}

  write(output: unknown): void {
    const text = String(output);
    this.limit.use(text.length);
    this.places?.write(text);
    this.buffer += text;
  }
}

type Limit = Context['memoryLimit'];

function count(limit: Limit, value: unknown): void {
  if (typeof value === 'string') limit.use(value.length);
  if (value instanceof Html) limit.use(value.size);
  if (!Array.isArray(value)) return;
  limit.use(value.length);
  for (const entry of value) count(limit, entry);
}

export const tooLong = (characters: number): string => `renders to more than ${characters} characters`;
export const tooCostly = (reason: string): string => `is too costly: ${reason}`;

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
}
