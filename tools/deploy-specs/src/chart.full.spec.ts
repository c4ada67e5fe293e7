import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import Ajv from 'ajv';
import {
  CHART,
  chartData,
  chartObjects,
  chartValues,
  helmFunctions,
  renderChart,
  templateFiles,
  type Values,
} from './chart';
import { Templates } from './go-template';
import { comparable, kubectlFault, type Manifest, render, renderTogether, schemaFaults } from './manifests';
import { APPS, configOf, read, readYaml, ROOT, SECRETS } from './repository';

const fault = kubectlFault();
const SHA256_OF_A = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';
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

  it('has settings that a process accepts', () => {
    const settings = chartValues()['settings'] as Record<string, string>;
    expect(configOf({ ...SECRETS, ...settings }).CLARION_CREDENTIALS_IN_RESPONSES).toBe('masked');
  });

  it('has the version of package.json', () => {
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(readYaml(`${CHART}/Chart.yaml`)).toMatchObject({ version, appVersion: version });
  });

  it('tells where the first key is', () => {
    expect(renderChart(minimal())['NOTES.txt']).toContain('kubectl -n clarion logs job/clarion-migrate-1');
  });
});

const validate = new Ajv({ allErrors: true }).compile(JSON.parse(read(`${CHART}/values.schema.json`)) as object);

function valueFaults(over: Values): string[] {
  validate(chartValues(over));
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('values.schema.json', () => {
  it('accepts the values of the chart', () => {
    expect(valueFaults({})).toEqual([]);
    expect(valueFaults(minimal())).toEqual([]);
  });

  it.each<[what: string, over: Values, fault: RegExp]>([
    ['a misspelt name', { imagee: {} }, /additional properties/],
    ['a misspelt name of a role', { roles: { gateway: { replica: 2 } } }, /\/roles\/gateway .*additional properties/],
    ['a number as a setting', { settings: { CLARION_DATABASE_POOL: 10 } }, /CLARION_DATABASE_POOL must be string/],
    ['a secret as a setting', { settings: { DATABASE_URL: 'postgres://x' } }, /\/settings property name must be valid/],
    ['a digest that is none', { roles: { engine: { digest: 'latest' } } }, /\/roles\/engine\/digest/],
    ['an unknown way to scale', { scaling: { kind: 'vpa' } }, /\/scaling\/kind/],
    ['a hook that waits for a Postgres after it', { stores: { enabled: true } }, /must NOT be valid/],
  ])('rejects %s', (_what, over, fault) => {
    expect(valueFaults(over).join('\n')).toMatch(fault);
  });
});

describe('the renderer of templates', () => {
  const DATA = { Values: { a: { b: 'x' }, list: ['p', 'q'], map: { z: 1, y: 2 }, none: '', zero: 0 }, Name: 'n' };
  const CASES: [template: string, output: string][] = [
    ['a {{ .Values.a.b }} c', 'a x c'],
    ['a  {{- .Name -}}  b', 'anb'],
    ['a {{- /* why "not" }} */ -}} b', 'ab'],
    ['{{ if .Values.none }}1{{ else if .Values.zero }}2{{ else }}3{{ end }}', '3'],
    ['{{ if and .Name (not .Values.none) (or .Values.zero .Values.list) }}yes{{ end }}', 'yes'],
    ['{{ range .Values.list }}[{{ . }}{{ $.Name }}]{{ end }}', '[pn][qn]'],
    ['{{ range $key, $value := .Values.map }}{{ $key }}={{ $value }};{{ end }}', 'y=2;z=1;'],
    ['{{ range $item := list 1 2 }}{{ $item }}{{ end }}', '12'],
    ['{{ range (list) }}{{ else }}empty{{ end }}', 'empty'],
    ['{{ with .Values.a }}{{ .b }}{{ end }}{{ with .Values.none }}{{ . }}{{ else }}-{{ end }}', 'x-'],
    ['{{ $x := "1" }}{{ if true }}{{ $x := "2" }}{{ $x }}{{ end }}{{ $x }}', '21'],
    ['{{ define "t" }}<{{ .k }}>{{ end }}{{ include "t" (dict "k" .Name) | nindent 2 }}', '\n  <n>'],
    ['{{ printf "%s-%s" .Name `"r"` | quote }}', '"n-\\"r\\""'],
    ['{{ .Values.none | default "d" }}{{ default 5 .Values.zero }}', 'd5'],
    ['{{ eq .Name "m" "n" }}{{ ne .Name "n" }}{{ hasKey .Values "a" }}', 'truefalsetrue'],
    ['{{ trimPrefix "worker-" "worker-in-app" | replace "-" "_" }}{{ hasPrefix "a" "ab" }}', 'in_apptrue'],
    ['{{ (index .Values.map "z") }}{{ sha256sum "a" | printf "%s" | quote }}', `1"${SHA256_OF_A}"`],
    ['{{ required "none" .Name }}', 'n'],
  ];
  const renderText = (template: string, data: unknown = DATA): string => {
    const templates: Templates = new Templates(helmFunctions((name, of) => templates.include(name, of)));
    return templates.render(templates.parse(template), data);
  };

  it.each(CASES)('renders %s', (template, output) => {
    expect(renderText(template)).toBe(output);
  });

  it.each([
    ['{{ if .Name }}', /not closed/],
    ['{{ end }}', /closes nothing/],
    ['{{ unknown .Name }}', /no function "unknown"/],
    ['{{ include "unknown" . }}', /no template "unknown"/],
    ['{{ .Values.missing.b }}', /nothing before \.b/],
    ['{{ .Values.missing }}', /not set is printed/],
    ['{{ $x }}', /no variable \$x/],
    ['{{ (.Name }}', /not complete/],
    ['{{ required "give a name" .Values.none }}', /give a name/],
  ])('rejects %s', (template, fault) => {
    expect(() => renderText(template)).toThrow(fault);
  });

  it('renders as Go and sprig do, or says that they are missing', () => {
    // `required` is a function of Helm.
    const cases = CASES.filter(([template]) => !template.includes('required'));
    const templates = Object.fromEntries(cases.map(([template], at) => [`case ${at}`, template]));
    const files = Object.fromEntries(templateFiles().map((file) => [file, read(`${CHART}/templates/${file}`)]));
    const rules = { 'files/rules.yaml': read(`${CHART}/files/rules.yaml`) };
    const charts = PAIRS.map(([, values]) => ({ Templates: files, Files: rules, Data: chartData(values()) }));
    const { status, stdout, stderr } = spawnSync('go', ['run', join(ROOT, 'tools/deploy-specs/go/render.go')], {
      env: { ...process.env, GO111MODULE: 'off', GOPATH: '/usr/share/gocode', GOFLAGS: '' },
      input: JSON.stringify([{ Templates: templates, Files: {}, Data: DATA }, ...charts]),
      encoding: 'utf8',
    });
    if (status === null || /cannot find package/.test(stderr))
      return console.warn('Helm: there is no Go with sprig. The chart was rendered by go-template.ts only.');
    expect(stderr).toBe('');

    const [texts, ...rendered] = JSON.parse(stdout) as Record<string, string>[];
    expect(texts).toEqual(Object.fromEntries(cases.map(([, output], at) => [`case ${at}`, output])));
    for (const [at, [, values]] of PAIRS.entries()) {
      const ours = renderChart(values());
      expect(comparable(chartObjects(rendered[at]!))).toEqual(comparable(chartObjects(ours)));
      expect(rendered[at]!['NOTES.txt']).toBe(ours['NOTES.txt']);
    }
  });
});
