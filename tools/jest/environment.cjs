/**
 * The test environment of every project: one realm (vm context) for all spec files of a worker. jest creates a realm
 * for each file, so that each file loads Nest, Fastify, pg and the other packages again: 2 s of processor time for a
 * spec of the gateway. With one realm, `runtime.cjs` can keep the packages.
 *
 * Spec files still do not see each other: each file has fresh modules of this repository, a fresh `process` (with the
 * environment variables and listeners of the worker), fresh timers, and no registration that an earlier file made.
 */
const { TestEnvironment } = require('jest-environment-node');

let shared;

module.exports = class WorkerEnvironment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    const { process } = this.global;
    shared ??= { context: this.context, global: this.global, keys: new Set(Reflect.ownKeys(this.global)) };
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

  /**
   * Removes what the file has added to the global object: the specs that the test framework stores there, and the
   * registrations of decorated classes. The parent class is not called, because it would empty the global object.
   */
  async teardown() {
    this.fakeTimersModern.dispose();
    this.context = null;
    for (const key of Reflect.ownKeys(this.global)) {
      if (!shared.keys.has(key)) Reflect.deleteProperty(this.global, key);
    }
  }
};
