/**
 * A small checkout with the real tools and fake programs: an npm that "installs" by writing the other programs, a
 * compiler that "builds", and checkers and a jest whose results a spec decides. Each call writes a line.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const TOOLS = join(__dirname, '..', '..');

const note = (name: string) => `
const { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs');
const { dirname, join } = require('node:path');
const root = process.cwd();
const put = (path, text) => { mkdirSync(dirname(join(root, path)), { recursive: true }); writeFileSync(join(root, path), text); };
appendFileSync(join(root, 'calls'), ['${name}', ...process.argv.slice(2)].join(' ') + '\\n');
const plan = JSON.parse(readFileSync(join(root, 'plan.json'), 'utf8'))['${name}'] ?? {};
if (plan.says) console.log(plan.says);
if (plan.hangs) { put('hanging', String(process.pid)); setInterval(() => undefined, 1000); }
else if (plan.fails) process.exitCode = 1;
else {`;

/** For a program that is an ES module. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const PROGRAMS: Record<string, string> = {
  '@typescript/native/bin/tsc': `${note('tsc')}
    for (const file of ['main', 'clarion']) put('apps/standalone/dist/' + file + '.js', readFileSync(join(root, 'apps/standalone/src/main.ts'), 'utf8'));
  }`,
  'vite/bin/vite.js': `${note('vite')} put('apps/dashboard/dist/site/index.html', ''); }`,
  'oxfmt/bin/oxfmt': `${note('oxfmt')} }`,
  'oxlint/bin/oxlint': `${note('oxlint')} }`,
  'jest/bin/jest.js': `${note('jest')} }
    const report = process.argv.find((arg) => arg.startsWith('--outputFile=')).slice('--outputFile='.length);
    const of = (name) => process.env['CLARION_TEST_' + name];
    const given = [of('QUEUE'), of('PART') ?? 'all', of('DATABASE_URL'), of('REDIS_URL')];
    appendFileSync(join(root, 'calls'), ['  with', ...given].join(' ') + '\\n');
    if (plan.report) writeFileSync(report, JSON.stringify(plan.report));
  `,
};

const SERVER = (name: string, url: string) => `
const { appendFileSync, writeFileSync } = require('node:fs');
const { join } = require('node:path');
const calls = join(__dirname, '../../../calls');
exports.findRedisServer = () => '/somewhere/redis-server';
exports.start${name} = async ({ dataDir }) => {
  writeFileSync(join(dataDir, '${name}'), '');
  writeFileSync(join(__dirname, '../../../folder'), dataDir);
  appendFileSync(calls, 'start ${name}\\n');
  return { url: '${url}', port: 1, stop: async () => appendFileSync(calls, 'stop ${name}\\n') };
};`;

const NPM = `${note('npm')}
  const leavesOut = plan.leavesOut ?? [];
  const isAll = !process.argv.includes('--omit=dev');
  const locked = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const packages = Object.entries(locked.packages).filter(([path, { dev }]) => (isAll || !dev) && !leavesOut.includes(path));
  put('node_modules/.package-lock.json', JSON.stringify({ packages: Object.fromEntries(packages) }));
  for (const [path, text] of Object.entries(${JSON.stringify(PROGRAMS)})) put('node_modules/' + path, text);
  for (const [path] of packages) if (path.startsWith('node_modules/')) put(path + '/package.json', '{}');
}`;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Behaviour {
  readonly says?: string;
  readonly fails?: boolean;
  readonly hangs?: boolean;
  /** Packages that npm does not install. */
  readonly leavesOut?: string[];
  /** What jest reports. */
  readonly report?: object;
}

export class Checkout {
  readonly root = mkdtempSync(join(tmpdir(), 'clarion-checkout-'));
  private readonly npm = mkdtempSync(join(tmpdir(), 'clarion-npm-'));

  constructor() {
    for (const name of ['setup', 'start', 'clarion', 'bench', 'test', 'specs', 'program-install', 'image-node']) {
      cpSync(join(TOOLS, `${name}.mjs`), join(this.root, 'tools', `${name}.mjs`));
    }
    this.write('package.json', JSON.stringify({ dependencies: { pg: '1.0.0' } }));
    this.lock({});
    this.write('docker/Dockerfile', 'ARG NODE_IMAGE=node:26.1.0-slim');
    this.write('apps/dashboard/package.json', '{}');
    this.write('apps/dashboard/src/main.tsx', '');
    this.write('docs/guide.md', '');
    this.write('apps/gateway/package.json', '{}');
    this.write('apps/standalone/package.json', '{}');
    this.write('apps/standalone/tsconfig.app.json', '{}');
    this.write('apps/standalone/src/main.ts', 'console.log("runs", process.argv.slice(2).join(" "));');
    this.write(
      'libs/platform/dist/process/program-file.js',
      `exports.programFile = (app) => require('node:path').join(__dirname, '../../../../apps', app, 'dist/main.js');`,
    );
    this.write('libs/embedded/dist/embedded-postgres.js', SERVER('EmbeddedPostgres', 'postgres://here'));
    this.write('libs/embedded/dist/embedded-redis.js', SERVER('EmbeddedRedis', 'redis://here'));
    this.write(
      'tools/bundle/bundle.mjs',
      `${REQUIRE} ${note('bundle')}
      put('apps/standalone/dist/bundle/program.js', '');
      put('apps/gateway/dist/main.bundle.js', '');
    }`,
    );
    this.write(
      'tools/pages/api-types.mjs',
      `${REQUIRE} ${note('api-types')} put('apps/dashboard/dist/api/schema.d.ts', ''); }`,
    );
    for (const name of ['bench', 'chaos']) this.write(`tools/${name}/dist/main.js`, `${note(name)} }`);
    writeFileSync(join(this.npm, 'npm-cli.js'), NPM);
    // On PATH, so that no spec installs anything on the machine.
    for (const name of ['prometheus', 'pgbouncer', 'kubectl']) writeFileSync(join(this.npm, name), '', { mode: 0o755 });
    this.plan({});
  }

  /** Additional packages in the lock file. */
  lock(packages: Record<string, unknown>): void {
    const always = {
      '': { dependencies: { pg: '1.0.0' } },
      'apps/dashboard': {},
      'apps/gateway': {},
      'apps/standalone': {},
      'node_modules/pg': { version: '1.0.0' },
    };
    this.write('package-lock.json', JSON.stringify({ packages: { ...always, ...packages } }));
  }

  plan(
    behaviour: Partial<
      Record<
        'npm' | 'tsc' | 'vite' | 'oxfmt' | 'oxlint' | 'jest' | 'api-types' | 'bundle' | 'bench' | 'chaos',
        Behaviour
      >
    >,
  ): void {
    this.write('plan.json', JSON.stringify(behaviour));
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.root, path)), { recursive: true });
    writeFileSync(join(this.root, path), text);
  }

  read(path: string): string {
    return existsSync(join(this.root, path)) ? readFileSync(join(this.root, path), 'utf8') : '';
  }

  remove(path: string): void {
    rmSync(join(this.root, path), { recursive: true, force: true });
  }

  /** The calls since the last call of this method. */
  calls(): string[] {
    const lines = this.read('calls').split('\n').filter(Boolean);
    this.remove('calls');
    return lines;
  }

  start(tool: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return this.spawn(process.execPath, [join(this.root, 'tools', `${tool}.mjs`), ...args], env);
  }

  spawn(file: string, args: string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
    return spawn(file, args, {
      cwd: this.root,
      env: { PATH: `${this.npm}:${process.env.PATH}`, npm_execpath: join(this.npm, 'npm-cli.js'), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async run(tool: string, args: string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Outcome> {
    return outcome(this.start(tool, args, env));
  }

  dispose(): void {
    for (const folder of [this.root, this.npm]) rmSync(folder, { recursive: true, force: true });
  }
}

export async function outcome(child: ChildProcess): Promise<Outcome> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
