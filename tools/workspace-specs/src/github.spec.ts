import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { read, ROOT, SCRIPTS } from './repository';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly steps: readonly Step[];
  readonly needs?: string | readonly string[];
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly string[]>> };
  readonly permissions?: Readonly<Record<string, string>>;
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Form {
  readonly name: string;
  readonly description: string;
  readonly body: readonly { readonly type: string; readonly id?: string; readonly attributes: object }[];
}

const WORKFLOWS = readdirSync(join(ROOT, '.github/workflows'));
const FORMS = readdirSync(join(ROOT, '.github/ISSUE_TEMPLATE')).filter((name) => name !== 'config.yml');
const workflow = (name: string): Workflow => parse(read(`.github/workflows/${name}`)) as Workflow;
const stepsOf = (name: string): Step[] => Object.values(workflow(name).jobs).flatMap(({ steps }) => steps);
const manifest = JSON.parse(read('package.json')) as { version: string };

/** The apps that run as processes of an installation. Standalone contains all of them and has no image. */
const APPS = readdirSync(join(ROOT, 'apps'))
  .filter((name) => existsSync(join(ROOT, 'apps', name, 'src', 'main.ts')) && name !== 'standalone')
  .sort();

describe.each(WORKFLOWS)('.github/workflows/%s', (name) => {
  it(`${name} pins every action to an exact version`, () => {
    const used = stepsOf(name).flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(0);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
  });

  it(`${name} uses npm scripts, tools and files that exist`, () => {
    const commands = stepsOf(name)
      .map(({ run = '' }) => run)
      .join('\n');
    const scripts = [...commands.matchAll(/\bnpm (?:run )?([\w-]+)/g)].map(([, script]) => script!);
    expect(scripts.filter((script) => script !== 'ci' && !SCRIPTS[script])).toEqual([]);
    const files = stepsOf(name).flatMap(({ with: { file, 'node-version-file': node } = {} }) => [file, node]);
    const paths = files.filter((path): path is string => typeof path === 'string');
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  it(`${name} may only read the repository unless a job asks for more`, () => {
    expect(workflow(name).permissions).toEqual({ contents: 'read' });
  });

  it(`${name} names only existing jobs in "needs"`, () => {
    const { jobs } = workflow(name);
    const needed = Object.values(jobs).flatMap(({ needs = [] }) => needs);
    expect(needed.filter((job) => !jobs[job])).toEqual([]);
  });
});

describe('.github/workflows/ci.yml', () => {
  const { on, jobs } = workflow('ci.yml');

  it('runs npm ci and every spec for pull requests and for main', () => {
    expect(Object.keys(on).sort()).toEqual(['pull_request', 'push']);
    expect(jobs.test!.steps.flatMap(({ run }) => run ?? [])).toEqual(['npm ci', 'npm run test:full']);
  });

  it('tests the Node version of .nvmrc', () => {
    expect(jobs.test!.strategy!.matrix.node).toContain(read('.nvmrc').trim());
  });
});

describe('.github/workflows/release.yml', () => {
  const { on, jobs } = workflow('release.yml');
  const build = jobs.images!.steps.find(({ uses }) => uses?.startsWith('docker/build-push-action@'))!;

  it('builds one image for each app', () => {
    expect([...jobs.images!.strategy!.matrix.app!].sort()).toEqual(APPS);
  });

  it('builds images for amd64 and arm64 with provenance and a bill of materials', () => {
    expect(on).toEqual({ push: { tags: ['v*.*.*'] } });
    expect(build.with).toMatchObject({
      platforms: 'linux/amd64,linux/arm64',
      provenance: 'mode=max',
      sbom: true,
      push: true,
    });
  });

  it('publishes the manifests and the chart with the digests of the images', () => {
    const written = jobs.images!.steps.map(({ run = '' }) => run).find((run) => run.includes('outputs.digest'))!;
    expect(written).toContain('> images/clarion-${{ matrix.app }}');
    const commands = jobs.release!.steps.map(({ run = '' }) => run).join('\n');
    expect(commands).toMatch(/node tools\/release-images\.mjs images "\$VERSION"\n\s*tar -czf .* k8s/);
    expect(commands).toMatch(/gh release create .* sbom\.cdx\.json "clarion-deploy-\$VERSION\.tgz"/);
  });

  it('publishes nothing before the tests have passed', () => {
    expect(jobs.images!.needs).toBe('check');
    expect(jobs.check!.steps.map(({ run }) => run)).toContain('npm run test:full');
  });
});

describe.each(FORMS)('.github/ISSUE_TEMPLATE/%s', (name) => {
  const { body, ...head } = parse(read(`.github/ISSUE_TEMPLATE/${name}`)) as Form;

  it(`${name} is an issue form with a label and a unique id for each field`, () => {
    expect(head).toMatchObject({ name: expect.any(String) as string, description: expect.any(String) as string });
    const fields = body.filter(({ type }) => type !== 'markdown');
    expect(new Set(fields.map(({ id }) => id)).size).toBe(fields.length);
    for (const { type, attributes } of fields) {
      expect(['textarea', 'input', 'dropdown', 'checkboxes']).toContain(type);
      expect(attributes).toHaveProperty('label');
    }
  });
});

describe('CHANGELOG.md', () => {
  it('has a section for the version in package.json, with its date', () => {
    expect(read('CHANGELOG.md')).toMatch(
      new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm'),
    );
  });
});
