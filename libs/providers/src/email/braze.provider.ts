import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { AccessTokens } from '../access-tokens';
import { reading, type RequestContext } from '../adapter';
import { bearer, compact, merge, send, textFields } from '../call';
import { type Answer, listAt, retryAfter, textAt, waitWithin } from '../outcome';
import { type ProviderError, type SendContext, type SendResult } from '../provider';
import { emailProvider, leftOut, mailbox, type ReadyEmail, SENDER, warned } from './email-provider';

const baseOf = ({ apiURL, baseUrl }: CredentialsDto): string => {
  const url = apiURL || baseUrl || '';
  return (/^https?:\/\//i.test(url) ? url : `https://${url}`).replace(/\/+$/, '');
};

const headersOf = ({ apiKey = '' }: CredentialsDto): Record<string, string> => ({ authorization: bearer(apiKey) });

/** Who has an address at Braze. Far fewer look-ups are allowed than messages, so what was found is kept for a while. */
const USERS = new AccessTokens(3_600_000);

const EMAIL_FIELDS = [
  'preheader',
  'email_template_id',
  'message_variation_id',
  'extras',
  'headers',
  'should_inline_css',
  'reply_to',
  'attachments',
] as const;

/** Braze writes to its users, not to addresses: who they are is asked first. */
export const braze = emailProvider({
  id: 'braze',
  displayName: 'Braze',
  required: ['apiKey', ['apiURL', 'baseUrl'], ['appID', 'applicationId'], ...SENDER],
  evidence: 'official',
  overrides: {
    names: ['campaign_id', 'send_id', 'override_frequency_capping', 'recipient_subscription_state', ...EMAIL_FIELDS],
    casing: 'snake',
  },
  send: async (message, credentials, context) => {
    const found = await Promise.all(message.to.map((address) => userWith(address, credentials, context)));
    const users = found.filter((user) => user.ok);
    const failures = found.flatMap((user) => (user.ok ? [] : [user.failure]));
    // With some of several missing, those who were found get it; anything else is to be tried again for all.
    const hurdle = failures.find(({ kind }) => kind !== 'recipient') ?? (users.length === 0 ? failures[0] : undefined);
    if (hurdle) return hurdle;
    const body = bodyOf(
      message,
      users.map(({ value }) => JSON.parse(value) as JsonObject),
      credentials,
      context,
    );
    const call = { url: `${baseOf(credentials)}/messages/send`, headers: headersOf(credentials), json: body };
    const result = await send(call, credentials, context, (answer) => readAnswer(answer, context));
    // When Braze says no, it may be that a user is no longer there.
    if (!result.ok && result.status === 400)
      for (const address of message.to) USERS.forget(keyOf(address, credentials));
    return leftOut(
      warned(
        result,
        failures.map(({ message: reason }) => reason),
      ),
      'Braze',
      {
        cc: message.cc.length > 0,
        'more than one bcc': message.bcc.length > 1,
        'attachments, which it fetches from addresses': message.attachments.length > 0,
        ipPoolName: message.ipPoolName !== undefined,
      },
    );
  },
  check: {
    // The look-up is what every message begins with, and changes nothing.
    request: (credentials) => lookUp(credentials.from ?? '', credentials),
    read: (answer) => (hasUsers(answer) ? answer.accepted() : read(answer)),
  },
});

const keyOf = (address: string, credentials: CredentialsDto): string =>
  AccessTokens.keyOf(baseOf(credentials), credentials.apiKey ?? '', address.toLowerCase());

const lookUp = (address: string, credentials: CredentialsDto) => ({
  url: `${baseOf(credentials)}/users/export/ids`,
  headers: headersOf(credentials),
  json: { email_address: address, fields_to_export: ['external_id', 'user_aliases'] },
});

const hasUsers = ({ isOk, json }: Answer): boolean => isOk && isJsonObject(json) && Array.isArray(json['users']);

function userWith(address: string, credentials: CredentialsDto, context: SendContext) {
  return USERS.get(keyOf(address, credentials), context.now(), async () => {
    const call = lookUp(address, credentials);
    // What the trigger passes through is meant for the message.
    const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
      if (!hasUsers(answer)) return readAnswer(answer, context);
      const user = listAt(answer.json, 'users').flatMap((one) => referenceTo(one) ?? [])[0];
      if (user !== undefined) return answer.accepted(JSON.stringify(user));
      return answer.failed('recipient', `Braze has no user with the address ${address}`);
    });
    return result.ok ? { ok: true, value: result.id ?? '' } : { ok: false, failure: nothingSent(result) };
  });
}

/** One of those who share the address, or all of them would get the mail there. */
function referenceTo(user: Json): JsonObject | undefined {
  const externalId = textAt(user, ['external_id']);
  if (externalId !== undefined) return { external_id: externalId };
  const alias = listAt(user, 'user_aliases')[0];
  const [name, label] = [textAt(alias, ['alias_name']), textAt(alias, ['alias_label'])];
  return name === undefined || label === undefined ? undefined : { alias_name: name, alias_label: label };
}

/** A look-up that was lost is only that. */
const nothingSent = (failure: ProviderError): ProviderError =>
  failure.kind === 'unknown-outcome' ? { ...failure, kind: 'transient' } : failure;

function bodyOf(
  message: ReadyEmail,
  users: readonly JsonObject[],
  { appID, applicationId }: CredentialsDto,
  { fields }: RequestContext,
): JsonObject {
  const isOfEmail = (name: string): boolean => (EMAIL_FIELDS as readonly string[]).includes(name);
  const pick = (isWanted: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
  const email = compact({
    app_id: appID || applicationId,
    from: mailbox({ ...message, senderName: message.senderName || message.from }),
    reply_to: message.replyTo,
    // It has to be one that is registered with them.
    bcc: message.bcc[0],
    // A template of theirs brings its own.
    ...(!('email_template_id' in fields) && {
      subject: literally(message.subject),
      body: literally(message.html),
      plaintext_body: message.text === undefined ? undefined : literally(message.text),
    }),
    headers: Object.keys(message.headers).length > 0 ? { ...message.headers } : undefined,
    extras: { ...textFields(message.customData ?? {}), message_id: message.id },
  });
  const body = compact({
    // Never to everybody, whatever else is missing.
    broadcast: false,
    external_user_ids: users.flatMap(({ external_id: id }) => id ?? []),
    user_aliases: users.filter((user) => 'alias_name' in user),
    // These are not campaigns: whoever opted out of those still gets them.
    recipient_subscription_state: 'all',
    messages: { email: merge(email, pick(isOfEmail)) },
  });
  return merge(
    body,
    pick((name) => !isOfEmail(name)),
  );
}

/** Braze reads Liquid in every text; a text with its marks in it is meant as it is. */
const literally = (text: string): string => text.replace(/\{\{|\{%/g, (marks) => `{{ '${marks}' }}`);

function readAnswer(answer: Answer, { now }: Pick<SendContext, 'now'>): SendResult {
  const result = warned(read(answer), errorsIn(answer));
  // The wait stands in a header of its own: seconds since 1970.
  const reset = Number(answer.headers['x-ratelimit-reset']);
  const isOwn = answer.status === 429 && reset > 0 && retryAfter(answer.headers['retry-after'], now()) === undefined;
  return isOwn ? ({ ...result, retryAfterMs: waitWithin(reset * 1000 - now().getTime()) } as SendResult) : result;
}

/** They may come with success, too. */
const errorsIn = (answer: Answer): string[] =>
  listAt(answer.json, 'errors').flatMap((error) => textAt(error, []) ?? textAt(error, ['type']) ?? []);

const read = reading({
  id: ['dispatch_id'],
  isTaken: (answer) => answer.at('message') === 'success',
  message: (answer) => [answer.at('message') ?? [], errorsIn(answer)].flat(2).join(': ') || undefined,
  code: (answer) => (answer.status === 400 && answer.at('message') !== undefined ? 'refused' : undefined),
  kinds: { refused: 'content' },
  // The address is of no cluster of theirs.
  statuses: { 404: 'credentials' },
});
