import { createSign } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { type AccessToken, AccessTokens, jwtText, requestToken, type TokenSource } from '../access-tokens';
import { type RequestContext } from '../adapter';
import { bearer, compact, send, textFields, words } from '../call';
import { parseKeyFile, textAt } from '../json-paths';
import { type Answer, outcomeOf, refused } from '../outcome';
import { type CallContext, type PushMessage, type SendResult } from '../provider';
import { pushProvider } from './push-provider';

/** Never the `token_uri` of the service account, because a tenant wrote it. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

export const fcm = pushProvider({
  id: 'fcm',
  displayName: 'Firebase Cloud Messaging',
  required: ['serviceAccount'],
  evidence: 'official',
  overrides: {
    names: words(`
      type data topic title body image android apns webPush webpush fcmOptions fcm_options
    `),
  },
  send: async (message, credentials, context) => {
    const account = accountOf(credentials.serviceAccount);
    if (!account) return NO_ACCOUNT;
    return TOKENS.use(sourceOf(account, credentials, context), (token) =>
      post(message, credentials, context, account, token),
    );
  },
  // An account that gets an access token with the key may send.
  check: async (credentials, context) => {
    const account = accountOf(credentials.serviceAccount);
    return account ? TOKENS.check(sourceOf(account, credentials, context)) : NO_ACCOUNT;
  },
});

const NO_ACCOUNT = refused('The service account is not the JSON of a key file', 'credentials');

const post = (
  message: PushMessage,
  credentials: CredentialsDto,
  context: RequestContext,
  { projectId }: ServiceAccount,
  accessToken: string,
): Promise<SendResult> =>
  send(
    {
      url: `https://fcm.googleapis.com/v1/projects/${encodeURIComponent(projectId)}/messages:send`,
      headers: { authorization: bearer(accessToken) },
      json: { message: messageOf(message, context.fields) },
      secrets: [message.token],
    },
    credentials,
    context,
    (answer) => (answer.isOk ? answer.acceptedAs(answer.at('name')) : failure(answer)),
  );

/** Fields next to `notification`. All other overrides belong inside it. */
const BESIDE: Readonly<Record<string, string>> = {
  android: 'android',
  apns: 'apns',
  webPush: 'webpush',
  webpush: 'webpush',
  fcmOptions: 'fcm_options',
  fcm_options: 'fcm_options',
};

function messageOf({ token, title, content, payload }: PushMessage, overrides: JsonObject): JsonObject {
  const { type, data, topic, ...fields } = overrides;
  const target: JsonObject = typeof topic === 'string' ? { topic } : { token };
  const beside = Object.entries(fields).filter(([name]) => Object.hasOwn(BESIDE, name));
  const inside = Object.entries(fields).filter(([name]) => !Object.hasOwn(BESIDE, name));
  const shown = { title, body: content, ...Object.fromEntries(inside) };
  const own = isJsonObject(data) ? textFields(data) : undefined;
  const body: JsonObject =
    type === 'data'
      ? { data: { ...textFields({ ...payload, message: content, ...shown }), ...own } }
      : compact({ notification: shown, data: own });
  return { ...target, ...body, ...Object.fromEntries(beside.map(([name, value]) => [BESIDE[name]!, value])) };
}

function failure(answer: Answer): SendResult {
  const message = answer.at('error', 'message');
  switch (errorCodeOf(answer) ?? answer.at('error', 'status')) {
    case 'UNREGISTERED':
      return answer.failed('dead-token', message);
    // The token may be valid and the service account may belong to another project, so the token is not removed.
    case 'SENDER_ID_MISMATCH':
      return answer.failed('permanent', message);
    case 'INVALID_ARGUMENT':
      // FCM has one code for a bad token and a bad message. Only the text distinguishes them.
      return answer.failed(/registration token/i.test(answer.text) ? 'dead-token' : 'content', message);
    case 'THIRD_PARTY_AUTH_ERROR':
      return answer.failed('credentials', message);
    default:
      return outcomeOf(answer, message);
  }
}

function errorCodeOf({ json }: Answer): string | undefined {
  const error = isJsonObject(json) ? json['error'] : undefined;
  const details = isJsonObject(error) && Array.isArray(error['details']) ? error['details'] : [];
  return details.map((detail) => textAt(detail, ['errorCode'])).find((code) => code !== undefined);
}

type ServiceAccount = { projectId: string; clientEmail: string; privateKey: string; key: string };

function accountOf(text = ''): ServiceAccount | undefined {
  const file = parseKeyFile(text);
  const [projectId, clientEmail, privateKey] = ['project_id', 'client_email', 'private_key'].map((name) =>
    textAt(file, [name]),
  );
  if (!projectId || !clientEmail || !privateKey) return undefined;
  const key = AccessTokens.keyOf(clientEmail, privateKey);
  return { projectId, clientEmail, privateKey: privateKey.replaceAll('\\n', '\n'), key };
}

/** Google's access tokens are valid for one hour. */
const TOKENS = new AccessTokens(55 * 60_000);

const sourceOf = (account: ServiceAccount, credentials: CredentialsDto, context: CallContext): TokenSource => ({
  key: account.key,
  now: context.now(),
  exchange: () => exchange(account, credentials, context),
});

async function exchange(
  account: ServiceAccount,
  credentials: CredentialsDto,
  context: CallContext,
): Promise<AccessToken> {
  const assertion = assertionOf(account, context.now());
  if (assertion === undefined) {
    return { ok: false, failure: refused('The private key of the service account is not a PEM key', 'credentials') };
  }
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  return requestToken({ url: TOKEN_URL, form, secrets: [assertion] }, credentials, context);
}

function assertionOf({ clientEmail, privateKey }: ServiceAccount, now: Date): string | undefined {
  const issued = Math.floor(now.getTime() / 1000);
  const claims = { iss: clientEmail, scope: SCOPE, aud: TOKEN_URL, iat: issued, exp: issued + 3600 };
  const text = jwtText({ alg: 'RS256', typ: 'JWT' }, claims);
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  } catch {
    return undefined;
  }
}
