import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { PUBLIC_ROUTE } from '../http/route-policy';
import { complete } from './descriptions';

/** Files of Swagger UI, served from its package so that the page works without internet access. */
const UI_FILES: Record<string, string> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

const PAGE = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Clarion API</title>
<link rel="icon" href="/docs/favicon-32x32.png"><link rel="stylesheet" href="/docs/swagger-ui.css"></head>
<body><div id="ui"></div><script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>
</body></html>`;

// A separate file, because the content security policy forbids inline scripts. The page stores no API key.
const START =
  "SwaggerUIBundle({ url: '/openapi.json', dom_id: '#ui', deepLinking: true, docExpansion: 'none', filter: true });";

/** Allows scripts, styles, pictures and calls of this origin only. Swagger UI needs inline styles. */
const PAGE_POLICY = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
};

/** The files of Swagger UI change only with a release. */
const CACHEABLE = { 'Cache-Control': 'public, max-age=3600' };

/** Serves the description of the interface: /openapi.json for machines, /docs for people. */
export function installOpenApi(app: NestFastifyApplication): void {
  // Described on the first request: it takes a tenth of the time of a start, and most processes are never asked.
  let document: string | undefined;
  const server = app.getHttpAdapter().getInstance();
  const folder = dirname(require.resolve('swagger-ui-dist/package.json'));
  server.get('/openapi.json', PUBLIC_ROUTE, (_, reply) => {
    document ??= JSON.stringify(describeInterface(app));
    return reply.type('application/json; charset=utf-8').send(document);
  });
  // There is no dashboard yet, so the root shows the documentation.
  server.get('/', PUBLIC_ROUTE, (_, reply) => reply.redirect('/docs'));
  server.get('/docs', PUBLIC_ROUTE, (_, reply) =>
    reply.headers(PAGE_POLICY).type('text/html; charset=utf-8').send(PAGE),
  );
  server.get('/docs/start.js', PUBLIC_ROUTE, (_, reply) => reply.type('text/javascript; charset=utf-8').send(START));
  for (const [file, type] of Object.entries(UI_FILES)) {
    server.get(`/docs/${file}`, PUBLIC_ROUTE, async (_, reply) =>
      reply
        .headers(CACHEABLE)
        .type(type)
        .send(await readFile(join(folder, file))),
    );
  }
}

export function describeInterface(app: NestFastifyApplication): OpenAPIObject {
  const info = new DocumentBuilder()
    .setTitle('Clarion')
    .setDescription(
      'Notification delivery: subscribers, topics, integrations, workflows, triggers and the record of every step.',
    )
    .setVersion('1.0')
    .setLicense('MIT', 'https://opensource.org/licenses/MIT')
    .addServer('/')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: 'ApiKey <API_KEY>' }, 'ApiKey')
    .addSecurityRequirements('ApiKey')
    .build();
  return complete(SwaggerModule.createDocument(app, info, { operationIdFactory: operationId }));
}

/** For example `subscribers_create`. Client generators derive method names from it. */
function operationId(controller: string, method: string): string {
  const resource = controller.replace(/Controller$/, '');
  return `${resource.charAt(0).toLowerCase()}${resource.slice(1)}_${method}`;
}
