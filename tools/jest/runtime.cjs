/**
 * The module loader of jest, except that the spec files of a worker share their modules: a module is compiled and
 * executed once for each worker instead of once for each file. `environment.cjs` gives all files the common realm that
 * this needs. So a module keeps its state from file to file; the harness of a spec can keep a server in it.
 *
 * A spec that mocks a module starts with the comment `@jest-environment node`, which gives it a realm and
 * modules that no other file sees.
 */
const asyncHooks = require('node:async_hooks');
const { default: JestRuntime } = require('jest-runtime');
const WorkerEnvironment = require('./environment.cjs');

/** The storages of the test framework of a spec file, while that framework is loaded. */
let created;

asyncHooks.AsyncLocalStorage = class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
  constructor(...options) {
    super(...options);
    created?.push(this);
  }
};

const isSpec = (path) => path.endsWith('.spec.ts');
/** The part of the test framework that keeps the specs and the matchers of a file. */
const isOfFile = (path) => /\/node_modules\/(?:jest-circus|expect|@jest\/expect)\//.test(path);

/** The modules of the worker, and those of the test framework, by path. */
const shared = new Map();
const sharedFramework = new Map();

/** The modules of one spec file: its own, and the shared ones. */
class Modules extends Map {
  constructor(shared, isOwn) {
    super();
    this.shared = shared;
    this.isOwn = isOwn;
  }

  get(path) {
    return this.isOwn(path) ? super.get(path) : this.shared.get(path);
  }

  has(path) {
    return this.isOwn(path) ? super.has(path) : this.shared.has(path);
  }

  set(path, module) {
    if (this.isOwn(path)) return super.set(path, module);
    this.shared.set(path, module);
    return this;
  }

  delete(path) {
    return this.isOwn(path) ? super.delete(path) : this.shared.delete(path);
  }
}

/** The runtime of the spec file that runs now. */
let current;

module.exports = class WorkerRuntime extends JestRuntime {
  storages = [];

  constructor(config, environment, ...others) {
    super(config, environment, ...others);
    if (environment instanceof WorkerEnvironment) {
      this.registries.moduleRegistry = new Modules(shared, isSpec);
      this.registries.internalModuleRegistry = new Modules(sharedFramework, isOfFile);
    }
    current = this;
  }

  /**
   * The `require` of a shared module belongs to the file that runs now. Between two files it is no fault of a spec: the
   * servers that a worker keeps go on.
   */
  requireModuleOrMock(from, name) {
    if (this !== current && shared.has(from)) return current.requireModuleOrMock(from, name);
    return this.testState.isTornDown() && shared.has(from)
      ? super.requireModule(from, name)
      : super.requireModuleOrMock(from, name);
  }

  requireInternalModule(from, name) {
    if (this !== current && sharedFramework.has(from)) return current.requireInternalModule(from, name);
    const before = created;
    created = this.storages;
    try {
      return super.requireInternalModule(from, name);
    } finally {
      created = before;
    }
  }

  /**
   * The framework of each file has a storage that it never disables. In Node 20 each promise, timer and socket of the
   * worker copies the values of all of them, and keeps the closures of the files with it.
   */
  teardown() {
    super.teardown();
    for (const storage of this.storages) storage.disable();
  }
};
