/**
 * Runs specs on a real Postgres and a real Redis. Used by `npm test` (every project) and `npx nx test <project>` (one).
 * Both servers run in a temporary folder and are stopped and removed however the run ends.
 */
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import process from 'node:process';
import { findImageNode } from './image-node.mjs';
import { installProgram, isOnPath } from './program-install.mjs';
import { node, root, run, seconds, throwIfInterrupted } from './setup.mjs';

const require = createRequire(import.meta.url);

/** Programs that some specs run, and what is not checked when they are missing. */
const PROGRAMS = {
  prometheus: 'alerts, dashboards and scaling queries are not evaluated.',
  pgbouncer: 'nothing runs through a connection pooler.',
  chromium: 'the pages of the dashboard are not opened in a browser.',
};

/** Those that only specs of the second tier run. `npm run test:full` installs them. */
const SECOND_TIER_PROGRAMS = { go: 'the Helm chart is not rendered.' };

/** Specs also wait for other processes. One extra worker keeps the processors busy meanwhile. */
const WORKERS = availableParallelism() + 1;

const TIERS = join(root, 'tools', 'jest', 'tiers.cjs');

/** As many spec files are listed at the end as the slowest ones. */
const SLOWEST = 10;

export const print = (line) => process.stdout.write(`${line}\n`);
export const tool = (path) => join(root, 'node_modules', path);

/** Counts results over all steps. A step that fails without a failed spec counts as one failure. */
export class Totals {
  passed = 0;
  failed = 0;
  failedSteps = [];

  fail(title, failures = 1) {
    this.failed += failures;
    this.failedSteps.push(title);
  }

  async step(title, work) {
    print(`\n--- ${title}`);
    const begin = Date.now();
    const succeeded = await work();
    print(`--- ${title}: ${succeeded ? 'ok' : 'FAILED'}, ${seconds(begin)} s`);
    if (!succeeded) this.fail(title);
  }

  printSummary() {
    print(this.failedSteps.length > 0 ? `\nFailed: ${this.failedSteps.join(', ')}` : '');
    print(`${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed > 0 ? 1 : 0;
  }
}

/**
 * Starts the servers and runs jest: every spec on Redis, then the `*.backends.spec.ts` on the Postgres queue backend.
 * `firstTier`: without the `*.full.spec.ts`, and on Redis only. `full`: the latter with the Node of the image, and with
 * the programs that only the second tier needs.
 * `repeat`: as often, each time in another order.
 */
export async function runSpecsWithServices(totals, { jestArguments, firstTier, full, repeat = 1, seed }) {
  const folder = mkdtempSync(join(tmpdir(), 'clarion-test-'));
  // When the tests run as root, Postgres runs under another account, which must be able to enter the folder.
  chmodSync(folder, 0o711);
  const servers = [];
  try {
    const services = {};
    await totals.step('Services', async () => {
      services.databaseUrl = await databaseUrl(folder, servers);
      services.redisUrl = services.databaseUrl && (await redisUrl(folder, servers, totals));
      await findPrograms(full ? { ...PROGRAMS, ...SECOND_TIER_PROGRAMS } : PROGRAMS);
      return services.databaseUrl !== undefined;
    });
    throwIfInterrupted();
    const first = seed ?? randomInt(2 ** 31 - repeat);
    for (let run = 0; run < repeat && services.databaseUrl; run += 1) {
      print(`\nOrder of the spec files: --seed=${first + run}`);
      const options = [`--seed=${first + run}`, ...jestArguments];
      await runSpecs(folder, services, totals, { firstTier, full, options });
    }
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
    rmSync(folder, { recursive: true, force: true });
  }
}

async function databaseUrl(folder, servers) {
  const { startEmbeddedPostgres } = require('../libs/embedded/dist/embedded-postgres.js');
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

async function redisUrl(folder, servers, totals) {
  const { findRedisServer, startEmbeddedRedis } = require('../libs/embedded/dist/embedded-redis.js');
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
    const server = await startEmbeddedRedis({ dataDir: folder, binary, settings: { appendonly: 'no' } });
    servers.push(server);
    print(`Redis: started on port ${server.port}`);
    return server.url;
  } catch (error) {
    totals.failed += 1;
    print(`Redis: ${error.message}`);
    return undefined;
  }
}

/** A project whose specs need a program that is missing leaves those specs out (see its jest.config.cjs). */
async function findPrograms(programs) {
  for (const [name, unchecked] of Object.entries(programs)) {
    if (!isOnPath(name)) await installProgram(name, (line) => print(`${name}: ${line}`));
    print(isOnPath(name) ? `${name}: found` : `${name}: MISSING, and it could not be installed: ${unchecked}`);
  }
}

async function runSpecs(folder, { databaseUrl, redisUrl }, totals, { firstTier, full, options }) {
  const jest = (title, report, env, part, program = node) =>
    runJest(totals, {
      title,
      program,
      report: join(folder, report),
      env: { ...process.env, CLARION_TEST_DATABASE_URL: databaseUrl, ...env, ...(part && { CLARION_TEST_PART: part }) },
      options: [...(part ? [`--filter=${TIERS}`, '--passWithNoTests'] : []), ...options],
    });
  const tier = firstTier ? 'first' : undefined;
  if (!redisUrl) {
    const withoutRedis = { CLARION_TEST_REDIS_URL: undefined, CLARION_TEST_QUEUE: 'postgres' };
    await jest('Specs on the Postgres queue backend', 'postgres.json', withoutRedis, tier);
    return;
  }
  const withRedis = { CLARION_TEST_REDIS_URL: redisUrl };
  await jest('Specs', 'redis.json', { ...withRedis, CLARION_TEST_QUEUE: 'redis' }, tier);
  if (firstTier) return;
  const title = 'Specs of the queue on the Postgres queue backend';
  const onPostgres = { ...withRedis, CLARION_TEST_QUEUE: 'postgres' };
  await jest(title, 'postgres.json', onPostgres, 'backends', full ? await findImageNode(print) : node);
}

async function runJest(totals, { title, program, report, env, options }) {
  print(`\n--- ${title}`);
  const begin = Date.now();
  const outputs = ['--json', `--outputFile=${report}`, `--maxWorkers=${WORKERS}`];
  const { code } = await run(program, [tool('jest/bin/jest.js'), ...outputs, ...options], { show: true, env });
  const files = readReport(report);
  const [passed, failed] = ['passed', 'failed'].map((count) => files.reduce((sum, file) => sum + file[count], 0));
  // A jest that fails without a failed spec (no specs found, a broken setting) must not pass for a success.
  const failures = code !== 0 ? Math.max(failed, 1) : failed;
  totals.passed += passed;
  if (failures > 0) totals.fail(title, failures);
  printSlowest(files);
  print(`--- ${title}: ${failures === 0 ? 'ok' : 'FAILED'}, ${passed} passed, ${failures} failed, ${seconds(begin)} s`);
}

/**
 * The spec files of a run. A file that cannot be loaded contains no failed spec: it counts as one. So does a report
 * that cannot be read.
 */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8')).testResults.map(({ name, status, assertionResults, ...times }) => {
      const count = (wanted) => assertionResults.filter((result) => result.status === wanted).length;
      const failed = status === 'failed' ? Math.max(1, count('failed')) : 0;
      return { name, passed: count('passed'), failed, time: times.endTime - times.startTime };
    });
  } catch {
    return [{ passed: 0, failed: 1, time: 0 }];
  }
}

/** Names the spec files that took longest, because a file that became slow is not noticed otherwise. */
function printSlowest(files) {
  if (files.length <= SLOWEST) return;
  print(`The ${SLOWEST} slowest spec files:`);
  const sorted = files.toSorted((one, other) => other.time - one.time);
  for (const { name, time } of sorted.slice(0, SLOWEST)) {
    print(`  ${(time / 1000).toFixed(1).padStart(6)} s  ${relative(root, name)}`);
  }
}
