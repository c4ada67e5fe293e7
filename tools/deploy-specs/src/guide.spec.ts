import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { kubectlFault, type Manifest, renderFolder, writtenObjects } from './manifests';
import { APPS, read, ROOT } from './repository';

const FILE = 'docs/kubernetes.md';
const text = read(FILE);
const fault = kubectlFault();
const blocks = (language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].map(([, block]) => block!);
const objects = writtenObjects();
const has = (kind: string, name: string): boolean =>
  objects.some(({ kind: one, metadata }) => one === kind && metadata.name === name);

describe(FILE, () => {
  const shell = blocks('sh').join('\n');
  const KINDS: Record<string, string> = {
    deploy: 'Deployment',
    job: 'Job',
    svc: 'Service',
    scaledobject: 'ScaledObject',
  };

  it('names only objects that the manifests contain', () => {
    const names = [...shell.matchAll(/\b(deploy|job|svc|scaledobject)[/ ](clarion-[\w-]*\$?\w*)/g)];
    expect(new Set(names.map(([, kind]) => kind))).toEqual(new Set(Object.keys(KINDS)));
    for (const [, kind, name] of names) {
      const meant = name!.includes('$') ? APPS.map((app) => name!.replace('$app', app)) : [name!];
      for (const one of meant) expect([kind, one, has(KINDS[kind!]!, one)]).toEqual([kind, one, true]);
    }
    const pods = [...shell.matchAll(/\b(clarion-\w+)-0\b/g)].map(([, name]) => name!);
    expect(pods.filter((name) => !has('StatefulSet', name))).toEqual([]);
  });

  it('selects by labels that the manifests contain, and migrates with the Job only', () => {
    const selectors = [...shell.matchAll(/^.* -l ([\w./-]+)=([\w-]+)/gm)];
    expect(selectors.length).toBeGreaterThan(2);
    for (const [line, label, value] of selectors) {
      const kinds = objects.filter(({ metadata }) => metadata.labels?.[label!] === value).map(({ kind }) => kind);
      if (line.includes('apply -k')) expect([line, kinds]).toEqual([line, ['Job', 'ServiceAccount']]);
      else expect([line, kinds.includes('Deployment')]).toEqual([line, true]);
    }
  });

  it('lists every app in each loop over the apps', () => {
    const loops = [...shell.matchAll(/for app in ([^;]+); do/g)].map(([, list]) => list!.split(' '));
    expect(loops.length).toBeGreaterThan(3);
    for (const list of loops) expect([...list].sort()).toEqual([...APPS].sort());
  });

  it('uses only commands that the command line has', () => {
    const usage = execFileSync(process.execPath, [join(ROOT, 'apps/standalone/dist/clarion.js'), '--help'], {
      encoding: 'utf8',
    });
    const commands = [...shell.matchAll(/-- clarion (\w+ \w+)/g)].map(([, command]) => command!);
    expect(commands.length).toBeGreaterThan(3);
    expect(commands.filter((command) => !usage.includes(`\n  ${command} `))).toEqual([]);
  });

  it('creates exactly the Secrets that the manifests refer to', () => {
    const made = [...shell.matchAll(/create secret generic ([\w-]+) ((?:[^\n]*\\\n)*[^\n]*)/g)].flatMap(
      ([, name, rest]) => [...rest!.matchAll(/--from-literal=(\w+)=/g)].map(([, key]) => `${name}/${key}`),
    );
    const text = JSON.stringify([objects, parse(read('k8s/base/every-workload.yaml'))]);
    const variables = [...text.matchAll(/"secretKeyRef":\{"name":"([\w-]+)","key":"(\w+)"\}/g)];
    const volumes = [...text.matchAll(/"secretName":"([\w-]+)","defaultMode":\d+,"items":\[(.*?)\]/g)];
    const wanted = [
      ...variables.map(([, name, key]) => `${name}/${key}`),
      ...volumes.flatMap(([, name, items]) =>
        [...items!.matchAll(/"key":"(\w+)"/g)].map(([, key]) => `${name}/${key}`),
      ),
    ];
    expect(wanted.length).toBeGreaterThan(3);
    expect(new Set(made)).toEqual(new Set(wanted));
  });

  it('links to files that exist', () => {
    const links = [...text.matchAll(/\]\(([^)#]+)/g)].map(([, path]) => join(dirname(FILE), path!));
    const paths = [...text.matchAll(/\bk8s\/[a-z/-]+(?:\.yaml)?/g)].map(([path]) => path);
    const folders = [...text.matchAll(/`((?:overlays|components)\/[a-z-]+)`/g)].map(([, path]) => `k8s/${path}`);
    expect(folders.length).toBeGreaterThan(5);
    const missing = [...links, ...paths, ...folders].filter((path) => !existsSync(join(ROOT, path)));
    expect(missing).toEqual([]);
  });

  if (fault) console.warn(`Kubernetes: ${fault}. The overlay of the guide was not rendered.`);
  else
    describe('the overlay that the reader creates', () => {
      let folder: string;
      let file: string;
      const rendered = (): Manifest[] => renderFolder(join(folder, 'deploy'));

      beforeAll(() => {
        folder = realpathSync(mkdtempSync(join(tmpdir(), 'clarion-guide-')));
        file = join(folder, 'deploy', 'kustomization.yaml');
        symlinkSync(join(ROOT, 'k8s'), join(folder, 'k8s'));
        const block = blocks('sh').find((one) => one.startsWith('mkdir -p deploy'))!;
        const env = { ...process.env, REGISTRY: 'registry.example.com/clarion', TAG: '9.9.9' };
        execFileSync('/bin/sh', ['-ec', block.replace(/^kubectl kustomize.*$/m, '')], { cwd: folder, env });
      });

      afterAll(() => rmSync(folder, { recursive: true, force: true }));

      it('uses the images that were built', () => {
        const images = rendered()
          .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
          .map(({ spec }) => spec.template.spec.containers[0]!.image);
        expect(new Set(images)).toEqual(
          new Set(APPS.map((app) => `registry.example.com/clarion/clarion-${app}:9.9.9`)),
        );
      });

      it.each(blocks('yaml').map((block) => ({ block, what: block.split(':')[0] })))(
        'changes $what as the guide shows',
        ({ block }) => {
          const overlay = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
          const changed = { ...overlay, ...(parse(block) as object), resources: ['../k8s/overlays/production'] };
          writeFileSync(file, stringify(changed));
          try {
            const [value] = /(?<=RETENTION_DAYS=|"value": )\d+/.exec(block)!;
            expect(JSON.stringify(rendered())).toMatch(
              new RegExp(`"(CLARION_RETENTION_DAYS|maxReplicaCount)":"?${value}\\b`),
            );
          } finally {
            writeFileSync(file, stringify(overlay));
          }
        },
      );
    });
});
