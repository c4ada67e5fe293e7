import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@clarion/testing';
import { Checkout, isAlive, outcome } from './checkout';

/** A report of jest about one file with specs of these outcomes. */
const reportOf = (name: string, ...outcomes: ('passed' | 'failed')[]) => ({
  testResults: [
    {
      name,
      status: outcomes.includes('failed') ? 'failed' : 'passed',
      assertionResults: outcomes.map((status) => ({ status })),
      startTime: 0,
      endTime: 1_000,
    },
  ],
});
const PASSED = reportOf('/a.spec.ts', 'passed', 'passed', 'passed');

describe('npm test', () => {
  const checkout = new Checkout();

  beforeEach(async () => {
    checkout.plan({ jest: { report: PASSED } });
    checkout.remove('folder');
    checkout.remove('hanging');
    checkout.calls();
  });

  afterAll(() => checkout.dispose());

  const lastLine = (stdout: string): string | undefined => stdout.trimEnd().split('\n').at(-1);
  /** The calls without npm and without arguments that differ between runs. */
  const calls = (): string[] =>
    checkout
      .calls()
      .filter((line) => !line.startsWith('npm'))
      .map((line) =>
        line
          .replace(/--(outputFile|filter)[= ]\S+\/(\S+)/g, '--$1=$2')
          .replace(/ --(?:maxWorkers|seed)=\d+/g, '')
          .replaceAll(/ --ignore-pattern=\S+/g, ' --ignore-pattern')
          .replace(/( --ignore-pattern)+/, ' --ignore-pattern'),
      );
  const isCheck = (line: string): boolean => /^(oxfmt|oxlint)/.test(line);

  it('builds, checks format and lint, and runs the specs of the first tier on Redis', async () => {
    const { code, stdout } = await checkout.run('test');
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: '3 passed, 0 failed' });
    const made = calls();
    const before = made.splice(0, 8);
    expect(before.toSorted()).toEqual([
      'api-types',
      'bundle',
      'oxfmt --list-different',
      'oxlint --type-aware --ignore-pattern .',
      'oxlint -c oxlint.config.mjs .',
      'tsc --build',
      'tsc --build apps/gateway/tsconfig.app.json',
      'vite build apps/dashboard --logLevel warn',
    ]);
    expect(before.filter((call) => /^(tsc|api|bundle|oxlint --type)/.test(call))).toEqual([
      'tsc --build apps/gateway/tsconfig.app.json',
      'api-types',
      'tsc --build',
      'bundle',
      'oxlint --type-aware --ignore-pattern .',
    ]);
    expect(made).toEqual([
      'start EmbeddedPostgres',
      'start EmbeddedRedis',
      'jest --json --outputFile=redis.json --filter=tiers.cjs --passWithNoTests',
      '  with redis first postgres://here redis://here',
      expect.stringMatching(/^stop /),
      expect.stringMatching(/^stop /),
    ]);
    expect(existsSync(checkout.read('folder'))).toBe(false);
  });

  it('runs both tiers, the queue specs on Postgres and the Node of the image too, benchmarks and chaos', async () => {
    const image = `.cache/node-26.1.0/node_modules/node-${process.platform}-${process.arch}/bin/node`;
    checkout.write(image, `#!/bin/sh\necho the Node of the image runs\nexec '${process.execPath}' "$@"\n`);
    chmodSync(join(checkout.root, image), 0o755);
    const { code, stdout } = await checkout.run('test', ['--full']);
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: '6 passed, 0 failed' });
    expect(stdout.match(/the Node of the image runs/g)).toHaveLength(1);
    const made = calls();
    expect(made.filter(isCheck).toSorted()).toEqual([
      'oxfmt --list-different',
      'oxlint --type-aware .',
      'oxlint -c oxlint.config.mjs .',
    ]);
    expect(made.splice(-2).sort()).toEqual(['bench --short', 'chaos --short']);
    expect(made.filter((line) => /^(?:jest|  with)/.test(line))).toEqual([
      'jest --json --outputFile=redis.json',
      '  with redis all postgres://here redis://here',
      'jest --json --outputFile=postgres.json --filter=tiers.cjs --passWithNoTests',
      '  with postgres backends postgres://here redis://here',
    ]);
  });

  it('passes arguments to jest and leaves out format, lint, benchmarks and chaos', async () => {
    await checkout.run('test', ['libs/queue', '-t', 'name']);
    const made = calls();
    expect(made.filter((line) => isCheck(line) || /^(bench|chaos)/.test(line))).toEqual([]);
    expect(made.filter((line) => line.startsWith('jest'))).toEqual([
      expect.stringMatching(/redis\.json libs\/queue -t name$/),
      expect.stringMatching(/--passWithNoTests libs\/queue -t name$/),
    ]);
  });

  it('repeats the specs in other orders, and an order by its seed', async () => {
    const seeds = (): string[] => checkout.calls().flatMap((line) => /^jest.* --seed=(\d+)/.exec(line)?.[1] ?? []);
    const { stdout } = await checkout.run('test', ['--repeat', '2', 'libs/queue', '--seed=41']);
    expect(stdout.match(/Order of the spec files: .*/g)).toEqual([
      'Order of the spec files: --seed=41',
      'Order of the spec files: --seed=42',
    ]);
    expect(seeds()).toEqual(['41', '41', '42', '42']);
    for (const wrong of ['--repeat', '--repeat=0', '--seed=x']) {
      const { code, stderr } = await checkout.run('test', [wrong]);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('needs a whole number') });
    }
  });

  it('uses the Redis in REDIS_URL', async () => {
    await checkout.run('test', ['x'], { REDIS_URL: 'redis://given' });
    const made = calls();
    expect(made).not.toContain('start EmbeddedRedis');
    expect(made).toContain('  with redis all postgres://here redis://given');
  });

  it('reports what is not checked when a program is missing', async () => {
    const { stdout } = await checkout.run('test', ['x'], { PATH: '/nowhere' });
    expect(stdout).toMatch(/^prometheus: MISSING, and it could not be installed: alerts, .+ are not evaluated\.$/m);
    expect((await checkout.run('test', ['x'])).stdout).toMatch(/^prometheus: found$/m);
  });

  it('continues after a failed check, and counts it', async () => {
    const fails = { fails: true };
    checkout.plan({
      oxfmt: fails,
      oxlint: fails,
      bench: fails,
      jest: { report: PASSED },
    });
    const { code, stdout } = await checkout.run('test', ['--full']);
    expect(stdout).toMatch(
      /\nFailed: (?:(?:Format|Lint|Lint with types), ){3}Benchmarks \(short form\)\n6 passed, 4 failed\n$/,
    );
    expect(code).toBe(1);
  });

  it('stops before the specs when the types are wrong', async () => {
    checkout.plan({ tsc: { fails: true } });
    const { code, stdout } = await checkout.run('test');
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 1, last: '0 passed, 1 failed' });
    expect(calls().filter((line) => /^(start|jest|bench|chaos)/.test(line))).toEqual([]);
  });

  it('stops before the specs when the apps cannot be bundled', async () => {
    checkout.plan({ bundle: { fails: true, says: 'no such module' } });
    checkout.remove('apps/standalone/dist/bundle');
    const { code, stdout, stderr } = await checkout.run('test');
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 1, last: '0 passed, 1 failed' });
    expect(stderr).toContain('no such module');
    expect(calls().filter((line) => /^(start|jest|bench|chaos)/.test(line))).toEqual([]);
  });

  it('counts failed specs, files that do not load, and a jest without a report', async () => {
    const [ran] = reportOf('/a.spec.ts', 'passed', 'passed', 'passed', 'failed').testResults;
    const notLoaded = { ...ran, name: '/b.spec.ts', assertionResults: [] };
    checkout.plan({ jest: { fails: true, report: { testResults: [ran, notLoaded] } } });
    const failing = await checkout.run('test', ['x']);
    expect(failing.stdout).toMatch(/\n6 passed, 4 failed\n$/);
    expect(failing.code).toBe(1);

    checkout.plan({ jest: { fails: true, report: PASSED } });
    expect(lastLine((await checkout.run('test', ['x'])).stdout)).toBe('6 passed, 2 failed');

    checkout.plan({ jest: {} });
    expect(lastLine((await checkout.run('test', ['x'])).stdout)).toBe('0 passed, 2 failed');
  });

  it('stops everything that it has started on a signal', async () => {
    checkout.plan({ jest: { hangs: true } });
    const child = checkout.start('test', ['x']);
    const ended = outcome(child);
    await until(() => checkout.read('hanging') !== '');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(isAlive(Number(checkout.read('hanging')))).toBe(false);
    expect(calls().filter((line) => line.startsWith('stop'))).toHaveLength(2);
    expect(existsSync(checkout.read('folder'))).toBe(false);
  });
});
