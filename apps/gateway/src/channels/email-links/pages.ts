import { createHash } from 'node:crypto';
import { escapeHtml } from '@clarion/content';
import type { FastifyReply } from 'fastify';

const STYLE = `
:root { color-scheme: light dark; --text: #1c2024; --soft: #5b6470; --line: #d9dde3; --page: #f5f6f8; --card: #fff;
  --accent: #1f5fd0; --on-accent: #fff; --good: #14713a; }
@media (prefers-color-scheme: dark) {
  :root { --text: #eceef1; --soft: #a4adb8; --line: #343a42; --page: #15181c; --card: #1d2126; --accent: #7eaaff;
    --on-accent: #10151d; --good: #6fd394; } }
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 34rem; margin: 0 auto; }
section { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.25rem 1.5rem;
  margin-top: 1rem; }
h1 { font-size: 1.4rem; line-height: 1.3; margin: 0 0 .25rem; }
h2 { font-size: 1.05rem; margin: 0 0 .5rem; }
p { margin: 0 0 .75rem; }
p:last-child { margin-bottom: 0; }
.soft { color: var(--soft); }
.done { color: var(--good); font-weight: 600; margin: .75rem 0 0; }
fieldset { border: 0; border-top: 1px solid var(--line); margin: 0; padding: .75rem 0; }
legend { float: left; width: 100%; padding: 0; margin-bottom: .25rem; font-weight: 600; overflow-wrap: anywhere; }
.channels { clear: both; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
label { display: inline-flex; align-items: center; gap: .45rem; min-height: 2rem; }
input[type=checkbox] { flex: none; width: 1.15rem; height: 1.15rem; accent-color: var(--accent); }
button { font: inherit; font-weight: 600; padding: .55rem 1.1rem; border-radius: .5rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); }
button:focus-visible, input:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
`;

/** The pages run no script and load nothing. Their address is a secret of the recipient. */
export const PAGE_HEADERS = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; ` +
    `form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
} as const;

/** `body` is HTML. */
const pageOf = (title: string, body: string): string => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><title>${escapeHtml(title)}</title><style>${STYLE}</style></head>
<body><main>${body}</main></body>
</html>
`;

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  const headers = { ...PAGE_HEADERS, 'Content-Type': 'text/html; charset=utf-8' };
  return reply.status(status).headers(headers).send(page);
}

/** The same page for every token that is not valid. */
export const sendUnknownLink = (reply: FastifyReply): FastifyReply =>
  sendMessage(reply, 404, 'This link is not valid', 'Please open the link of the email again.');

export const sendMessage = (reply: FastifyReply, status: number, title: string, text: string): FastifyReply =>
  sendPage(reply, status, pageOf(title, `<section><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></section>`));

export type ShownPreference = { id: string; name: string; channels: { channel: string; enabled: boolean }[] };

export type PreferencesPage = {
  /** The workflow of the email, if it still sends emails. */
  email?: { name: string; enabled: boolean };
  preferences: ShownPreference[];
  done?: string;
};

const CHANNEL_NAMES: Record<string, string> = {
  in_app: 'In the app',
  email: 'Email',
  sms: 'SMS',
  chat: 'Chat',
  push: 'Push',
};

const TITLE = 'Notification preferences';

export const sendPreferences = (reply: FastifyReply, page: PreferencesPage): FastifyReply =>
  sendPage(reply, 200, pageOf(TITLE, preferencesHtml(page)));

/** The forms are sent to the address of the page. */
function preferencesHtml({ email, preferences, done }: PreferencesPage): string {
  const status = done === undefined ? '' : `<p class="done" role="status">${escapeHtml(done)}</p>`;
  const list = preferences.map(fieldsetOf).join('');
  const choices =
    preferences.length === 0
      ? '<p class="soft">There are no notifications that you can switch off.</p>'
      : `<form method="post"><input type="hidden" name="form" value="preferences">${list}
<button type="submit">Save</button></form>`;
  return `<h1>${TITLE}</h1><p class="soft">Choose what you want to receive.</p>${status}
${email?.enabled ? unsubscribeHtml(email.name) : ''}<section><h2>All notifications</h2>${choices}</section>`;
}

const unsubscribeHtml = (name: string): string => `<section><h2>${escapeHtml(name)}</h2>
<p>This email belongs to these notifications.</p>
<form method="post"><input type="hidden" name="List-Unsubscribe" value="One-Click">
<button type="submit">Unsubscribe from these emails</button></form></section>
`;

const fieldsetOf = ({ id, name, channels }: ShownPreference): string =>
  `<fieldset><legend>${escapeHtml(name)}</legend><input type="hidden" name="workflow" value="${escapeHtml(id)}">
<div class="channels">${channels.map(({ channel, enabled }) => checkboxOf(id, channel, enabled)).join('')}</div>
</fieldset>
`;

const checkboxOf = (id: string, channel: string, enabled: boolean): string =>
  `<label><input type="checkbox" name="on" value="${escapeHtml(`${id} ${channel}`)}"${enabled ? ' checked' : ''}>` +
  `${escapeHtml(CHANNEL_NAMES[channel] ?? channel)}</label>`;
