import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts';
import { type Context, Drop, Liquid } from 'liquidjs';
import { registerFilters } from './template-filters';
import { OutOfTime, withinTime } from './within-time';

/**
 * Liquid in control values. Everything here is plain data in and plain data out, so that it can run in another thread.
 * Templates are written by tenants: they see their own variables and nothing else (no files, no prototypes), and neither
 * their time nor their output is without end.
 */
export type TemplateFault = { path: string; message: string };
export type Rendering = { ok: true; controls: JsonObject } | { ok: false; fault: TemplateFault };

const PARSE_CHARACTERS = 1024 * 1024;
const PARSE_MS = 500;
const RENDER_MS = 250;
const MEMORY_UNITS = 8 * 1024 * 1024;
const OUTPUT_CHARACTERS = 512 * 1024;

/** A rule of JSON-Logic, evaluated with the same variables but never a template. */
const NO_TEMPLATES = new Set(['skip']);

const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: false,
  strictVariables: false,
  // An empty set of templates in memory takes the place of the file system.
  templates: {},
  parseLimit: PARSE_CHARACTERS,
  renderLimit: RENDER_MS,
  memoryLimit: MEMORY_UNITS,
  timezoneOffset: 0,
  locale: 'en-US',
  outputEscape: print as (value: unknown) => string,
});
registerFilters(engine);

/** The controls with every text rendered; what is undefined becomes an empty text. */
export function renderControls(controls: JsonObject, variables: JsonObject): Rendering {
  let path = '';
  let room = OUTPUT_CHARACTERS;
  const render = (text: string, at: string): string => {
    path = at;
    const output = isTemplate(text) ? String(engine.parseAndRenderSync(text, variables)) : text;
    room -= output.length;
    if (room < 0) throw new Error(`renders to more than ${OUTPUT_CHARACTERS} characters`);
    return output;
  };
  try {
    return { ok: true, controls: withinTime(RENDER_MS, () => mapTexts(controls, '', render) as JsonObject) };
  } catch (error) {
    return { ok: false, fault: { path, message: reasonOf(error) } };
  }
}

/** What does not compile. */
export function templateFaults(controls: JsonObject): TemplateFault[] {
  const faults: TemplateFault[] = [];
  forEachTemplate(
    controls,
    (text) => engine.parse(text),
    (path, error) => faults.push({ path, message: reasonOf(error) }),
  );
  return faults;
}

/** The variables that templates ask for from outside, as paths: `['payload', 'order', 'id']`. */
export function variablesOf(controls: JsonObject): string[][] {
  const paths = new Map<string, string[]>();
  forEachTemplate(controls, (text) => {
    for (const segments of engine.globalVariableSegmentsSync(text, { partials: false })) {
      // A path ends where it goes on by a computed key or by a place in a list.
      const end = segments.findIndex((segment) => typeof segment !== 'string');
      const path = (end < 0 ? segments : segments.slice(0, end)) as string[];
      paths.set(JSON.stringify(path), path);
    }
  });
  return [...paths.values()];
}

/** Goes on after a template that fails; stops when the time of all of them together is up. */
function forEachTemplate(
  controls: JsonObject,
  work: (text: string) => void,
  onFault: (path: string, error: unknown) => void = () => undefined,
): void {
  let current = '';
  try {
    withinTime(PARSE_MS, () => {
      for (const [path, text] of textsOf(controls)) {
        current = path;
        try {
          work(text);
        } catch (error) {
          onFault(path, error);
        }
      }
    });
  } catch (error) {
    onFault(current, error);
  }
}

const isTemplate = (text: string): boolean => text.includes('{{') || text.includes('{%');

function textsOf(controls: JsonObject): [path: string, text: string][] {
  const texts: [string, string][] = [];
  mapTexts(controls, '', (text, path) => {
    if (isTemplate(text)) texts.push([path, text]);
    return text;
  });
  return texts;
}

function mapTexts(value: Json, path: string, map: (text: string, path: string) => string): Json {
  if (typeof value === 'string') return map(value, path);
  if (Array.isArray(value)) return value.map((item, index) => mapTexts(item, join(path, String(index)), map));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const at = join(path, key);
      return [key, NO_TEMPLATES.has(at) ? member : mapTexts(member, at, map)];
    }),
  );
}

const join = (path: string, key: string): string => (path === '' ? key : `${path}.${key}`);

/** How a value is written: lists and objects as JSON with single quotes, so that they fit inside an attribute. */
function print(this: { context: Context }, value: unknown): string {
  const plain = value instanceof Drop ? value.valueOf() : value;
  if (plain === undefined || plain === null) return '';
  const text = typeof plain === 'object' ? JSON.stringify(plain).replaceAll('"', "'") : String(plain);
  this.context.memoryLimit.use(text.length);
  return text;
}

function reasonOf(error: unknown): string {
  if (error instanceof OutOfTime) return `is too costly: ${error.message}`;
  return error instanceof Error ? error.message.split('\n', 1)[0]! : String(error);
}
