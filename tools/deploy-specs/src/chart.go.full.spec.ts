import { CHART, chartObjects, renderChart, type Values, valueFaults } from './chart';
import { comparable, kubectlFault, type Manifest, render, renderTogether, schemaFaults } from './manifests';
import { APPS, readYaml } from './repository';

const fault = kubectlFault();
const DIGEST = `sha256:${'0'.repeat(64)}`;
const minimal = (): Values => readYaml<Values>(`${CHART}/values-minimal.yaml`);
const byDigest: Values = { roles: Object.fromEntries(APPS.map((app) => [app, { digest: DIGEST }])) };
const otherValues: Values = {
  settings: { CLARION_PUBLIC_URL: '' },
  ingress: { className: '', tlsSecret: '' },
  scaling: { kind: 'hpa' },
  monitoring: { enabled: false },
  networkPolicies: { gatewayEgress: true },
  traces: { endpoint: 'http://otel-collector.monitoring.svc:4318' },
  authorities: 'clarion-authorities',
};
const others = ['hpa', 'gateway-egress', 'traces', 'authorities'].map((name) => `k8s/components/${name}`);

/** Each pair describes the same installation. */
const PAIRS: [name: string, values: () => Values, kustomize: () => Manifest[]][] = [
  ['overlays/production', () => byDigest, () => render('k8s/overlays/production')],
  ['overlays/minimal', minimal, () => render('k8s/overlays/minimal')],
  [
    'the base with the other components',
    () => otherValues,
    () => renderTogether(['k8s/base', 'k8s/overlays/production/stores.yaml'], others),
  ],
];

/**
 * Without what differs on purpose: Helm creates no namespace, replaces pods by an annotation when a setting changes,
 * and has its own kind of hook for the migration.
 */
function common(objects: Manifest[]): Record<string, unknown> {
  const kept = structuredClone(objects).filter(({ kind }) => kind !== 'Namespace');
  for (const { kind, metadata, spec } of kept) {
    if (metadata.name.startsWith('clarion-migrate')) {
      metadata.name = 'clarion-migrate';
      delete metadata.annotations;
    }
    if (kind === 'Deployment') delete spec.template.metadata.annotations;
  }
  return comparable(kept);
}

describe('k8s/helm/clarion', () => {
  if (fault) console.warn(`Helm: ${fault}. The chart was not compared with the overlays.`);
  else
    it.each(PAIRS)('makes the objects of %s', (_name, values, kustomize) => {
      expect(common(chartObjects(renderChart(values())))).toEqual(common(kustomize()));
    });

  it('matches the schemas of Kubernetes with every switch on', () => {
    const toleration = { key: 'spot', operator: 'Exists' };
    const everything: Values = {
      ...otherValues,
      image: { registry: 'registry.example.com/clarion', tag: '9.9.9', pullSecrets: [{ name: 'registry' }] },
      secretName: 'my-secret',
      extraEnv: [{ name: 'NODE_OPTIONS', value: '--max-old-space-size=384' }],
      roles: { engine: { digest: DIGEST, extraEnv: [{ name: 'A', value: 'b' }], tolerations: [toleration] } },
      monitoring: {
        enabled: true,
        labels: { release: 'kube-prometheus-stack' },
        runbookUrl: 'https://wiki.example.com/clarion/runbook',
      },
    };
    expect(valueFaults(everything)).toEqual([]);
    const objects = chartObjects(renderChart(everything));
    expect(schemaFaults(objects)).toEqual([]);
    const podOf = (name: string) => objects.find(({ metadata }) => metadata.name === name)!.spec.template.spec;
    expect(podOf('clarion-gateway').containers[0]!.image).toBe('registry.example.com/clarion/clarion-gateway:9.9.9');
    const engine = podOf('clarion-engine');
    expect(engine).toMatchObject({ tolerations: [toleration], imagePullSecrets: [{ name: 'registry' }] });
    expect(engine.containers[0]!.image).toBe(`registry.example.com/clarion/clarion-engine@${DIGEST}`);
    expect(engine.containers[0]!.env!.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['NODE_EXTRA_CA_CERTS', 'NODE_OPTIONS', 'A']),
    );
    expect(JSON.stringify(engine.volumes)).toContain('"secretName":"my-secret"');
    const monitors = objects.filter(({ kind }) => ['ServiceMonitor', 'PrometheusRule'].includes(kind));
    expect(monitors.map(({ metadata }) => metadata.labels)).toEqual(
      Array(2).fill({ release: 'kube-prometheus-stack' }),
    );
    const links = [...JSON.stringify(monitors).matchAll(/"runbook_url":"(.*?)#/g)].map(([, url]) => url);
    expect(new Set(links)).toEqual(new Set(['https://wiki.example.com/clarion/runbook']));
  });

  it('migrates in a hook before everything else, or in a Job of each revision', () => {
    const named = (values: Values, kind: string): Manifest =>
      chartObjects(renderChart(values)).find(
        (object) => object.kind === kind && object.metadata.name.startsWith('clarion-migrate'),
      )!;
    const hook = {
      'helm.sh/hook': 'pre-install,pre-upgrade,pre-rollback',
      'helm.sh/hook-delete-policy': 'before-hook-creation',
    };
    expect(named({}, 'Job').metadata).toMatchObject({
      name: 'clarion-migrate',
      annotations: { ...hook, 'helm.sh/hook-weight': '0' },
    });
    expect(named({}, 'ServiceAccount').metadata.annotations).toEqual({ ...hook, 'helm.sh/hook-weight': '-1' });
    expect(named(minimal(), 'Job').metadata).toMatchObject({ name: 'clarion-migrate-1' });
    expect(named(minimal(), 'Job').metadata.annotations).toBeUndefined();
  });

  it('replaces the pods when a setting changes', () => {
    const checksum = (values: Values): string =>
      chartObjects(renderChart(values)).find(({ kind }) => kind === 'Deployment')!.spec.template.metadata.annotations![
        'checksum/settings'
      ]!;
    expect(checksum({})).not.toBe(checksum({ settings: { LOG_LEVEL: 'debug' } }));
  });

  it('tells where the first key is', () => {
    expect(renderChart(minimal())['NOTES.txt']).toContain('kubectl -n clarion logs job/clarion-migrate-1');
  });
});
