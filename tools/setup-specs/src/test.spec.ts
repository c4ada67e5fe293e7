import { existsSync } from 'node:fs';
import { Checkout, isAlive, outcome, until } from './checkout';

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
      .map((line) => line.replace(/--(outputFile|filter)=\S+\/(\S+)/g, '--$1=$2').replace(/ --maxWorkers=\d+/, ''));

  it('runs every step, all specs on Redis, the queue specs on Postgres too, and sums the results', async () => {
    const { code, stdout } = await checkout.run('test');
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: '6 passed, 0 failed' });
    const made = calls();
    expect(made.splice(0, 2).sort()).toEqual(['tsc --build', 'vite build apps/dashboard --logLevel warn']);
    expect(made.shift()).toBe('bundle');
    // They run beside the specs.
    const checks = made.filter((line) => /^(prettier|eslint|oxlint)/.test(line));
    expect(checks).toEqual([
      'prettier --check --log-level warn .',
      'eslint . --max-warnings 0',
      'oxlint --type-aware .',
    ]);
    expect(made.splice(-2).sort()).toEqual(['bench --short', 'chaos --short']);
    expect(made.filter((line) => !checks.includes(line))).toEqual([
      'start EmbeddedPostgres',
      'start EmbeddedRedis',
      'jest --json --outputFile=redis.json',
      '  with redis postgres://here redis://here',
      'jest --json --outputFile=postgres.json --filter=backend-specs.cjs --passWithNoTests',
      '  with postgres postgres://here redis://here',
      expect.stringMatching(/^stop /),
      expect.stringMatching(/^stop /),
    ]);
    expect(existsSync(checkout.read('folder'))).toBe(false);
  });

  it('passes arguments to jest and leaves out format, lint, benchmarks and chaos', async () => {
    await checkout.run('test', ['libs/queue', '-t', 'name']);
    const made = calls();
    expect(made.filter((line) => /^(prettier|eslint|oxlint|bench|chaos)/.test(line))).toEqual([]);
    expect(made.filter((line) => line.startsWith('jest'))).toEqual([
      expect.stringMatching(/redis\.json libs\/queue -t name$/),
      expect.stringMatching(/--passWithNoTests libs\/queue -t name$/),
    ]);
  });

  it('uses the Redis in REDIS_URL', async () => {
    await checkout.run('test', ['x'], { REDIS_URL: 'redis://given' });
    const made = calls();
    expect(made).not.toContain('start EmbeddedRedis');
    expect(made).toContain('  with redis postgres://here redis://given');
  });

  it('reports what is not checked when a program is missing', async () => {
    const { stdout } = await checkout.run('test', ['x'], { PATH: '/nowhere' });
    expect(stdout).toMatch(/^prometheus: MISSING, and it could not be installed: alerts, .+ are not evaluated\.$/m);
    expect((await checkout.run('test', ['x'])).stdout).toMatch(/^prometheus: found$/m);
  });

  it('continues after a failed check, and counts it', async () => {
    const fails = { fails: true };
    checkout.plan({
      prettier: fails,
      eslint: fails,
      oxlint: fails,
      bench: fails,
      jest: { report: PASSED },
    });
    const { code, stdout } = await checkout.run('test');
    expect(stdout).toMatch(/\nFailed: Format, Lint, Lint with types, Benchmarks \(short form\)\n6 passed, 4 failed\n$/);
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

  it('runs the failed files of a full run once more, and names those that pass then', async () => {
    const report = reportOf('/a.spec.ts', 'passed', 'failed');
    const secondReport = reportOf('/a.spec.ts', 'passed', 'passed');
    checkout.plan({ jest: { fails: true, report, secondReport } });
    const { code, stdout } = await checkout.run('test');
    expect({ code, last: lastLine(stdout) }).toEqual({ code: 0, last: '4 passed, 0 failed' });
    expect(stdout).toMatch(
      /\nFailed beside other specs and passed alone; correct these specs:\n(.*a\.spec\.ts\n){2}\n/,
    );
    const second = 'jest --json --outputFile=redis.json --runInBand --runTestsByPath /a.spec.ts';
    expect(calls()).toContain(second);

    checkout.plan({ jest: { fails: true, report, secondReport: report } });
    expect(lastLine((await checkout.run('test')).stdout)).toBe('2 passed, 2 failed');
  });

  it('does not repeat a run of some specs, or one with many failed files', async () => {
    const second = reportOf('/0.spec.ts', 'passed');
    checkout.plan({ jest: { fails: true, report: reportOf('/0.spec.ts', 'failed'), secondReport: second } });
    expect(lastLine((await checkout.run('test', ['x'])).stdout)).toBe('0 passed, 2 failed');

    const files = Array.from({ length: 6 }, (_, index) => reportOf(`/${index}.spec.ts`, 'failed').testResults[0]);
    checkout.plan({ jest: { fails: true, report: { testResults: files }, secondReport: second } });
    expect(lastLine((await checkout.run('test')).stdout)).toBe('0 passed, 12 failed');
    expect(calls().filter((line) => line.includes('--runTestsByPath'))).toEqual([]);
  });

  it('stops everything that it has started on a signal', async () => {
    checkout.plan({ jest: { hangs: true } });
    const child = checkout.start('test', ['x']);
    const ended = outcome(child);
    await until('jest hangs', () => checkout.read('hanging') !== '');
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(isAlive(Number(checkout.read('hanging')))).toBe(false);
    expect(calls().filter((line) => line.startsWith('stop'))).toHaveLength(2);
    expect(existsSync(checkout.read('folder'))).toBe(false);
  });
});
