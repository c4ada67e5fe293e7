import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programFile } from '@clarion/platform';
import { until as untilHolds } from '@clarion/testing';

/** The program behind `npm start`, and the one behind `npm run clarion`; `npm test` has built and bundled them. */
const MAIN = programFile('standalone');
export const CLI = programFile('standalone', { program: 'clarion' });

export type Run = { child: ChildProcess; output: () => string; exited: Promise<number | null> };

function run(script: string, args: string[], environment: Record<string, string>): Run {
  const child = spawn(process.execPath, [script, ...args], { env: { PATH: process.env['PATH'], ...environment } });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
  // The event `close` comes after the streams have ended, so that no output is missed.
  return { child, output: () => text, exited: new Promise((resolve) => child.once('close', (code) => resolve(code))) };
}

export async function until<T>(look: () => T | undefined | false, run?: Run): Promise<T> {
  let found: T | undefined | false;
  await untilHolds(() => {
    found = look();
    if (found) return true;
    if (run && run.child.exitCode !== null) throw new Error(`it ended with ${run.child.exitCode}:\n${run.output()}`);
    return false;
  }, Infinity);
  return found as T;
}

/** A data folder, and everything that is started on it. */
export class Installation {
  readonly dataDir = mkdtempSync(join(tmpdir(), 'clarion-standalone-'));
  private readonly runs: Run[] = [];

  start(extra?: Record<string, string>, ...args: string[]): Run {
    const started = run(MAIN, args, this.environment(extra));
    this.runs.push(started);
    return started;
  }

  async ready(started: Run): Promise<{ url: string; key: string; identifier: string }> {
    await until(() => started.output().includes('Clarion is ready'), started);
    const word = (label: string) => new RegExp(`${label}\\s+(\\S+)`).exec(started.output())![1]!;
    return { url: word('Base URL'), key: word('API key'), identifier: word('Application id') };
  }

  async stop(started: Run): Promise<number | null> {
    started.child.kill('SIGTERM');
    return started.exited;
  }

  /** Runs `npm run clarion -- <line> --json`. */
  readonly clarion = async (
    line: string,
    extra?: Record<string, string>,
  ): Promise<{ code: number | null; output: string }> => {
    const command = run(CLI, [...line.split(' '), '--json'], this.environment(extra));
    const code = await command.exited;
    return { code, output: command.output() };
  };

  /** Processes whose command line contains the folder. */
  processes(): string[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          return [readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')];
        } catch {
          return [];
        }
      })
      .filter((line) => line.includes(this.dataDir));
  }

  async remove(): Promise<void> {
    await Promise.all(this.runs.map((started) => this.stop(started)));
    rmSync(this.dataDir, { recursive: true, force: true });
  }

  private environment(extra: Record<string, string> = {}): Record<string, string> {
    return {
      CLARION_DATA_DIR: this.dataDir,
      PORT: '0',
      LOG_LEVEL: 'warn',
      CLARION_QUEUE: process.env['CLARION_TEST_QUEUE'] ?? 'postgres',
      ...extra,
    };
  }
}

export const create = (url: string, key: string, subscriberId: string): Promise<Response> =>
  fetch(`${url}/v2/subscribers`, {
    method: 'POST',
    headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ subscriberId }),
  });
