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
import { dirname, join, resolve } from 'node:path';

const WORKSPACE = resolve(__dirname, '../../..');
const SHARED_FILES = [
  'eslint.config.mjs',
  'oxlint.config.mjs',
  '.oxlintrc.json',
  'nx.json',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
  '.gitignore',
  'tools/lint-rules/no-quadratic-search.mjs',
  'tools/lint-rules/plugin.mjs',
  'tools/lint-rules/gateway-areas.json',
];

export interface LintMessage {
  readonly ruleId: string;
  readonly message: string;
}

type Report = {
  diagnostics: { code: string; message: string; help?: string; filename: string }[];
  number_of_files: number;
};

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
   * The messages of lint, by file, and the number of files. With `asNxTask` the command uses the project graph on disk
   * instead of writing a new one, as it does when Nx runs it.
   */
  async lint(paths: readonly string[], { asNxTask = false, withTypes = false } = {}) {
    const rules = withTypes ? ['--type-aware'] : ['-c', 'oxlint.config.mjs'];
    const output = await this.run('oxlint/bin/oxlint', [...rules, '--format', 'json', ...paths], {
      NX_TASK_TARGET_PROJECT: asNxTask ? 'lint-rules' : '',
    });
    const { diagnostics, number_of_files: count } = JSON.parse(output) as Report;
    const messages = new Map<string, LintMessage[]>();
    for (const { code, message, help = '', filename } of diagnostics) {
      messages.set(filename, [...(messages.get(filename) ?? []), { ruleId: code, message: `${message} ${help}` }]);
    }
    return { messages, count };
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
