/**
 * The test environment of every project: one realm (vm context) for all spec files of a worker. jest creates a realm
 * for each file, so that each file loads Nest, Fastify, pg and this repository again: 3 s of processor time for a spec
 * of the gateway. With one realm, `runtime.cjs` can keep the modules.
 *
 * Each file has a fresh `process` (with the environment variables and listeners of the worker), fresh timers and a
 * fresh test framework.
 *
 * With `CLARION_TEST_CPU=1` each file prints its processor time at the end. It is the same on a busy machine, unlike
 * the time on the clock.
 */
const { readFileSync } = require('node:fs');
const { relative } = require('node:path');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Where the test framework stores the specs and the matchers of a file, on the global object. */
const FRAMEWORK = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'RETRY_TIMES_SETTER', '$$jest-matchers-object']);

const PRINTS_CPU = process.env.CLARION_TEST_CPU === '1';

/** Seconds of this process and of its children that have ended, in the clock ticks of Linux. */
function processorTime() {
  const [, numbers] = readFileSync('/proc/self/stat', 'utf8').split(') ');
  const ticks = numbers.split(' ').slice(11, 15);
  return ticks.reduce((sum, count) => sum + Number(count), 0) / 100;
}

function cpuPrinter(root, path) {
  const before = processorTime();
  return () =>
    process.stderr.write(`cpu ${(processorTime() - before).toFixed(1).padStart(6)} s  ${relative(root, path)}\n`);
}

/**
 * jest replaces a worker whose heap is above `workerIdleMemoryLimit` of jest.config.ts, garbage included, and the next
 * one loads all modules again, which takes longer than to collect the garbage.
 */
const NEARLY_FULL_BYTES = 900e6;
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

let shared;

module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.printCpu = PRINTS_CPU ? cpuPrinter(config.globalConfig.rootDir, context.testPath) : () => undefined;
    const { process } = this.global;
    shared ??= { context: this.context, global: this.global, globalProxy: this._globalProxy };
    this.context = shared.context;
    this.global = shared.global;
    this.global.process = process;
    // The parent class has bound these to the global object of the new realm.
    this.moduleMocker = new this.moduleMocker.constructor(this.global);
    this.fakeTimers.dispose();
    this.fakeTimers = null;
    this.fakeTimersModern = new this.fakeTimersModern.constructor({
      config: config.projectConfig,
      global: this.global,
    });
  }

  /** The parent class is not called, because it would empty the global object. */
  async teardown() {
    this.printCpu();
    this.fakeTimersModern.dispose();
    this.context = null;
    for (const key of Object.getOwnPropertySymbols(this.global)) {
      if (FRAMEWORK.has(key.description)) Reflect.deleteProperty(this.global, key);
    }
    // It keeps what was deleted, and with the specs of a file everything that these started.
    shared.globalProxy.leftovers = [];
    if (process.memoryUsage().heapUsed > NEARLY_FULL_BYTES) collectGarbage();
  }
};
