import { read } from './repository';

type Entry = {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  optionalDependencies?: Record<string, string>;
};

describe('package-lock.json', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, Entry> };
  const installed = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link);

  it('has a hash for every package, so that npm rejects a package that was changed on its way', () => {
    expect(installed.length).toBeGreaterThan(500);
    expect(installed.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? '')).map(([path]) => path)).toEqual(
      [],
    );
  });

  it('names no host, so that each machine uses its configured registry', () => {
    expect(installed.filter(([, { resolved = '' }]) => resolved.includes('://')).map(([path]) => path)).toEqual([]);
  });

  it('has the packages of every platform, because npm ci rejects a lock file without one of them', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies)
        .filter((name) => !foldersAbove(path).some((folder) => `${folder}node_modules/${name}` in packages))
        .map((name) => `${name} of ${path}`),
    );
    expect(missing).toEqual([]);
  });
});

/** The folders whose `node_modules` a package sees, as prefixes: its own and all above it. */
function foldersAbove(path: string): string[] {
  const parts = path === '' ? [] : path.split('/');
  return [...parts.map((_, index) => `${parts.slice(0, index + 1).join('/')}/`), ''];
}
