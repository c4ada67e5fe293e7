/**
 * A separate process that starts an embedded server or takes the lock, so that a spec can kill it. It runs the current
 * sources, compiled into a temporary folder: under jest `dist` may be missing or outdated.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { transformFileSync } from '@swc/core';
import { until } from '@clarion/testing';
import { identify, type ProcessIdentity } from '../src/process-identity';

const SOURCES = join(__dirname, '..', 'src');
const NODE_MODULES = join(__dirname, '..', '..', '..', 'node_modules');

const SCRIPT = `
const { dataDir, what, nativeDir, binary } = JSON.parse(process.argv[2]);
const start = {
  postgres: () => require('./embedded-postgres').startEmbeddedPostgres({ dataDir, nativeDir, settings: { fsync: 'off' } }),
  redis: () => require('./embedded-redis').startEmbeddedRedis({ dataDir, binary }),
  lock: async () => require('./data-dir').lockDataDir(dataDir),
}[what];
process.on('SIGINT', () => console.log(JSON.stringify({ interrupted: true })));
setInterval(() => undefined, 1000);
start().then(
  ({ url, started }) => console.log(JSON.stringify({ url, started })),
  (error) => { console.log(JSON.stringify({ error: error.message })); process.exit(1); },
);
`;

export interface OwnerTask {
  readonly what: 'postgres' | 'redis' | 'lock';
  readonly dataDir: string;
  readonly binary?: string;
}

interface Answer {
  readonly url?: string;
  readonly started?: boolean;
  readonly error?: string;
  readonly interrupted?: boolean;
}

export interface Owner {
  readonly process: ChildProcess;
  readonly answer: Answer;
  next(): Promise<Answer>;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

/** The processes of a spec file, and a folder of data for each of its tests. */
export class Owners {
  readonly root = temporaryFolder('owners');
  private readonly folder = join(this.root, 'program');
  private readonly running = new Set<ChildProcess>();
  private dataDirs = 0;

  constructor() {
    mkdirSync(this.folder, { mode: 0o755 });
    for (const name of readdirSync(SOURCES).filter((file) => file.endsWith('.ts'))) {
      const { code } = transformFileSync(join(SOURCES, name), {
        swcrc: false,
        jsc: { parser: { syntax: 'typescript' }, target: 'es2023' },
        module: { type: 'commonjs' },
      });
      writeFileSync(join(this.folder, `${basename(name, '.ts')}.js`), code);
    }
    writeFileSync(join(this.folder, 'owner.js'), SCRIPT);
  }

  /** A folder that does not exist yet. */
  newDataDir(): string {
    return join(this.root, `data-${(this.dataDirs += 1)}`);
  }

  /** Resolves with its first answer, which may be an error. */
  async start(task: OwnerTask, identity: { uid?: number; gid?: number } = {}): Promise<Owner> {
    const child = spawn(process.execPath, [join(this.folder, 'owner.js'), JSON.stringify(task)], {
      ...identity,
      cwd: '/',
      detached: true,
      env: { PATH: process.env.PATH, NODE_PATH: NODE_MODULES },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.running.add(child);
    const exited = once(child, 'exit').then(() => this.running.delete(child));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<Answer> => {
      const { value } = (await lines.next()) as { value?: string };
      if (value === undefined) throw new Error('the owner ended without an answer');
      return JSON.parse(value) as Answer;
    };
    const kill = async (signal: NodeJS.Signals = 'SIGKILL'): Promise<void> => {
      child.kill(signal);
      await exited;
    };
    return { process: child, answer: await next(), next, kill };
  }

  /** Kills the processes that still run; the watchdogs stop the servers. */
  async dispose(): Promise<void> {
    await Promise.all(
      [...this.running].map(async (child) => {
        const exited = once(child, 'exit');
        child.kill('SIGKILL');
        await exited;
      }),
    );
    await until(() => processesWith(this.root).length === 0);
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** A folder that other accounts can traverse, as Postgres needs when the suite runs as root. */
export function temporaryFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `clarion-${name}-`));
  chmodSync(folder, 0o711);
  return folder;
}

/** A folder with fake Postgres programs. */
export function fakePrograms(folder: string, programs: Record<string, string>): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin, { recursive: true });
  chmodSync(folder, 0o755);
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  }
  return folder;
}

/** The running processes whose command contains all these strings. */
export function processesWith(...words: string[]): ProcessIdentity[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split('\n')
    .filter((line) => words.every((word) => line.includes(word)))
    .map((line) => identify(Number(line.trim().split(/\s+/)[0])))
    .filter((found) => found !== undefined);
}

/** The watchdogs that a process has started. */
export function watchdogsOf(pid: number): number[] {
  const { stdout } = spawnSync('ps', ['-A', '-ww', '-o', 'pid=,ppid=,args='], { encoding: 'utf8' });
  return stdout
    .split(/\n(?= *\d+ +\d+ )/)
    .filter((entry) => entry.includes('clarion-watchdog'))
    .map((entry) => entry.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([own = 0]) => own);
}
