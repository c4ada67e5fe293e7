/** Renders the Helm chart without Helm. */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { type Functions, isTrue, Templates } from './go-template';
import { type Manifest, parseManifests } from './manifests';
import { read, readYaml, ROOT } from './repository';

export const CHART = 'k8s/helm/clarion';

export type Values = Record<string, unknown>;

/** The functions of Go, sprig and Helm that the chart uses. */
export function helmFunctions(include: (name: string, data: unknown) => string): Functions {
  const indented = (spaces: number, text: string): string =>
    text
      .split('\n')
      .map((line) => ' '.repeat(spaces) + line)
      .join('\n');
  return {
    include,
    and: (...values: unknown[]) => values.find((value) => !isTrue(value)) ?? values.at(-1),
    or: (...values: unknown[]) => values.find(isTrue) ?? values.at(-1),
    not: (value: unknown) => !isTrue(value),
    eq: (one: unknown, ...others: unknown[]) => others.includes(one),
    ne: (one: unknown, other: unknown) => one !== other,
    index: (value: Record<string, unknown>, key: string) => value[key],
    printf: (format: string, ...values: unknown[]) => format.replace(/%[sdv]/g, () => String(values.shift())),
    default: (fallback: unknown, value: unknown) => (isTrue(value) ? value : fallback),
    dict: (...pairs: unknown[]) =>
      Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[key as string, pairs[at + 1]]] : []))),
    list: (...values: unknown[]) => values,
    hasKey: (fields: object, key: string) => Object.hasOwn(fields, key),
    hasPrefix: (prefix: string, text: string) => text.startsWith(prefix),
    trimPrefix: (prefix: string, text: string) => (text.startsWith(prefix) ? text.slice(prefix.length) : text),
    replace: (from: string, to: string, text: string) => text.replaceAll(from, to),
    quote: (value: unknown) => (value === undefined || value === null ? '' : JSON.stringify(String(value))),
    nindent: (spaces: number, text: string) => `\n${indented(spaces, text)}`,
    sha256sum: (text: string) => createHash('sha256').update(text).digest('hex'),
    toYaml: (value: unknown) => stringify(value, { sortMapEntries: true, lineWidth: 0 }).trimEnd(),
    required: (message: string, value: unknown) => {
      if (value === undefined || value === null || value === '') throw new Error(message);
      return value;
    },
  };
}

/** Helm merges maps, replaces lists, and removes what is set to null. */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  const isMap = (value: unknown): value is Values =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  for (const [key, value] of Object.entries(over)) {
    const old = merged[key];
    if (value === null) delete merged[key];
    else merged[key] = isMap(old) && isMap(value) ? mergeValues(old, value) : value;
  }
  return merged;
}

export const chartValues = (over: Values = {}): Values => mergeValues(readYaml<Values>(`${CHART}/values.yaml`), over);

/** What a template sees as `$`, without the files. */
export function chartData(over: Values = {}): Values {
  const { name, version, appVersion } = readYaml<Record<string, string>>(`${CHART}/Chart.yaml`);
  return {
    Values: chartValues(over),
    Chart: { Name: name, Version: version, AppVersion: appVersion },
    Release: { Name: 'clarion', Namespace: 'clarion', Revision: 1, Service: 'Helm' },
  };
}

/** The names of the files of templates, the helpers first. */
export const templateFiles = (): string[] => readdirSync(join(ROOT, CHART, 'templates')).sort();

/** The text of each file of templates. */
export function renderChart(over: Values = {}): Record<string, string> {
  const templates: Templates = new Templates(helmFunctions((name, data) => templates.include(name, data)));
  const parsed = templateFiles().map((file) => ({
    file,
    nodes: templates.parse(read(`${CHART}/templates/${file}`)),
  }));
  const data = { ...chartData(over), Files: { Get: (path: string) => read(`${CHART}/${path}`) } };
  return Object.fromEntries(
    parsed
      .filter(({ file }) => !file.startsWith('_'))
      .map(({ file, nodes }) => {
        try {
          return [file, templates.render(nodes, data)];
        } catch (error) {
          throw new Error(`${file}: ${(error as Error).message}`, { cause: error });
        }
      }),
  );
}

/** The objects that Helm would apply. */
export const chartObjects = (files: Record<string, string>): Manifest[] =>
  Object.entries(files)
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([, text]) => parseManifests(text));
