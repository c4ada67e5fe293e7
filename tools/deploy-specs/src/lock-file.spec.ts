import { read } from './repository';

type Entry = { version?: string; resolved?: string; integrity?: string; link?: boolean };

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
});
