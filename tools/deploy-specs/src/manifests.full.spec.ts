import { readdirSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { CHANNELS, LIMITS } from '@clarion/contracts';
import {
  type Container,
  kubectlFault,
  type Manifest,
  type PodSpec,
  render,
  renderTogether,
  schemaFaults,
  writtenObjects,
} from './manifests';
import { ONLY_WITH_PASSWORD, repliesOfRedis } from './redis';
import { APPS, configOf, read, readYaml, ROOT, SECRETS, VARIABLES } from './repository';

const fault = kubectlFault();
const MARGIN_MS = 10_000;

describe('the schemas of the manifests', () => {
  const service = (spec: object): Manifest =>
    ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'x' }, spec }) as unknown as Manifest;

  it('detects wrong values, missing fields and unknown fields', () => {
    const objects = [
      service({ ports: [{ port: 'eighty' }] }),
      service({ ports: [{ name: 'http' }] }),
      service({ ports: [{ port: 80, targetport: 'http' }] }),
    ];
    expect(schemaFaults([service({ ports: [{ port: 80, targetPort: 'http' }] })])).toEqual([]);
    expect(schemaFaults(objects.slice(0, 1))).not.toEqual([]);
    expect(schemaFaults(objects.slice(1, 2)).join()).toMatch(/port/);
    expect(schemaFaults(objects.slice(2)).join()).toMatch(/targetport/);
  });

  it('accepts the files as they are written', () => {
    expect(schemaFaults(writtenObjects())).toEqual([]);
  });
});

const PRODUCTION = 'overlays/production';
const MINIMAL = 'overlays/minimal';
const THE_OTHERS = 'the base with the other components';
const OTHER_COMPONENTS = ['hpa', 'gateway-egress', 'traces', 'authorities'].map((name) => `k8s/components/${name}`);
const RENDERED: Record<string, () => Manifest[]> = {
  [MINIMAL]: () => render('k8s/overlays/minimal'),
  [PRODUCTION]: () => render('k8s/overlays/production'),
  [THE_OTHERS]: () => renderTogether(['k8s/base'], OTHER_COMPONENTS),
};

if (fault) console.warn(`Kubernetes: ${fault}. The overlays were not rendered.`);
else describe.each(Object.keys(RENDERED))('%s', describeOverlay);

function describeOverlay(name: string): void {
  const objects = RENDERED[name]!();
  const ofKind = (kind: string): Manifest[] => objects.filter((object) => object.kind === kind);
  const named = (kind: string, wanted: string): Manifest =>
    ofKind(kind).find(({ metadata }) => metadata.name === wanted)!;
  const deployments = ofKind('Deployment');
  const workloads = [...deployments, ...ofKind('Job'), ...ofKind('StatefulSet')];
  const ours = workloads.filter(({ metadata }) => metadata.labels?.['app.kubernetes.io/part-of'] === 'clarion');
  const podOf = ({ spec }: Manifest): PodSpec => spec.template.spec;
  const onlyContainer = (workload: Manifest): Container => podOf(workload).containers[0]!;

  /** The names of the objects that fail the check. */
  const failing = (workloadList: Manifest[], holds: (workload: Manifest) => boolean): string[] =>
    workloadList.filter((workload) => !holds(workload)).map(({ metadata }) => metadata.name);

  /**
   * What the process will find in its environment: the image's own, the ConfigMap, and what stands for the Secret.
   */
  const environmentOf = (workload: Manifest): Record<string, string> => {
    const { env = [], envFrom = [] } = onlyContainer(workload);
    const settings = envFrom.map(({ configMapRef }) => named('ConfigMap', configMapRef!.name).data!);
    const own = env.map(({ name: variable, value, valueFrom }) =>
      variable.endsWith('_FILE')
        ? [variable.replace(/_FILE$/, ''), SECRETS[mountedSecret(podOf(workload), value!)!.key]!]
        : [variable, value ?? SECRETS[valueFrom!.secretKeyRef!.key]!],
    );
    return Object.assign({}, ...settings, Object.fromEntries(own)) as Record<string, string>;
  };

  it('matches the schemas of Kubernetes, KEDA and the Prometheus operator', () => {
    expect(schemaFaults(objects)).toEqual([]);
  });

  it('has a Deployment, a Service and a disruption budget for every app, and a migration Job', () => {
    const wanted = APPS.map((app) => `clarion-${app}`);
    for (const kind of ['Deployment', 'PodDisruptionBudget'])
      expect(ofKind(kind).map(({ metadata }) => metadata.name)).toEqual(expect.arrayContaining(wanted));
    for (const app of wanted) {
      const { labels } = named('Deployment', app).spec.template.metadata;
      const selectors = [
        named('Deployment', app).spec.selector.matchLabels!,
        named('PodDisruptionBudget', app).spec.selector.matchLabels!,
        named('Service', app).spec.selector,
      ];
      for (const selector of selectors) expect(labels).toMatchObject(selector);
      // A budget that a single pod can never meet would block draining a node.
      expect(named('PodDisruptionBudget', app).spec.maxUnavailable).toBe(1);
      expect(named('Service', app).spec.ports[0]).toMatchObject({ name: 'http', targetPort: 'http' });
    }
    expect(onlyContainer(named('Job', 'clarion-migrate')).command).toEqual([
      'node',
      '../standalone/dist/clarion.js',
      'migrate',
    ]);
  });

  it('puts all objects into one namespace, which admits restricted pods only', () => {
    const outside = objects.filter(({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'clarion');
    expect(outside).toEqual([]);
    expect(named('Namespace', 'clarion').metadata.labels).toMatchObject({
      'pod-security.kubernetes.io/enforce': 'restricted',
    });
  });

  it('runs every container without privileges: no root, read-only files, no capabilities, no token', () => {
    for (const workload of workloads) {
      const pod = podOf(workload);
      expect(pod).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
      });
      for (const { securityContext } of pod.containers)
        expect(securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
    }
    expect(failing(ours, (workload) => podOf(workload).securityContext?.['runAsUser'] === 10001)).toEqual([]);
  });

  it('requests and limits processor, memory and ephemeral storage', () => {
    const bounded = ({ resources }: Container): boolean =>
      [resources?.requests, resources?.limits].every((amounts) =>
        ['cpu', 'memory', 'ephemeral-storage'].every((kind) => amounts?.[kind]),
      );
    expect(failing(workloads, (workload) => podOf(workload).containers.every(bounded))).toEqual([]);
    const folders = workloads.flatMap((workload) => podOf(workload).volumes ?? []);
    expect(folders.filter(({ emptyDir }) => emptyDir && !emptyDir.sizeLimit)).toEqual([]);
  });

  it('pins each image to a version, in production to a digest, and names our images after the app', () => {
    const image = name === PRODUCTION ? /^[a-z-]+@sha256:[0-9a-f]{64}$/ : /^[a-z0-9./-]+:v?\d+\.\d[a-z0-9.-]*$/;
    expect(failing(workloads, (workload) => image.test(onlyContainer(workload).image))).toEqual([]);
    for (const deployment of deployments)
      expect(onlyContainer(deployment).image).toMatch(new RegExp(`^${deployment.metadata.name}[:@]`));
    expect(onlyContainer(named('Job', 'clarion-migrate')).image).toMatch(/^clarion-gateway[:@]/);
  });

  it('probes every container, ours on the port that they listen on', () => {
    for (const workload of workloads.filter(({ kind }) => kind !== 'Job')) {
      const { startupProbe, livenessProbe, readinessProbe } = onlyContainer(workload);
      for (const probe of [startupProbe, livenessProbe, readinessProbe])
        expect(probe?.httpGet ?? probe?.exec).toBeDefined();
    }
    for (const deployment of deployments) {
      const { startupProbe, livenessProbe, readinessProbe, ports } = onlyContainer(deployment);
      // Liveness probes must not check the database: a restart would not bring it back.
      expect([startupProbe, livenessProbe, readinessProbe].map((probe) => probe?.httpGet)).toEqual([
        { path: '/health/live', port: 'http' },
        { path: '/health/live', port: 'http' },
        { path: '/health/ready', port: 'http' },
      ]);
      const { PORT, CLARION_OBSERVE_PORT } = configOf(environmentOf(deployment));
      const isGateway = deployment.metadata.name === 'clarion-gateway';
      expect(ports).toEqual(
        isGateway
          ? [
              { name: 'http', containerPort: PORT },
              { name: 'observe', containerPort: CLARION_OBSERVE_PORT },
            ]
          : [{ name: 'http', containerPort: CLARION_OBSERVE_PORT }],
      );
    }
  });

  it('sets only known variables, with values that a process accepts', () => {
    for (const workload of ours) {
      const environment = environmentOf(workload);
      // Node reads the authorities itself.
      const authorities = name === THE_OTHERS ? ['NODE_EXTRA_CA_CERTS'] : [];
      expect(Object.keys(environment).filter((variable) => !VARIABLES.has(variable))).toEqual(authorities);
      expect(configOf(environment)).toMatchObject({ REDIS_URL: SECRETS['REDIS_URL'] });
    }
    for (const deployment of deployments) expect(environmentOf(deployment)).toMatchObject({ CLARION_QUEUE: 'redis' });
  });

  it('has a Job that no setting changes, because a Job is immutable', () => {
    expect(onlyContainer(named('Job', 'clarion-migrate')).envFrom).toBeUndefined();
  });

  it('allows a node to be drained, even of pods that wait for their database', () => {
    const budgets = ofKind('PodDisruptionBudget');
    expect(budgets).toHaveLength(APPS.length);
    for (const { spec } of budgets)
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });

  it('reads secrets from a Secret and contains none', () => {
    expect(ofKind('Secret')).toEqual([]);
    for (const workload of ours) {
      const { env = [] } = onlyContainer(workload);
      const files = env.filter((variable) => variable.name.endsWith('_FILE'));
      expect(files.map((variable) => variable.name).sort()).toEqual([
        'CLARION_ENCRYPTION_KEY_FILE',
        'DATABASE_URL_FILE',
        'REDIS_URL_FILE',
      ]);
      for (const { name: variable, value } of files)
        expect(mountedSecret(podOf(workload), value!)).toEqual({
          secretName: 'clarion',
          key: variable.replace(/_FILE$/, ''),
          isReadOnly: true,
        });
      // Readable by the group of the process and by no other user.
      const volumes = (podOf(workload).volumes ?? []).flatMap(({ secret }) => secret ?? []);
      expect(volumes.map(({ defaultMode }) => defaultMode)).toEqual([0o440]);
      expect(podOf(workload).securityContext).toMatchObject({ runAsGroup: 10001, fsGroup: 10001 });
      // Only the key of the first environment and that of the operator are variables, because they are optional.
      const variables = env.filter(({ valueFrom }) => valueFrom !== undefined);
      const optional = (key: string) => ({
        name: key,
        valueFrom: { secretKeyRef: { name: 'clarion', key, optional: true } },
      });
      const isGateway = workload.metadata.name === 'clarion-gateway';
      expect(variables).toEqual([
        ...(workload.kind === 'Job' ? [optional('CLARION_API_KEY')] : []),
        ...(isGateway ? [optional('CLARION_OPERATOR_KEY')] : []),
      ]);
    }
  });

  it('runs each role under its own account, which has no token', () => {
    for (const workload of ours) expect(podOf(workload).serviceAccountName).toBe(workload.metadata.name);
    expect(
      ofKind('ServiceAccount')
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(ours.map(({ metadata }) => metadata.name).sort());
    for (const account of ofKind('ServiceAccount')) expect(account.automountServiceAccountToken).toBe(false);
  });

  it('has a Job that Argo CD, Flux and kubectl can apply again', () => {
    const job = named('Job', 'clarion-migrate');
    const hook = name === MINIMAL ? 'Sync' : 'PreSync';
    const argo = {
      'argocd.argoproj.io/hook': hook,
      'argocd.argoproj.io/hook-delete-policy': 'BeforeHookCreation',
    };
    expect(job.metadata.annotations).toEqual({ ...argo, 'kustomize.toolkit.fluxcd.io/force': 'enabled' });
    // The key of the first environment is in its log, so it must stay for a while.
    expect(job.spec.ttlSecondsAfterFinished).toBe(24 * 60 * 60);
    // What a hook needs exists before it.
    expect(named('ServiceAccount', 'clarion-migrate').metadata.annotations).toEqual({
      ...argo,
      'argocd.argoproj.io/sync-wave': '-1',
    });
  });

  it('requires the password of the Secret for its Redis', async () => {
    for (const workload of ofKind('StatefulSet').filter(({ metadata }) => metadata.name === 'clarion-redis')) {
      const { args = [], env = [], ...container } = onlyContainer(workload);
      const { secretKeyRef } = env.find((variable) => variable.name === 'REDISCLI_AUTH')!.valueFrom!;
      expect(secretKeyRef).toEqual({ name: 'clarion-redis', key: 'password' });
      const password = SECRETS['REDIS_PASSWORD']!;
      const filled = args.map((text) => text.replace('$(REDISCLI_AUTH)', password));
      expect(filled).not.toEqual(args);
      expect(await repliesOfRedis(filled, password)).toEqual(ONLY_WITH_PASSWORD);
      for (const probe of [container.startupProbe, container.livenessProbe, container.readinessProbe])
        expect(probe!.exec!.command).toEqual(['redis-cli', 'ping']);
    }
  });

  it('masks stored credentials in responses', () => {
    const settings = environmentOf(named('Deployment', 'clarion-gateway'));
    expect(configOf(settings).CLARION_CREDENTIALS_IN_RESPONSES).toBe('masked');
  });

  it('gives a pod more time to stop than it needs to drain', () => {
    const slow = failing(deployments, (deployment) => {
      const { CLARION_DRAIN_DELAY_MS, CLARION_DRAIN_MS } = configOf(environmentOf(deployment));
      expect(CLARION_DRAIN_DELAY_MS).toBeGreaterThan(0);
      const seconds = podOf(deployment).terminationGracePeriodSeconds ?? 30;
      return seconds * 1_000 >= CLARION_DRAIN_DELAY_MS + CLARION_DRAIN_MS + MARGIN_MS;
    });
    expect(slow).toEqual([]);
  });

  it('spreads the pods of an app over zones and nodes', () => {
    for (const deployment of deployments) {
      const spread = podOf(deployment).topologySpreadConstraints ?? [];
      expect(spread.map(({ topologyKey }) => topologyKey)).toEqual([
        'topology.kubernetes.io/zone',
        'kubernetes.io/hostname',
      ]);
      for (const { labelSelector, matchLabelKeys } of spread) {
        expect(deployment.spec.template.metadata.labels).toMatchObject(labelSelector.matchLabels);
        expect(matchLabelKeys).toContain('app.kubernetes.io/name');
      }
    }
  });

  it('routes the API from outside, and not metrics and probes', () => {
    const { paths } = named('Ingress', 'clarion').spec.rules[0]!.http;
    const leads = (url: string): boolean =>
      paths.some(({ path, pathType }) => url === path || (pathType === 'Prefix' && url.startsWith(`${path}/`)));
    const served = controllerPaths().filter((path) => !['health', 'metrics'].includes(path));
    expect(served.length).toBeGreaterThan(15);
    for (const url of [...served.map((path) => `/${path}/x`), '/docs', '/openapi.json'])
      expect([url, leads(url)]).toEqual([url, true]);
    for (const url of ['/metrics', '/health/ready', '/health/live']) expect([url, leads(url)]).toEqual([url, false]);
    for (const { backend } of paths)
      expect(backend.service).toEqual({ name: 'clarion-gateway', port: { name: 'http' } });
  });

  it('allows the largest request through the ingress', () => {
    const limit = named('Ingress', 'clarion').metadata.annotations!['nginx.ingress.kubernetes.io/proxy-body-size']!;
    expect(parseInt(limit, 10) * 1024 * 1024).toBeGreaterThanOrEqual(LIMITS.eventsBodyBytes);
  });

  describe('the network policies', () => {
    const policies = ofKind('NetworkPolicy');
    const rulesFor = (app: string, way: 'egress' | 'ingress') => {
      const { labels } = named('Deployment', `clarion-${app}`).spec.template.metadata;
      return policies.filter(({ spec }) => matches(spec.podSelector, labels)).flatMap(({ spec }) => spec[way] ?? []);
    };
    const portsOf = (app: string, peer: (rule: { cidr?: string }) => boolean): unknown[] =>
      rulesFor(app, 'egress')
        .filter(({ to = [] }) => to.some(({ ipBlock }) => peer({ cidr: ipBlock?.cidr })))
        .flatMap(({ ports = [] }) => ports.map(({ port }) => port));

    it('forbids every connection that is not listed', () => {
      expect(policies).toContainEqual(
        expect.objectContaining({ spec: { podSelector: {}, policyTypes: ['Ingress', 'Egress'] } }),
      );
      // A rule without peers or ports would allow everything.
      for (const rule of policies.flatMap(({ spec }) => [...(spec.egress ?? []), ...(spec.ingress ?? [])])) {
        expect(rule.ports?.length).toBeGreaterThan(0);
        expect((rule.to ?? rule.from ?? []).length).toBeGreaterThan(0);
      }
    });

    it('allows a collector only with the traces component', () => {
      const toCollector = APPS.filter((app) =>
        rulesFor(app, 'egress').some(({ ports = [] }) => ports.some(({ port }) => port === 4318)),
      );
      expect(toCollector).toEqual(name === THE_OTHERS ? APPS : []);
      for (const deployment of deployments) {
        const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = configOf(environmentOf(deployment));
        expect(endpoint && new URL(endpoint).port).toBe(name === THE_OTHERS ? '4318' : undefined);
      }
    });

    it('allows the internet for workers, and for the gateway only with the gateway-egress component', () => {
      const reaches = APPS.filter((app) => portsOf(app, ({ cidr }) => cidr === '0.0.0.0/0').length > 0);
      const workers = APPS.filter((app) => app.startsWith('worker-'));
      expect(reaches.sort()).toEqual([...workers, ...(name === THE_OTHERS ? ['gateway'] : [])].sort());
    });

    it('denies every address that the egress guard treats as private', () => {
      const blocks = rulesFor('worker-email', 'egress')
        .flatMap(({ to = [] }) => to)
        .flatMap(({ ipBlock }) => (ipBlock && /^(0\.0\.0\.0|2000::)/.test(ipBlock.cidr) ? [ipBlock] : []));
      const except = blocks.flatMap((block) => block.except ?? []);
      const guard = read('libs/platform/src/egress/address-rules.ts');
      const listOf = (constant: string): string[] => {
        const [, entries = ''] = new RegExp(`const ${constant}[^[]*\\[([^\\]]*)\\]`).exec(guard) ?? [];
        return [...entries.matchAll(/'([^']+)'/g)].map(([, entry]) => entry!);
      };
      const ranges = [...listOf('PRIVATE_IPV4'), ...listOf('PRIVATE_IPV6')];
      expect(ranges.length).toBeGreaterThan(15);
      expect(except).toEqual(expect.arrayContaining(ranges));
      // Cloud metadata services: inside one of those ranges, or listed.
      const isExcepted = (address: string): boolean =>
        isIP(address) === 6 ? !/^[23]/.test(address) : except.some((range) => contains(range, address));
      expect(listOf('METADATA').filter((address) => !isExcepted(address))).toEqual([]);
      expect(blocks.map(({ cidr }) => cidr)).toEqual(['0.0.0.0/0', ...listOf('PUBLIC_IPV6')]);
    });

    it('allows the ports that the egress guard uses', () => {
      const guard = read('libs/platform/src/egress/address-rules.ts');
      const ports = [...guard.matchAll(/_PORTS: ReadonlySet<number> = new Set\(\[([\d, ]+)\]/g)]
        .flatMap(([, list]) => list!.split(','))
        .map(Number);
      expect(ports).toContain(443);
      expect(portsOf('worker-email', ({ cidr }) => cidr === '0.0.0.0/0')).toEqual(ports);
    });

    it('allows incoming connections only from Prometheus and the ingress controller', () => {
      const callers = (app: string): (string | undefined)[] =>
        rulesFor(app, 'ingress').flatMap(({ from = [] }) =>
          from.map(({ namespaceSelector }) => namespaceSelector?.matchLabels['kubernetes.io/metadata.name']),
        );
      const monitoring = name === PRODUCTION ? ['monitoring'] : [];
      expect(callers('gateway').sort()).toEqual(['ingress-nginx', ...monitoring].sort());
      expect(callers('engine')).toEqual(monitoring);
    });
  });

  if (name !== THE_OTHERS) {
    it('allows every pod of Clarion to reach Postgres and Redis', () => {
      const { spec } = named('NetworkPolicy', 'clarion-to-stores');
      expect(spec.podSelector.matchLabels).toEqual({ 'app.kubernetes.io/part-of': 'clarion' });
      const ports = spec.egress!.flatMap((rule) => rule.ports!.map(({ port }) => port));
      expect(ports.sort()).toEqual([5432, 6379]);
      for (const { spec: of } of ours) expect(of.template.metadata.labels).toMatchObject(spec.podSelector.matchLabels!);
    });
  }

  if (name === MINIMAL) {
    it('has one pod of each app, a Postgres, and a Redis that does not evict', () => {
      expect(failing(deployments, ({ spec }) => spec.replicas === 1)).toEqual([]);
      expect(ofKind('StatefulSet').map(({ metadata }) => metadata.name)).toEqual(['clarion-postgres', 'clarion-redis']);
      const redis = onlyContainer(named('StatefulSet', 'clarion-redis')).args!.join(' ');
      expect(redis).toContain('--appendonly yes');
      expect(redis).toContain('--maxmemory-policy noeviction');
    });
  }

  if (name === PRODUCTION) {
    it('scales each channel by its lag and depth, and leaves the number of pods to KEDA', () => {
      for (const channel of CHANNELS) {
        const app = `clarion-worker-${channel.replace('_', '-')}`;
        const { scaleTargetRef, triggers, minReplicaCount } = named('ScaledObject', app).spec;
        expect(scaleTargetRef.name).toBe(app);
        expect(minReplicaCount).toBe(2);
        expect(triggers.map(({ metadata }) => metadata['query'])).toEqual([
          `max(clarion_oldest_due_age_seconds{channel="${channel}",cause="runnable"})`,
          `max(clarion_due_steps{channel="${channel}",cause="runnable"})`,
        ]);
      }
      expect(
        ofKind('ScaledObject')
          .map(({ spec }) => spec.scaleTargetRef.name)
          .sort(),
      ).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
      expect(failing(deployments, ({ spec }) => spec.replicas === undefined)).toEqual([]);
    });

    it('removes no pod while Prometheus does not answer, and raises small Deployments', () => {
      const byLag = ofKind('ScaledObject').filter(({ spec }) =>
        spec.triggers.some(({ type }) => type === 'prometheus'),
      );
      expect(byLag).toHaveLength(APPS.length - 1);
      for (const { spec } of byLag) {
        expect(spec.fallback).toEqual({ failureThreshold: 3, replicas: 6, behavior: 'currentReplicasIfHigher' });
        // Both a missing answer and an answer without a value count.
        expect(spec.triggers.map(({ metadata }) => metadata['ignoreNullValues'])).toEqual(['false', 'false']);
      }
    });

    it('lets Prometheus scrape every app, under the job names of k8s/observe/prometheus.yml', () => {
      const { selector, endpoints } = named('ServiceMonitor', 'clarion').spec;
      const scraped = ofKind('Service').filter(({ metadata }) => matches(selector, metadata.labels ?? {}));
      const { scrape_configs: jobs } = readYaml<{
        scrape_configs: { job_name: string; dns_sd_configs: { port: number }[] }[];
      }>('k8s/observe/prometheus.yml');
      expect(scraped.map(({ metadata }) => metadata.name).sort()).toEqual(jobs.map((job) => job.job_name).sort());
      for (const { job_name: job, dns_sd_configs: targets } of jobs)
        expect(onlyContainer(named('Deployment', job)).ports?.at(-1)?.containerPort).toBe(targets[0]!.port);
      const [{ dns_sd_configs: targets }] = jobs as [(typeof jobs)[number]];
      expect(endpoints).toEqual([expect.objectContaining({ targetPort: targets[0]!.port, path: '/metrics' })]);
      const { ingress } = named('NetworkPolicy', 'clarion-prometheus-to-apps').spec;
      expect(ingress?.flatMap(({ ports = [] }) => ports)).toEqual([{ protocol: 'TCP', port: targets[0]!.port }]);
    });

    it('has the rules of k8s/observe/rules (`node tools/prometheus-rules.mjs` writes them)', () => {
      const { groups } = readYaml<{ groups: unknown[] }>('k8s/observe/rules/clarion.yml');
      expect(named('PrometheusRule', 'clarion').spec.groups).toEqual(groups);
    });
  }

  if (name === THE_OTHERS) {
    it('lets every process trust a private authority for the stores', () => {
      for (const workload of ours) {
        const { env = [], volumeMounts = [] } = onlyContainer(workload);
        const { value = '' } = env.find((variable) => variable.name === 'NODE_EXTRA_CA_CERTS')!;
        const mount = volumeMounts.find(({ mountPath }) => value === `${mountPath}/ca.crt`)!;
        const volume = podOf(workload).volumes!.find((one) => one.name === mount.name)!;
        expect(volume.configMap).toEqual({ name: 'clarion-authorities' });
      }
    });

    it('scales every app by its processor usage', () => {
      expect(
        ofKind('HorizontalPodAutoscaler')
          .map(({ spec }) => spec.scaleTargetRef.name)
          .sort(),
      ).toEqual(deployments.map(({ metadata }) => metadata.name).sort());
      expect(ofKind('ScaledObject')).toEqual([]);
    });
  }
}

/** The Secret and its key that a file of the pod shows. */
function mountedSecret(
  pod: PodSpec,
  path: string,
): { secretName: string; key: string; isReadOnly: boolean } | undefined {
  const mount = pod.containers[0]!.volumeMounts!.find(({ mountPath }) => path.startsWith(`${mountPath}/`))!;
  const { secret } = pod.volumes!.find(({ name }) => name === mount.name)!;
  const item = secret!.items.find((one) => `${mount.mountPath}/${one.path}` === path);
  return item && { secretName: secret!.secretName, key: item.key, isReadOnly: mount.readOnly === true };
}

type Selector = Manifest['spec']['podSelector'];

/** The route prefixes of the gateway's controllers; controllers without a path serve the documentation. */
function controllerPaths(): string[] {
  const folder = 'apps/gateway/src';
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.controller.ts'))
    .flatMap((path) => [...read(join(folder, path)).matchAll(/@Controller\('([^']+)'\)/g)])
    .map(([, path]) => path!);
}

function matches(selector: Selector, labels: Record<string, string>): boolean {
  return (
    Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value) &&
    (selector.matchExpressions ?? []).every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** Whether an IPv4 range contains an address. */
function contains(range: string, address: string): boolean {
  const [base = '', bits = '32'] = range.split('/');
  if (isIP(base) !== 4) return false;
  const number = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(bits));
  return Math.floor(number(base) / size) === Math.floor(number(address) / size);
}
