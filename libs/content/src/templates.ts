import type { Json, JsonObject } from '@clarion/contracts/core';
import { type Context, Liquid, type Template } from 'liquidjs';
import { registerFilters } from './template-filters';
import { Html, htmlAware, print, registerHtmlTags, TextContext, type TextMode } from './template-html';

/**
 * Liquid in control values. Everything here is plain data in and plain data out, and loads next to nothing, because it
 * also runs in the render thread. Templates are written by tenants: they see their own variables and nothing else (no
 * files, no prototypes).
 */
export type TemplateFault = { path: string; message: string };
export type PlacedText = { path: string; text: string; mode?: TextMode };
/** What each text of some controls becomes. */
export type TextModes = (path: string, text: string) => TextMode;
export type Rendering = { ok: true; controls: JsonObject } | { ok: false; fault: TemplateFault };

const PARSE_CHARACTERS = 1024 * 1024;
/** Characters and entries that all templates of a text may go through. */
const MEMORY_UNITS = 4 * 1024 * 1024;
/** Of all parsed templates that are kept. */
const KEPT_BYTES = 16 * 1024 * 1024;

/** Rules of JSON-Logic, evaluated with the same variables but never templates. */
const NO_TEMPLATES = new Set(['skip', 'runIf']);

const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: false,
  strictVariables: false,
  // An empty set of templates in memory takes the place of the file system.
  templates: {},
  parseLimit: PARSE_CHARACTERS,
  memoryLimit: MEMORY_UNITS,
  timezoneOffset: 0,
  locale: 'en-US',
  outputEscape: print as (value: unknown) => string,
});
registerFilters(engine);
registerHtmlTags(engine);
wrapFilters(engine);
limitOutput(engine);

/**
 * What a template gives with these variables; what is undefined becomes an empty text. Has no time limit of its own: it
 * runs in the render thread, which can be ended.
 */
export function renderText(text: string, variables: JsonObject, mode: TextMode = 'text'): string {
  const { content } = variables;
  const seen =
    mode === 'layout' && typeof content === 'string' ? { ...variables, content: new Html(content) } : variables;
  return String(engine.renderSync(parsed(text), new TextContext(seen, mode, engine)));
}

/** Parsed templates by their text, the most recently used last. */
const kept = new Map<string, { template: Template[]; bytes: number }>();
let keptBytes = 0;

function parsed(text: string): Template[] {
  let entry = kept.get(text);
  if (entry) {
    kept.delete(text);
  } else {
    entry = { template: engine.parse(text), bytes: parsedSize(text) };
    keptBytes += entry.bytes;
  }
  kept.set(text, entry);
  for (const [oldest, { bytes }] of kept) {
    if (keptBytes <= KEPT_BYTES) break;
    kept.delete(oldest);
    keptBytes -= bytes;
  }
  return entry.template;
}

/** Measured: text takes 2 bytes a character, what stands in braces up to 140 once it is parsed. */
function parsedSize(text: string): number {
  let inBraces = 0;
  for (const [braces] of text.matchAll(/\{[{%].*?[%}]\}/gs)) inBraces += braces.length;
  return 2 * text.length + 140 * inBraces;
}

/** Why a template does not compile; undefined when it does. Runs in the render thread. */
export function syntaxFault(text: string): string | undefined {
  try {
    engine.parse(text);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

/** As `syntaxFault`, and filters that there are not: rendering passes them over, so an author would never hear of them. */
export function authoringFault(text: string): string | undefined {
  engine.options.strictFilters = true;
  try {
    return syntaxFault(text);
  } finally {
    engine.options.strictFilters = false;
  }
}

/**
 * The variables that a template asks for from outside, as paths: `['payload', 'order', 'id']`; none when it does not compile.
 * Runs in the render thread.
 */
export function variablesOfText(text: string): string[][] {
  if (syntaxFault(text) !== undefined) return [];
  return engine.globalVariableSegmentsSync(text, { partials: false }).map((segments) => {
    // A path ends where it goes on by a computed key or by a place in a list.
    const end = segments.findIndex((segment) => typeof segment !== 'string');
    return (end < 0 ? segments : segments.slice(0, end)) as string[];
  });
}

export const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

/** The texts that have to be rendered, in the order in which `mapTexts` meets them. */
export function templatesOf(controls: JsonObject, modes: TextModes = () => 'text'): PlacedText[] {
  const templates: PlacedText[] = [];
  mapTexts(controls, (text, path) => {
    if (isTemplate(text)) templates.push({ path, text, mode: modes(path, text) });
    return text;
  });
  return templates;
}

/** A copy of the controls with other texts; what is never a template is left out of it. */
export function mapTexts(controls: JsonObject, map: (text: string, path: string) => string): JsonObject {
  return mapValue(controls, '', map) as JsonObject;
}

function mapValue(value: Json, path: string, map: (text: string, path: string) => string): Json {
  if (typeof value === 'string') return map(value, path);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => mapValue(item, join(path, String(index)), map));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const at = join(path, key);
      return [key, NO_TEMPLATES.has(at) ? member : mapValue(member, at, map)];
    }),
  );
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/**
 * Liquid counts what most filters make, but not the text between braces and not what a list of long texts becomes when it is
 * written. A single text of many megabytes has to be prevented beforehand: V8 answers it by ending the whole process, not
 * just the thread.
 */
function limitOutput({ renderer }: Liquid): void {
  const renderTemplates = renderer.renderTemplates.bind(renderer);
  renderer.renderTemplates = (templates, context, emitter = new CountingEmitter(context.memoryLimit)) =>
    renderTemplates(templates, context, emitter);
}

/** All filters count what they are given and tell HTML from text; `raw` is one of them, so that it prints as the others do. */
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

  constructor(private readonly limit: Limit) {}

  write(output: unknown): void {
    const text = String(output);
    this.limit.use(text.length);
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

/** Why a template failed, in one line. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
}
