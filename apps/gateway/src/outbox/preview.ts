import type { OutboxMessage } from '@clarion/persistence';
import type { FastifyReply } from 'fastify';

/**
 * What a message says is not ours, and it is shown under our address: so without scripts, forms or frames, and in an
 * origin of its own. Its pictures may be fetched, but those who serve them do not learn the link.
 */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src data: https:; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

export function sendPreview(reply: FastifyReply, message: OutboxMessage): void {
  void reply.headers(HEADERS).send(message.html ?? textPage(message));
}

function textPage({ to, text }: OutboxMessage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(to.join(', '))}</title></head>
<body style="font: 16px/1.5 sans-serif; background: #eee; padding: 2em">
<div style="max-width: 30em; margin: auto; padding: 1em; background: #fff; border-radius: 1em; white-space: pre-wrap; overflow-wrap: anywhere">${escapeHtml(text ?? '')}</div>
</body></html>`;
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character]!);
