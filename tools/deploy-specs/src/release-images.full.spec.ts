import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse } from 'yaml';
import { APPS, ROOT } from './repository';

describe('tools/release-images.mjs', () => {
  let folder: string;
  const digestOf = (app: string): string => `sha256:${Buffer.from(app).toString('hex').padEnd(64, '0')}`;
  const write = (app: string, text: string): void => writeFileSync(join(folder, 'images', `clarion-${app}`), text);
  /** Runs on a copy of the manifests. */
  const release = () => {
    const tool = pathToFileURL(join(ROOT, 'tools', 'release-images.mjs')).href;
    const call = `import { releaseImages } from '${tool}'; releaseImages(process.argv[1], process.argv[2], '9.9.9');`;
    return spawnSync(process.execPath, ['--input-type=module', '-e', call, folder, join(folder, 'images')], {
      encoding: 'utf8',
    });
  };

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'clarion-release-'));
    cpSync(join(ROOT, 'k8s'), join(folder, 'k8s'), { recursive: true });
    mkdirSync(join(folder, 'images'));
    for (const app of APPS) write(app, `registry.example.com/acme/clarion-${app}@${digestOf(app)}\n`);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('puts every digest into the production overlay and the chart, and keeps the comments', () => {
    expect(release()).toMatchObject({ status: 0, stderr: '' });
    const overlay = readFileSync(join(folder, 'k8s/overlays/production/kustomization.yaml'), 'utf8');
    const { images } = parse(overlay) as { images: { newName: string; digest: string }[] };
    expect(new Set(images.map(({ newName, digest }) => `${newName}@${digest}`))).toEqual(
      new Set(APPS.map((app) => `registry.example.com/acme/clarion-${app}@${digestOf(app)}`)),
    );
    const values = readFileSync(join(folder, 'k8s/helm/clarion/values.yaml'), 'utf8');
    expect(values).toContain('# Where the images are');
    expect(parse(values)).toMatchObject({
      image: { registry: 'registry.example.com/acme' },
      roles: Object.fromEntries(APPS.map((app) => [app, { digest: digestOf(app) }])),
    });
    const chart: unknown = parse(readFileSync(join(folder, 'k8s/helm/clarion/Chart.yaml'), 'utf8'));
    expect(chart).toMatchObject({ version: '9.9.9', appVersion: '9.9.9' });
  });

  it('refuses a release without the digest of an image, and a digest of another image', () => {
    rmSync(join(folder, 'images', 'clarion-engine'));
    expect(release().stderr).toContain('there is no digest of clarion-engine');
    write('engine', `registry.example.com/acme/clarion-gateway@${digestOf('gateway')}`);
    expect(release().stderr).toContain('which is not that image with its digest');
  });
});
