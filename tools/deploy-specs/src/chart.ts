/** Renders the Helm chart with the template engine of Helm: Go's text/template and sprig (`go/render.go`). */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Ajv from 'ajv';
import { type Manifest, parseManifests } from './manifests';
import { read, readYaml, ROOT } from './repository';

export const CHART = 'k8s/helm/clarion';
const RENDERER = join(ROOT, '.cache', 'render-chart');

export type Values = Record<string, unknown>;

/** Helm merges maps, replaces lists, and removes what is set to null. */
function mergeValues(base: Values, over: Values): Values {
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

const validate = new Ajv({ allErrors: true }).compile(JSON.parse(read(`${CHART}/values.schema.json`)) as object);

/** What the schema of the values says of values beside the defaults. */
export function valueFaults(over: Values): string[] {
  validate(chartValues(over));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

/** Where Debian installs the sources of Go packages. */
const GO_ENV = { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' };

let isBuilt = false;

function buildRenderer(): void {
  if (isBuilt) return;
  execFileSync('go', ['build', '-o', RENDERER, join(ROOT, 'tools/deploy-specs/go/render.go')], { env: GO_ENV });
  isBuilt = true;
}

/** The text of each file of templates. */
export function renderChart(over: Values = {}): Record<string, string> {
  buildRenderer();
  const { name, version, appVersion } = readYaml<Record<string, string>>(`${CHART}/Chart.yaml`);
  const templates = readdirSync(join(ROOT, CHART, 'templates'));
  const input = {
    templates: Object.fromEntries(templates.map((file) => [file, read(`${CHART}/templates/${file}`)])),
    files: { 'files/rules.yaml': read(`${CHART}/files/rules.yaml`) },
    data: {
      Values: chartValues(over),
      Chart: { Name: name, Version: version, AppVersion: appVersion },
      Release: { Name: 'clarion', Namespace: 'clarion', Revision: 1, Service: 'Helm' },
    },
  };
  const { status, stdout, stderr } = spawnSync(RENDERER, { input: JSON.stringify(input), encoding: 'utf8' });
  if (status !== 0) throw new Error(`The chart was not rendered: ${stderr}`);
  return JSON.parse(stdout) as Record<string, string>;
}

/** The objects that Helm would apply. */
export const chartObjects = (files: Record<string, string>): Manifest[] =>
  Object.entries(files)
    .filter(([file]) => file.endsWith('.yaml'))
    .flatMap(([, text]) => parseManifests(text));
