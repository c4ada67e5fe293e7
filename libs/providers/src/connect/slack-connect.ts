import type { CredentialsDto } from '@clarion/contracts';
import type { ConnectionAuth } from '@clarion/contracts/core';
import { send } from '../call';
import { type Answer, beforeSending, refused } from '../outcome';
import { type CallContext, type ProviderError } from '../provider';
import { type ChatConnect, type Connected } from './chat-connect';

const AUTHORIZE_URL = 'https://slack.com/oauth/v2/authorize';
const TOKEN_URL = 'https://slack.com/api/oauth.v2.access';

const BOT_SCOPES = [
  'chat:write',
  'chat:write.public',
  'channels:read',
  'groups:read',
  'users:read',
  'users:read.email',
];
const USER_SCOPES = ['identity.basic'];

/** Errors that a later attempt may not have. */
const PASSING: ReadonlySet<string> = new Set(['internal_error', 'fatal_error', 'service_unavailable', 'ratelimited']);

/** OAuth 2.0 of Slack, version 2. Tokens expire if the app has token rotation. */
export const slackConnect: ChatConnect = {
  required: ['clientId', 'secretKey'],

  authorizeUrl: ({ purpose, state, redirectUri, scopes }, { clientId = '' }, http) => {
    const url = new URL(http.addressOf(AUTHORIZE_URL));
    url.searchParams.set('client_id', clientId);
    if (purpose === 'connect') url.searchParams.set('scope', (scopes ?? BOT_SCOPES).join(','));
    else url.searchParams.set('user_scope', (scopes ?? USER_SCOPES).join(','));
    url.searchParams.set('redirect_uri', redirectUri);
    url.searchParams.set('state', state);
    return url.href;
  },

  finish: async ({ purpose, redirectUri }, { code, error }, credentials, context) => {
    if (error) return refused(`Slack answered: ${error}`, 'permanent');
    if (!code) return refused('Slack sent no code', 'permanent');
    const form = { code, redirect_uri: redirectUri };
    const answer = await requestAuth(form, credentials, context);
    return 'ok' in answer ? answer : connectedBy(answer, purpose, context.now());
  },

  refresh: async ({ refreshToken }, credentials, context) => {
    if (!refreshToken) {
      return refused('The token of the connection has expired and there is no refresh token', 'credentials');
    }
    const form = { grant_type: 'refresh_token', refresh_token: refreshToken };
    const answer = await requestAuth(form, credentials, context);
    if ('ok' in answer) return answer;
    const auth = authIn(answer, context.now());
    if (!auth) return noToken();
    return { ok: true, auth: { ...auth, refreshToken: auth.refreshToken ?? refreshToken } };
  },
};

const noToken = (): ProviderError => refused('The response of Slack has no access token', 'transient');

async function requestAuth(
  form: Record<string, string>,
  credentials: CredentialsDto,
  context: CallContext,
): Promise<Answer | ProviderError> {
  const { clientId = '', secretKey = '' } = credentials;
  const call = {
    url: TOKEN_URL,
    form: { client_id: clientId, client_secret: secretKey, ...form },
    secrets: [form['code'] ?? '', form['refresh_token'] ?? ''],
  };
  let read: Answer | undefined;
  const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
    if (answer.isOk && answer.at('ok') === 'true') {
      read = answer;
      // The response contains tokens, so it is not kept in the result.
      return { ok: true };
    }
    const error = answer.at('error');
    if (answer.status === 429) return answer.failed('rate-limited', error);
    if (!answer.isOk || error === undefined || PASSING.has(error)) return answer.failed('transient', error);
    return answer.failed('credentials', `Slack answered: ${error}`);
  });
  return result.ok ? read! : beforeSending(result);
}

function authIn(answer: Answer, now: Date): ConnectionAuth | undefined {
  const accessToken = answer.at('access_token');
  if (accessToken === undefined) return undefined;
  const refreshToken = answer.at('refresh_token');
  const seconds = Number(answer.at('expires_in'));
  return {
    accessToken,
    ...(refreshToken !== undefined && { refreshToken }),
    ...(seconds > 0 && { expiresAt: new Date(now.getTime() + seconds * 1_000).toISOString() }),
  };
}

function connectedBy(answer: Answer, purpose: 'connect' | 'link_user', now: Date): Connected | ProviderError {
  const teamId = answer.at('team', 'id');
  const teamName = answer.at('team', 'name');
  const userId = answer.at('authed_user', 'id');
  if (teamId === undefined) return refused('The response of Slack names no workspace', 'permanent');
  const workspace = { id: teamId, ...(teamName !== undefined && { name: teamName }) };
  const user = userId === undefined ? undefined : ({ type: 'slack_user', userId } as const);
  if (purpose === 'link_user') {
    return user ? { ok: true, workspace, user } : refused('The response of Slack names no user', 'permanent');
  }
  const auth = authIn(answer, now);
  if (!auth) return noToken();
  const botUserId = answer.at('bot_user_id');
  const webhookUrl = answer.at('incoming_webhook', 'url');
  const channel = answer.at('incoming_webhook', 'channel');
  return {
    ok: true,
    workspace: { ...workspace, ...(botUserId !== undefined && { botUserId }) },
    auth,
    ...(user && { user }),
    ...(webhookUrl !== undefined && { webhook: { url: webhookUrl, ...(channel !== undefined && { channel }) } }),
  };
}
