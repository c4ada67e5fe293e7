import { DomainError } from '@clarion/contracts';
import { sha256 } from '@clarion/platform';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PUBLIC_ROUTE } from '../http/route-policy';
import { asksForPage } from '../http/server';
import { MESSAGE_FRAME, messageFramePolicy } from './message-frame';
import { sendSiteFile, Site } from './site';

const LISTS = [
  ...['activity', 'integrations', 'layouts', 'outbox', 'subscribers', 'suppressions', 'topics', 'workflows'],
  ...['promotion', 'translations', 'webhooks'],
  ...['help', 'overview', 'settings', 'sign-in'],
];
const WITH_DETAILS = [
  'activity',
  'integrations',
  'layouts',
  'outbox',
  'subscribers',
  'topics',
  'webhooks',
  'workflows',
];

/** The addresses of the dashboard's pages. All get the same document, whose script shows the page. */
export const DASHBOARD_PAGES = [
  '/',
  ...LISTS.map((name) => `/${name}`),
  ...WITH_DETAILS.map((name) => `/${name}/:id`),
  '/help/*',
];

const HTML = 'text/html; charset=utf-8';
const NOT_BUILT =
  'The dashboard is not built. Run `npm start`, which builds it, or `npm run build`, and load this page again.\n' +
  'The API works without it; its reference is at /docs.\n';

/** Scripts and style sheets come from the build only. The template editor sets style attributes. */
const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "frame-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = { 'Content-Security-Policy': PAGE_POLICY, 'Cache-Control': 'no-cache' };

/** Shows people the missing page. Installed before the edge, which asks all other callers for a key. */
export function installMissingPage(server: FastifyInstance, site = new Site()): void {
  server.addHook('onRequest', async (request, reply) => {
    if (!asksForPage(request)) return;
    const page = await site.page();
    if (!page) throw new DomainError('not_found', `Cannot ${request.method} ${request.url}`);
    return reply.status(404).headers(PAGE_HEADERS).type(HTML).send(page);
  });
}

export function installDashboard(server: FastifyInstance, site = new Site()): void {
  for (const path of DASHBOARD_PAGES) {
    server.get(path, PUBLIC_ROUTE, async (request, reply) => {
      const page = await site.page();
      if (!page) return reply.status(503).type('text/plain; charset=utf-8').send(NOT_BUILT);
      const etag = `"${sha256(page).toString('base64url')}"`;
      void reply.headers({ ...PAGE_HEADERS, ETag: etag });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      return reply.type(HTML).send(page);
    });
  }
  server.get('/assets/:file', PUBLIC_ROUTE, (request, reply) =>
    // The name of an asset contains the hash of its content.
    sendFile(
      request,
      reply,
      `assets/${(request.params as { file: string }).file}`,
      'public, max-age=31536000, immutable',
    ),
  );
  server.get('/icon.svg', PUBLIC_ROUTE, (request, reply) => sendFile(request, reply, 'icon.svg', 'no-cache'));
  server.get('/message-frame', PUBLIC_ROUTE, (request, reply) => {
    const isRemote = (request.query as { images?: unknown }).images === 'remote';
    return reply
      .headers({
        'Content-Security-Policy': messageFramePolicy(isRemote ? 'remote' : 'local'),
        'X-Frame-Options': 'SAMEORIGIN',
      })
      .type(HTML)
      .send(MESSAGE_FRAME);
  });

  async function sendFile(
    request: FastifyRequest,
    reply: FastifyReply,
    name: string,
    cacheControl: string,
  ): Promise<FastifyReply> {
    const file = /^[\w./-]+$/.test(name) && !name.includes('..') ? await site.file(name) : undefined;
    if (!file) throw new DomainError('not_found', `Cannot ${request.method} ${request.url}`);
    return sendSiteFile(request, reply, file, cacheControl);
  }
}
