import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseDockerfile, parseValues } from './dockerfile';
import { ONLY_WITH_PASSWORD, repliesOfRedis } from './redis';
import { APPS, configOf, read, readYaml, ROOT, SECRETS, VARIABLES } from './repository';

type Service = {
  image: string;
  build?: { context: string; dockerfile: string; args: { APP: string } };
  pull_policy?: string;
  command?: string[];
  restart?: string;
  init?: boolean;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  stop_grace_period?: string;
  environment?: Record<string, string | number>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test?: string[]; disable?: boolean };
  ports?: string[];
  volumes?: string[];
};

const MARGIN_MS = 5_000;

describe('docker/compose.yml', () => {
  const { services, volumes } = readYaml<{ services: Record<string, Service>; volumes: Record<string, null> }>(
    'docker/compose.yml',
  );
  const isOurs = ({ image: of }: Service): boolean => of.startsWith('clarion-');
  const ours = Object.entries(services).filter(([, service]) => isOurs(service));
  const image = Object.assign(
    {},
    ...parseDockerfile(read('docker/Dockerfile'))
      .stages.at(-1)!
      .steps.filter(({ instruction }) => instruction === 'ENV')
      .map(({ text }) => parseValues(text)),
  ) as Record<string, string>;
  /**
   * As Compose fills it in: the image's own, then what the file says, with the operator's values where it asks for
   * some.
   */
  const environmentOf = ({ environment = {} }: Service): Record<string, string> => ({
    ...image,
    ...Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fillIn(String(value))])),
  });

  it('runs every app from its image', () => {
    expect(ours.map(([name]) => name).sort()).toEqual([...APPS, 'migrate'].sort());
    for (const [name, { image: of, build, command }] of ours.filter(([one]) => one !== 'migrate')) {
      expect(of).toBe(`clarion-${name}`);
      expect(build).toEqual({ context: '..', dockerfile: 'docker/Dockerfile', args: { APP: name } });
      expect(command).toBeUndefined();
    }
  });

  it('migrates with the image of the gateway, which is built once and never pulled', () => {
    const { image: of, build, pull_policy: pull, command } = services['migrate']!;
    expect({ of, build, pull }).toEqual({ of: 'clarion-gateway', build: undefined, pull: 'never' });
    expect(command).toEqual(['node', '../standalone/dist/clarion.js', 'migrate']);
    const built = Object.values(services).flatMap((service) => (service.build ? [service.image] : []));
    expect(new Set(built).size).toBe(built.length);
  });

  it('pins every other image to a version', () => {
    const others = Object.values(services).filter((service) => !isOurs(service));
    expect(others.map(({ image: of }) => of.split(':')[0]).sort()).toEqual([
      'grafana/grafana',
      'postgres',
      'prom/prometheus',
      'redis',
    ]);
    for (const { image: of } of others) expect(of).toMatch(/:v?\d+\.\d[a-z0-9.-]*$/);
  });

  it('starts each service after its dependencies are healthy, without cycles', () => {
    for (const app of APPS)
      expect(services[app]!.depends_on).toEqual({
        postgres: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
      });
    expect(services['migrate']!.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    const started: string[] = [];
    const waiting = new Map(Object.entries(services));
    for (let before = -1; before !== started.length;) {
      before = started.length;
      for (const [name, { depends_on: needs = {} }] of waiting) {
        if (!Object.keys(needs).every((need) => started.includes(need))) continue;
        started.push(name);
        waiting.delete(name);
      }
    }
    expect([...waiting.keys()]).toEqual([]);
  });

  it('has a health check for each service; those of our images are in the image', () => {
    for (const [name, service] of Object.entries(services)) {
      const { healthcheck } = service;
      if (name === 'migrate') expect(healthcheck).toEqual({ disable: true });
      else if (isOurs(service)) expect(healthcheck).toBeUndefined();
      else expect(healthcheck?.test?.[0]).toBe('CMD');
    }
  });

  it('gives our containers no privileges, and enough time to drain', () => {
    for (const [name, service] of ours) {
      expect(service).toMatchObject({
        init: true,
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: name === 'migrate' ? 'no' : 'unless-stopped',
      });
      const { CLARION_DRAIN_DELAY_MS, CLARION_DRAIN_MS } = configOf(environmentOf(service));
      const graceMs = parseInt(service.stop_grace_period!, 10) * 1_000;
      expect(service.stop_grace_period).toMatch(/^\d+s$/);
      expect(graceMs).toBeGreaterThanOrEqual(CLARION_DRAIN_DELAY_MS + CLARION_DRAIN_MS + MARGIN_MS);
    }
  });

  it('sets only known variables, with values that a process accepts', () => {
    for (const [, service] of ours) {
      expect(Object.keys(service.environment!).filter((name) => !VARIABLES.has(name))).toEqual([]);
      expect(configOf(environmentOf(service))).toMatchObject({
        CLARION_QUEUE: 'redis',
        REDIS_URL: `redis://:${SECRETS['REDIS_PASSWORD']}@redis:6379`,
      });
    }
  });

  it('masks stored credentials in responses unless the operator changes the setting', () => {
    for (const [, service] of ours) {
      expect(configOf(environmentOf(service)).CLARION_CREDENTIALS_IN_RESPONSES).toBe('masked');
      expect(service.environment!['CLARION_CREDENTIALS_IN_RESPONSES']).toContain(
        '${CLARION_CREDENTIALS_IN_RESPONSES:-',
      );
    }
  });

  it('requires secrets from the environment and contains none', () => {
    for (const name of ['POSTGRES_PASSWORD', 'REDIS_PASSWORD', 'CLARION_ENCRYPTION_KEY'])
      expect(read('docker/compose.yml')).toContain(`\${${name}:?`);
    expect(read('.gitignore').split('\n')).toContain('docker/.env');
  });

  it('forbids eviction in Redis and gives Postgres enough connections', () => {
    expect(services['redis']!.command!.join(' ')).toContain(
      'redis-server --appendonly yes --maxmemory-policy noeviction',
    );
    const connections = Number(/max_connections=(\d+)/.exec(services['postgres']!.command!.join(' '))![1]);
    const pools = ours.map(([, service]) => configOf(environmentOf(service)).CLARION_DATABASE_POOL);
    expect(connections).toBeGreaterThan(2 * pools.reduce((sum, pool) => sum + pool, 0));
  });

  it('requires a password for Redis, which the health check knows', async () => {
    const { command, environment, healthcheck } = services['redis']!;
    expect(fillIn(String(environment!['REDISCLI_AUTH']))).toBe(SECRETS['REDIS_PASSWORD']);
    expect(healthcheck!.test).toEqual(['CMD', 'redis-cli', 'ping']);
    expect(await repliesOfRedis(command!.map(fillIn), SECRETS['REDIS_PASSWORD']!)).toEqual(ONLY_WITH_PASSWORD);
  });

  it('mounts only files and volumes that exist', () => {
    const mounts = Object.values(services).flatMap((service) => service.volumes ?? []);
    for (const mount of mounts) {
      const [source = ''] = mount.split(':');
      if (source.startsWith('..')) expect([source, existsSync(join(ROOT, 'docker', source))]).toEqual([source, true]);
      else expect(Object.keys(volumes)).toContain(source);
    }
    expect(Object.keys(volumes).sort()).toEqual(
      mounts
        .map((mount) => mount.split(':')[0]!)
        .filter((source) => !source.startsWith('..'))
        .sort(),
    );
  });

  it('publishes the port of the gateway, and no port to other machines', () => {
    const { PORT } = configOf(environmentOf(services['gateway']!));
    expect(services['gateway']!.ports).toEqual([`127.0.0.1:3000:${PORT}`]);
    for (const port of Object.values(services).flatMap((service) => service.ports ?? []))
      expect(port).toMatch(/^127\.0\.0\.1:/);
    // A service that publishes a port cannot be scaled.
    expect(APPS.filter((app) => app !== 'gateway' && services[app]!.ports)).toEqual([]);
  });

  it('mounts rules, scrape jobs and dashboards where Prometheus and Grafana read them', () => {
    const { scrape_configs: jobs } = readYaml<{
      scrape_configs: { dns_sd_configs: { names: string[]; port: number }[] }[];
    }>('k8s/observe/prometheus.yml');
    const targets = jobs.flatMap(({ dns_sd_configs: list }) => list);
    expect(targets.flatMap(({ names }) => names).sort()).toEqual([...APPS].sort());
    for (const { names, port } of targets) {
      expect(port).toBe(configOf(environmentOf(services[names[0]!]!)).CLARION_OBSERVE_PORT);
    }
    const { providers } = readYaml<{ providers: { options: { path: string } }[] }>(
      'k8s/observe/grafana/provisioning/dashboards/clarion.yml',
    );
    expect(services['grafana']!.volumes).toContain(`../k8s/observe/dashboards:${providers[0]!.options.path}:ro`);
    const { datasources } = readYaml<{ datasources: { url: string }[] }>(
      'k8s/observe/grafana/provisioning/datasources/prometheus.yml',
    );
    expect(datasources[0]!.url).toBe('http://prometheus:9090');
  });

  it('lets anonymous visitors of Grafana view dashboards, and sets no well-known password', () => {
    expect(services['grafana']!.environment).toMatchObject({
      GF_AUTH_ANONYMOUS_ENABLED: 'true',
      GF_AUTH_ANONYMOUS_ORG_ROLE: 'Viewer',
      GF_SECURITY_DISABLE_INITIAL_ADMIN_CREATION: 'true',
    });
  });
});

/** `${NAME:?why}` becomes the operator's value, `${NAME:-default}` the default. */
function fillIn(text: string): string {
  return text.replace(/\$\{(\w+):([?-])([^}]*)\}/g, (_, name: string, kind: string, rest: string) =>
    kind === '-' ? rest : (SECRETS[name] ?? 'secret'),
  );
}
