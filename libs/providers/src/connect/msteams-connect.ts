import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject, readJson } from '@clarion/contracts/core';
import { send } from '../call';
import { type Answer, beforeSending, kindOfStatus, refused } from '../outcome';
import { type CallContext, type ProviderError } from '../provider';
import { type ChatConnect } from './chat-connect';

const LOGIN = 'https://login.microsoftonline.com';
const BOT_SCOPE = 'https://api.botframework.com/.default';
const USER_SCOPES = ['openid', 'profile', 'User.Read'];
/** The authority for the tokens of bots that serve any tenant. */
const ANY_TENANT_BOT = 'botframework.com';
const TENANT_ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * An administrator consents for the tenant, then signs in. The query of the consent names the tenant, and the visitor
 * could change it; the sign-in proves that the visitor belongs to the tenant. Messages are sent by the bot of the
 * integration, whose token comes from its client secret.
 */
export const msteamsConnect: ChatConnect = {
  required: ['clientId', 'secretKey'],

  authorizeUrl: ({ purpose, state, redirectUri, tenantId }, { clientId = '', tenantId: own }, http) => {
    const isConsent = purpose === 'connect' && tenantId === undefined;
    const authority = encodeURIComponent(tenantId ?? (isConsent ? 'organizations' : (own ?? 'organizations')));
    const path = isConsent ? 'adminconsent' : 'oauth2/v2.0/authorize';
    const url = new URL(http.addressOf(`${LOGIN}/${authority}/${path}`));
    url.searchParams.set('client_id', clientId);
    url.searchParams.set('redirect_uri', redirectUri);
    url.searchParams.set('state', state);
    if (isConsent) return url.href;
    url.searchParams.set('response_type', 'code');
    url.searchParams.set('response_mode', 'query');
    url.searchParams.set('scope', USER_SCOPES.join(' '));
    return url.href;
  },

  finish: async (flow, query, credentials, context) => {
    const { error, error_description: description } = query;
    if (error) return refused(`Microsoft answered: ${description ?? error}`, 'permanent');
    const { purpose, tenantId } = flow;
    if (purpose === 'connect' && tenantId === undefined) {
      const tenant = query['tenant'] ?? '';
      const hasConsent = query['admin_consent']?.toLowerCase() === 'true' && TENANT_ID.test(tenant);
      return hasConsent
        ? { ok: true, tenantId: tenant }
        : refused('No administrator has consented for a tenant', 'permanent');
    }
    const { code } = query;
    if (!code) return refused('Microsoft sent no code', 'permanent');
    const signed = await signedIn(code, flow, credentials, context);
    if (!signed.ok) return signed;
    const { tid, oid, aud } = signed.claims;
    if (typeof tid !== 'string' || typeof oid !== 'string' || aud !== credentials.clientId) {
      return refused('The sign-in at Microsoft names no person of a tenant', 'permanent');
    }
    const user = { type: 'ms_teams_user', userId: oid } as const;
    if (purpose === 'link_user') return { ok: true, workspace: { id: tid }, user };
    if (tid.toLowerCase() !== tenantId!.toLowerCase()) {
      return refused('The person who signed in does not belong to the tenant that was consented for', 'permanent');
    }
    const token = await msteamsConnect.refresh({ accessToken: '' }, credentials, context);
    return token.ok ? { ok: true, workspace: { id: tid }, auth: token.auth, user } : token;
  },

  refresh: async (_, credentials, context) => {
    const form = { grant_type: 'client_credentials', scope: BOT_SCOPE };
    const answer = await requestToken(credentials.tenantId || ANY_TENANT_BOT, form, credentials, context);
    if ('ok' in answer) return answer;
    const accessToken = answer.at('access_token');
    if (accessToken === undefined) return refused('The response of Microsoft has no access token', 'transient');
    const seconds = Number(answer.at('expires_in'));
    const expiresAt = new Date(context.now().getTime() + (seconds > 0 ? seconds : 3_600) * 1_000).toISOString();
    return { ok: true, auth: { accessToken, expiresAt } };
  },
};

/** The claims about the person. They come from Microsoft itself, so their signature need not be checked. */
async function signedIn(
  code: string,
  { redirectUri, tenantId }: { redirectUri: string; tenantId?: string },
  credentials: CredentialsDto,
  context: CallContext,
): Promise<{ ok: true; claims: JsonObject } | ProviderError> {
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, scope: USER_SCOPES.join(' ') };
  const authority = tenantId ?? credentials.tenantId ?? 'organizations';
  const answer = await requestToken(authority, form, credentials, context);
  if ('ok' in answer) return answer;
  const [, payload = ''] = (answer.at('id_token') ?? '').split('.');
  const claims = readJson(Buffer.from(payload, 'base64url').toString());
  return isJsonObject(claims)
    ? { ok: true, claims }
    : refused('The response of Microsoft has no id token', 'permanent');
}

async function requestToken(
  authority: string,
  form: Record<string, string>,
  credentials: CredentialsDto,
  context: CallContext,
): Promise<Answer | ProviderError> {
  const { clientId = '', secretKey = '' } = credentials;
  const call = {
    url: `${LOGIN}/${encodeURIComponent(authority)}/oauth2/v2.0/token`,
    form: { client_id: clientId, client_secret: secretKey, ...form },
    secrets: form['code'] === undefined ? [] : [form['code']],
  };
  let read: Answer | undefined;
  const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
    if (answer.isOk) {
      read = answer;
      // The response contains tokens, so it is not kept in the result.
      return { ok: true };
    }
    const message = answer.at('error_description') ?? answer.at('error');
    return answer.failed(answer.status === 400 ? 'credentials' : kindOfStatus(answer.status), message);
  });
  return result.ok ? read! : beforeSending(result);
}
