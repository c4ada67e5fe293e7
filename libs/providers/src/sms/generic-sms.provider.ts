import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';
import { type Call, compact, merge, type OverridableFields, overriddenFields, send } from '../call';
import { dateOf } from '../events';
import { outcomeOf, textAt } from '../outcome';
import { type CallContext, type ProviderError } from '../provider';
import { signedCall, traceHeaders } from '../webhook';
import { smsProvider } from './sms-provider';

/** Deep enough for any answer, and no more than that. */
const DEEPEST_PATH = 10;

const OVERRIDES: OverridableFields = { names: 'any' };

/**
 * Any API that takes a message as JSON; where its answer keeps the id is a setting. Where no header is named for the secret
 * key, it signs the call as the Standard Webhooks describe it.
 */
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
    // Without the data of the message, which has a place of its own in it.
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

/** Keys in headers the tenant named; and, where they only open another address, the token that comes from there. */
async function loginOf(credentials: CredentialsDto, context: CallContext): Promise<Login> {
  const { apiKeyRequestHeader, apiKey, secretKeyRequestHeader, secretKey } = credentials;
  const headers = {
    ...(apiKeyRequestHeader && apiKey && { [apiKeyRequestHeader]: apiKey }),
    ...(secretKeyRequestHeader && secretKey && { [secretKeyRequestHeader]: secretKey }),
  };
  const { authenticateByToken, domain, authenticationTokenKey: name } = credentials;
  if (!authenticateByToken || !domain || !name) return { ok: true, headers };
  let token: string | undefined;
  // The overrides are for the message, not for this.
  const result = await send({ url: domain, headers }, credentials, { ...context, overrides: {} }, (answer) => {
    token = answer.at(name) ?? answer.at('data', name);
    if (!answer.isOk) return outcomeOf(answer, answer.at('message'));
    // The answer holds the token, so it is not kept.
    return token === undefined
      ? { ...answer.failed('credentials', `The token answer has no ${name}`), raw: '' }
      : { ok: true };
  });
  if (result.ok) return { ok: true, headers: { ...headers, [name]: token! } };
  // Nothing was sent yet, so nothing is in doubt.
  return { ok: false, failure: result.kind === 'unknown-outcome' ? { ...result, kind: 'transient' } : result };
}
