/** Files that name our metrics: rules, dashboards, scaling queries and the runbook. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';

export const ROOT = join(__dirname, '../../..');
export const OBSERVE = join(ROOT, 'k8s/observe');
const RULES_FILE = join(OBSERVE, 'rules/clarion.yml');

export type Rule = {
  record?: string;
  alert?: string;
  expr: string;
  for?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
};
export type RuleFile = { groups: { name: string; rules: Rule[] }[] };

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export const ruleFile = (): RuleFile => parse(readFileSync(RULES_FILE, 'utf8')) as RuleFile;
export const rules = (): Rule[] => ruleFile().groups.flatMap((group) => group.rules);
export const alerts = (): Rule[] => rules().filter(({ alert }) => alert !== undefined);
export const alertNames = (): string[] => alerts().map(({ alert }) => alert!);

export type ScrapeConfig = {
  job_name: string;
  metrics_path?: string;
  dns_sd_configs: { names: string[]; port: number }[];
};
export type PrometheusConfig = {
  global: Record<string, string>;
  rule_files: string[];
  scrape_configs: ScrapeConfig[];
};
export const prometheusConfig = (): PrometheusConfig => parse(read('k8s/observe/prometheus.yml')) as PrometheusConfig;

export type Panel = {
  type: string;
  title: string;
  description?: string;
  gridPos: { x: number; y: number; w: number; h: number };
  datasource?: { uid: string };
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string; datasource: { uid: string } }[];
};
export type Variable = { name: string; type: string; definition?: string };
export type Dashboard = { uid: string; title: string; panels: Panel[]; templating: { list: Variable[] } };

export const dashboards = (): [name: string, dashboard: Dashboard][] =>
  readdirSync(join(OBSERVE, 'dashboards')).map((file) => [
    file,
    JSON.parse(read(`k8s/observe/dashboards/${file}`)) as Dashboard,
  ]);

/** The queries of a panel, with the variables that Grafana fills in. */
export const filledIn = (expr: string, values: Record<string, string> = {}): string =>
  expr.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => {
    const value = name === '__rate_interval' ? '1m' : values[name];
    if (value === undefined) throw new Error(`${whole} has no value in: ${expr}`);
    return value;
  });

/** A query that determines the number of pods: one for each `threshold`. */
export type ScalingQuery = { target: string; query: string; threshold: number };

type ScaledObject = {
  kind: string;
  spec: {
    scaleTargetRef: { name: string };
    triggers?: { type: string; metadata: { query: string; threshold: string } }[];
  };
};

export const scalingQueries = (): ScalingQuery[] =>
  yamlFiles(join(ROOT, 'k8s')).flatMap((file) =>
    parseAllDocuments(readFileSync(file, 'utf8'))
      .map((document) => document.toJS() as ScaledObject | null)
      .filter((object) => object?.kind === 'ScaledObject')
      .flatMap((object) =>
        (object!.spec.triggers ?? [])
          .filter(({ type }) => type === 'prometheus')
          .map(({ metadata }) => ({
            target: object!.spec.scaleTargetRef.name,
            query: metadata.query,
            threshold: Number(metadata.threshold),
          })),
      ),
  );

/** Without the templates of the chart, which are no YAML; a spec compares what they render with the other files. */
function yamlFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name) && !name.startsWith('helm/'))
    .map((name) => join(folder, name));
}
