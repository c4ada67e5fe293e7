/**
 * Renders a kustomization without kubectl, limited to the fields that ours use: resources, components, patches
 * (strategic merge and JSON patch), configMapGenerator, labels, images and namespace. An unknown field is an error. A
 * spec compares the result with kubectl where there is one.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Fields = { [key: string]: Json };
type Target = { kind?: string; name?: string; labelSelector?: string };
type Kustomization = {
  apiVersion?: string;
  kind?: string;
  namespace?: string;
  resources?: string[];
  components?: string[];
  configMapGenerator?: { name: string; behavior?: 'merge'; literals: string[] }[];
  patches?: { path?: string; patch?: string; target?: Target }[];
  labels?: { pairs: Record<string, string> }[];
  images?: { name: string; newName?: string; newTag?: string; digest?: string }[];
};
export type KubernetesObject = Fields & {
  kind: string;
  metadata: Fields & { name: string; labels?: Record<string, string> };
};

const KNOWN = new Set([
  ...['apiVersion', 'kind', 'namespace', 'resources', 'components'],
  ...['configMapGenerator', 'patches', 'labels', 'images'],
]);

/** The objects of the folder; the name of a generated ConfigMap ends in a hash of its contents. */
export function renderKustomization(folder: string): KubernetesObject[] {
  const objects = accumulate(folder, []);
  for (const map of objects.filter(isGenerated)) {
    const hash = createHash('sha256').update(JSON.stringify(map['data'])).digest('hex').slice(0, 10);
    const plain = map.metadata.name;
    for (const object of objects) renameReferences(object, plain, `${plain}-${hash}`);
    map.metadata.name = `${plain}-${hash}`;
    delete map[GENERATED];
  }
  return objects;
}

/** Marks a ConfigMap until its name is complete. */
const GENERATED = ' generated';
const isGenerated = (object: Fields): boolean => object[GENERATED] === true;

function accumulate(folder: string, before: KubernetesObject[]): KubernetesObject[] {
  const own = parse(readFileSync(join(folder, 'kustomization.yaml'), 'utf8')) as Kustomization;
  const unknown = Object.keys(own).filter((field) => !KNOWN.has(field));
  if (unknown.length > 0) throw new Error(`${folder} uses ${unknown.join(', ')}, which kustomize.ts does not know`);
  let objects = [...before, ...(own.resources ?? []).flatMap((path) => readResource(join(folder, path)))];
  for (const path of own.components ?? []) objects = accumulate(join(folder, path), objects);
  for (const generator of own.configMapGenerator ?? []) generate(objects, generator);
  for (const { path, patch, target } of own.patches ?? []) {
    const text = path ? readFileSync(join(folder, path), 'utf8') : patch!;
    applyPatch(objects, parse(text) as Fields | Operation[], target);
  }
  for (const object of objects) {
    if (own.namespace && object.kind !== 'Namespace') object.metadata['namespace'] = own.namespace;
    for (const { pairs } of own.labels ?? []) object.metadata.labels = { ...object.metadata.labels, ...pairs };
    for (const image of own.images ?? []) setImage(object, image);
  }
  return objects;
}

function readResource(path: string): KubernetesObject[] {
  if (!existsSync(path)) throw new Error(`there is no ${path}`);
  if (statSync(path).isDirectory()) return accumulate(path, []);
  return parseAllDocuments(readFileSync(path, 'utf8')).map((document) => document.toJS() as KubernetesObject);
}

function generate(
  objects: KubernetesObject[],
  { name, behavior, literals }: NonNullable<Kustomization['configMapGenerator']>[number],
): void {
  const data = Object.fromEntries(
    literals.map((text) => [text.slice(0, text.indexOf('=')), text.slice(text.indexOf('=') + 1)]),
  );
  const existing = objects.find((object) => isGenerated(object) && object.metadata.name === name);
  if (behavior === 'merge') {
    if (!existing) throw new Error(`there is no ConfigMap ${name} to merge with`);
    Object.assign(existing['data'] as Fields, data);
  } else objects.push({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data, [GENERATED]: true });
}

function applyPatch(objects: KubernetesObject[], patch: Fields | Operation[], target?: Target): void {
  const { kind, metadata } = patch as unknown as KubernetesObject;
  const wanted: Target = target ?? { kind, name: metadata.name };
  const found = objects.filter((object) => isTarget(object, wanted));
  if (found.length === 0) throw new Error(`no object is ${JSON.stringify(wanted)}`);
  for (const object of found) {
    if (Array.isArray(patch)) for (const operation of patch) operate(object, operation);
    else {
      const { apiVersion: _version, kind: _kind, metadata: _metadata, ...rest } = patch;
      const changed = mergeFields(object, rest, CUSTOM_KINDS.has(object.kind));
      for (const key of Object.keys(object)) delete object[key];
      Object.assign(object, changed);
    }
  }
}

/** Kubernetes does not know the lists of these kinds, so a patch replaces a list. */
const CUSTOM_KINDS = new Set(['ScaledObject', 'ServiceMonitor', 'PrometheusRule']);

function isTarget({ kind, metadata }: KubernetesObject, wanted: Target): boolean {
  const fits = (pattern: string | undefined, text: string): boolean =>
    pattern === undefined || new RegExp(`^(?:${pattern})$`).test(text);
  const [label, value] = wanted.labelSelector?.split('=') ?? [];
  return (
    fits(wanted.kind, kind) &&
    fits(wanted.name, metadata.name) &&
    (label === undefined || metadata.labels?.[label] === value)
  );
}

/** The key by which Kubernetes merges the items of a list; lists without one are replaced. */
const MERGE_KEYS: Record<string, string> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
  topologySpreadConstraints: 'topologyKey',
};

const isFields = (value: Json | undefined): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function mergeFields(base: Fields, patch: Fields, isCustom: boolean): Fields {
  const merged: Fields = { ...base };
  for (const [key, value] of Object.entries(patch)) {
    const old = merged[key];
    const mergeKey = MERGE_KEYS[key];
    if (value === null) delete merged[key];
    else if (isFields(value) && isFields(old)) merged[key] = mergeFields(old, value, isCustom);
    else if (Array.isArray(value) && Array.isArray(old) && mergeKey && !isCustom)
      merged[key] = mergeLists(old as Fields[], value as Fields[], mergeKey);
    else merged[key] = structuredClone(value);
  }
  return merged;
}

function mergeLists(base: Fields[], patch: Fields[], key: string): Fields[] {
  const changed = base.map((item) => {
    const change = patch.find((one) => isDeepStrictEqual(one[key], item[key]));
    return change ? mergeFields(item, change, false) : item;
  });
  const added = patch.filter((one) => !base.some((item) => isDeepStrictEqual(one[key], item[key])));
  return [...structuredClone(added), ...changed];
}

type Operation = { op: string; path: string; value: Json };

function operate(object: KubernetesObject, { op, path, value }: Operation): void {
  const keys = path
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop()!;
  const parent = keys.reduce<Json | undefined>((at, key) => (at as Fields | undefined)?.[key], object);
  const exists = Array.isArray(parent) ? last === '-' || Number(last) < parent.length : isFields(parent);
  const isThere = exists && (op === 'add' || (parent as Fields)[last] !== undefined);
  if (!isThere || !['add', 'replace'].includes(op)) throw new Error(`cannot ${op} ${path} of ${object.metadata.name}`);
  if (!Array.isArray(parent)) (parent as Fields)[last] = structuredClone(value);
  else if (last === '-') parent.push(structuredClone(value));
  else parent.splice(Number(last), op === 'replace' ? 1 : 0, structuredClone(value));
}

function setImage(
  object: KubernetesObject,
  { name, newName, newTag, digest }: NonNullable<Kustomization['images']>[number],
): void {
  for (const container of containersOf(object)) {
    const [, current, rest = ''] = /^(.*?)((?:@sha256:|:[^/:]+$).*)?$/.exec(container['image'] as string)!;
    if (current !== name) continue;
    const version = newTag ? `:${newTag}` : digest ? `@${digest}` : rest;
    container['image'] = `${newName ?? name}${version}`;
  }
}

function containersOf({ spec }: KubernetesObject): Fields[] {
  const template = isFields(spec) ? spec['template'] : undefined;
  const pod = isFields(template) ? template['spec'] : undefined;
  return isFields(pod) ? (pod['containers'] as Fields[]) : [];
}

function renameReferences(object: KubernetesObject, from: string, to: string): void {
  for (const container of containersOf(object))
    for (const source of (container['envFrom'] ?? []) as { configMapRef?: { name: string } }[])
      if (source.configMapRef?.name === from) source.configMapRef.name = to;
}
