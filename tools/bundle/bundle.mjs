/**
 * Bundles the compiled apps: `dist/bundle.js` of an app does the same as its `dist/main.js`, and starts in about half
 * of the processor time or less. All apps share one file, of which each runs only the modules that it needs.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tools = fileURLToPath(new URL('.', import.meta.url));
const folder = join(root, 'apps/standalone/dist/bundle');
const apps = readdirSync(join(root, 'apps')).filter((name) => /^(gateway|engine|worker-.+|standalone)$/.test(name));

/** A module that exists only here: the functions that start the apps, by name. */
const ENTRY = join(root, 'apps.cjs');
const starts = apps.map((app) => `${JSON.stringify(app)}: () => require('./apps/${app}/dist/main.js')`);

/** Packages that others use only if they are installed. Any other package that is not found is an error. */
const OPTIONAL = /^(@nestjs\/(microservices|websockets|platform-express)|@fastify\/(static|multipart|view))(\/|$)/;

const ownModules = {
  name: 'clarion',
  resolveId: (id) => (id === ENTRY ? id : undefined),
  load: (id) => (id === ENTRY ? `module.exports = { ${starts.join(', ')} };` : undefined),
  // A module finds its files from its own folder.
  transform(code, id) {
    if (!/\b__(dirname|filename)\b/.test(code)) return undefined;
    const file = `/${relative(root, id)}`;
    const name = (variable, path) => `const ${variable} = clarionRoot + ${JSON.stringify(path)};`;
    return { code: `${name('__filename', file)} ${name('__dirname', dirname(file))} ${code}` };
  },
};

const bundle = await rolldown({
  input: ENTRY,
  cwd: root,
  platform: 'node',
  tsconfig: false,
  external: OPTIONAL,
  plugins: [ownModules],
  onLog(level, log) {
    if (log.code === 'UNRESOLVED_IMPORT') throw new Error(log.message);
  },
});
const { output } = await bundle.generate({
  format: 'cjs',
  charset: 'ascii',
  comments: false,
  codeSplitting: false,
  banner: `const clarionRoot = require('node:path').resolve(__dirname, '../../../..');`,
});
await bundle.close();
const [{ code }] = output;
if (output.length > 1 || /[^\x00-\x7f]/.test(code)) throw new Error('The bundle is not one file of ASCII characters.');

const entryOf = (app) => join(root, 'apps', app, 'dist/bundle.js');
// While there is no entry, apps start from the files of the compiler.
for (const path of [...apps.map(entryOf), folder]) rmSync(path, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
writeFileSync(join(folder, 'program.js'), code);
writeFileSync(join(folder, 'modules.json'), JSON.stringify(modulesOf(code)));
copyFileSync(join(tools, 'launch.cjs'), join(folder, 'launch.js'));
writeCodeCache();
for (const app of apps)
  writeFileSync(entryOf(app), `require('../../standalone/dist/bundle/launch.js').launch(${JSON.stringify(app)});\n`);

/** The first line and the path of each module. The bundler writes the path on a line before the module. */
function modulesOf(program) {
  return program.split('\n').flatMap((line, index) => {
    const path = /^\/\/ ((?:apps|libs|node_modules)\/\S+)$/.exec(line)?.[1];
    return path ? [[index + 1, path]] : [];
  });
}

function writeCodeCache() {
  const script = join(tools, 'write-code-cache.cjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, folder], { env: {}, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The code cache was not written: ${stdout}${stderr}`);
}
