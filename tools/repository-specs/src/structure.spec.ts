import ts from 'typescript';
import { isSpec, proseOf, readSources, relativeImports, type Source } from './sources';

/** Tables of facts: long, but read by looking something up and not from top to bottom. */
const TABLES = [/\/migrations\/\d+-[\w-]+\.ts$/, /^libs\/contracts\/src\/(vocabulary|execution-details)\.ts$/];
const LONGEST_FILE = 400;
const LONGEST_LINE = 120;

const code = readSources('.ts', '.tsx', '.mjs', '.cjs');
const production = code.filter((source) => /\.tsx?$/.test(source.path) && !isSpec(source));

/** Groups of files that import each other, each from its first file around to the file before it. */
function importCycles(sources: readonly Source[]): string[] {
  const known = new Set(sources.map(({ path }) => path));
  const resolve = (path: string): string | undefined =>
    [`${path}.ts`, `${path}.tsx`, `${path}/index.ts`, path].find((candidate) => known.has(candidate));
  const edges = new Map(
    sources.map((source) => [source.path, relativeImports(source).flatMap((path) => resolve(path) ?? [])]),
  );
  const finished = new Set<string>();
  const cycles = new Set<string>();
  const visit = (path: string, trail: readonly string[]): void => {
    if (trail.includes(path)) {
      const cycle = trail.slice(trail.indexOf(path));
      const first = cycle.indexOf([...cycle].sort()[0]!);
      cycles.add([...cycle.slice(first), ...cycle.slice(0, first)].join(' > '));
      return;
    }
    if (finished.has(path)) return;
    for (const next of edges.get(path)!) visit(next, [...trail, path]);
    finished.add(path);
  };
  for (const path of edges.keys()) visit(path, []);
  return [...cycles];
}

describe('structure of the code', () => {
  it('builds and runs with no package of devDependencies, which `npm start` does not install', () => {
    const built = readSources('.ts', '.tsx', 'vite.config.mjs').filter(
      (source) => /^(apps|libs)\//.test(source.path) && !isSpec(source),
    );
    const imported = built.flatMap(({ path, text }) =>
      ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }): [path: string, name: string] => {
        const [scope, name] = fileName.split('/');
        return [path, scope!.startsWith('@') ? `${scope}/${name}` : scope!];
      }),
    );
    expect(imported.length).toBeGreaterThan(1_000);
    const [{ text }] = readSources('package.json').filter(({ path }) => path === 'package.json') as [Source];
    const { devDependencies } = JSON.parse(text) as { devDependencies: Record<string, string> };
    const missing = imported.filter(([, name]) => name in devDependencies || `@types/${name}` in devDependencies);
    expect(missing).toEqual([]);
  });

  it('declares one type at most for a word of the glossary', () => {
    const [{ text }] = readSources('docs/glossary.md') as [Source];
    const words = [...text.matchAll(/^\| ([^|]*[^| -]) +\|/gm)].map(([, word]) => word!);
    expect(words.length).toBeGreaterThan(40);
    const names = new Set(
      words.map((word) => word.replace(/(?:^| )(\w)/g, (_, letter: string) => letter.toUpperCase())),
    );
    const declared = production
      .filter(({ path }) => /^(apps|libs)\//.test(path) && !path.startsWith('apps/dashboard/'))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/^(?:export )?(?:abstract )?(?:type|interface|class) (\w+)/gm)].map(([, name]) => ({
          path,
          name,
        })),
      );
    const twice = [...names].flatMap((word) => {
      const paths = declared.filter(({ name }) => name === word).map(({ path }) => path);
      return paths.length > 1 ? [{ word, paths }] : [];
    });
    expect(twice).toEqual([]);
  });

  it('keeps every file but tables of facts and specs within 400 lines', () => {
    const long = production
      .filter(({ path }) => !TABLES.some((table) => table.test(path)))
      .map(({ path, text }) => ({ path, lines: text.split('\n').length - 1 }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    expect(long).toEqual([]);
  });

  // The formatter wraps code and leaves comments and texts alone. The data of specs may be longer.
  it('keeps every line of production code, and every comment, within 120 columns', () => {
    const isLong = (line: string): boolean => line.length > LONGEST_LINE && / .* .* /.test(line.trim());
    const longLines = ({ path, text }: Source): string[] =>
      text.split('\n').flatMap((line, index) => (isLong(line) ? [`${path}:${index + 1}`] : []));
    const longComments = (source: Source): string[] =>
      proseOf(source)
        .filter(({ kind, text }) => kind === 'comment' && text.split('\n').some(isLong))
        .map(({ line }) => `${source.path}:${line}`);
    const tables = /\/migrations\//;
    expect(production.filter(({ path }) => !tables.test(path)).flatMap(longLines)).toEqual([]);
    const suspects = code.filter(({ text }) => text.split('\n').some(isLong));
    expect(suspects.length).toBeGreaterThan(0);
    expect(suspects.flatMap(longComments)).toEqual([]);
  });

  // What one environment uses of a process counts for its organization and the process too (TENANT_LIMITS): otherwise a
  // tenant gets more by creating environments. A count that limits nothing is named here.
  it('counts what environments use only by the limits that organizations and processes have too', () => {
    const limits = 'libs/contracts/src/tenant-shares.ts';
    const uses = (pattern: RegExp): string[] =>
      production.filter(({ text, path }) => path !== limits && pattern.test(text)).map(({ path }) => path);
    expect(production.map(({ path }) => path)).toContain(limits);
    expect(uses(/\btenantShare\(/)).toEqual([]);
    expect(uses(/Map<EnvironmentId, number>/)).toEqual(['libs/workflow/src/page-writer.ts']);
    const inTable = production.find(({ path }) => path === 'libs/contracts/src/limits.ts')!;
    const comments = proseOf(inTable).filter(({ text }) => /environment|organization/.test(text));
    expect(comments.filter(({ text }) => /gateway|process|a second|at once/.test(text))).toEqual([]);
  });

  it('has no files that import each other in a cycle', () => {
    expect(production.length).toBeGreaterThan(300);
    expect(importCycles(production)).toEqual([]);
  });

  it('finds a cycle over three files', () => {
    const file = (path: string, imported: string): Source => ({ path, text: `import { x } from './${imported}';` });
    expect(importCycles([file('lib/b.ts', 'c'), file('lib/a.ts', 'b'), file('lib/c.ts', 'a')])).toEqual([
      'lib/a.ts > lib/b.ts > lib/c.ts',
    ]);
  });

  // Types, DTO classes and tables are left out: they describe the arguments and results of what is exported.
  it('exports no value that no other file mentions', () => {
    const mentions = new Map<string, number>();
    for (const { text } of code)
      for (const word of new Set(text.match(/[A-Za-z_$][\w$]*/g))) mentions.set(word, (mentions.get(word) ?? 0) + 1);
    const exported = /^export (?:abstract )?(?:async )?(?:const|let|function\*?|class|enum) ([\w$]+)/gm;
    const unused = production
      .filter(({ path }) => !/\.(dto|entity)\.ts$/.test(path))
      .flatMap(({ path, text }) => [...text.matchAll(exported)].map(([, name]) => ({ path, name: name! })))
      .filter(({ name }) => mentions.get(name) === 1);
    expect(unused).toEqual([]);
  });
});
