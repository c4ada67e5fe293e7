import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';
import { type Call, compact, merge, overriddenFields, send } from '../call';
import { dateOf } from '../events';
import { textAt } from '../json-paths';
import { beforeSending, outcomeOf } from '../outcome';
import { type CallContext, type OverridableFields, type ProviderError } from '../provider';
import { signedCall, traceHeaders } from '../webhook';
import { smsProvider } from './sms-provider';

/** Limits the depth of a path that a tenant wrote. */
const DEEPEST_PATH = 10;

const OVERRIDES: OverridableFields = { names: 'any' };

/** Takes JSON. The path of the id is a credential; without a header for it, the secret key signs the call. */
export const genericSms = smsProvider({
  id: 'generic-sms',
  displayName: 'Generic SMS',
  required: ['baseUrl', 'apiKeyRequestHeader', 'apiKey', 'idPath', 'from'],
  optional: [
    'secretKeyRequestHeader',
    'secretKey',
    'datePath',
    'authenticateByToken',
    'domain',
    'authenticationTokenKey',
  ],
  evidence: 'official',
  overrides: OVERRIDES,
  send: async (message, credentials, context) => {
    const login = await loginOf(credentials, context);
    if (!login.ok) return login.failure;
    const body = compact({
      id: message.id,
      to: message.to,
      from: message.from,
      sender: message.from,
      content: message.content,
      customData: message.customData,
    });
    // Without the custom data, which is a member of the body.
    const { fields } = overriddenFields(context.overrides, OVERRIDES);
    return send(
      callOf(message.id, merge(body, fields), login.headers, credentials, context),
      credentials,
      context,
      (answer) =>
        answer.isOk
          ? answer.accepted(
              textAt(answer.json, pathOf(credentials.idPath || 'id')),
              dateOf(textAt(answer.json, pathOf(credentials.datePath || 'date'))),
            )
          : outcomeOf(answer, answer.at('message')),
    );
  },
});

function callOf(
  id: string,
  body: JsonObject,
  headers: Record<string, string>,
  { baseUrl: url = '', secretKey, secretKeyRequestHeader }: CredentialsDto,
  context: CallContext,
): Call {
  const secrets = Object.values(headers);
  if (!secretKey || secretKeyRequestHeader) {
    return { url, headers: { ...traceHeaders(context.trace), ...headers }, json: body, secrets };
  }
  const signed = signedCall({ url, origin: 'provider', id, body, secret: secretKey }, context);
  return { ...signed, headers: { ...signed.headers, ...headers }, secrets };
}

const pathOf = (path: string): string[] => path.split('.').slice(0, DEEPEST_PATH);

type Login = { ok: true; headers: Record<string, string> } | { ok: false; failure: ProviderError };

/** The keys in the headers that the tenant named and, if these only authenticate at a token endpoint, the token. */
async function loginOf(credentials: CredentialsDto, context: CallContext): Promise<Login> {
  const { apiKeyRequestHeader, apiKey, secretKeyRequestHeader, secretKey } = credentials;
  const headers = {
    ...(apiKeyRequestHeader && apiKey && { [apiKeyRequestHeader]: apiKey }),
    ...(secretKeyRequestHeader && secretKey && { [secretKeyRequestHeader]: secretKey }),
  };
  const { authenticateByToken, domain, authenticationTokenKey: name } = credentials;
  if (!authenticateByToken || !domain || !name) return { ok: true, headers };
  let token: string | undefined;
  // The overrides apply to the message, not to the token request.
  const result = await send({ url: domain, headers }, credentials, { ...context, overrides: {} }, (answer) => {
    token = answer.at(name) ?? answer.at('data', name);
    if (!answer.isOk) return outcomeOf(answer, answer.at('message'));
    // The response contains the token, so it is not kept in the result.
    return token === undefined
      ? { ...answer.failed('credentials', `The response of the token endpoint has no ${name}`), raw: '' }
      : { ok: true };
  });
  if (result.ok) return { ok: true, headers: { ...headers, [name]: token! } };
  return { ok: false, failure: beforeSending(result) };
}
