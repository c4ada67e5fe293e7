import { isJsonObject } from '@clarion/contracts/core';
import { bearer, words } from '../call';
import { refused } from '../outcome';
import { ask, type SetUpEvents } from './set-up-events';

const WEBHOOKS = 'https://api.resend.com/webhooks';

const KINDS = words(`
  email.sent email.delivered email.delivery_delayed email.bounced email.failed email.opened email.clicked
  email.complained
`);

/** Resend shows the signing secret of a new webhook, so an earlier one with this URL is replaced. */
export const setUpResend: SetUpEvents = async ({ url }, credentials, context) => {
  const headers = { authorization: bearer(credentials.apiKey ?? '') };
  const known = await ask({ method: 'GET', url: WEBHOOKS, headers }, credentials, context);
  if ('ok' in known) return known;
  const webhooks = isJsonObject(known.json) && Array.isArray(known.json['data']) ? known.json['data'] : [];
  for (const webhook of webhooks) {
    if (!isJsonObject(webhook) || webhook['endpoint'] !== url) continue;
    const old = `${WEBHOOKS}/${encodeURIComponent(String(webhook['id']))}`;
    const removed = await ask({ method: 'DELETE', url: old, headers }, credentials, context);
    if ('ok' in removed) return removed;
  }
  const json = { endpoint: url, events: KINDS };
  const made = await ask({ url: WEBHOOKS, headers, json }, credentials, context);
  if ('ok' in made) return made;
  const signingKey = made.at('signing_secret');
  return signingKey === undefined
    ? refused('Resend gave no signing secret for its webhook', 'transient')
    : { ok: true, signingKey };
};
