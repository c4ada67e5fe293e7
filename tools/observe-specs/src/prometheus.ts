import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { prometheusConfig, ruleFile } from './files';

export type Sample = { labels: Record<string, string>; value: number };

/** A real Prometheus with our jobs and rules, which looks every second and does not wait before it raises an alert. */
export type Prometheus = {
  query(expr: string): Promise<Sample[]>;
  /** The first value of an answer. */
  number(expr: string): Promise<number | undefined>;
  /** What fires now: the name of each alert, with the labels that tell one from another. */
  firing(): Promise<string[]>;
  /** Rules that could not be evaluated. */
  brokenRules(): Promise<string[]>;
  stop(): Promise<void>;
};

/** `targets` says for each app where its processes are, as host:port. */
export async function startPrometheus(targets: Record<string, string[]>): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-prometheus-'));
  const { scrape_configs: jobs } = prometheusConfig();
  const config = {
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: jobs.map(({ dns_sd_configs: dns, ...job }) => ({
      ...job,
      static_configs: [{ targets: dns.flatMap(({ names }) => names.flatMap((name) => targets[name]!)) }],
    })),
  };
  const withoutWaiting = {
    groups: ruleFile().groups.map((group) => ({
      ...group,
      rules: group.rules.map(({ for: _wait, ...rule }) => rule),
    })),
  };
  mkdirSync(join(folder, 'data'));
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config));
  writeFileSync(join(folder, 'rules.yml'), stringify(withoutWaiting));
  const [port] = await freePorts(1);
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ]);
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/-/ready`, child, () => said);

  const ask = async <T>(path: string): Promise<T> => {
    const answer = (await (await fetch(url + path)).json()) as { status: string; error?: string; data: T };
    if (answer.status !== 'success') throw new Error(`${decodeURIComponent(path)}: ${answer.error}`);
    return answer.data;
  };
  const query = async (expr: string): Promise<Sample[]> => {
    const { result } = await ask<{ result: { metric: Record<string, string>; value: [number, string] }[] }>(
      `/api/v1/query?query=${encodeURIComponent(expr)}`,
    );
    return result.map(({ metric, value }) => ({ labels: metric, value: Number(value[1]) }));
  };
  return {
    query,
    number: async (expr) => (await query(expr))[0]?.value,
    async firing() {
      const { alerts } = await ask<{ alerts: { labels: Record<string, string>; state: string }[] }>('/api/v1/alerts');
      return alerts
        .filter(({ state }) => state === 'firing')
        .map(({ labels: { alertname, severity: _severity, instance: _instance, ...labels } }) =>
          [alertname, ...Object.values(labels).toSorted()].join(' '),
        )
        .toSorted();
    },
    async brokenRules() {
      const { groups } = await ask<{ groups: { rules: { name: string; health: string; lastError?: string }[] }[] }>(
        '/api/v1/rules',
      );
      return groups
        .flatMap(({ rules }) => rules)
        .filter(({ health }) => health !== 'ok')
        .map(({ name, health, lastError }) => `${name}: ${lastError ?? health}`);
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function answers(url: string, child: ChildProcess, said: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${said()}`);
    const answer = await fetch(url).catch(() => undefined);
    if (answer?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}
