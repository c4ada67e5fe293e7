import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { Experiment, Finding, Trial } from '../experiment';

const ROOT = resolve(__dirname, '../../../..');

type SpecRun = {
  t: string;
  title: string;
  asked: string;
  minutes: number;
  /** Parts of the paths of spec files. */
  paths: string[];
  /** Variables that make the specs longer, by the scale of the run. */
  long?: (trial: Trial) => Record<string, string>;
};

/** These promises need no deployment: specs prove them, here in their long form. */
const SPEC_RUNS: SpecRun[] = [
  {
    t: 'T20',
    title: 'SSRF corpus against every address that a tenant can write',
    asked: '0 connections to a forbidden address',
    minutes: 1,
    paths: ['libs/platform/.*egress', 'libs/providers/test/ssrf'],
  },
  {
    t: 'T21',
    title: 'tenant isolation, with row-level security as the only wall too',
    asked: '0 rows of another environment',
    minutes: 2,
    paths: ['apps/gateway/test/tenant-isolation', 'libs/persistence/test/row-level-security'],
  },
  {
    t: 'T22',
    title: 'secrets in responses, logs, queue and database',
    asked: '0 secrets in the clear; changed ciphertext refused',
    minutes: 1,
    paths: ['apps/gateway/test/.*secrets', 'apps/gateway/test/credentials', 'secret-box'],
  },
  {
    t: 'T23',
    title: 'template bombs and overrides that name files',
    asked: 'each render ended by its limits; 0 files read',
    minutes: 1,
    paths: ['template-renderer', 'render-processes', 'libs/content/src/templates'],
  },
  {
    t: 'T24',
    title: 'fuzzed requests to every operation',
    asked: '0 responses 500, 0 responses outside the OpenAPI document',
    minutes: 3,
    paths: ['apps/gateway/test/fuzz'],
    long: ({ times }) => ({ CLARION_FUZZ_BATCHES: String(times(500, 200)) }),
  },
  {
    t: 'T25',
    title: 'simulation of engine and workers with crashes, lost jobs and wrong clocks',
    asked: '0 broken invariants in 10,000 seeds',
    minutes: 2,
    paths: ['apps/e2e/test/simulation'],
    long: ({ times }) => ({ CLARION_SIMULATION_SEEDS: String(times(10_000, 200)) }),
  },
  {
    t: 'T28',
    title: 'images: user, file system, capabilities, policies',
    asked: 'every rule of the hardening specs holds',
    minutes: 1,
    paths: ['tools/deploy-specs'],
  },
];

export const specExperiments: Experiment[] = SPEC_RUNS.map(({ t, title, asked, minutes, paths, long }) => ({
  t,
  title,
  asked,
  minutes,
  async run(trial): Promise<Finding> {
    const world = await trial.world();
    const variables = {
      CLARION_TEST_DATABASE_URL: world.stores.directUrl(),
      CLARION_TEST_REDIS_URL: world.stores.redis.url,
      CLARION_TEST_QUEUE: 'redis',
      ...long?.(trial),
    };
    trial.progress('running its specs');
    const { passed, failed, output } = await runJest(paths, variables);
    const lengths = Object.entries(long?.(trial) ?? {}).map(([name, value]) => `, ${name}=${value}`);
    return {
      done: `${passed + failed} specs${lengths.join('')}`,
      figures: [
        { what: `${passed} passed, ${failed} failed`, reached: failed === 0 && passed > 0 },
        ...(failed > 0 ? [{ what: output, reached: false }] : []),
      ],
      faults: [],
    };
  },
}));

type Report = { numPassedTests: number; numFailedTests: number; numRuntimeErrorTestSuites: number };

async function runJest(
  paths: string[],
  variables: Record<string, string>,
): Promise<{ passed: number; failed: number; output: string }> {
  const jest = join(ROOT, 'node_modules/jest/bin/jest.js');
  const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const child = spawn('env', [...settings, process.execPath, jest, '--maxWorkers=2', '--json', '--silent', ...paths], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let errors = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-50_000)));
  await new Promise((resolve) => child.once('close', resolve));
  try {
    const report = JSON.parse(text) as Report;
    const failed = report.numFailedTests + report.numRuntimeErrorTestSuites;
    const names = errors.split('\n').filter((line) => line.includes('●'));
    return { passed: report.numPassedTests, failed, output: names.slice(0, 5).join('; ') };
  } catch {
    return { passed: 0, failed: 1, output: errors.slice(-500) };
  }
}
