import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { DomainError, TimeSlices } from '@clarion/contracts';
import { Config, programFile } from '@clarion/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { sendSiteFile, type SiteFile, toSiteFile } from '../dashboard/site';
import { publicUrl } from '../http/public-url';
import { PUBLIC_ROUTE } from '../http/route-policy';
import type { ApiDocument } from './document';
import { renderPage } from './reader/page';

/** The style sheet and the script of the reference: what is served is the source. */
const ASSETS: Record<string, string> = {
  'reader.css': 'text/css; charset=utf-8',
  'reader.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};
const ASSETS_FOLDER = join(__dirname, '../../../assets');

/** Allows scripts, styles, pictures and calls of this origin only, none of them inline. */
const PAGE_POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The assets change only with a release. */
const CACHEABLE = { 'Cache-Control': 'public, max-age=3600' };

/** Serves the description of the interface: /openapi.json for machines, /docs for people. */
export function installOpenApi(app: NestFastifyApplication): void {
  let reading: Promise<SiteFile> | undefined;
  let document: ApiDocument | undefined;
  const describe = (): Promise<SiteFile> => {
    reading ??= describeInThread();
    // A thread that failed is tried again by the next request.
    reading.catch(() => (reading = undefined));
    return reading;
  };
  const server = app.getHttpAdapter().getInstance();
  server.get('/openapi.json', PUBLIC_ROUTE, async (request, reply) =>
    sendSiteFile(request, reply, await describe(), 'no-cache'),
  );
  // Not kept: all pages together take far more memory than the document.
  for (const path of ['/docs', '/docs/:operationId']) {
    server.get(path, PUBLIC_ROUTE, async (request, reply) => {
      const { bodies } = await describe();
      document ??= JSON.parse(bodies.identity.toString()) as ApiDocument;
      // A page in each turn of the event loop, because callers without a key may ask for many at once.
      await new TimeSlices().pause();
      const { operationId } = request.params as { operationId?: string };
      const page = renderPage(document, publicUrl(app.get(Config), request), operationId);
      if (page === undefined) throw new DomainError('not_found', `Cannot GET ${request.url}`);
      return reply.headers(PAGE_POLICY).type('text/html; charset=utf-8').send(page);
    });
  }
  for (const [file, type] of Object.entries(ASSETS)) {
    server.get(`/docs/${file}`, PUBLIC_ROUTE, async (_, reply) =>
      reply
        .headers(CACHEABLE)
        .type(type)
        .send(await readFile(join(ASSETS_FOLDER, file))),
    );
  }
}

/** Described on the first request, as most processes are never asked; in a thread, as it takes a second. */
async function describeInThread(): Promise<SiteFile> {
  const thread = new Worker(programFile('gateway', { program: 'describe-gateway' }), {
    env: {},
    execArgv: ['--no-warnings'],
  });
  const [text] = (await once(thread, 'message')) as [string];
  return toSiteFile('application/json; charset=utf-8', Buffer.from(text));
}
