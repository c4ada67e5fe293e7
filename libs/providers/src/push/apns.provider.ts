import { createPrivateKey, sign } from 'node:crypto';
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { type AccessToken, AccessTokens, jwtText, type TokenSource } from '../access-tokens';
import { reading, type RequestContext } from '../adapter';
import { byKind } from '../by-kind';
import { compact, merge, send, words } from '../call';
import { refused } from '../outcome';
import { type FailureKind, type PushMessage, type SendResult } from '../provider';
import { deviceKey, pushProvider } from './push-provider';

const HOST = 'https://api.push.apple.com';
const SANDBOX_HOST = 'https://api.sandbox.push.apple.com';

/** Overrides that set a header, a member of `alert` and another member of `aps`. */
const HEADER_FIELDS = ['push-type', 'priority', 'expiration', 'collapse-id'] as const;
const ALERT_FIELDS = words(`
  title subtitle body title-loc-key title-loc-args subtitle-loc-key subtitle-loc-args loc-key loc-args launch-image
`);
const APS_FIELDS = words(`
  alert badge sound category thread-id content-available mutable-content target-content-id interruption-level
  relevance-score filter-criteria url-args timestamp event content-state stale-date dismissal-date attributes-type
  attributes
`);

export const apns = pushProvider({
  id: 'apns',
  displayName: 'Apple Push Notification service',
  // Private key, key id, team id, bundle id.
  required: ['secretKey', 'apiKey', 'projectName', 'applicationId'],
  optional: ['secure'],
  evidence: 'official',
  idempotency: 'apns-collapse-id header: a duplicate replaces the first notification',
  overrides: { names: [...HEADER_FIELDS, ...ALERT_FIELDS, ...APS_FIELDS, 'aps', 'data'], casing: 'kebab' },
  send: (message, credentials, context) =>
    TOKENS.use(
      sourceOf(credentials, context.now()),
      (token) => post(message, credentials, context, token),
      ({ message: reason }) => reason === 'ExpiredProviderToken',
    ),
});

const KINDS: Readonly<Record<string, FailureKind>> = byKind({
  // Apple also sends BadDeviceToken for a token of the other environment (sandbox or production).
  'dead-token': ['BadDeviceToken', 'Unregistered', 'ExpiredToken'],
  recipient: ['MissingDeviceToken'],
  // The token may be valid and the bundle id may belong to another app, so the token is not removed.
  permanent: ['DeviceTokenNotForTopic'],
  credentials: words(`
    BadTopic MissingTopic TopicDisallowed BadCertificate BadCertificateEnvironment ExpiredProviderToken
    InvalidProviderToken MissingProviderToken UnrelatedKeyIdInToken BadEnvironmentKeyIdInToken Forbidden
  `),
  content: words(`
    BadCollapseId BadExpirationDate BadMessageId BadPriority InvalidPushType DuplicateHeaders PayloadEmpty
    PayloadTooLarge
  `),
  'rate-limited': ['TooManyProviderTokenUpdates', 'TooManyRequests'],
  transient: ['IdleTimeout', 'InternalServerError', 'ServiceUnavailable', 'Shutdown'],
});

const read = reading({ trace: 'apns-id', code: ['reason'], message: ['reason'], kinds: KINDS });

/** The topic of some push types is derived from the bundle id. */
const TOPIC_ENDINGS: Readonly<Record<string, string>> = {
  voip: '.voip',
  pushtotalk: '.voip-ptt',
  complication: '.complication',
  fileprovider: '.pushkit.fileprovider',
  location: '.location-query',
  liveactivity: '.push-type.liveactivity',
  widgets: '.push-type.widgets',
};

function post(
  message: PushMessage,
  credentials: CredentialsDto,
  context: RequestContext,
  token: string,
): Promise<SendResult> {
  const { applicationId = '', secure } = credentials;
  const { fields } = context;
  const pushType = textOf(fields['push-type']) ?? 'alert';
  const isBackground = pushType === 'background';
  return send(
    {
      url: `${secure ? HOST : SANDBOX_HOST}/3/device/${encodeURIComponent(message.token)}`,
      http2: true,
      headers: {
        authorization: `bearer ${token}`,
        'apns-topic': applicationId + (Object.hasOwn(TOPIC_ENDINGS, pushType) ? TOPIC_ENDINGS[pushType]! : ''),
        'apns-push-type': pushType,
        'apns-priority': textOf(fields['priority']) ?? (isBackground ? '5' : '10'),
        'apns-expiration': textOf(fields['expiration']),
        'apns-id': deviceKey(message),
        'apns-collapse-id': textOf(fields['collapse-id']) ?? message.id,
      },
      json: bodyOf(message, fields, isBackground),
      secrets: [message.token],
    },
    credentials,
    context,
    (answer) => {
      const result = read(answer);
      // Apple returns the `apns-id` of the request.
      return result.ok ? { ...result, id: result.id ?? deviceKey(message) } : result;
    },
  );
}

function bodyOf({ title, content, payload }: PushMessage, fields: JsonObject, isBackground: boolean): JsonObject {
  const { data, aps } = fields;
  const alert = { title, body: content, ...only(ALERT_FIELDS, fields) };
  const base: JsonObject = isBackground ? { 'content-available': 1 } : { alert };
  const set = merge(merge(base, only(APS_FIELDS, fields)), isJsonObject(aps) ? aps : {});
  // The members next to `aps` are data of the app.
  return { ...(isJsonObject(data) ? data : payload), aps: set };
}

/** Apple represents booleans as 1 and 0. */
const only = (names: readonly string[], fields: JsonObject): JsonObject =>
  compact(
    Object.fromEntries(
      names.map((name) => [name, typeof fields[name] === 'boolean' ? Number(fields[name]) : fields[name]]),
    ),
  );

const textOf = (value: Json | undefined): string | undefined =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;

/**
 * Apple accepts a token for at most one hour, and rejects clients that renew it within 20 minutes. All connections
 * share it.
 */
const TOKENS = new AccessTokens(50 * 60_000);

function sourceOf(credentials: CredentialsDto, now: Date): TokenSource {
  const { secretKey = '', apiKey = '', projectName = '' } = credentials;
  const key = AccessTokens.keyOf(secretKey, apiKey, projectName);
  return { key, now, exchange: () => Promise.resolve(signedToken(credentials, now)) };
}

function signedToken({ secretKey = '', apiKey, projectName }: CredentialsDto, now: Date): AccessToken {
  const claims = { iss: projectName, iat: Math.floor(now.getTime() / 1000) };
  const text = jwtText({ alg: 'ES256', kid: apiKey }, claims);
  try {
    const key = createPrivateKey({ key: derOf(secretKey), format: 'der', type: 'pkcs8' });
    if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') return NO_KEY;
    const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });
    return { ok: true, value: `${text}.${signature.toString('base64url')}` };
  } catch {
    return NO_KEY;
  }
}

/** Forms drop the line breaks of a PEM file or write them as `\n`. */
const derOf = (pem: string): Buffer => Buffer.from(pem.replace(/-----[^-]*-----|\\n|\s/g, ''), 'base64');

const NO_KEY: AccessToken = {
  ok: false,
  failure: refused('The secret key is not an Apple .p8 file (a P-256 private key in PEM format)', 'credentials'),
};
