import { execFileSync } from 'node:child_process';
import { read, ROOT } from './repository';

type Component = { name: string; version: string; purl: string; licenses?: unknown[]; hashes?: unknown[] };
type Bill = { bomFormat: string; specVersion: string; components: Component[] };
type Lock = { packages: Record<string, { version: string; dev?: boolean; link?: boolean; inBundle?: boolean }> };

describe('npm run sbom', () => {
  const [, ...args] = (JSON.parse(read('package.json')) as { scripts: { sbom: string } }).scripts.sbom
    .split(' > ')[0]!
    .split(' ');
  const bill = JSON.parse(
    execFileSync('npm', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 64 << 20,
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as Bill;
  const { packages } = JSON.parse(read('package-lock.json')) as Lock;
  const isInstalled = (path: string): boolean => {
    try {
      return read(`${path}/package.json`) !== '';
    } catch {
      return false;
    }
  };

  it('lists every production package with its licence and hash', () => {
    expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) as string });
    const listed = new Set(bill.components.map(({ name, version }) => `${name}@${version}`));
    const production = Object.entries(packages)
      .filter(([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link && isInstalled(path))
      .map(([path, { version }]) => `${path.split('node_modules/').at(-1)}@${version}`);
    expect(production.length).toBeGreaterThan(100);
    expect(production.filter((one) => !listed.has(one))).toEqual([]);
    const foreign = bill.components.filter(({ name, version }) => production.includes(`${name}@${version}`));
    expect(foreign.filter(({ licenses = [], hashes = [] }) => licenses.length * hashes.length === 0)).toEqual([]);
  });
});
