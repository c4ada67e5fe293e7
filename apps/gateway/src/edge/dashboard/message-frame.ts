import { hash } from 'node:crypto';

/**
 * The page of the frame in which the dashboard shows the HTML of a message. The dashboard passes the HTML to the script
 * of this page, which replaces the document with it. Scripts that were parsed this way never run, and the policy would
 * refuse them: it knows only the one script below. Elements that would load another page or connect to another host are
 * removed. The frame has no origin, so it has no session.
 */
const SCRIPT = `addEventListener('message', ({ source, data }) => {
  if (source !== parent || typeof data !== 'string') return;
  const { documentElement } = new DOMParser().parseFromString(data, 'text/html');
  documentElement.querySelectorAll('meta[http-equiv], link, base').forEach((element) => element.remove());
  document.replaceChild(document.adoptNode(documentElement), document.documentElement);
});`;

export const MESSAGE_FRAME =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Message</title>' +
  `<script>${SCRIPT}</script></head><body></body></html>`;

/** Remote pictures tell the sender that the message was opened, so they are loaded only when a person asks for them. */
export const messageFramePolicy = (images: 'local' | 'remote'): string =>
  [
    'sandbox allow-scripts',
    "default-src 'none'",
    `script-src 'sha256-${hash('sha256', SCRIPT, 'base64')}'`,
    "style-src 'unsafe-inline'",
    `img-src data:${images === 'remote' ? ' http: https:' : ''}`,
    'font-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'",
  ].join('; ');
