/**
 * The module loader of jest, except that it keeps for all spec files of a worker what does not differ between them: the
 * modules of packages, and the compiled code of every module. The modules of this repository are executed again for
 * each file, so that no file sees the state that another one left in them. `environment.cjs` gives all files the common
 * realm that this needs. A package that collects registrations is emptied in `teardown`.
 */
const { sep } = require('node:path');
const { default: JestRuntime } = require('jest-runtime');

const NODE_MODULES = `${sep}node_modules${sep}`;
const isPackage = (path) => path.includes(NODE_MODULES);

const CLASS_TRANSFORMER_STORAGE = require.resolve('class-transformer/cjs/storage.js');

/** The modules of packages, by path. */
const packages = new Map();

/** The modules of one spec file, by path. Those of packages are the common ones. */
class Modules extends Map {
  get(path) {
    return isPackage(path) ? packages.get(path) : super.get(path);
  }

  has(path) {
    return isPackage(path) ? packages.has(path) : super.has(path);
  }

  set(path, module) {
    if (!isPackage(path)) return super.set(path, module);
    packages.set(path, module);
    return this;
  }

  delete(path) {
    return isPackage(path) ? packages.delete(path) : super.delete(path);
  }
}

/** Remembers the result for each path, for as long as the source is the same. */
function remembered() {
  const results = new Map();
  return (path, source, compute) => {
    const known = results.get(path);
    if (known?.source === source) return known.result;
    const result = compute();
    results.set(path, { source, result });
    return result;
  };
}

const transformed = remembered();
const compiled = remembered();

/** The runtime of the spec file that runs now. */
let current;

module.exports = class WorkerRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, ...others) {
    const remembering = Object.create(transformer, {
      transform: {
        value: (path, options, source) => transformed(path, source, () => transformer.transform(path, options, source)),
      },
    });
    super(config, environment, resolver, remembering, ...others);
    this.registries.moduleRegistry = new Modules();
    const { executor } = this;
    const compile = executor.compile.bind(executor);
    executor.compile = (source, path) => compiled(path, source, () => compile(source, path));
    current = this;
  }

  /** The `require` of a package belongs to the file that loaded the package first. */
  requireModuleOrMock(from, name) {
    return this !== current && isPackage(from)
      ? current.requireModuleOrMock(from, name)
      : super.requireModuleOrMock(from, name);
  }

  teardown() {
    super.teardown();
    // It would keep the request classes of every file, and with them all modules of the file.
    const { defaultMetadataStorage = {} } = packages.get(CLASS_TRANSFORMER_STORAGE)?.exports ?? {};
    for (const metadata of Object.values(defaultMetadataStorage)) metadata.clear();
  }
};
