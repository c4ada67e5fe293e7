import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { sha256 } from '@clarion/platform';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Beside this app in the repository and in the image: from `src` and from `dist` the path is the same. */
const FOLDER = join(__dirname, '../../../../dashboard/dist/site');

const TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};
/** Small enough for the first request; the highest quality takes ten times as long for a few per cent. */
const BROTLI_QUALITY = 9;

export type Encoding = 'br' | 'gzip' | 'identity';
export type SiteFile = { type: string; etag: string; bodies: Record<Encoding, Buffer> };

/** The built dashboard. Files are read and compressed on their first request and then kept in memory. */
export class Site {
  private readonly files = new Map<string, Promise<SiteFile | undefined>>();

  constructor(private readonly folder = FOLDER) {}

  /** Read each time: it is short, and after a new build it names new files. Undefined if there is no build. */
  page(): Promise<string | undefined> {
    return readFile(join(this.folder, 'index.html'), 'utf8').catch(orMissing);
  }

  /** `name`: the path inside the build, such as `assets/index-abc.js`. Undefined for every other path. */
  file(name: string): Promise<SiteFile | undefined> {
    const known = this.files.get(name);
    if (known) return known;
    const loading = this.load(name).then((file) => {
      // Names that do not exist would fill the memory.
      if (!file) this.files.delete(name);
      return file;
    });
    this.files.set(name, loading);
    // A read that failed is tried again by the next request.
    loading.catch(() => this.files.delete(name));
    return loading;
  }

  private async load(name: string): Promise<SiteFile | undefined> {
    const type = TYPES[extname(name)];
    const identity = type && (await readFile(join(this.folder, name)).catch(orMissing));
    return type && identity ? toSiteFile(type, identity) : undefined;
  }
}

export async function toSiteFile(type: string, identity: Buffer): Promise<SiteFile> {
  const [br, zipped] = await Promise.all([
    promisify(brotliCompress)(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } }),
    promisify(gzip)(identity),
  ]);
  return { type, etag: `"${sha256(identity).toString('base64url')}"`, bodies: { br, gzip: zipped, identity } };
}

/** Sends what was written and compressed once: many requests at a time cost no more than their bytes. */
export function sendSiteFile(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, bodies }: SiteFile,
  cacheControl: string,
): FastifyReply {
  const encoding = encodingOf(request.headers['accept-encoding']);
  void reply.headers({ 'Cache-Control': cacheControl, ETag: etag, Vary: 'Accept-Encoding' });
  if (request.headers['if-none-match'] === etag) return reply.status(304).send();
  if (encoding !== 'identity') void reply.header('Content-Encoding', encoding);
  return reply.type(type).send(bodies[encoding]);
}

const MISSING = ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'];

function orMissing(error: unknown): undefined {
  if (!MISSING.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
}

/** The smallest encoding that the browser accepts. */
function encodingOf(accepted: string | string[] | undefined): Encoding {
  const names = String(accepted ?? '')
    .split(',')
    .filter((each) => !/;\s*q=0(\.0*)?\s*$/.test(each))
    .map((each) => each.split(';', 1)[0]!.trim().toLowerCase());
  return (['br', 'gzip'] as const).find((name) => names.includes(name)) ?? 'identity';
}
