'use strict';
/**
 * Starts a program from the bundle. A process spends most of its start on finding and compiling some two thousand
 * files. The bundle is one file, and the code cache beside it holds what V8 compiled when the bundle was made. Without
 * the cache the start takes as long as without the bundle: V8 accepts it only from the same version and with the same
 * flags, to which Node 20 counts `--max-old-space-size`. The name of the cache has the processor, which V8 does not
 * check.
 */
const { readFileSync } = require('node:fs');
const { createRequire } = require('node:module');
const { join } = require('node:path');
const process = require('node:process');
const { Script, constants } = require('node:vm');

const codeCache = (file) => join(__dirname, `${file}.${process.version}.${process.arch}.cache`);

function load(file) {
  const path = join(__dirname, `${file}.js`);
  // The bundle is plain ASCII. Decoded as Latin-1 it takes one byte for each character.
  const program = readFileSync(path, 'latin1');
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${program}\n})`, {
    filename: path,
    cachedData: readIfThere(codeCache(file)),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(path), module, path, __dirname);
  return { script, programs: module.exports };
}

function readIfThere(file) {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

/** In a stack, the name of the module stands before its place in the bundle. */
function nameModules(file) {
  const path = join(__dirname, `${file}.js`);
  let modules;
  const moduleAt = (line) => {
    modules ??= JSON.parse(readIfThere(join(__dirname, `${file}.modules.json`)) ?? '[]');
    return modules.findLast(([first]) => first <= line)?.[1];
  };
  Error.prepareStackTrace = (error, frames) => {
    const lines = frames.map((frame) => {
      const module = frame.getFileName() === path ? moduleAt(frame.getLineNumber()) : undefined;
      return module ? String(frame).replace(path, `${module} in $&`) : String(frame);
    });
    return [headlineOf(error), ...lines].join('\n    at ');
  };
}

/** The errors of Node have their code after the name. */
function headlineOf(error) {
  const text = Error.prototype.toString.call(error);
  return /^ERR_/.test(error.code) ? text.replace(/^\w+/, `$& [${error.code}]`) : text;
}

function launch(file, program) {
  nameModules(file);
  load(file).programs[program]();
}

module.exports = { codeCache, launch, load };
