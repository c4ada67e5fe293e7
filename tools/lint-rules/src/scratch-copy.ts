import { readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import * as ts from 'typescript';

export const WORKSPACE = resolve(__dirname, '../../..');

/** A new entry of the object that the constant `table` holds. */
export type Edit = { table: string; file: string; entry: string };

/** The names of step types and of tables over them, and of tables over channels. */
const NAMES = /\b\w*(?:StepType|STEP_TYPE)\w*\b|\bRecord<Channel\b/;

/** The sources of the workspace with some files changed in memory, so nothing is written to the tree. */
export class ScratchCopy {
  private readonly options = readOptions();
  private readonly parsed = new Map<string, ts.SourceFile | undefined>();
  private changed = new Map<string, string>();
  private program: ts.Program | undefined;

  apply(edits: Edit[]): void {
    this.changed = new Map();
    for (const { table, file, entry } of edits) {
      const path = join(WORKSPACE, file);
      const text = readFileSync(path, 'utf8');
      const begin = new RegExp(`const ${table}\\b[^\\n]* = \\{\\n`).exec(text);
      if (!begin) throw new Error(`there is no table ${table} in ${file}`);
      const at = begin.index + begin[0].length;
      this.changed.set(path, text.slice(0, at) + entry + text.slice(at));
    }
  }

  /** The type errors of these files. */
  faults(files: readonly string[]): string[] {
    const roots = files.map((file) => join(WORKSPACE, file));
    const host = ts.createCompilerHost(this.options);
    const read = host.getSourceFile.bind(host);
    host.getSourceFile = (path, ...others) => {
      const text = this.changed.get(path);
      if (text !== undefined) return ts.createSourceFile(path, text, others[0]);
      if (!this.parsed.has(path)) this.parsed.set(path, read(path, ...others));
      return this.parsed.get(path);
    };
    this.program = ts.createProgram(roots, this.options, host, this.program);
    return roots.flatMap((path) =>
      this.program!.getSemanticDiagnostics(this.program!.getSourceFile(path)).map(
        ({ messageText }) => `${path}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
      ),
    );
  }

  /** Loads a module of the copy; it may import from its own folder. */
  run(file: string): Record<string, unknown> {
    const path = join(WORKSPACE, file);
    const source = this.changed.get(path) ?? readFileSync(path, 'utf8');
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2023 };
    const { outputText } = ts.transpileModule(source, { compilerOptions });
    const exported = {};
    const load = (name: string): unknown => this.run(join(file, '..', `${name}.ts`));
    (new Function('exports', 'require', outputText) as (...values: unknown[]) => void)(exported, load);
    return exported;
  }
}

function readOptions(): ts.CompilerOptions {
  const file = join(WORKSPACE, 'tsconfig.base.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, WORKSPACE);
  return { ...options, composite: false, declaration: false, incremental: false, noEmit: true };
}

/** The files of these projects that use step types or have a table over channels. */
export function filesWithStepTypes(projects: readonly string[]): string[] {
  return projects.flatMap((project) =>
    ts.sys
      .readDirectory(join(WORKSPACE, project, 'src'), ['.ts'])
      .filter((path) => !path.endsWith('.spec.ts') && NAMES.test(readFileSync(path, 'utf8')))
      .map((path) => relative(WORKSPACE, path)),
  );
}
