/**
 * `npm test`: format, lint, types, then every spec on a real Postgres and a real Redis, and the specs that depend on the
 * queue once more on the Postgres queue backend, then the benchmarks in their short form. All steps run, whatever fails; the last
 * line is the sum, in which a failed step counts as one failure. Arguments go to jest (`npm test -- libs/queue`), and then
 * format, lint and benchmarks are left out.
 */
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { installProgram, isOnPath } from './program-install.mjs';
import { ensureDependencies, node, root, run, seconds, setUp, throwIfInterrupted } from './setup.mjs';

const jestArguments = process.argv.slice(2);
/** Programs that specs run, and what is not checked without them. */
const PROGRAMS = {
  prometheus: 'alerts, dashboards and scaling queries are not evaluated.',
};
const tool = (path) => join(root, 'node_modules', path);
const CHECKS = {
  Format: [tool('prettier/bin/prettier.cjs'), '--check', '--log-level', 'warn', '.'],
  Lint: [tool('eslint/bin/eslint.js'), '.', '--max-warnings', '0'],
  Types: [tool('typescript/bin/tsc'), '--build'],
};
/** Specs also wait for other processes; one more keeps the processors busy meanwhile. */
const WORKERS = availableParallelism() + 1;
const total = { passed: 0, failed: 0 };
const failedSteps = [];
const require = createRequire(import.meta.url);
const print = (line) => process.stdout.write(`${line}\n`);

await setUp(async () => {
  await ensureDependencies();
  const builds = await checkAll(jestArguments.length === 0 ? CHECKS : { Types: CHECKS.Types });
  if (builds) await withServices(runSpecs);
  if (builds && jestArguments.length === 0) {
    await step('Benchmarks (short form)', async () => {
      const bench = [join(root, 'bench', 'dist', 'main.js'), '--short'];
      return (await run(node, bench, { show: true })).code === 0;
    });
  }
  print(failedSteps.length > 0 ? `\nFailed: ${failedSteps.join(', ')}` : '');
  print(`${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed > 0 ? 1 : 0;
});

async function step(title, work) {
  print(`\n--- ${title}`);
  const begin = Date.now();
  const succeeded = await work();
  print(`--- ${title}: ${succeeded ? 'ok' : 'FAILED'}, ${seconds(begin)} s`);
  if (!succeeded) countFailure(title);
}

function countFailure(title) {
  total.failed += 1;
  failedSteps.push(title);
}

/** Side by side, for each of them keeps one processor busy. What one says is shown when it has ended. */
async function checkAll(checks) {
  const titles = Object.keys(checks);
  print(`\n--- ${titles.join(', ')}`);
  const begin = Date.now();
  const ended = await Promise.allSettled(
    titles.map(async (title) => {
      const { code, output } = await run(node, checks[title]);
      process.stdout.write(output);
      print(`--- ${title}: ${code === 0 ? 'ok' : 'FAILED'}, ${seconds(begin)} s`);
      return { title, succeeded: code === 0 };
    }),
  );
  const broken = ended.find(({ status }) => status === 'rejected');
  if (broken) throw broken.reason;
  const results = ended.map(({ value }) => value);
  for (const { title, succeeded } of results) if (!succeeded) countFailure(title);
  return results.find(({ title }) => title === 'Types').succeeded;
}

/** One Postgres and one Redis for the whole run, in a temporary folder; both go however the run ends. */
async function withServices(work) {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-test-'));
  // As root, Postgres runs under another account and has to pass through.
  chmodSync(folder, 0o711);
  const servers = [];
  try {
    const services = {};
    await step('Services', async () => {
      services.databaseUrl = await databaseUrl(folder, servers);
      services.redisUrl = services.databaseUrl && (await redisUrl(folder, servers));
      await findPrograms();
      return services.databaseUrl !== undefined;
    });
    throwIfInterrupted();
    if (services.databaseUrl) await work(folder, services);
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function databaseUrl(folder, servers) {
  const { startEmbeddedPostgres } = require('../libs/platform/dist/embedded/embedded-postgres.js');
  try {
    const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '300' };
    const server = await startEmbeddedPostgres({ dataDir: folder, settings });
    servers.push(server);
    print(`Postgres: started on port ${server.port}`);
    return server.url;
  } catch (error) {
    print(`Postgres: ${error.message}`);
    return undefined;
  }
}

async function redisUrl(folder, servers) {
  const { findRedisServer, startEmbeddedRedis } = require('../libs/platform/dist/embedded/embedded-redis.js');
  if (process.env.REDIS_URL) {
    print('Redis: the one in REDIS_URL');
    return process.env.REDIS_URL;
  }
  if (!findRedisServer()) await installProgram('redis-server', (line) => print(`Redis: ${line}`));
  const binary = findRedisServer();
  if (!binary) {
    print('Redis: MISSING. There is no redis-server on PATH, it could not be installed, and REDIS_URL is not set:');
    print('       the suite runs on the Postgres queue backend only.');
    return undefined;
  }
  try {
    const server = await startEmbeddedRedis({ dataDir: folder, binary });
    servers.push(server);
    print(`Redis: started on port ${server.port}`);
    return server.url;
  } catch (error) {
    total.failed += 1;
    print(`Redis: ${error.message}`);
    return undefined;
  }
}

/** What some specs cannot do without; those leave themselves out where it is missing (see their jest.config.cjs). */
async function findPrograms() {
  for (const [name, lost] of Object.entries(PROGRAMS)) {
    if (!isOnPath(name)) await installProgram(name, (line) => print(`${name}: ${line}`));
    print(isOnPath(name) ? `${name}: found` : `${name}: MISSING, and it could not be installed: ${lost}`);
  }
}

async function runSpecs(folder, services) {
  const env = { ...process.env, CLARION_TEST_DATABASE_URL: services.databaseUrl };
  delete env.CLARION_TEST_REDIS_URL;
  const onPostgres = { ...env, CLARION_TEST_QUEUE: 'postgres' };
  if (!services.redisUrl) {
    await jest('Specs on the Postgres queue backend', join(folder, 'postgres.json'), onPostgres);
    return;
  }
  const onRedis = { ...env, CLARION_TEST_REDIS_URL: services.redisUrl, CLARION_TEST_QUEUE: 'redis' };
  await jest('Specs', join(folder, 'redis.json'), onRedis);
  await jest(
    'Specs of the queue on the Postgres queue backend',
    join(folder, 'postgres.json'),
    { ...onPostgres, CLARION_TEST_REDIS_URL: services.redisUrl },
    `--filter=${join(root, 'tools', 'backend-specs.cjs')}`,
    '--passWithNoTests',
  );
}

async function jest(title, report, env, ...more) {
  print(`\n--- ${title}`);
  const begin = Date.now();
  const args = [`--maxWorkers=${WORKERS}`, '--json', `--outputFile=${report}`, ...more, ...jestArguments];
  const { code } = await run(node, [tool('jest/bin/jest.js'), ...args], { show: true, env });
  const { passed, failed } = readReport(report);
  // A jest that fails without a failed spec (no specs found, a broken setting) must not pass for a success.
  const failures = code !== 0 ? Math.max(failed, 1) : failed;
  total.passed += passed;
  total.failed += failures;
  if (failures > 0) failedSteps.push(title);
  print(`--- ${title}: ${failures === 0 ? 'ok' : 'FAILED'}, ${passed} passed, ${failures} failed, ${seconds(begin)} s`);
}

/** A file of specs that cannot even be loaded has no failed spec in it; it counts as one. */
function readReport(file) {
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'));
    return { passed: report.numPassedTests, failed: report.numFailedTests + report.numRuntimeErrorTestSuites };
  } catch {
    return { passed: 0, failed: 1 };
  }
}
