import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError, TimeSlices } from '@clarion/contracts';
import { Config } from '@clarion/platform';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { sendSiteFile, type SiteFile, toSiteFile } from '../dashboard/site';
import { publicUrl } from '../http/public-url';
import { PUBLIC_ROUTE } from '../http/route-policy';
import { complete } from './descriptions';
import type { ApiDocument } from './document';
import { INTRODUCTION } from './introduction';
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
  // Described on the first request: it takes a tenth of the time of a start, and most processes are never asked.
  let document: OpenAPIObject | undefined;
  let file: Promise<SiteFile> | undefined;
  const describe = (): OpenAPIObject => (document ??= describeInterface(app));
  const server = app.getHttpAdapter().getInstance();
  server.get('/openapi.json', PUBLIC_ROUTE, async (request, reply) => {
    file ??= toSiteFile('application/json; charset=utf-8', Buffer.from(JSON.stringify(describe())));
    return sendSiteFile(request, reply, await file, 'no-cache');
  });
  // Not kept: all pages together take far more memory than the document.
  for (const path of ['/docs', '/docs/:operationId']) {
    server.get(path, PUBLIC_ROUTE, async (request, reply) => {
      // A page in each turn of the event loop, because callers without a key may ask for many at once.
      await new TimeSlices().pause();
      const { operationId } = request.params as { operationId?: string };
      const page = renderPage(describe() as unknown as ApiDocument, publicUrl(app.get(Config), request), operationId);
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

export function describeInterface(app: NestFastifyApplication): OpenAPIObject {
  const info = new DocumentBuilder()
    .setTitle('Clarion')
    .setDescription(INTRODUCTION)
    .setVersion('1.0')
    .setLicense('MIT', 'https://opensource.org/licenses/MIT')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: 'ApiKey <API_KEY>' }, 'ApiKey')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        description:
          'The token of an inbox session. An unsigned session lists, counts, marks and snoozes notifications; every ' +
          'other operation needs a signed one (403).',
      },
      'InboxToken',
    )
    .addSecurityRequirements('ApiKey')
    .build();
  return complete(SwaggerModule.createDocument(app, info, { operationIdFactory: operationId }));
}

/** For example `subscribers_create`. Client generators derive method names from it. */
function operationId(controller: string, method: string): string {
  const resource = controller.replace(/Controller$/, '');
  return `${resource.charAt(0).toLowerCase()}${resource.slice(1)}_${method}`;
}
