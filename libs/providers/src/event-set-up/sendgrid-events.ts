import { isJsonObject } from '@clarion/contracts/core';
import { baseUrlOf, bearer, words } from '../call';
import { refused } from '../outcome';
import { ask, type SetUpEvents } from './set-up-events';

const KINDS = words('processed delivered deferred bounce dropped open click spam_report unsubscribe group_unsubscribe');

/** Creates an event webhook, or changes the one with this URL, and lets SendGrid sign its calls. */
export const setUpSendgrid: SetUpEvents = async ({ url }, credentials, context) => {
  const { apiKey = '', region, baseUrl } = credentials;
  const usual = region?.toLowerCase() === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com';
  const settings = `${baseUrlOf(baseUrl || usual)}/v3/user/webhooks/event/settings`;
  const headers = { authorization: bearer(apiKey) };
  const error = ['errors', 0, 'message'];
  const known = await ask({ method: 'GET', url: `${settings}/all`, headers }, credentials, context, error);
  if ('ok' in known) return known;
  const webhooks = isJsonObject(known.json) && Array.isArray(known.json['webhooks']) ? known.json['webhooks'] : [];
  const same = webhooks.find((webhook) => isJsonObject(webhook) && webhook['url'] === url);
  const knownId = isJsonObject(same) ? String(same['id']) : undefined;
  const json = {
    enabled: true,
    url,
    friendly_name: 'Clarion',
    ...Object.fromEntries(KINDS.map((kind) => [kind, true])),
  };
  const stored = await ask(
    knownId === undefined
      ? { url: settings, headers, json }
      : { method: 'PATCH', url: `${settings}/${encodeURIComponent(knownId)}`, headers, json },
    credentials,
    context,
    error,
  );
  if ('ok' in stored) return stored;
  const id = knownId ?? stored.at('id');
  if (id === undefined) return refused('SendGrid made no event webhook', 'transient');
  const signed = await ask(
    { method: 'PATCH', url: `${settings}/signed/${encodeURIComponent(id)}`, headers, json: { enabled: true } },
    credentials,
    context,
    error,
  );
  if ('ok' in signed) return signed;
  const signingKey = signed.at('public_key');
  return signingKey === undefined
    ? refused('SendGrid gave no verification key for its event webhook', 'transient')
    : { ok: true, signingKey };
};
