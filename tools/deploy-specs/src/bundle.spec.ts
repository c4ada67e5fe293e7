import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from './repository';

const LAUNCH = join(ROOT, 'apps/standalone/dist/bundle/launch.js');

const node = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { env: {}, encoding: 'utf8' });
  return { code: status, output: stdout + stderr };
};

describe('the bundle of the apps', () => {
  it.each(['gateway', 'engine', 'worker-email'])('starts %s like the compiled files do', (app) => {
    const started = node(join(ROOT, 'apps', app, 'dist/bundle.js'));
    expect(started).toEqual(node(join(ROOT, 'apps', app, 'dist/main.js')));
    expect(started).toEqual({ code: 1, output: expect.stringContaining('DATABASE_URL is required') as string });
  });

  it('has a code cache that V8 accepts', () => {
    const { output } = node('-p', `require(${JSON.stringify(LAUNCH)}).load().script.cachedDataRejected`);
    expect(output).toBe('false\n');
  });

  it('names the module of each frame of a stack', () => {
    const script = `process.exit = () => { throw new Error('here'); };
      process.once('unhandledRejection', (error) => process.stdout.write(error.stack));
      require(${JSON.stringify(LAUNCH)}).launch('engine');`;
    const { output } = node('-e', script);
    expect(output).toMatch(
      /Error: here\n {4}at .*\n {4}at \w+ \(libs\/platform\/dist\/process\/lifecycle\.js in \S+\/program\.js:\d+:\d+\)/,
    );
  });
});
