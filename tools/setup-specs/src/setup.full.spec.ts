import { appendFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@clarion/testing';
import { Checkout, isAlive, outcome } from './checkout';

const CI = expect.stringMatching(/^npm ci --omit=dev --include=optional /);
const CI_FOR_DEVELOPMENT = expect.stringMatching(/^npm ci --include=dev --include=optional /);
const TSC = 'tsc --build apps/standalone/tsconfig.app.json';
const VITE = 'vite build apps/dashboard --logLevel warn';
const SET_UP = [CI, TSC, VITE, 'bundle'];

describe('tools/setup.mjs', () => {
  let checkout: Checkout;

  beforeEach(() => {
    checkout = new Checkout();
  });

  afterEach(() => checkout.dispose());

  it('installs and builds on a fresh checkout, then runs the command', async () => {
    const { code, stdout, stderr } = await checkout.run('start', ['--processes']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'runs --processes\n' });
    expect(stderr).toMatch(/^Installing dependencies \(first run in this folder\).*\n.*\nBuilding \(first build\)/);
    expect(stderr).toContain('\nBuilding the dashboard (first build) ...\n');
    expect(checkout.calls()).toEqual(SET_UP);
  });

  it('neither installs nor builds the second time', async () => {
    await checkout.run('start');
    checkout.calls();
    expect(await checkout.run('clarion', ['--json'])).toEqual({ code: 0, stdout: 'runs --json\n', stderr: '' });
    expect(checkout.calls()).toEqual([]);
  });

  it('installs again when the lock file has changed', async () => {
    await checkout.run('start');
    checkout.calls();
    checkout.lock({ 'node_modules/pg': { version: '1.0.1' } });
    const { stderr } = await checkout.run('start');
    expect(stderr).toContain('Installing dependencies (package.json or package-lock.json changed)');
    expect(checkout.calls()).toEqual(SET_UP);
  });

  it('accepts packages that were installed by hand if they match the lock file', async () => {
    await checkout.run('start');
    checkout.calls();
    checkout.remove('node_modules/.clarion-stamp');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([]);

    checkout.remove('node_modules/.clarion-stamp');
    checkout.remove('node_modules/pg');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([CI]);
  });

  it('installs missing packages of this platform, and ignores those of other platforms', async () => {
    const optional = { version: '1.0.0', optional: true, cpu: [process.arch] };
    await checkout.run('start');
    checkout.lock({ 'node_modules/elsewhere': { ...optional, os: ['plan9'] } });
    await checkout.run('start');
    expect(checkout.calls()).toEqual([...SET_UP, TSC, VITE, 'bundle']);
    checkout.lock({ 'node_modules/here': { ...optional, os: [process.platform] } });
    await checkout.run('start');
    expect(checkout.calls()).toEqual(SET_UP);
  });

  it('installs the packages for development with the first command that needs them, and keeps them', async () => {
    checkout.lock({ 'node_modules/linter': { version: '1.0.0', dev: true } });
    await checkout.run('start');
    await checkout.run('clarion');
    expect(checkout.calls()).toEqual(SET_UP);
    expect(checkout.read('node_modules/linter/package.json')).toBe('');
    await checkout.run('bench');
    expect(checkout.calls()[0]).toEqual(CI_FOR_DEVELOPMENT);
    expect(checkout.read('node_modules/linter/package.json')).toBe('{}');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([]);
    checkout.lock({ 'node_modules/linter': { version: '1.0.1', dev: true } });
    await checkout.run('start');
    // Who develops does not wait for a bundle.
    expect(checkout.calls()).toEqual([CI_FOR_DEVELOPMENT, TSC, VITE]);
  });

  it('says so when npm has left out a package that is needed, which npm calls optional', async () => {
    checkout.lock({ 'node_modules/vite': { version: '1.0.0', optional: true } });
    checkout.plan({ npm: { leavesOut: ['node_modules/vite'] } });
    const { code, stderr } = await checkout.run('start');
    expect(code).toBe(1);
    expect(stderr).toContain('\nnpm did not install node_modules/vite: look at its log, then start again.\n');
  });

  it('uses npm install for a lock file without the packages of other platforms, which npm ci rejects', async () => {
    checkout.lock({
      'node_modules/swc': { version: '1.0.0', optionalDependencies: { 'swc-here': '1.0.0', 'swc-there': '1.0.0' } },
      'node_modules/swc-here': { version: '1.0.0', optional: true },
    });
    await checkout.run('start');
    expect(checkout.calls()[0]).toMatch(/^npm install --no-save /);
  });

  it('builds again when a source changed or the output is missing, but not for a spec', async () => {
    await checkout.run('start');
    checkout.calls();
    const main = join(checkout.root, 'apps/standalone/src/main.ts');
    appendFileSync(main, 'console.log("again");');
    expect((await checkout.run('start')).stdout).toBe('runs \nagain\n');
    utimesSync(main, new Date(), new Date(1_000_000));
    await checkout.run('start');
    checkout.remove('apps/standalone/dist');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([TSC, TSC, TSC, 'bundle']);
    checkout.write('apps/standalone/src/main.spec.ts', '');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([]);
  });

  it('builds the dashboard again when one of its files changed or its output is missing', async () => {
    await checkout.run('start');
    checkout.calls();
    checkout.write('apps/dashboard/index.html', '<!doctype html>');
    await checkout.run('start');
    checkout.remove('apps/dashboard/dist');
    await checkout.run('start');
    await checkout.run('start');
    expect(checkout.calls()).toEqual([VITE, VITE]);
    checkout.plan({ vite: { fails: true, says: 'main.tsx: error' } });
    checkout.remove('apps/dashboard/dist');
    expect(await checkout.run('start')).toMatchObject({ code: 1, stderr: expect.stringContaining('main.tsx: error') });
  });

  it('bundles the apps for a command that starts many processes, again when something was compiled', async () => {
    const tsc = `${TSC} tools/bench/tsconfig.json`;
    expect((await checkout.run('bench')).stderr).toContain('\nBundling (first build) ...\n');
    expect(checkout.calls()).toEqual([CI_FOR_DEVELOPMENT, tsc, 'bundle', 'bench']);
    await checkout.run('bench');
    expect(checkout.calls()).toEqual(['bench']);
    checkout.write('apps/standalone/dist/tsconfig.app.tsbuildinfo', '');
    await checkout.run('bench');
    checkout.remove('apps/standalone/dist/bundle');
    await checkout.run('bench');
    expect(checkout.calls()).toEqual(['bundle', 'bench', 'bundle', 'bench']);
  });

  it('prints the output of a failed npm, and installs again the next time', async () => {
    checkout.plan({ npm: { fails: true, says: 'npm warn noise\nnpm error the disk is full' } });
    const { code, stdout, stderr } = await checkout.run('start');
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(
      /\nnpm error the disk is full\nThe dependencies could not be installed: npm failed, see the lines above\.\n$/,
    );
    expect(stderr).not.toContain('noise');
    checkout.plan({});
    expect((await checkout.run('start')).code).toBe(0);
  });

  it('reports that npm is missing', async () => {
    const { code, stderr } = await checkout.run('start', [], { npm_execpath: '', PATH: '/nowhere' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/The dependencies could not be installed: there is no npm on PATH\.\n$/);
  });

  it('prints the output of a failed compiler, and builds again the next time', async () => {
    checkout.plan({ tsc: { fails: true, says: 'main.ts(1,1): error' } });
    const { code, stdout, stderr } = await checkout.run('clarion', ['--json']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/main\.ts\(1,1\): error\nThe build failed: see the compiler messages above\.\n$/);
    checkout.plan({});
    expect((await checkout.run('clarion')).code).toBe(0);
  });

  it('rejects a Node version that is too old', async () => {
    const old = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'22.3.0'}})`;
    const { code, stderr } = await checkout.run('start', [], { NODE_OPTIONS: `--import=${old}` });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'Clarion needs Node 20.19, 22.12 or later; this is 22.3.0.\n',
    });
  });

  it('stops the running program and itself on a signal', async () => {
    checkout.plan({ npm: { hangs: true } });
    const child = checkout.start('start');
    const ended = outcome(child);
    await until(() => checkout.read('hanging') !== '');
    child.kill('SIGTERM');
    const { code, stdout } = await ended;
    expect({ code, stdout }).toEqual({ code: 143, stdout: '' });
    expect(isAlive(Number(checkout.read('hanging')))).toBe(false);
  });

  it('installs once when two commands start together', async () => {
    const both = await Promise.all([checkout.run('start'), checkout.run('clarion')]);
    expect(both.map(({ code, stdout }) => ({ code, stdout }))).toEqual([
      { code: 0, stdout: 'runs \n' },
      { code: 0, stdout: 'runs \n' },
    ]);
    expect(checkout.calls()).toEqual(SET_UP);
  });

  it('treats the loss of the shell of npm as SIGTERM', async () => {
    checkout.write(
      'apps/standalone/src/main.ts',
      `process.on('SIGTERM', () => { console.log('drained'); process.exit(); });
       console.log('up'); setInterval(() => undefined, 1000);`,
    );
    const script = `"${process.execPath}" tools/start.mjs; true`;
    const shell = checkout.spawn('/bin/sh', ['-c', script], { npm_lifecycle_event: 'start' });
    let stdout = '';
    shell.stdout?.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    await until(() => stdout === 'up\n');
    shell.kill('SIGKILL');
    await until(() => stdout === 'up\ndrained\n');
  });
});
