import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startPrometheusServer } from '@clarion/testing';
import type { Scene } from './stage';

/** The number of pods that KEDA would choose for a channel. */
export type Autoscaler = {
  /** What evaluates the queries. */
  evaluatedBy: string;
  /** Without any load. */
  leastPods: number;
  podsWanted(): Promise<number>;
  stop(): Promise<unknown>;
};

type ScalingRules = {
  minReplicaCount: number;
  maxReplicaCount: number;
  triggers: { metadata: { query: string; threshold: string } }[];
};

/** Longer than any query takes. */
const UNTOLD_MS = 60_000;
const LOOK_MS = 100;
const KEDA = join(__dirname, '../../../k8s/components/keda');

/**
 * Evaluates the queries of the manifest in a real Prometheus if there is one, otherwise from the scrape that it would
 * have got.
 */
export async function openAutoscaler(scene: Scene, app: string): Promise<Autoscaler> {
  const { minReplicaCount, maxReplicaCount, triggers } = readRules(app);
  const prometheus = await startPrometheusServer({
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [{ job_name: 'clarion-gateway', static_configs: [{ targets: [new URL(scene.url).host] }] }],
  });
  const valueOf = (query: string): Promise<number> =>
    prometheus ? untilTold(query, () => prometheus.number(query)) : valueAt(scene, seriesOf(query));
  const podsWanted = async (): Promise<number> => {
    const wanted = await Promise.all(
      triggers.map(async ({ metadata }) => (await valueOf(metadata.query)) / Number(metadata.threshold)),
    );
    return Math.min(Math.max(Math.ceil(Math.max(...wanted)), minReplicaCount), maxReplicaCount);
  };
  // The first answer takes as long as the first scrape of Prometheus.
  await podsWanted();
  return {
    evaluatedBy: prometheus ? 'a real Prometheus' : 'hand, because there is no prometheus on PATH',
    leastPods: minReplicaCount,
    podsWanted,
    stop: async () => prometheus?.stop(),
  };
}

/** The manifest merged with the common lines, as Kustomize does it. */
function readRules(app: string): ScalingRules {
  const specOf = (name: string): Partial<ScalingRules> =>
    (parse(readFileSync(join(KEDA, `${name}.yaml`), 'utf8')) as { spec: Partial<ScalingRules> }).spec;
  return { ...specOf('every-scaled-object'), ...specOf(app) } as ScalingRules;
}

/** The value of a series at the gateway, named as in the scrape, with its labels. */
export const valueAt = (scene: Scene, series: string): Promise<number> =>
  untilTold(series, async () => {
    const text = await (await fetch(`${scene.url}/metrics`)).text();
    const line = text.split('\n').find((one) => one.startsWith(`${series} `));
    return line === undefined ? undefined : Number(line.slice(series.length + 1));
  });

/** A gateway exports no lag while its database does not answer in time. */
async function untilTold(what: string, read: () => Promise<number | undefined>): Promise<number> {
  for (const begin = performance.now(); performance.now() - begin < UNTOLD_MS;) {
    const value = await read();
    if (value !== undefined) return value;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  throw new Error(`the gateway does not export ${what}`);
}

/** There is one gateway, so its value is the maximum. */
function seriesOf(query: string): string {
  const [, series] = /^max\((.+)\)$/.exec(query) ?? [];
  if (series === undefined) throw new Error(`without a Prometheus this query has no answer: ${query}`);
  return series;
}
