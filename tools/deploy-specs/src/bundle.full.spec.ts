import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { programFile } from '@clarion/platform';
import { APPS, read, ROOT } from './repository';

const LAUNCH = join(ROOT, 'apps/standalone/dist/bundle/launch.js');

const FILES = ['program', 'workers'];

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: {}, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
};

describe('the bundle of the apps', () => {
  it.each(['gateway', 'engine', 'worker-email'])('starts %s like the compiled files do', (app) => {
    const started = node(join(ROOT, 'apps', app, 'dist/main.bundle.js'));
    expect(started).toEqual(node(join(ROOT, 'apps', app, 'dist/main.js')));
    expect(started).toEqual({ code: 1, output: expect.stringContaining('DATABASE_URL is required') as string });
  });

  it('is what every app, the command line and the thread that describes the interface start from', () => {
    const files = [
      ...APPS.map((app) => programFile(app)),
      programFile('standalone', { program: 'clarion' }),
      programFile('gateway', { program: 'describe-gateway' }),
    ];
    expect(files.filter((file) => !file.endsWith('.bundle.js'))).toEqual([]);
  });

  it('runs the command line like the compiled files do', () => {
    const [bundled, compiled] = ['clarion.bundle.js', 'clarion.js'].map((file) =>
      node(join(ROOT, 'apps/standalone/dist', file), 'stuck', '--help'),
    );
    expect(bundled).toEqual(compiled);
    expect(bundled).toEqual({ code: 0, output: expect.stringContaining('stuck') as string });
  });

  it('runs in strict mode, for which its modules are written', () => {
    for (const file of FILES) expect(read(`apps/standalone/dist/bundle/${file}.js`)).toMatch(/^"use strict";/);
  });

  it.each(FILES)('has a code cache that V8 accepts for %s.js', (file) => {
    const { output } = node('-p', `require(${JSON.stringify(LAUNCH)}).load('${file}').script.cachedDataRejected`);
    expect(output).toBe('false\n');
  });

  it('names the module of each frame of a stack', () => {
    const script = `process.exit = () => { throw new Error('here'); };
      process.once('unhandledRejection', (error) => process.stdout.write(error.stack));
      require(${JSON.stringify(LAUNCH)}).launch('workers', 'apps/engine/dist/main');`;
    const { output } = node('-e', script);
    expect(output).toMatch(
      /Error: here\n {4}at .*\n {4}at \w+ \(libs\/platform\/dist\/process\/lifecycle\.js in \S+\/workers\.js:\d+:\d+\)/,
    );
  });
});
