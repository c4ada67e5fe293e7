import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createEmptyDatabase,
  freePort,
  type TestDatabase,
  testQueueBackend,
  uniquePrefix,
  until,
} from '@clarion/testing';
import { containerFault, installNode, start } from './container';
import { build, contextFilter, copy, type Image, parseDockerfile, parseValues } from './dockerfile';
import { APPS, configOf, read, ROOT, SECRETS, VARIABLES, WORKSPACES } from './repository';

const API_KEY = 'a-key-for-the-image-spec';

const INSTALL_TOOLS = 'npm ci --ignore-scripts --include=dev --include=optional';

const { args, stages } = parseDockerfile(read('docker/Dockerfile'));
const final = stages.at(-1)!;
const textsOf = (instruction: string, steps = stages.flatMap((stage) => stage.steps)): string[] =>
  steps.filter((step) => step.instruction === instruction).map(({ text }) => text);

describe('docker/Dockerfile', () => {
  it('starts from a pinned version of Node and no other image', () => {
    expect(args['NODE_IMAGE']).toMatch(/^node:\d+\.\d+\.\d+-[a-z]+-slim$/);
    const bases = stages.filter(({ from }) => !stages.some(({ name }) => name === from)).map(({ from }) => from);
    expect(new Set(bases)).toEqual(new Set([args['NODE_IMAGE']]));
  });

  it('copies the package.json of every workspace before npm installs', () => {
    const copied = textsOf('COPY', stages[0]!.steps);
    expect(copied).toEqual([
      'package.json package-lock.json .npmrc ./',
      ...WORKSPACES.map((folder) => `${folder}/package.json ${folder}/`),
    ]);
  });

  it('installs from the lock file, without scripts, and without development packages in the image', () => {
    const installs = textsOf('RUN').filter((line) => line.startsWith('npm '));
    for (const line of installs) expect(line).toMatch(/^npm ci --ignore-scripts /);
    const dependencies = stages.find(({ name }) => name === 'dependencies')!;
    expect(textsOf('RUN', dependencies.steps)).toEqual(['npm ci --ignore-scripts --omit=dev --omit=optional']);
    expect(installs).toContain(INSTALL_TOOLS);
  });

  it('runs no command in the last stage, so that the image is the same for every processor', () => {
    expect(textsOf('RUN', final.steps)).toEqual([]);
    expect(textsOf('USER', final.steps)).toEqual(['10001:10001']);
    for (const command of [...textsOf('CMD', final.steps), ...textsOf('HEALTHCHECK', final.steps)])
      expect(command).toMatch(/\["node", "[^"]+"\]$/);
  });

  it('has the command line on its path', () => {
    expect(textsOf('COPY', final.steps)).toContain('docker/clarion /usr/local/bin/');
    expect(statSync(join(ROOT, 'docker/clarion')).mode & 0o111).toBe(0o111);
    expect(read('docker/clarion')).toContain(`require('/app/apps/standalone/dist/clarion.bundle.js')`);
  });

  it('sets only known variables, and exposes the ports that they name', () => {
    const env = Object.assign({}, ...textsOf('ENV', final.steps).map(parseValues)) as Record<string, string>;
    expect(Object.keys(env).filter((name) => name !== 'NODE_ENV' && !VARIABLES.has(name))).toEqual([]);
    const { PORT, HOST, CLARION_OBSERVE_PORT } = configOf({ ...env, ...SECRETS });
    expect(HOST).toBe('0.0.0.0');
    expect(textsOf('EXPOSE', final.steps)).toEqual([`${PORT} ${CLARION_OBSERVE_PORT}`]);
  });

  it('rejects instructions that the parser does not understand', () => {
    expect(() => parseDockerfile('FROM node\nADD x y')).toThrow('ADD x y');
  });
});

describe('.dockerignore', () => {
  const isIncluded = contextFilter(read('.dockerignore'));

  it.each(['package.json', 'libs/platform/src/index.ts', 'apps/gateway/package.json', 'tools/bundle/bundle.mjs'])(
    'lets %s in',
    (path) => expect(isIncluded(path)).toBe(true),
  );

  it.each([
    'docker/.env',
    '.git/config',
    '.clarion/encryption.key',
    'node_modules/pg/package.json',
    'apps/gateway/dist/main.js',
    'tools/chaos.mjs',
    'apps/gateway/node_modules/x/index.js',
    'libs/platform/src/config/config.spec.ts',
    'apps/gateway/test/topics.spec.ts',
  ])('excludes %s', (path) => expect(isIncluded(path)).toBe(false));
});

describe('the built image', () => {
  const running: ChildProcess[] = [];
  const fault = containerFault();
  let folder: string;
  let image: Image;
  let database: TestDatabase;
  let environment: Record<string, string>;

  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'clarion-image-')));
    // The user of the image must be able to traverse the folder.
    chmodSync(folder, 0o755);
    if (fault) console.warn(`Image: it runs here as the user who runs the specs and may write, because ${fault}.`);
    const { PATH, HOME } = process.env;
    image = build(stages, {
      context: ROOT,
      dockerignore: read('.dockerignore'),
      into: folder,
      args: { APP: 'gateway' },
      // Reuses the package cache of this machine.
      env: { PATH, HOME, npm_config_prefer_offline: 'true' },
      // npm test installed the same packages from the same lock file. Only the packages of the image are installed again.
      layers: new Map([[INSTALL_TOOLS, (app) => copy(join(ROOT, 'node_modules'), app)]]),
    });
    installNode(image);
    database = await createEmptyDatabase();
    environment = {
      DATABASE_URL: database.url,
      CLARION_ENCRYPTION_KEY: SECRETS['CLARION_ENCRYPTION_KEY']!,
      CLARION_API_KEY: API_KEY,
      LOG_LEVEL: 'warn',
      ...queueOn(database.url),
    };
  }, 1_200_000);

  afterAll(async () => {
    await Promise.all(
      running.map(async (child) => {
        if (child.exitCode !== null) return;
        child.kill('SIGKILL');
        await once(child, 'exit');
      }),
    );
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const appIn = (app: string): Image => ({ ...image, workdir: `/app/apps/${app}` });
  const run = async (command: string[], env: Record<string, string> = {}, app = 'gateway') => {
    const child = start(appIn(app), command, env);
    let output = '';
    for (const stream of [child.stdout!, child.stderr!])
      stream.on('data', (chunk: Buffer) => (output += String(chunk)));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };

  it('contains every app compiled, and no sources, tools or native modules', () => {
    const files = readdirSync(join(image.root, 'app'), { recursive: true, encoding: 'utf8' });
    expect(APPS.filter((app) => !files.includes(join('apps', app, 'dist', 'main.bundle.js')))).toEqual([]);
    expect(files).toContain('apps/dashboard/dist/site/index.html');
    const own = files.filter((path) => !path.startsWith('node_modules'));
    expect(own.filter((path) => /(^|\/)(src|test)$|\.spec\.|^(apps\/e2e|libs\/testing)\//.test(path))).toEqual([]);
    expect(files.filter((path) => path.endsWith('.node'))).toEqual([]);
    const packages = JSON.parse(read('package.json')) as Record<
      'dependencies' | 'devDependencies' | 'optionalDependencies',
      object
    >;
    const has = (name: string): boolean => existsSync(join(image.root, 'app', 'node_modules', name));
    expect(Object.keys(packages.dependencies).filter((name) => !has(name))).toEqual([]);
    // Some packages of the image bring types that are also installed for development. The lock file knows which.
    const lock = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { dev?: boolean; devOptional?: boolean; optional?: boolean }>;
    };
    const isOnlyForDevelopment = (name: string): boolean => {
      const { dev, devOptional, optional } = lock.packages[`node_modules/${name}`]!;
      return dev === true || devOptional === true || optional === true;
    };
    const tools = Object.keys({ ...packages.devDependencies, ...packages.optionalDependencies });
    expect(tools.filter(isOnlyForDevelopment).filter(has)).toEqual([]);
  });

  if (!fault) {
    it('runs as an unprivileged user and cannot write files', async () => {
      const script = `
        const { writeFileSync, readFileSync } = require('node:fs');
        const tried = ['.', '/tmp', '/'].map((folder) => {
          try { writeFileSync(folder + '/clarion-written', ''); return 'written'; } catch (error) { return error.code; }
        });
        const rights = /CapBnd:\\s*(\\w+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1];
        console.log(JSON.stringify({ tried, uid: process.getuid(), gid: process.getgid(), rights: parseInt(rights, 16) }));`;
      const { output } = await run(['node', '-e', script]);
      expect(JSON.parse(output)).toEqual({ tried: ['EROFS', 'EROFS', 'EROFS'], uid: 10001, gid: 10001, rights: 0 });
    });
  }

  it('migrates and prints the API key', async () => {
    const { code, output } = await run(['node', '../standalone/dist/clarion.js', 'migrate'], environment);
    expect({ code, output }).toEqual({ code: 0, output: expect.stringContaining('Development') as string });
  });

  it('accepts a trigger, delivers it, reports healthy and stops on SIGTERM', async () => {
    const ports = { gateway: await freePort(), engine: await freePort(), 'worker-in-app': await freePort() };
    const observePorts = { ...ports, gateway: await freePort() };
    const portsOf = (app: keyof typeof ports): Record<string, string> => ({
      ...(app === 'gateway' && { PORT: String(ports[app]) }),
      CLARION_OBSERVE_PORT: String(observePorts[app]),
    });
    const apps = Object.keys(ports) as (keyof typeof ports)[];
    for (const app of apps) {
      const child = start(appIn(app), image.command, { ...environment, ...portsOf(app) });
      child.stderr!.pipe(process.stderr);
      running.push(child);
    }
    for (const app of apps) {
      await until(async () => (await run(image.healthcheck, portsOf(app), app)).code === 0);
      for (const path of ['/health/live', '/health/ready', '/metrics'])
        expect((await fetch(`http://127.0.0.1:${observePorts[app]}${path}`)).status).toBe(200);
    }
    // The public port does not serve the metrics.
    expect((await fetch(`http://127.0.0.1:${ports.gateway}/metrics`)).status).toBe(404);

    const call = (path: string, body?: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${ports.gateway}${path}`, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `ApiKey ${API_KEY}`, 'content-type': 'application/json' },
        body: body && JSON.stringify(body),
      });
    const steps = [{ name: 'Inbox', type: 'in_app', controlValues: { body: 'Hello {{payload.name}}' } }];
    const workflow = { name: 'Welcome', workflowId: 'welcome', steps };
    const event = { name: 'welcome', to: { subscriberId: 'ada' }, payload: { name: 'Ada' } };
    expect((await call('/v2/workflows', workflow)).status).toBe(201);
    expect((await call('/v1/events/trigger', event)).status).toBe(201);
    await until(async () => {
      const feed = await call('/v1/subscribers/ada/notifications/feed');
      return feed.ok && (await feed.text()).includes('Hello Ada');
    });

    for (const child of running) child.kill('SIGTERM');
    const codes = await Promise.all(
      running.map(async (child) => child.exitCode ?? ((await once(child, 'exit'))[0] as number)),
    );
    expect(codes).toEqual(apps.map(() => 0));
    expect((await run(image.healthcheck, portsOf('engine'), 'engine')).code).not.toBe(0);
  });
});

function queueOn(databaseUrl: string): Record<string, string> {
  const { kind, url } = testQueueBackend(databaseUrl);
  return { CLARION_QUEUE: kind, CLARION_QUEUE_PREFIX: uniquePrefix(), ...(kind === 'redis' && { REDIS_URL: url }) };
}
