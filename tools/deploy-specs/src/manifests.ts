/** Renders the manifests, and validates them against the published schema of each kind. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { parseAllDocuments, stringify } from 'yaml';
import { read, ROOT } from './repository';

export type Labels = Record<string, string>;
export type Container = {
  name: string;
  image: string;
  command?: string[];
  args?: string[];
  imagePullPolicy?: string;
  env?: { name: string; value?: string; valueFrom?: { secretKeyRef?: { name: string; key: string } } }[];
  envFrom?: { configMapRef?: { name: string } }[];
  ports?: { name: string; containerPort: number }[];
  resources?: { requests?: Labels; limits?: Labels };
  securityContext?: Record<string, unknown>;
  volumeMounts?: { name: string; mountPath: string; readOnly?: boolean }[];
} & Partial<Record<'startupProbe' | 'livenessProbe' | 'readinessProbe', Probe>>;
export type Probe = { httpGet?: { path: string; port: string | number }; exec?: { command: string[] } };
export type PodSpec = {
  containers: Container[];
  automountServiceAccountToken?: boolean;
  enableServiceLinks?: boolean;
  securityContext?: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  serviceAccountName?: string;
  volumes?: {
    name: string;
    emptyDir?: { sizeLimit?: string };
    configMap?: { name: string };
    secret?: { secretName: string; defaultMode: number; items: { key: string; path: string }[] };
  }[];
  topologySpreadConstraints?: {
    topologyKey: string;
    labelSelector: { matchLabels: Labels };
    matchLabelKeys: string[];
  }[];
};
export type Peer = {
  ipBlock?: { cidr: string; except?: string[] };
  podSelector?: { matchLabels?: Labels };
  namespaceSelector?: { matchLabels: Labels };
};
export type Rule = { to?: Peer[]; from?: Peer[]; ports?: { port: number | string; protocol: string }[] };
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Labels; annotations?: Labels };
  data?: Record<string, string>;
  automountServiceAccountToken?: boolean;
  spec: {
    replicas?: number;
    ttlSecondsAfterFinished?: number;
    clusterIP?: string;
    selector: Labels & {
      matchLabels?: Labels;
      matchExpressions?: { key: string; operator: string; values: string[] }[];
    };
    template: { metadata: { labels: Labels; annotations?: Labels }; spec: PodSpec };
    ports: { name: string; port: number; targetPort: string }[];
    maxUnavailable?: number;
    unhealthyPodEvictionPolicy?: string;
    scaleTargetRef: { name: string };
    minReplicaCount?: number;
    fallback?: { failureThreshold: number; replicas: number; behavior?: string };
    triggers: { type: string; metadata: Record<string, string> }[];
    endpoints: { port: string; path: string }[];
    groups: unknown[];
    podSelector: { matchLabels?: Labels; matchExpressions?: { key: string; operator: string; values: string[] }[] };
    policyTypes: string[];
    egress?: Rule[];
    ingress?: Rule[];
    rules: {
      http: {
        paths: { path: string; pathType: string; backend: { service: { name: string; port: { name: string } } } }[];
      };
    }[];
  };
};

/** The minimum version of the cluster, and thus of the client. */
const OLDEST_MINOR = 27;

/** Undefined when kubectl can render these manifests, otherwise the reason. */
export function kubectlFault(): string | undefined {
  const { status, stdout } = spawnSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  if (status !== 0) return 'there is no kubectl on PATH';
  const { clientVersion } = JSON.parse(stdout) as { clientVersion: { minor: string; gitVersion: string } };
  return parseInt(clientVersion.minor, 10) >= OLDEST_MINOR
    ? undefined
    : `kubectl is ${clientVersion.gitVersion}; these manifests take 1.${OLDEST_MINOR} or later`;
}

export const parseManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).flatMap((document) => (document.contents ? [document.toJS() as Manifest] : []));

export const renderFolder = (folder: string): Manifest[] =>
  parseManifests(
    execFileSync('kubectl', ['kustomize', '--load-restrictor', 'LoadRestrictionsNone', folder], { encoding: 'utf8' }),
  );

export const render = (path: string): Manifest[] => renderFolder(join(ROOT, path));

/** Renders a combination of components that an operator might choose. */
export function renderTogether(resources: string[], components: string[]): Manifest[] {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'clarion-kustomize-')));
  const from = (path: string): string => relative(folder, join(ROOT, path));
  try {
    const kustomization = { namespace: 'clarion', resources: resources.map(from), components: components.map(from) };
    writeFileSync(join(folder, 'kustomization.yaml'), stringify(kustomization));
    return renderFolder(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The objects as written in the files, without the patches of kustomization.yaml. */
export function writtenObjects(): Manifest[] {
  const files = readdirSync(join(ROOT, 'k8s'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.yaml') && !/(kustomization|every-[a-z-]+)\.yaml$/.test(path))
    .filter((path) => !/^(helm|observe)\b/.test(path) && path !== join('overlays', 'production', 'ingress.yaml'));
  return files.flatMap((path) => parseManifests(read(join('k8s', path))));
}

const PACKAGES: [prefix: string, name: string][] = [
  ['keda.sh/', '@kubernetes-models/keda'],
  ['monitoring.coreos.com/', '@kubernetes-models/prometheus-operator'],
];

function moduleOf({ apiVersion, kind }: Manifest): string {
  const [, name] = PACKAGES.find(([prefix]) => apiVersion.startsWith(prefix)) ?? ['', 'kubernetes-models'];
  return `${name}/${apiVersion}/${kind}`;
}

type Model = new (data: Manifest) => { validate(): void };

const nameOf = ({ kind, metadata }: Manifest): string => `${kind} ${metadata.name}`;

/**
 * The schemas detect missing fields and wrong values but ignore unknown fields; the cluster would ignore a misspelt one
 * too. The TypeScript types made from the same schemas detect those, so the compiler checks the objects as well.
 */
export function schemaFaults(objects: Manifest[]): string[] {
  return [...objects.flatMap(valueFaults), ...fieldFaults(objects)];
}

function valueFaults(object: Manifest): string[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- the module depends on the object
  const models = require(moduleOf(object)) as Record<string, Model>;
  try {
    new models[object.kind]!(object).validate();
    return [];
  } catch (error) {
    return [`${nameOf(object)}: ${(error as Error).message}`];
  }
}

/** KEDA has this field since 2.17; the published types are older. A policy spec checks its value. */
const withoutYoungFields = (object: Manifest): Manifest => {
  if (object.kind !== 'ScaledObject' || !object.spec.fallback) return object;
  const { behavior: _since217, ...fallback } = object.spec.fallback;
  return { ...object, spec: { ...object.spec, fallback } };
};

/** Files of the types; reading them takes longer than checking the objects. */
const PARSED = new Map<string, ts.SourceFile>();

function fieldFaults(objects: Manifest[]): string[] {
  const lines = objects.map((object, at) => {
    const text = JSON.stringify(withoutYoungFields(object)).replaceAll('\u2028', ' ');
    return `export const o${at}: import('${moduleOf(object)}').I${object.kind} = ${text};`;
  });
  const file = join(__dirname, 'objects.generated.ts');
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ES2023,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => path === file || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    if (path === file) return ts.createSourceFile(path, lines.join('\n'), rest[0]);
    const parsed = PARSED.get(path) ?? getSourceFile(path, ...rest);
    if (parsed) PARSED.set(path, parsed);
    return parsed;
  };
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: source, start }) => {
    const line = source && start !== undefined ? source.getLineAndCharacterOfPosition(start).line : undefined;
    const object = line === undefined ? undefined : objects[line];
    return `${object ? nameOf(object) : 'the compiler'}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}

/**
 * The objects in a form that does not depend on the order of objects and of lists by name, nor on the hash in the name
 * of the generated ConfigMap.
 */
export function comparable(objects: Manifest[]): Record<string, unknown> {
  const settings = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name.startsWith(SETTINGS));
  const text = JSON.stringify(objects).replaceAll(settings?.metadata.name ?? SETTINGS, SETTINGS);
  return Object.fromEntries(
    (JSON.parse(text, sortNamedLists) as Manifest[]).map((object) => [nameOf(object), object]).sort(),
  );
}

const SETTINGS = 'clarion-settings';
const NAMED_LISTS = new Set(['env', 'volumes', 'volumeMounts']);

const sortNamedLists = (key: string, value: unknown): unknown =>
  NAMED_LISTS.has(key) && Array.isArray(value)
    ? (value as { name: string }[]).sort((one, other) => one.name.localeCompare(other.name))
    : value;
