import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-ports';
import { until } from './until';

export type Sample = { labels: Record<string, string>; value: number };

export type PrometheusServer = {
  query(expr: string): Promise<Sample[]>;
  /** The first value of the result. */
  number(expr: string): Promise<number | undefined>;
  /** The `data` of a response of its API. */
  ask<T>(path: string): Promise<T>;
  stop(): Promise<void>;
};

/**
 * A real Prometheus on a loopback port, with this configuration and the files that it names; undefined when it is not
 * on PATH.
 */
export async function startPrometheusServer(
  config: object,
  files: Record<string, object> = {},
): Promise<PrometheusServer | undefined> {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-prometheus-'));
  mkdirSync(join(folder, 'data'));
  // JSON is valid YAML.
  for (const [name, content] of Object.entries({ ...files, 'prometheus.yml': config })) {
    writeFileSync(join(folder, name), JSON.stringify(content));
  }
  const port = await freePort();
  const child = spawn('prometheus', [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
    '--log.level=warn',
  ]);
  const removeFolder = (): void => rmSync(folder, { recursive: true, force: true });
  // For a process that exits without stopping it.
  const killOnExit = (): void => void child.kill();
  process.once('exit', killOnExit);
  const isThere = await new Promise<boolean>((resolve) => {
    child.once('spawn', () => resolve(true));
    child.once('error', () => resolve(false));
  });
  if (!isThere) {
    process.off('exit', killOnExit);
    removeFolder();
    return undefined;
  }
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const url = `http://127.0.0.1:${port}`;
  await answers(`${url}/-/ready`, child, () => output);

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
    ask,
    async stop() {
      process.off('exit', killOnExit);
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      removeFolder();
    },
  };
}

async function answers(url: string, child: ChildProcess, output: () => string): Promise<void> {
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output()}`);
    return (await fetch(url).catch(() => undefined))?.ok === true;
  });
}
