/**
 * Parses a Dockerfile and executes it in a folder, limited to the instructions that ours uses: FROM, ARG, ENV, WORKDIR,
 * COPY and RUN.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

export type Step = { instruction: string; text: string };
export type Stage = { name: string; from: string; steps: Step[] };
type Values = Record<string, string>;

const KNOWN = ['ARG', 'CMD', 'COPY', 'ENV', 'EXPOSE', 'HEALTHCHECK', 'LABEL', 'RUN', 'USER', 'WORKDIR'];

export function parseDockerfile(text: string): { args: Values; stages: Stage[] } {
  const args: Values = {};
  const stages: Stage[] = [];
  for (const line of text.split('\n').filter((one) => one.trim() !== '' && !one.startsWith('#'))) {
    const [, instruction = '', rest = ''] = /^([A-Z]+) (.*)$/.exec(line) ?? [];
    if (instruction === 'FROM') {
      const [, from = '', name = ''] = /^(?:--platform=\S+ )?(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ name, from: expand(from, args), steps: [] });
    } else if (instruction === 'ARG' && stages.length === 0) {
      Object.assign(args, parseValues(rest));
    } else {
      if (!KNOWN.includes(instruction)) throw new Error(`the Dockerfile has a line that is not understood: ${line}`);
      stages.at(-1)!.steps.push({ instruction, text: rest });
    }
  }
  return { args, stages };
}

export const parseValues = (text: string): Values =>
  Object.fromEntries(text.split(' ').map((pair) => [pair.split('=')[0]!, pair.slice(pair.indexOf('=') + 1)]));

const expand = (text: string, values: Values): string =>
  text.replace(/\$\{(\w+)\}/g, (_, name: string) => values[name] ?? '');

/**
 * Whether a path of the context gets into the build: the last line that speaks of it, or of a folder it is in, decides.
 */
export function contextFilter(dockerignore: string): (path: string) => boolean {
  const rules = dockerignore
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => ({ lets: line.startsWith('!'), pattern: toRegExp(line.replace(/^!/, '')) }));
  return (path) => rules.reduce((is, { lets, pattern }) => (pattern.test(path) ? lets : is), true);
}

function toRegExp(glob: string): RegExp {
  const source = glob
    .replace(/[.+^$()|[\]{}\\]/g, '\\$&')
    .replace(/\*\*\/|\*/g, (found) => (found === '*' ? '[^/]*' : '(?:.*/)?'));
  return new RegExp(`^${source}(?:/|$)`);
}

export type Image = {
  /** The folder that represents the root of the file system. */
  root: string;
  workdir: string;
  user: string;
  env: Values;
  command: string[];
  healthcheck: string[];
};

type Build = {
  context: string;
  dockerignore: string;
  into: string;
  args: Values;
  env: NodeJS.ProcessEnv;
  /** What a builder with a layer cache does instead of running a command again, in the folder of the command. */
  layers?: ReadonlyMap<string, (folder: string) => void>;
};

function run(cwd: string, command: string, env: NodeJS.ProcessEnv): void {
  const { status, stdout, stderr } = spawnSync('/bin/sh', ['-ec', command], { cwd, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`RUN ${command} failed:\n${stdout}${stderr}`);
}

/** Builds the last stage and the stages that it copies from, each in a separate folder. */
export function build(stages: Stage[], options: Build): Image {
  const isIncluded = contextFilter(options.dockerignore);
  const images = new Map<string, Image>();
  for (const [at, stage] of stages.entries()) {
    const image: Image = {
      ...(images.get(stage.from) ?? { workdir: '/', user: '', env: {}, command: [], healthcheck: [] }),
      root: join(options.into, stage.name || `stage-${at}`),
    };
    mkdirSync(image.root, { recursive: true });
    const base = images.get(stage.from);
    if (base) copy(`${base.root}/.`, image.root);
    images.set(stage.name, image);
    const values: Values = {};
    const inside = (path: string): string => join(image.root, posix.resolve(image.workdir, path));

    for (const { instruction, text } of stage.steps) {
      switch (instruction) {
        case 'ARG':
          values[text] = options.args[text] ?? '';
          break;
        case 'ENV':
          image.env = { ...image.env, ...parseValues(text) };
          break;
        case 'USER':
          image.user = text;
          break;
        case 'WORKDIR':
          image.workdir = posix.resolve(image.workdir, expand(text, values));
          mkdirSync(inside('.'), { recursive: true });
          break;
        case 'RUN': {
          const cached = options.layers?.get(text);
          if (cached) cached(inside('.'));
          else run(inside('.'), text, { ...options.env, ...values });
          break;
        }
        case 'COPY': {
          const [, from, list = ''] = /^(?:--from=(\S+) )?(.*)$/.exec(text) ?? [];
          const paths = list.split(' ');
          const target = paths.pop()!;
          for (const path of paths) {
            const source = from ? join(images.get(from)!.root, path) : join(options.context, path);
            const isFile = statSync(source).isFile();
            const to = isFile && target.endsWith('/') ? join(inside(target), posix.basename(path)) : inside(target);
            mkdirSync(isFile ? join(to, '..') : to, { recursive: true });
            if (from) copy(isFile ? source : `${source}/.`, to);
            else cpSync(source, to, { recursive: true, filter: (one) => isIncluded(relative(options.context, one)) });
            if (!existsSync(to)) throw new Error(`COPY ${text}: .dockerignore keeps ${path} out`);
          }
          break;
        }
        case 'CMD':
          image.command = JSON.parse(text) as string[];
          break;
        case 'HEALTHCHECK':
          image.healthcheck = JSON.parse(text.slice(text.indexOf('CMD ') + 'CMD '.length)) as string[];
          break;
      }
    }
  }
  return images.get('')!;
}

/** Uses links instead of copies: stages share files, and nothing is modified later. */
export function copy(from: string, to: string): void {
  execFileSync('cp', ['-al', from, to]);
}
