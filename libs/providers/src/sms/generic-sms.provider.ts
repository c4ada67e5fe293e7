import { compact, merge, overriddenFields, send } from '../call';
import { outcomeOf, textAt } from '../outcome';
import { type SendContext, type SendFailure } from '../provider';
import { smsProvider } from './sms-provider';

/** Deep enough for any answer, and no more than that. */
const DEEPEST_PATH = 10;

/** Any API that takes a message as JSON; where its answer keeps the id is a setting. */
export const genericSms = smsProvider({
  id: 'generic-sms',
  send: async (message, context) => {
    const { credentials, overrides } = context;
    const login = await loginOf(context);
    if (!login.ok) return login.failure;
    const body = compact({
      id: message.id,
      to: message.to,
      from: message.from,
      sender: message.from,
      content: message.content,
      customData: message.customData,
    });
    return send(
      context,
      {
        url: credentials.baseUrl ?? '',
        headers: login.headers,
        json: merge(body, overriddenFields(overrides)),
        secrets: Object.values(login.headers),
      },
      (answer) =>
        answer.isOk
          ? answer.accepted(textAt(answer.json, pathOf(credentials.idPath)))
          : outcomeOf(answer, answer.at('message')),
    );
  },
});

const pathOf = (path: string | undefined): string[] => (path || 'id').split('.').slice(0, DEEPEST_PATH);

type Login = { ok: true; headers: Record<string, string> } | { ok: false; failure: SendFailure };

/** Keys in headers the tenant named; or, with them, a token from another address that goes into a header instead. */
async function loginOf(context: SendContext): Promise<Login> {
  const { credentials } = context;
  const { apiKeyRequestHeader, apiKey, secretKeyRequestHeader, secretKey } = credentials;
  const headers = {
    ...(apiKeyRequestHeader && apiKey && { [apiKeyRequestHeader]: apiKey }),
    ...(secretKeyRequestHeader && secretKey && { [secretKeyRequestHeader]: secretKey }),
  };
  const { authenticateByToken, domain, authenticationTokenKey: name } = credentials;
  if (!authenticateByToken || !domain || !name) return { ok: true, headers };
  let token: string | undefined;
  // The overrides are for the message, not for this.
  const result = await send({ ...context, overrides: {} }, { url: domain, headers }, (answer) => {
    token = answer.at(name) ?? answer.at('data', name);
    if (!answer.isOk) return outcomeOf(answer, answer.at('message'));
    // The answer holds the token, so it is not kept.
    return token === undefined
      ? { ...answer.failed('account', `The token answer has no ${name}`), raw: '' }
      : { ok: true };
  });
  if (!result.ok) return { ok: false, failure: result };
  return { ok: true, headers: { [name]: token! } };
}
