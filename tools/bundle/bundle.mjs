/**
 * Bundles the compiled apps: `dist/main.bundle.js` of an app does the same as `dist/main.js`, and starts in about half
 * of the processor time or less. The apps share two files, of which each runs only the modules that it needs.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = fileURLToPath(new URL('.', import.meta.url));
const folder = join(root, 'apps/standalone/dist/bundle');
const programs = [
  ...readdirSync(join(root, 'apps'))
    .filter((app) => /^(gateway|engine|worker-.+|standalone)$/.test(app))
    .map((app) => `apps/${app}/dist/main`),
  'apps/standalone/dist/clarion',
  'apps/gateway/dist/describe-gateway',
];

/**
 * The engine and the workers have a separate file: they need little of what the gateway does, and a process reads
 * all of its file and of the code cache.
 */
const files = { program: programs, workers: programs.filter((program) => /^apps\/(engine|worker-)/.test(program)) };

/** A module that exists only here: the functions that start the programs. */
const ENTRY = join(root, 'programs.cjs');

/** Packages that others use only if they are installed. Any other package that is not found is an error. */
const OPTIONAL = /^(@nestjs\/(microservices|websockets|platform-express)|@fastify\/(static|multipart|view))(\/|$)/;

/**
 * Modules that require much and use little of it: the drivers of all databases, the numbering plans of all countries.
 * What they require is loaded when it is first used.
 */
const LAZY = /\/(typeorm\/driver\/DriverFactory|class-validator\/cjs\/decorator\/string\/IsPhoneNumber)\.js$/;
const REQUIRED = /^const (\w+) = (require\("[^"]+"\));$/gm;

function requireLate(code, id) {
  const late = code.replace(REQUIRED, 'const $1 = new Proxy({}, { get: (_, name) => $2[name] });');
  if (late === code) throw new Error(`${id} does not require modules as it did.`);
  return { code: late };
}

const ownModules = (starts) => ({
  name: 'clarion',
  resolveId: (id) => (id === ENTRY ? id : undefined),
  load: (id) => (id === ENTRY ? `module.exports = { ${starts.join(', ')} };` : undefined),
  // A module finds its files from its own folder.
  transform(code, id) {
    if (LAZY.test(id)) return requireLate(code, id);
    if (!/\b__(dirname|filename)\b/.test(code)) return undefined;
    const file = `/${relative(root, id)}`;
    const name = (variable, path) => `const ${variable} = clarionRoot + ${JSON.stringify(path)};`;
    return { code: `${name('__filename', file)} ${name('__dirname', dirname(file))} ${code}` };
  },
});

// What is compiled from now on is newer than the bundle.
const begin = new Date();
const codes = await Promise.all(Object.values(files).map(bundleOf));

const entryOf = (program) => join(root, `${program}.bundle.js`);
// While a program has no such file, it starts from the file of the compiler.
for (const path of [...programs.map(entryOf), folder]) rmSync(path, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
copyFileSync(join(tools, 'launch.cjs'), join(folder, 'launch.js'));
for (const [at, file] of Object.keys(files).entries()) {
  writeFileSync(join(folder, `${file}.js`), codes[at]);
  writeFileSync(join(folder, `${file}.modules.json`), JSON.stringify(modulesOf(codes[at])));
}
await Promise.all(Object.keys(files).map(writeCodeCache));
for (const [file, own] of Object.entries(files)) {
  for (const program of own) {
    const entry = entryOf(program);
    const launch = `launch(${JSON.stringify(file)}, ${JSON.stringify(program)})`;
    writeFileSync(entry, `require('../../standalone/dist/bundle/launch.js').${launch};\n`);
    utimesSync(entry, begin, begin);
  }
}

async function bundleOf(own) {
  const starts = own.map((program) => `${JSON.stringify(program)}: () => require('./${program}.js')`);
  const bundle = await rolldown({
    input: ENTRY,
    cwd: root,
    platform: 'node',
    tsconfig: false,
    external: OPTIONAL,
    plugins: [ownModules(starts)],
    onLog(level, log) {
      if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
    },
  });
  const { output } = await bundle.generate({
    format: 'cjs',
    charset: 'ascii',
    comments: false,
    codeSplitting: false,
    // Nearly all modules are written for strict mode, and the bundler drops what they say about it.
    banner: `'use strict'; const clarionRoot = require('node:path').resolve(__dirname, '../../../..');`,
  });
  await bundle.close();
  const [{ code }] = output;
  if (output.length > 1 || /[^\x00-\x7f]/.test(code))
    throw new Error('The bundle is not one file of ASCII characters.');
  return code;
}

/** The first line and the path of each module. The bundler writes the path on a line before the module. */
function modulesOf(program) {
  return program.split('\n').flatMap((line, index) => {
    const path = /^\/\/ ((?:apps|libs|node_modules)\/\S+)$/.exec(line)?.[1];
    return path ? [[index + 1, path]] : [];
  });
}

async function writeCodeCache(file) {
  await promisify(execFile)(process.execPath, [join(tools, 'write-code-cache.cjs'), folder, file], { env: {} });
}
