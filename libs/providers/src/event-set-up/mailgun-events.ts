import { baseUrlOf, basic, words } from '../call';
import { refused } from '../outcome';
import { ask, type SetUpEvents } from './set-up-events';

const KINDS = words('accepted delivered opened clicked unsubscribed complained permanent_fail temporary_fail');

/** Sets the URL of each kind of event of the domain. The account has one key for all webhooks. */
export const setUpMailgun: SetUpEvents = async ({ url }, credentials, context) => {
  const { apiKey = '', domain = '', baseUrl } = credentials;
  const base = baseUrlOf(baseUrl || 'https://api.mailgun.net');
  const headers = { authorization: basic('api', apiKey) };
  const key = await ask({ method: 'GET', url: `${base}/v5/accounts/http_signing_key`, headers }, credentials, context);
  if ('ok' in key) return key;
  const signingKey = key.at('http_signing_key');
  if (signingKey === undefined) return refused('Mailgun did not show the signing key of its webhooks', 'transient');
  const webhooks = `${base}/v3/domains/${encodeURIComponent(domain)}/webhooks`;
  for (const kind of KINDS) {
    const made = await ask({ url: webhooks, headers, form: { id: kind, url } }, credentials, context);
    if (!('ok' in made)) continue;
    // A kind has one list of URLs; Mailgun rejects a second list.
    if (made.status !== 400 && made.status !== 409) return made;
    const changed = await ask(
      { method: 'PUT', url: `${webhooks}/${kind}`, headers, form: { url } },
      credentials,
      context,
    );
    if ('ok' in changed) return changed;
  }
  return { ok: true, signingKey };
};
