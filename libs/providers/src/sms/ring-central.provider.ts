import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json } from '@clarion/contracts/core';
import { AccessTokens, requestToken, type TokenSource } from '../access-tokens';
import { type RequestContext } from '../adapter';
import { basic, bearer, compact, merge, send } from '../call';
import { bySharedKey, dateOf, type DeliveryEventKind, GENUINE, isSame, NO_SIGNING_KEY, objectsIn } from '../events';
import { parseWithIds, textAt } from '../json-paths';
import { type Answer, kindOfCode, kindOfStatus } from '../outcome';
import { type CallContext, type FailureKind, type SendResult } from '../provider';
import { type ReadySms, smsProvider, stateEvents } from './sms-provider';

const HOST = 'https://platform.ringcentral.com';
const SANDBOX_HOST = 'https://platform.devtest.ringcentral.com';

const EVENT_KINDS: Readonly<Record<string, DeliveryEventKind>> = {
  Sent: 'sent',
  Delivered: 'delivered',
  DeliveryFailed: 'bounced',
  SendingFailed: 'failed',
};

export const ringCentral = smsProvider({
  id: 'ring-central',
  displayName: 'RingCentral',
  required: ['clientId', 'secretKey', 'token', 'from'],
  // True selects the sandbox.
  optional: ['secure'],
  evidence: 'official',
  overrides: { names: ['country'], casing: 'camel' },
  send: (message, credentials, context) =>
    TOKENS.use(sourceOf(credentials, context), (token) => post(message, credentials, context, token)),
  // The check cannot find out whether the sender number belongs to the account.
  check: (credentials, context) => TOKENS.check(sourceOf(credentials, context)),
  // Events are not signed. RingCentral sends the token that was set when the subscription was created.
  events: {
    ...bySharedKey,
    proof: '`Verification-Token` header, or key in the URL (`?token=`)',
    verify: (call, context) => {
      const given = call.headers['verification-token'];
      if (given === undefined) return bySharedKey.verify(call, context);
      if (!context.signingKey) return NO_SIGNING_KEY;
      return isSame(given, context.signingKey) ? GENUINE : bySharedKey.verify(call, context);
    },
    // RingCentral validates a new subscription with a call that does not have the token yet.
    handshake: ({ headers }) => {
      const token = headers['validation-token'];
      return token === undefined ? undefined : { status: 200, headers: { 'validation-token': token } };
    },
    parse: (call) =>
      objectsIn(call, 'id').flatMap((notification) => {
        const record = isJsonObject(notification['body']) ? notification['body'] : notification;
        const at = (...path: (string | number)[]): string | undefined => textAt(record, path);
        if (at('direction') === 'Inbound') return [];
        return stateEvents(EVENT_KINDS, {
          id: at('id'),
          state: at('messageStatus'),
          recipient: at('to', 0, 'phoneNumber'),
          at: dateOf(at('lastModifiedTime') ?? textAt(notification, ['timestamp'])),
          reason: at('deliveryErrorCode'),
        });
      }),
  },
});

const hostOf = ({ secure }: CredentialsDto): string => (secure ? SANDBOX_HOST : HOST);

const post = (
  { to, from, content }: ReadySms,
  credentials: CredentialsDto,
  context: RequestContext,
  accessToken: string,
): Promise<SendResult> => {
  const body = compact({
    from: from === undefined ? undefined : { phoneNumber: from },
    to: [{ phoneNumber: to }],
    text: content,
  });
  return send(
    {
      url: `${hostOf(credentials)}/restapi/v1.0/account/~/extension/~/sms`,
      headers: { authorization: bearer(accessToken), accept: 'application/json' },
      json: merge(body, context.fields),
    },
    credentials,
    context,
    read,
  );
};

const KINDS: Readonly<Record<string, FailureKind>> = {
  'CMN-301': 'rate-limited',
  'CMN-408': 'credentials',
  'CMN-419': 'credentials',
  'MSG-304': 'credentials',
};
const PARAMETER_KINDS: [pattern: RegExp, kind: FailureKind][] = [
  [/^to\b/, 'recipient'],
  [/^from\b/, 'credentials'],
  [/^text\b/, 'content'],
];

function read(answer: Answer): SendResult {
  if (answer.isOk) {
    const id = textAt(parseWithIds(answer.text, 'id'), ['id']);
    return answer.at('messageStatus') === 'SendingFailed'
      ? answer.failed('permanent', answer.at('deliveryErrorCode') ?? 'The message could not be sent')
      : answer.acceptedAs(id, dateOf(answer.at('creationTime')));
  }
  return answer.failed(
    kindOfCode(KINDS, answer.at('errorCode')) ?? kindOfParameter(answer.json) ?? kindOfStatus(answer.status),
    answer.at('message') ?? answer.at('errors', 0, 'message'),
  );
}

function kindOfParameter(json: Json | undefined): FailureKind | undefined {
  const name = textAt(json, ['errors', 0, 'parameterName']) ?? textAt(json, ['parameterName']);
  return name === undefined ? undefined : PARAMETER_KINDS.find(([pattern]) => pattern.test(name))?.[1];
}

/** RingCentral's access tokens are valid for one hour. */
const TOKENS = new AccessTokens(50 * 60_000);

function sourceOf(credentials: CredentialsDto, context: CallContext): TokenSource {
  const { clientId = '', secretKey = '', token = '' } = credentials;
  const host = hostOf(credentials);
  return {
    key: AccessTokens.keyOf(host, clientId, secretKey, token),
    now: context.now(),
    exchange: () =>
      requestToken(
        {
          url: `${host}/restapi/oauth/token`,
          headers: { authorization: basic(clientId, secretKey), accept: 'application/json' },
          form: { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion: token },
        },
        credentials,
        context,
      ),
  };
}
