import type { CredentialsDto } from '@clarion/contracts';
import type { JsonObject } from '@clarion/contracts/core';
import { type RequestContext } from '../adapter';
import { baseUrlOf, type Call, merge, passthroughOf, send, words } from '../call';
import { type Answer, beforeSending, outcomeOf, refused } from '../outcome';
import { type ProviderError, type PushMessage, type SendResult } from '../provider';
import { pushProvider } from './push-provider';

/** The older host, api.io.italia.it, is being retired. */
const DEFAULT_BASE_URL = 'https://api.io.pagopa.it/api/v1';
const KEY_HEADER = 'ocp-apim-subscription-key';
const SECONDS_TO_LIVE = 3_600;
/** The lengths that the API accepts, in characters. */
const LENGTHS = { subject: [10, 120], markdown: [80, 10_000] } as const;

/** Members next to `content`. All others belong inside it. */
const BESIDE = ['time_to_live', 'default_addresses', 'feature_level_type'] as const;

/** App IO, which Italian public offices use to write to citizens. The device token is a fiscal code. */
export const appio = pushProvider({
  id: 'appio',
  displayName: 'Appio',
  // A trigger may also set the key, with the override `apiKey`.
  required: [['apiKey', 'AppIOBaseUrl']],
  evidence: 'official',
  overrides: {
    names: [
      'apiKey',
      ...BESIDE,
      ...words(`
        subject markdown due_date payment_data prescription_data legal_data eu_covid_cert third_party_data
        require_secure_channels
      `),
    ],
    casing: 'snake',
  },
  send: async (message, credentials, context) => {
    const { apiKey, ...fields } = context.fields;
    const key = typeof apiKey === 'string' ? apiKey : (credentials.apiKey ?? '');
    if (key === '' && !isKeyPassed(context)) return NO_KEY;
    const body = bodyOf(message, fields);
    const failure = faultOf(body) ?? (await profileFailure(message, key, credentials, context));
    return failure ?? send(callOf('messages', body, message, key, credentials), credentials, context, read);
  },
});

const NO_KEY = refused('App IO needs a subscription key: credentials.apiKey, or the override apiKey', 'credentials');

const isKeyPassed = ({ overrides }: RequestContext): boolean =>
  Object.keys(passthroughOf(overrides).headers).some((name) => name.toLowerCase() === KEY_HEADER);

function callOf(
  path: string,
  json: JsonObject,
  { token }: PushMessage,
  key: string,
  { AppIOBaseUrl }: CredentialsDto,
): Call {
  return {
    url: `${baseUrlOf(AppIOBaseUrl || DEFAULT_BASE_URL)}/${path}`,
    headers: { [KEY_HEADER]: key || undefined, accept: 'application/json' },
    json,
    // A fiscal code identifies a person and contains the date of birth.
    secrets: [key, token],
  };
}

/** App IO requires a check that the citizen exists and allows messages of this service. */
async function profileFailure(
  message: PushMessage,
  key: string,
  credentials: CredentialsDto,
  context: RequestContext,
): Promise<ProviderError | undefined> {
  const call = callOf('profiles', { fiscal_code: message.token }, message, key, credentials);
  // Passed-through headers may contain the key, which both calls need. The body and query are for the message only.
  const { headers } = passthroughOf(context.overrides);
  const asked = { ...context, overrides: { _passthrough: { headers } } };
  const result = await send(call, credentials, asked, (answer) => {
    if (answer.status === 404) return answer.failed('recipient', 'This citizen does not use App IO');
    if (!answer.isOk) return outcomeOf(answer, errorTextOf(answer));
    const isAllowed = answer.at('sender_allowed');
    if (isAllowed === 'true') return { ok: true };
    return isAllowed === 'false'
      ? answer.failed('recipient', 'This citizen does not allow messages of this service')
      : answer.failed('transient', 'The profile does not state whether messages are allowed');
  });
  return result.ok ? undefined : beforeSending(result);
}

function bodyOf({ token, title, content }: PushMessage, fields: JsonObject): JsonObject {
  const beside = Object.entries(fields).filter(([name]) => isBeside(name));
  const inside = Object.entries(fields).filter(([name]) => !isBeside(name));
  return {
    time_to_live: SECONDS_TO_LIVE,
    ...Object.fromEntries(beside),
    fiscal_code: token,
    content: merge({ subject: title, markdown: content }, Object.fromEntries(inside)),
  };
}

const isBeside = (name: string): boolean => (BESIDE as readonly string[]).includes(name);

function faultOf({ content }: JsonObject): ProviderError | undefined {
  for (const [name, [least, most]] of Object.entries(LENGTHS)) {
    const text = (content as JsonObject)[name];
    const length = typeof text === 'string' ? text.length : 0;
    if (length < least || length > most) {
      return refused(`App IO takes a ${name} of ${least} to ${most} characters, and this one has ${length}`);
    }
  }
  return undefined;
}

const errorTextOf = (answer: Answer): string | undefined => answer.at('detail') ?? answer.at('title');

const read = (answer: Answer): SendResult =>
  answer.isOk ? answer.acceptedAs(answer.at('id')) : outcomeOf(answer, errorTextOf(answer));
