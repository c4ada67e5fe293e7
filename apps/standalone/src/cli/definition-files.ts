import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { isJsonObject, type Json, type JsonObject, type PromotedType } from '@clarion/contracts/core';
import type { Resource } from '@clarion/gateway/command-line';

/**
 * Resources as files that people review: `workflows/<workflowId>/workflow.json` and so on. A text of several lines,
 * such as the body of an email, is a separate file in the same folder, which the JSON names:
 * `{ "$file": "email.body.html" }`.
 */
const FOLDERS: Record<PromotedType, string> = {
  layout: 'layouts',
  workflow: 'workflows',
  translation: 'translations',
};
const TEXT_FILE = '$file';
const LONG_TEXT = 120;
const MAX_BYTES = 2 * 1024 * 1024;

/** These keys come first, in this order; all others follow in alphabetical order. */
const FIRST_KEYS = ['workflowId', 'layoutId', 'stepId', 'name', 'type', 'description', 'active'];
const LAST_KEYS = ['controlValues', 'variants', 'steps'];

export type ReadFile = { type: PromotedType; path: string; content: JsonObject };
export type FileFault = { file: string; field?: string; message: string };

export function writeResource(dir: string, type: PromotedType, { id, definition }: Resource): string[] {
  const folder = join(FOLDERS[type], id);
  const texts = new Map<string, string>();
  const content = extractTexts(ordered(withoutEmpty(definition)), [], texts);
  mkdirSync(join(dir, folder), { recursive: true });
  const files = new Map([[`${type}.json`, JSON.stringify(content, null, 2)], ...texts]);
  for (const [name, text] of files) writeFileSync(join(dir, folder, name), `${text}\n`);
  return [...files.keys()].map((name) => join(folder, name));
}

/** Reads every resource of the folder. What cannot be read is a fault, and all faults are found at once. */
export function readResources(dir: string, types: readonly PromotedType[]): { files: ReadFile[]; faults: FileFault[] } {
  const files: ReadFile[] = [];
  const faults: FileFault[] = [];
  for (const type of types) {
    for (const folder of foldersOf(dir, type)) {
      const path = join(folder, `${type}.json`);
      const content = readJson(dir, path, faults);
      if (content)
        files.push({ type, path, content: insertTexts(dir, folder, path, content, '', faults) as JsonObject });
    }
  }
  return { files, faults };
}

/** The files that belong to resources: those that `workflows pull` may remove. */
export function resourceFiles(dir: string, types: readonly PromotedType[]): string[] {
  return types.flatMap((type) =>
    foldersOf(dir, type).flatMap((folder) => {
      const path = join(folder, `${type}.json`);
      const content = readJson(dir, path, []);
      return [path, ...(content ? namedTexts(content).map((name) => join(folder, name)) : [])];
    }),
  );
}

/** Removes a file, and its folder when that is empty then. */
export function removeFile(dir: string, path: string): void {
  rmSync(join(dir, path), { force: true });
  const folder = join(dir, path, '..');
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}

function foldersOf(dir: string, type: PromotedType): string[] {
  const parent = join(dir, FOLDERS[type]);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .sort()
    .map((name) => join(FOLDERS[type], name))
    .filter((folder) => existsSync(join(dir, folder, `${type}.json`)));
}

function readJson(dir: string, path: string, faults: FileFault[]): JsonObject | undefined {
  const text = readText(dir, path, faults);
  if (text === undefined) return undefined;
  try {
    const content = JSON.parse(text) as Json;
    if (isJsonObject(content)) return content;
    faults.push({ file: path, message: 'must be a JSON object' });
  } catch (error) {
    faults.push({ file: path, message: `is not JSON: ${(error as Error).message}` });
  }
  return undefined;
}

function readText(dir: string, path: string, faults: FileFault[], field?: string): string | undefined {
  const place = { file: path, ...(field !== undefined && { field }) };
  try {
    // The folder may come from a pull request. A link would show what the process can read elsewhere.
    const parts = path.split(sep).map((_, index, names) => join(dir, ...names.slice(0, index + 1)));
    const found = lstatSync(parts.at(-1)!);
    if (!found.isFile() || parts.some((part) => lstatSync(part).isSymbolicLink())) {
      faults.push({ ...place, message: 'must be a file in a folder, not a link' });
    } else if (found.size > MAX_BYTES) {
      faults.push({ ...place, message: `must not be larger than ${MAX_BYTES} bytes` });
    } else {
      return readFileSync(parts.at(-1)!, 'utf8').replace(/\n$/, '');
    }
  } catch (error) {
    faults.push({ ...place, message: `cannot be read: ${(error as Error).message}` });
  }
  return undefined;
}

function insertTexts(dir: string, folder: string, path: string, value: Json, field: string, faults: FileFault[]): Json {
  const within = (name: string): string => (field === '' ? name : `${field}.${name}`);
  if (Array.isArray(value)) {
    return value.map((each, at) => insertTexts(dir, folder, path, each, within(String(at)), faults));
  }
  if (!isJsonObject(value)) return value;
  const name = value[TEXT_FILE];
  if (name === undefined) {
    return mapped(value, (key, each) => insertTexts(dir, folder, path, each, within(key), faults));
  }
  if (typeof name !== 'string' || !/^[\w.-]+$/.test(name) || name.startsWith('.')) {
    faults.push({ file: path, field, message: `${TEXT_FILE} must be the name of a file in the same folder` });
    return '';
  }
  return readText(dir, join(folder, name), faults, field) ?? '';
}

const namedTexts = (value: Json): string[] => {
  if (Array.isArray(value)) return value.flatMap(namedTexts);
  if (!isJsonObject(value)) return [];
  const name = value[TEXT_FILE];
  return typeof name === 'string' && /^[\w.-]+$/.test(name) ? [name] : Object.values(value).flatMap(namedTexts);
};

function extractTexts(value: Json, path: string[], texts: Map<string, string>): Json {
  if (typeof value === 'string') {
    if (!value.includes('\n') && value.length <= LONG_TEXT) return value;
    const name = fileName(path, value, texts);
    texts.set(name, value);
    return { [TEXT_FILE]: name };
  }
  if (Array.isArray(value)) {
    return value.map((each, at) => {
      const stepId = isJsonObject(each) ? each['stepId'] : undefined;
      return extractTexts(each, [...path, typeof stepId === 'string' ? stepId : String(at)], texts);
    });
  }
  if (!isJsonObject(value)) return value;
  if (TEXT_FILE in value) throw new Error(`${path.join('.')}: a member named ${TEXT_FILE} cannot be written to files`);
  return mapped(value, (key, each) => extractTexts(each, [...path, key], texts));
}

/** `steps.welcome.controlValues.body` becomes `welcome.body.html`. */
function fileName(path: string[], text: string, taken: Map<string, string>): string {
  const words = path.filter((word) => word !== 'steps' && word !== 'controlValues');
  const base = words.map((word) => word.replace(/[^\w-]/g, '-')).join('.');
  const extension = extensionOf(text);
  for (let suffix = 1; ; suffix += 1) {
    const name = `${base}${suffix === 1 ? '' : `-${suffix}`}.${extension}`;
    if (!taken.has(name)) return name;
  }
}

function extensionOf(text: string): string {
  if (/^\s*[{[]"|^\s*\{\s*"/.test(text)) return 'json';
  return /<\/?[a-z!]/i.test(text) ? 'html' : 'liquid';
}

/** Fields that are null or empty have that as their default; the steps are always shown. */
function withoutEmpty(definition: JsonObject): JsonObject {
  const kept = (value: Json): boolean =>
    value !== null && !(Array.isArray(value) && value.length === 0) && !(isJsonObject(value) && isEmpty(value));
  const clean = (object: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(object).flatMap(([key, value]): [string, Json][] => {
        if (key === 'steps' || key === 'variants') {
          const list = (value as JsonObject[]).map(clean);
          return key === 'steps' || list.length > 0 ? [[key, list]] : [];
        }
        return kept(value) ? [[key, value]] : [];
      }),
    );
  return clean(definition);
}

const isEmpty = (object: JsonObject): boolean => Object.keys(object).length === 0;

/** The keys in a fixed order. The order in which the database returns them may change. */
function ordered(value: Json): Json {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isJsonObject(value)) return value;
  const rank = (key: string): number => {
    const first = FIRST_KEYS.indexOf(key);
    if (first >= 0) return first;
    return FIRST_KEYS.length + 1 + LAST_KEYS.indexOf(key);
  };
  const keys = Object.keys(value).sort((one, other) => rank(one) - rank(other) || (one < other ? -1 : 1));
  return Object.fromEntries(keys.map((key) => [key, ordered(value[key]!)]));
}

const mapped = (object: JsonObject, change: (key: string, value: Json) => Json): JsonObject =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(key, value)]));
