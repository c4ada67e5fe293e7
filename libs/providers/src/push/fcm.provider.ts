import { createHash, createSign } from 'node:crypto';
import { isJsonObject, type JsonObject } from '@clarion/contracts';
import { bearer, compact, merge, overriddenFields, send, textFields } from '../call';
import { type Answer, outcomeOf, parseJson, refused, textAt } from '../outcome';
import { type PushMessage, type SendContext, type SendFailure, type SendResult } from '../provider';
import { pushProvider } from './push-provider';

/** Never the `token_uri` of the service account: a tenant wrote that. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';
const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';

export const fcm = pushProvider({
  id: 'fcm',
  send: async (message, context) => {
    const account = accountOf(context.credentials.serviceAccount);
    if (!account) return { ...refused('The service account is not the JSON of a key file'), kind: 'account' };
    const token = await accessToken(context, account);
    if (!token.ok) return token.failure;
    const result = await post(message, context, account, token.value);
    if (result.ok || result.status !== 401) return result;
    // The token may have been revoked before its time; a new one settles it.
    TOKENS.delete(account.key);
    const another = await accessToken(context, account);
    return another.ok ? post(message, context, account, another.value) : another.failure;
  },
});

const post = (
  message: PushMessage,
  context: SendContext,
  { projectId }: Account,
  accessToken: string,
): Promise<SendResult> =>
  send(
    context,
    {
      url: `https://fcm.googleapis.com/v1/projects/${encodeURIComponent(projectId)}/messages:send`,
      headers: { authorization: bearer(accessToken) },
      json: { message: messageOf(message, context.overrides) },
      secrets: [message.token],
    },
    (answer) => (answer.isOk ? answer.accepted(answer.at('name')) : failure(answer)),
  );

/** Fields that stand beside the notification; whatever else the trigger sets belongs into it. */
const BESIDE: Readonly<Record<string, string>> = {
  android: 'android',
  apns: 'apns',
  webPush: 'webpush',
  webpush: 'webpush',
  fcmOptions: 'fcm_options',
  fcm_options: 'fcm_options',
};

function messageOf({ token, title, content, payload }: PushMessage, overrides: JsonObject): JsonObject {
  const { type, data, topic, ...fields } = overriddenFields(overrides);
  const target: JsonObject = typeof topic === 'string' ? { topic } : { token };
  const beside = Object.entries(fields).filter(([name]) => Object.hasOwn(BESIDE, name));
  const inside = Object.entries(fields).filter(([name]) => !Object.hasOwn(BESIDE, name));
  const body: JsonObject =
    type === 'data'
      ? { data: textFields({ ...payload, title, body: content, message: content }) }
      : compact({
          notification: merge({ title, body: content }, Object.fromEntries(inside)),
          data: isJsonObject(data) ? textFields(data) : undefined,
        });
  return { ...target, ...body, ...Object.fromEntries(beside.map(([name, value]) => [BESIDE[name]!, value])) };
}

function failure(answer: Answer): SendResult {
  const message = answer.at('error', 'message');
  switch (errorCodeOf(answer) ?? answer.at('error', 'status')) {
    case 'UNREGISTERED':
      return answer.failed('dead-token', message);
    // The token may be fine and the service account of another project; tokens must not be thrown away for that.
    case 'SENDER_ID_MISMATCH':
      return answer.failed('permanent', message);
    case 'INVALID_ARGUMENT':
      // The same code for a bad token and for a bad message; only the text tells them apart.
      return answer.failed(/registration token/i.test(message ?? '') ? 'dead-token' : 'permanent', message);
    case 'THIRD_PARTY_AUTH_ERROR':
      return answer.failed('account', message);
    default:
      return outcomeOf(answer, message);
  }
}

function errorCodeOf({ json }: Answer): string | undefined {
  const error = isJsonObject(json) ? json['error'] : undefined;
  const details = isJsonObject(error) && Array.isArray(error['details']) ? error['details'] : [];
  return details.map((detail) => textAt(detail, ['errorCode'])).find((code) => code !== undefined);
}

type Account = { projectId: string; clientEmail: string; privateKey: string; key: string };

function accountOf(text = ''): Account | undefined {
  const once = parseJson(text);
  // Some forms encode the file a second time.
  const file = typeof once === 'string' ? parseJson(once) : once;
  const [projectId, clientEmail, privateKey] = ['project_id', 'client_email', 'private_key'].map((name) =>
    textAt(file, [name]),
  );
  if (!projectId || !clientEmail || !privateKey) return undefined;
  const key = createHash('sha256').update(`${clientEmail}\n${privateKey}`).digest('hex');
  return { projectId, clientEmail, privateKey: privateKey.replaceAll('\\n', '\n'), key };
}

type Token = { ok: true; value: string } | { ok: false; failure: SendFailure };

/** Access tokens by service account. A burst waits for one exchange instead of making a hundred. */
const TOKENS = new Map<string, { token: Promise<Token>; until: number }>();
const MOST_TOKENS = 1_000;
const TOKEN_LIFE_MS = 55 * 60_000;

async function accessToken(context: SendContext, account: Account): Promise<Token> {
  const now = context.now().getTime();
  const known = TOKENS.get(account.key);
  if (known && known.until > now) return known.token;
  const token = exchange(context, account);
  TOKENS.delete(account.key);
  if (TOKENS.size >= MOST_TOKENS) TOKENS.delete(TOKENS.keys().next().value!);
  TOKENS.set(account.key, { token, until: now + TOKEN_LIFE_MS });
  const result = await token.catch((error: unknown) => {
    TOKENS.delete(account.key);
    throw error;
  });
  if (!result.ok) TOKENS.delete(account.key);
  return result;
}

async function exchange(context: SendContext, account: Account): Promise<Token> {
  const assertion = assertionOf(account, context.now());
  if (assertion === undefined) {
    return {
      ok: false,
      failure: { ...refused('The private key of the service account is no PEM key'), kind: 'account' },
    };
  }
  let value: string | undefined;
  const result = await send(
    { ...context, overrides: {} },
    {
      url: TOKEN_URL,
      form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion },
      secrets: [assertion],
    },
    (answer) => {
      value = answer.at('access_token');
      // The answer holds the token, so it is not kept.
      if (answer.isOk)
        return value === undefined ? { ...answer.failed('transient', 'No access token came'), raw: '' } : { ok: true };
      const message = answer.at('error_description') ?? answer.at('error');
      return answer.status === 400 ? answer.failed('account', message) : outcomeOf(answer, message);
    },
  );
  // Nothing was sent yet, so nothing is in doubt.
  if (!result.ok) return { ok: false, failure: result.kind === 'unknown' ? { ...result, kind: 'transient' } : result };
  return { ok: true, value: value! };
}

function assertionOf({ clientEmail, privateKey }: Account, now: Date): string | undefined {
  const issued = Math.floor(now.getTime() / 1000);
  const claims = { iss: clientEmail, scope: SCOPE, aud: TOKEN_URL, iat: issued, exp: issued + 3600 };
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');
  try {
    return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
  } catch {
    return undefined;
  }
}
