/**
 * The set-up of every command, on a machine that has only Node: it installs dependencies and builds, each only when
 * something changed. This file imports only from Node, because no package may be installed yet. It prints to standard
 * error: standard output belongs to the command.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const node = process.execPath;
const modules = join(root, 'node_modules');

/** A failure with a message for the user. It is printed without a stack. */
export class SetupError extends Error {}

class Interrupted extends Error {
  constructor(signal) {
    super(`ended by ${signal}`);
    this.exitCode = 128 + (constants.signals[signal] ?? 0);
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
let signalled;
const children = new Set();

/**
 * npm runs a script in a shell and sends signals to that shell, which ends without passing them on. So under npm the
 * loss of the parent process counts as SIGTERM, also while the command itself runs.
 */
function endWithParent() {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, 200);
  timer.unref();
}

/** Runs the set-up. A signal ends it and the programs that it has started. A `SetupError` prints its message. */
export async function setUp(work) {
  const onSignal = (signal) => {
    signalled ??= signal;
    children.forEach(end);
  };
  SIGNALS.forEach((signal) => process.on(signal, onSignal));
  endWithParent();
  try {
    checkNode();
    await work();
    throwIfInterrupted();
  } catch (error) {
    if (!(error instanceof Interrupted || error instanceof SetupError)) throw error;
    if (error instanceof SetupError) say(error.message);
    process.exit(error.exitCode ?? 1);
  } finally {
    SIGNALS.forEach((signal) => process.removeListener(signal, onSignal));
  }
}

export function throwIfInterrupted() {
  if (signalled) throw new Interrupted(signalled);
}

export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Runs a program to its end. Its output is shown (`show`) or returned. */
export async function run(file, args, { show = false, env = process.env, timeoutMs } = {}) {
  throwIfInterrupted();
  const stdio = show ? 'inherit' : ['ignore', 'pipe', 'pipe'];
  const current = spawn(file, args, { cwd: root, env, stdio });
  children.add(current);
  let output = '';
  for (const stream of [current.stdout, current.stderr]) stream?.on('data', (chunk) => (output += chunk));
  const timer = timeoutMs && setTimeout(() => end(current), timeoutMs);
  const code = await new Promise((resolve, reject) => {
    current.once('error', reject);
    current.once('close', (status) => resolve(status ?? 1));
  }).finally(() => {
    clearTimeout(timer);
    children.delete(current);
  });
  throwIfInterrupted();
  return { code, output };
}

function end(program) {
  program.kill('SIGTERM');
  setTimeout(() => program.kill('SIGKILL'), 5_000).unref();
}

/** Nest 12 is an ES module. Node 20.19 and 22.12 are the first versions of their lines that can require one. */
function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  const fits = major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19);
  if (!fits) throw new SetupError(`Clarion needs Node 20.19, 22.12 or later; this is ${process.versions.node}.`);
}

/**
 * Installs the packages of package-lock.json, unless they are installed already. `dependencies` run, and with
 * `optionalDependencies` the sources are built: with `onlyToRun` that is all. `devDependencies` are for development.
 */
export async function ensureDependencies({ onlyToRun = false } = {}) {
  const file = join(modules, '.clarion-stamp');
  const hash = hashOf(packageFiles());
  const isForDevelopment = () => Boolean(readIfThere(file)?.endsWith(' all'));
  const isInstalled = () => [`${hash} all`, ...(onlyToRun ? [`${hash} run`] : [])].includes(readIfThere(file));
  if (!isInstalled()) {
    await exclusively(async () => {
      if (isInstalled()) return;
      // Who has the packages for development keeps them. The user may have run `npm install` already.
      const all = !onlyToRun || isForDevelopment();
      if (missingPackages(all).length > 0) await install(all);
      writeAtomically(file, `${hash} ${all ? 'all' : 'run'}`);
    });
  }
  return { isForDevelopment: isForDevelopment() };
}

async function install(all) {
  const why = existsSync(modules) ? 'package.json or package-lock.json changed' : 'first run in this folder';
  say(`Installing dependencies (${why}); this can take a minute or two ...`);
  const begin = Date.now();
  // If this is killed half way, the next start must not take the rest for complete.
  for (const name of ['.clarion-stamp', '.package-lock.json']) rmSync(join(modules, name), { force: true });
  // They are needed even if NODE_ENV or an npm setting leaves them out.
  const groups = [all ? '--include=dev' : '--omit=dev', '--include=optional'];
  const command = lockIsComplete() ? ['ci'] : ['install', '--no-save'];
  const { code, output } = await npm([...command, ...groups, '--no-audit', '--no-fund', '--no-progress']);
  if (code !== 0) {
    const relevant = output.replace(/^npm warn.*\n/gm, '').split('npm error Clean install a project')[0];
    say(lastLines(relevant, 20));
    throw new SetupError('The dependencies could not be installed: npm failed, see the lines above.');
  }
  // npm does not fail when it cannot install an optional package.
  const [missing] = lockIsComplete() ? missingPackages(all) : [];
  if (missing) throw new SetupError(`npm did not install ${missing}: look at its log, then start again.`);
  say(`Dependencies installed in ${seconds(begin)} s.`);
}

/**
 * A lock file that was written against a registry without the packages of every platform leaves those out. `npm ci`
 * rejects such a lock file; `npm install` accepts it and installs the same versions.
 */
function lockIsComplete() {
  const locked = readJson(join(root, 'package-lock.json'))?.packages ?? {};
  const isLocked = (folder, name) => {
    if (locked[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
    return folder !== '' && isLocked(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
  };
  return Object.entries(locked).every(([folder, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).every((name) => isLocked(folder, name)),
  );
}

export async function npm(args) {
  const cli = process.env.npm_execpath;
  try {
    // Prefer the npm that runs this script: PATH may have a different one, or none.
    return cli && /npm-cli\.c?js$/.test(cli) ? await run(node, [cli, ...args]) : await run('npm', args);
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    throw new SetupError('The dependencies could not be installed: there is no npm on PATH.');
  }
}

function packageFiles() {
  return ['package-lock.json', 'package.json', ...workspaces().map((folder) => `${folder}/package.json`)];
}

function workspaces() {
  return ['apps', 'libs'].flatMap((group) =>
    existsSync(join(root, group))
      ? readdirSync(join(root, group))
          .sort()
          .map((name) => `${group}/${name}`)
          .filter((folder) => existsSync(join(root, folder, 'package.json')))
      : [],
  );
}

/**
 * Hashes contents, not dates: a fresh checkout has new dates. The platform counts: a folder can be mounted elsewhere.
 */
function hashOf(files) {
  const hash = createHash('sha256').update(`${process.platform}-${process.arch}`);
  for (const file of files) hash.update(`\0${file}\0`).update(readFileSync(join(root, file)));
  return hash.digest('hex');
}

/** Compares the lock file with npm's list of installed packages; `all` with the packages for development. */
function missingPackages(all) {
  const installed = readJson(join(modules, '.package-lock.json'))?.packages;
  const locked = readJson(join(root, 'package-lock.json'))?.packages;
  if (!installed || !locked) return ['any package'];
  const own = readJson(join(root, 'package.json'));
  const asked = ['dependencies', 'devDependencies', 'optionalDependencies'];
  const changed = asked.filter((kind) => JSON.stringify(own[kind]) !== JSON.stringify(locked[''][kind]));
  const missing = Object.entries(locked).filter(([path, entry]) => {
    if (!path.includes('node_modules/') || (entry.dev && !all)) return false;
    if (entry.link) return !existsSync(join(root, path));
    if (installed[path]) return installed[path].version !== entry.version || !existsSync(join(root, path));
    return !entry.peer && isForThisPlatform(path, locked);
  });
  return [...changed, ...workspaces().filter((folder) => !locked[folder]), ...missing.map(([path]) => path)];
}

/** A package inside of one for another platform is not installed either. */
function isForThisPlatform(path, locked) {
  const { os = [process.platform], cpu = [process.arch], libc } = locked[path] ?? {};
  if (!os.includes(process.platform) || !cpu.includes(process.arch) || libc) return false;
  const outer = path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));
  return outer === '' || isForThisPlatform(outer, locked);
}

/** Compiles these projects and their references, unless no source has changed since the last build. */
export async function ensureBuilt(projects = ['apps/standalone/tsconfig.app.json']) {
  await ensureOutputs({
    what: 'Building',
    name: projects.join(),
    sources: hashOfSources(projects),
    command: [join(modules, '@typescript/native/bin/tsc'), '--build', ...projects],
    outputs: () =>
      [...workspaces(), ...projects.map((project) => dirname(project))]
        .map((folder) => `${folder}/dist`)
        .filter((folder) => existsSync(join(root, folder))),
  });
}

/** Writes the types of the API, which the dashboard is compiled with, unless no source has changed. */
export async function ensureApiTypes() {
  const gateway = ['apps/gateway/tsconfig.app.json'];
  await ensureBuilt(gateway);
  await ensureOutputs({
    what: 'Writing the types of the API',
    name: 'api-types',
    sources: hashOfSources(gateway),
    command: ['tools/pages/api-types.mjs'],
    outputs: () => ['apps/dashboard/dist/api/schema.d.ts'],
  });
}

/** Bundles the compiled apps, unless nothing was compiled since the last time. */
export async function ensureBundle() {
  const { add, addFolder, addSettings, digest } = sourceHash();
  addSettings('');
  addFolder('tools/bundle');
  // The compiler writes these files each time that it compiles a project.
  workspaces()
    .flatMap((folder) => ['lib', 'app'].map((kind) => `${folder}/dist/tsconfig.${kind}.tsbuildinfo`))
    .filter((file) => existsSync(join(root, file)))
    .forEach(add);
  await ensureOutputs({
    what: 'Bundling',
    name: 'bundle',
    // The code cache is for one version of Node and one processor.
    sources: `${digest()} ${process.version} ${process.arch}`,
    command: ['tools/bundle/bundle.mjs'],
    outputs: () => ['apps/standalone/dist/bundle', 'apps/gateway/dist/main.bundle.js'],
  });
}

/** Bundles the dashboard, which the gateway serves, unless nothing of it has changed. */
export async function ensureDashboard() {
  const { addFolder, addSettings, digest } = sourceHash();
  addSettings('');
  addFolder('apps/dashboard');
  addFolder('docs');
  await ensureOutputs({
    what: 'Building the dashboard',
    name: 'dashboard',
    sources: digest(),
    command: [join(modules, 'vite/bin/vite.js'), ...DASHBOARD_BUILD],
    outputs: () => ['apps/dashboard/dist/site/index.html'],
  });
}

/** The program that formats files. */
export const FORMATTER = join(modules, 'oxfmt/bin/oxfmt');
export const DASHBOARD_BUILD = ['build', 'apps/dashboard', '--logLevel', 'warn'];

/** Runs a build, unless its sources are those of the last build and its outputs exist. */
async function ensureOutputs({ what, name, sources, command, outputs }) {
  const stampFile = join(modules, '.clarion-build-stamp');
  const isBuilt = () => {
    const stamp = readJson(stampFile)?.[name];
    return stamp?.sources === sources && stamp.outputs.every((path) => existsSync(join(root, path)));
  };
  if (isBuilt()) return;
  await exclusively(async () => {
    if (isBuilt()) return;
    const stamps = readJson(stampFile) ?? {};
    say(`${what} (${stamps[name] ? 'sources changed' : 'first build'}) ...`);
    const begin = Date.now();
    const { code, output } = await run(node, command);
    if (code !== 0) {
      say(lastLines(output, 40));
      throw new SetupError('The build failed: see the compiler messages above.');
    }
    writeAtomically(stampFile, JSON.stringify({ ...stamps, [name]: { sources, outputs: outputs() } }));
    say(`Built in ${seconds(begin)} s.`);
  });
}

/** Hashes sizes and dates instead of contents: it is a hundred times cheaper, and an unneeded build is short. */
function sourceHash() {
  const hash = createHash('sha256');
  const add = (path) => {
    const { size, mtimeMs } = statSync(join(root, path));
    hash.update(`${path}\0${size}\0${mtimeMs}\0`);
  };
  const addFolder = (folder) => {
    const entries = readdirSync(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name !== 'node_modules' && entry.name !== 'dist') addFolder(path);
      } else if (!entry.name.endsWith('.spec.ts')) add(path);
    }
  };
  const addSettings = (folder) =>
    readdirSync(join(root, folder))
      .filter((name) => /^(tsconfig.*|package|package-lock)\.json$/.test(name))
      .sort()
      .forEach((name) => add(folder ? `${folder}/${name}` : name));
  return { add, addFolder, addSettings, digest: () => hash.digest('hex') };
}

function hashOfSources(projects) {
  const { addFolder, addSettings, digest } = sourceHash();
  addSettings('');
  const folders = workspaces();
  for (const folder of folders) {
    addSettings(folder);
    if (existsSync(join(root, folder, 'src'))) addFolder(`${folder}/src`);
  }
  for (const project of projects.map((path) => dirname(path))) {
    if (!folders.includes(project)) addFolder(project);
  }
  return digest();
}

/** Takes a lock: two commands that start together would install and build into the same folders. */
async function exclusively(work) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const lock = join(tmpdir(), `clarion-setup-${process.getuid?.() ?? 0}-${name}.lock`);
  for (let announced = false; !tryLock(lock); announced = true) {
    if (!announced) say(`Waiting for the set-up that process ${readIfThere(lock)} is doing in this folder ...`);
    await delay(200);
    throwIfInterrupted();
  }
  try {
    await work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function tryLock(lock) {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') return true;
    const holder = Number(readIfThere(lock));
    // The file is empty for a moment after its creation.
    if (holder && !isAlive(holder)) rmSync(lock, { force: true });
    return false;
  }
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function writeAtomically(file, content) {
  const fresh = `${file}.${process.pid}`;
  writeFileSync(fresh, content);
  renameSync(fresh, file);
}

function lastLines(output, count) {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}

export function seconds(begin) {
  return ((Date.now() - begin) / 1000).toFixed(1);
}
