import { chmodSync, existsSync, mkdirSync, readlinkSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { explainLoadFailure, findPostgresBinaries } from '../src/postgres-binaries';
import { fakePrograms, temporaryFolder } from './owner';

describe('findPostgresBinaries', () => {
  const root = temporaryFolder('binaries');
  const native = join(root, 'native');

  beforeEach(() => {
    rmSync(native, { recursive: true, force: true });
    fakePrograms(native, { postgres: 'exit 0', initdb: 'exit 0' });
    mkdirSync(join(native, 'lib'));
    writeFileSync(join(native, 'lib', 'libpq.so.5.17'), '');
    const link = { source: 'native/lib/libpq.so.5.17', target: 'native/lib/libpq.so.5' };
    writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([link]));
  });

  afterAll(() => rmSync(root, { recursive: true, force: true }));

  it('creates the links of the install script, and only once', () => {
    findPostgresBinaries(native);
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.17');
    findPostgresBinaries(native);
    expect(existsSync(join(native, 'lib', 'libpq.so.5'))).toBe(true);
  });

  it('repairs a dangling link', () => {
    symlinkSync('libpq.so.5.16', join(native, 'lib', 'libpq.so.5'));
    findPostgresBinaries(native);
    expect(readlinkSync(join(native, 'lib', 'libpq.so.5'))).toBe('libpq.so.5.17');
  });

  it('makes the programs executable for every user', () => {
    const { postgres, initdb } = findPostgresBinaries(native);
    chmodSync(postgres, 0o644);
    chmodSync(initdb, 0o700);
    findPostgresBinaries(native);
    expect(statSync(postgres).mode & 0o111).toBe(0o111);
    expect(statSync(initdb).mode & 0o111).toBe(0o111);
  });

  it('explains what to do when a program is missing', () => {
    rmSync(join(native, 'bin', 'initdb'));
    expect(() => findPostgresBinaries(native)).toThrow(/cannot be prepared .*install the dependencies again/);
  });

  it('finds the programs of the npm package', () => {
    expect(existsSync(findPostgresBinaries().postgres)).toBe(true);
  });
});

describe('explainLoadFailure', () => {
  it.each([
    [
      'postgres: error while loading shared libraries: libxml2.so.2: cannot open shared object file',
      /libxml2\.so\.2.*apt-get install libxml2/,
    ],
    ['dyld[1]: Library not loaded: @rpath/libodd.9.dylib', /libodd\.9\.dylib.*the package of your system/],
    [
      "postgres: /lib/libc.so.6: version `GLIBC_2.34' not found (required by postgres)",
      /GLIBC_2\.34, newer than this system/,
    ],
    ['sh: 1: exec: /x/postgres: not found', /GNU C library/],
  ])('explains the load failure %s', (line, sentence) => {
    expect(explainLoadFailure([line], __filename)).toMatch(sentence);
  });

  it('returns undefined for other failures', () => {
    expect(explainLoadFailure(['FATAL:  could not open file'], __filename)).toBeUndefined();
  });
});
