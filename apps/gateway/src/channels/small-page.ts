import { escapeHtml } from '@clarion/content';
import type { FastifyReply } from 'fastify';

/** Pages for people who follow a setup link: without scripts, and a form can be sent only to this service. */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** `body` is HTML; texts in it have to be escaped. */
export function sendPage(reply: FastifyReply, status: number, title: string, body: string): void {
  void reply.status(status).headers(HEADERS).send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 32em; margin: 3em auto; padding: 0 1em; color: #1b1b1f;
  background: #fff }
label { display: block; margin: 1em 0 .25em }
input { font: inherit; width: 100%; padding: .5em; box-sizing: border-box }
button, a.button { font: inherit; display: inline-block; margin-top: 1em; padding: .5em 1em; color: #fff;
  background: #2f4bd8; border: 0; border-radius: .4em; text-decoration: none }
</style>
</head>
<body>
<h1>${escapeHtml(title)}</h1>
${body}
</body></html>`);
}

export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>`;
