import { escapeHtml } from '@clarion/content';
import { hideSignedLinks } from '@clarion/contracts';
import type { OutboxMessage } from '@clarion/persistence';
import type { FastifyReply } from 'fastify';

/**
 * The content of a message is untrusted and is shown on the origin of this service. So it runs in a sandbox with a
 * separate origin, without scripts, forms or frames. Its pictures may be loaded, but their servers do not see the link.
 */
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': "sandbox; default-src 'none'; img-src data: https:; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
};

/** `hasLinks`: the signed links of the message can be followed. */
export function sendPreview(reply: FastifyReply, message: OutboxMessage, { hasLinks }: { hasLinks: boolean }): void {
  const page = message.html ?? textPage(message);
  void reply.headers(HEADERS).send(hasLinks ? page : hideSignedLinks(page));
}

const CARD_STYLE =
  'max-width: 30em; margin: auto; padding: 1em; background: #fff; border-radius: 1em; ' +
  'white-space: pre-wrap; overflow-wrap: anywhere';

function textPage({ to, text }: OutboxMessage): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>${escapeHtml(to.join(', '))}</title></head>
<body style="font: 16px/1.5 sans-serif; background: #eee; padding: 2em">
<div style="${CARD_STYLE}">${escapeHtml(text ?? '')}</div>
</body></html>`;
}
