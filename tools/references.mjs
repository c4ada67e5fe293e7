/**
 * `npm run references`: writes the project references of every tsconfig from what the sources import, so that no person
 * keeps them by hand. A project that starts another one without importing it names it in `nx.implicitDependencies`.
 * With `--check` nothing is written: the command lists the files that differ and fails. A spec does the same.
 *
 * `nx sync` cannot do this here: it works per project, so the specs' use of libs/testing would become a reference of
 * the lib, and the references would turn in a circle.
 */
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { format } from 'oxfmt';
import ts from 'typescript';
import { root } from './setup.mjs';

/** The configs of a project, the one that others refer to first. */
const CONFIGS = ['tsconfig.lib.json', 'tsconfig.app.json', 'tsconfig.spec.json'];
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));

const projects = projectFolders().map((folder) => {
  const configs = CONFIGS.map((name) => `${folder}/${name}`).filter((path) => existsSync(join(root, path)));
  const manifest = existsSync(join(root, folder, 'package.json')) ? readJson(`${folder}/package.json`) : {};
  return {
    folder,
    name: manifest.name,
    implicit: manifest.nx?.implicitDependencies ?? [],
    configs: configs.length > 0 ? configs : [`${folder}/tsconfig.json`],
    isSolution: configs.length > 0,
  };
});
const configOf = new Map(projects.map(({ name, configs }) => [name, configs[0]]));

const wanted = new Map([['tsconfig.json', projects.map(({ folder }) => folder)]]);
for (const { folder, configs, implicit, isSolution } of projects) {
  if (isSolution) wanted.set(`${folder}/tsconfig.json`, configs);
  const [main] = configs;
  for (const config of configs) {
    const names = new Set([...importedProjects(config), ...(config === main ? implicit : [])]);
    const imported = [...names].map((name) => referenceTo(name, config)).filter((path) => path !== main);
    wanted.set(config, [...(config === main ? [] : [main]), ...imported.sort()]);
  }
}

const stale = [];
for (const [config, targets] of wanted) {
  const path = join(root, config);
  const text = await withReferences(path, targets);
  if (text === readFileSync(path, 'utf8')) continue;
  stale.push(config);
  if (!process.argv.includes('--check')) writeFileSync(path, text);
}
if (process.argv.includes('--check')) {
  for (const config of stale) console.log(`${config}: the references differ from the imports; run npm run references`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  console.log(stale.length > 0 ? `Written: ${stale.join(', ')}` : 'All references are up to date.');
}

function projectFolders() {
  const groups = ['libs', 'apps', 'tools'].flatMap((group) =>
    readdirSync(join(root, group)).map((name) => `${group}/${name}`),
  );
  return groups.filter((folder) => existsSync(join(root, folder, 'tsconfig.json'))).sort();
}

/** The `@clarion/*` packages that the files of a config import, in any form. */
function importedProjects(config) {
  const path = join(root, config);
  const { fileNames } = ts.parseJsonConfigFileContent(readJson(config), ts.sys, dirname(path));
  const imports = fileNames.flatMap((file) => ts.preProcessFile(readFileSync(file, 'utf8'), true, true).importedFiles);
  return imports.map(({ fileName }) => /^@clarion\/[^/]+/.exec(fileName)?.[0]).filter(Boolean);
}

function referenceTo(name, config) {
  const target = configOf.get(name);
  if (!target) throw new Error(`${config}: there is no project ${name} to refer to`);
  return target;
}

async function withReferences(path, targets) {
  const { references: _, ...settings } = JSON.parse(readFileSync(path, 'utf8'));
  const references = targets.map((target) => {
    const way = relative(dirname(path), join(root, target));
    return { path: way.startsWith('.') ? way : `./${way}` };
  });
  const text = JSON.stringify({ ...settings, ...(references.length > 0 ? { references } : {}) });
  return (await format(path, text, readJson('.oxfmtrc.json'))).code;
}
