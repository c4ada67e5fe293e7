/**
 * A miniature of this workspace in a temporary folder: the real lint config, the real tags of every project, the real
 * npm packages, and only the code that a test adds. The real commands check each forbidden line in its folder, and
 * nothing is written to the working tree.
 */
import { execFile } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';

const WORKSPACE = resolve(__dirname, '../../..');
const SHARED_FILES = [
  'eslint.config.mjs',
  '.oxlintrc.json',
  'nx.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  '.gitignore',
  'tools/lint-rules/no-quadratic-search.mjs',
  'tools/lint-rules/gateway-areas.json',
];

export interface LintMessage {
  readonly ruleId: string | null;
  readonly message: string;
}

export class Miniature {
  private readonly root = realpathSync(mkdtempSync(join(tmpdir(), 'clarion-lint-')));

  constructor() {
    for (const file of SHARED_FILES) cpSync(join(WORKSPACE, file), join(this.root, file));
    const projects = ['apps', 'libs'].flatMap((folder) =>
      readdirSync(join(WORKSPACE, folder)).map((name) => `${folder}/${name}`),
    );
    for (const project of projects) this.addProject(project);
    for (const name of ['bench', 'chaos']) {
      this.writeJson(`tools/${name}/project.json`, { name, tags: ['type:tool'] });
      this.writeJson(`tools/${name}/tsconfig.json`, { extends: '../../tsconfig.base.json', include: ['*.ts'] });
    }
    this.linkPackages();
  }

  write(file: string, text: string): void {
    const path = join(this.root, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }

  /**
   * The messages of `eslint <paths>`, by file. With `asNxTask` the command uses the project graph on disk instead of
   * writing a new one, as it does when Nx runs it.
   */
  async lint(paths: readonly string[], { asNxTask = false } = {}): Promise<Map<string, LintMessage[]>> {
    const output = await this.run('eslint/bin/eslint.js', ['--format', 'json', ...paths], {
      NX_TASK_TARGET_PROJECT: asNxTask ? 'lint-rules' : '',
    });
    const files = JSON.parse(output) as { filePath: string; messages: LintMessage[] }[];
    return new Map(files.map(({ filePath, messages }) => [relative(this.root, filePath), messages]));
  }

  /** The messages of `oxlint --type-aware <paths>`, by file. */
  async lintTypes(paths: readonly string[]): Promise<Map<string, LintMessage[]>> {
    const output = await this.run('oxlint/bin/oxlint', ['--type-aware', '--format', 'json', ...paths], {});
    const { diagnostics } = JSON.parse(output) as {
      diagnostics: { code: string; message: string; filename: string }[];
    };
    const files = new Map<string, LintMessage[]>();
    for (const { code, message, filename } of diagnostics) {
      files.set(filename, [...(files.get(filename) ?? []), { ruleId: code, message }]);
    }
    return files;
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  private addProject(project: string): void {
    const manifest = join(WORKSPACE, project, 'package.json');
    if (!existsSync(manifest)) return;
    mkdirSync(join(this.root, project), { recursive: true });
    cpSync(manifest, join(this.root, project, 'package.json'));
    // As in the workspace: tsconfig.json only lists the others, and Nx tells an app from a lib by their names.
    const config = project.startsWith('apps/') ? 'tsconfig.app.json' : 'tsconfig.lib.json';
    this.writeJson(`${project}/tsconfig.json`, { files: [], references: [{ path: `./${config}` }] });
    this.writeJson(`${project}/${config}`, {
      extends: '../../tsconfig.base.json',
      compilerOptions: { types: ['node', 'jest'] },
      include: ['src/**/*.ts', 'test/**/*.ts'],
    });
    this.write(`${project}/src/index.ts`, 'export class Something {}\n');
  }

  private writeJson(file: string, value: unknown): void {
    this.write(file, JSON.stringify(value));
  }

  /** Links the real npm packages, and `@clarion/*` to the projects of the miniature. */
  private linkPackages(): void {
    const packages = join(this.root, 'node_modules');
    mkdirSync(join(packages, '@clarion'), { recursive: true });
    for (const name of readdirSync(join(WORKSPACE, 'node_modules'))) {
      if (name !== '@clarion') symlinkSync(join(WORKSPACE, 'node_modules', name), join(packages, name));
    }
    for (const folder of ['apps', 'libs']) {
      for (const name of readdirSync(join(this.root, folder))) {
        symlinkSync(join(this.root, folder, name), join(packages, '@clarion', name));
      }
    }
  }

  private run(command: string, args: string[], env: Record<string, string>): Promise<string> {
    return new Promise((done, fail) => {
      execFile(
        process.execPath,
        [join(this.root, 'node_modules', command), ...args],
        { cwd: this.root, env: { ...process.env, ...env, NX_DAEMON: 'false' }, maxBuffer: 64 * 1024 * 1024 },
        (error, stdout, stderr) => {
          // Exit code 1 means that it ran and reported messages. Every other code is a crash.
          if (error && error.code !== 1) fail(new Error(`${command} failed:\n${stdout}\n${stderr}`));
          else done(stdout);
        },
      );
    });
  }
}
