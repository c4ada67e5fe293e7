import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject, readJson } from '@clarion/contracts/core';
import { AccessTokens } from '../access-tokens';
import { reading, type RequestContext } from '../adapter';
import { baseUrlOf, bearer, compact, merge, send, textFields, words } from '../call';
import { listAt, textAt } from '../json-paths';
import { type Answer, beforeSending, withRateLimitReset } from '../outcome';
import { type SendContext, type SendResult } from '../provider';
import {
  emailProvider,
  headersOrNone,
  mailbox,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

const baseOf = ({ apiURL, baseUrl }: CredentialsDto): string => baseUrlOf(apiURL || baseUrl || '');

const headersOf = ({ apiKey = '' }: CredentialsDto): Record<string, string> => ({ authorization: bearer(apiKey) });

/** The users of an address. Braze allows far fewer look-ups than messages, so results are cached. */
const USERS = new AccessTokens(3_600_000);

const EMAIL_FIELDS = words(`
  preheader email_template_id message_variation_id extras headers should_inline_css reply_to attachments
`);

/** Braze sends to users, not to addresses, so the adapter looks up the user first. */
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
    // If some recipients are unknown, the known ones get the message. Any other failure is returned, so all are
    // retried.
    const failure = failures.find(({ kind }) => kind !== 'recipient') ?? (users.length === 0 ? failures[0] : undefined);
    if (failure) return failure;
    const body = bodyOf(
      message,
      users.map(({ value }) => readJson(value) as JsonObject),
      credentials,
      context,
    );
    const call = { url: `${baseOf(credentials)}/messages/send`, headers: headersOf(credentials), json: body };
    const result = await send(call, credentials, context, (answer) => readAnswer(answer, context));
    // After a rejection a cached user may no longer exist.
    if (!result.ok && result.status === 400)
      for (const address of message.to) USERS.forget(keyOf(address, credentials));
    return withLeftOutParts(
      withWarnings(
        result,
        failures.map(({ message: reason }) => reason),
      ),
      'Braze',
      {
        cc: message.cc.length > 0,
        'more than one bcc': message.bcc.length > 1,
        'attachments, which it downloads from URLs': message.attachments.length > 0,
        ipPoolName: message.ipPoolName !== undefined,
      },
    );
  },
  check: {
    // Every message starts with this look-up, which changes nothing.
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
    // Overrides of the trigger apply to the message only.
    const result = await send(call, credentials, { ...context, overrides: {} }, (answer) => {
      if (!hasUsers(answer)) return readAnswer(answer, context);
      const user = listAt(answer.json, 'users').flatMap((one) => referenceTo(one) ?? [])[0];
      if (user !== undefined) return answer.accepted(JSON.stringify(user));
      return answer.failed('recipient', `Braze has no user with the address ${address}`);
    });
    return result.ok ? { ok: true, value: result.id ?? '' } : { ok: false, failure: beforeSending(result) };
  });
}

/** Only one of the users who share the address, because otherwise the mail would arrive once per user. */
function referenceTo(user: Json): JsonObject | undefined {
  const externalId = textAt(user, ['external_id']);
  if (externalId !== undefined) return { external_id: externalId };
  const alias = listAt(user, 'user_aliases')[0];
  const [name, label] = [textAt(alias, ['alias_name']), textAt(alias, ['alias_label'])];
  return name === undefined || label === undefined ? undefined : { alias_name: name, alias_label: label };
}

function bodyOf(
  message: ReadyEmail,
  users: readonly JsonObject[],
  { appID, applicationId }: CredentialsDto,
  { fields }: RequestContext,
): JsonObject {
  const isOfEmail = (name: string): boolean => EMAIL_FIELDS.includes(name);
  const pick = (isWanted: (name: string) => boolean): JsonObject =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => isWanted(name)));
  const email = compact({
    app_id: appID || applicationId,
    from: mailbox({ ...message, senderName: message.senderName || message.from }),
    reply_to: message.replyTo,
    // It has to be registered with Braze.
    bcc: message.bcc[0],
    // A template at Braze has its own content.
    ...(!('email_template_id' in fields) && {
      subject: literally(message.subject),
      body: literally(message.html),
      plaintext_body: message.text === undefined ? undefined : literally(message.text),
    }),
    headers: headersOrNone(message),
    extras: { ...textFields(message.customData ?? {}), message_id: message.id },
  });
  const body = compact({
    // Prevents that a message without users goes to all of them.
    broadcast: false,
    external_user_ids: users.flatMap(({ external_id: id }) => id ?? []),
    user_aliases: users.filter((user) => 'alias_name' in user),
    // These messages are not campaigns, so users who opted out of campaigns get them too.
    recipient_subscription_state: 'all',
    messages: { email: merge(email, pick(isOfEmail)) },
  });
  return merge(
    body,
    pick((name) => !isOfEmail(name)),
  );
}

/** Braze renders Liquid in every text, so Liquid delimiters in the text are escaped. */
const literally = (text: string): string => text.replace(/\{\{|\{%/g, (marks) => `{{ '${marks}' }}`);

function readAnswer(answer: Answer, { now }: Pick<SendContext, 'now'>): SendResult {
  return withRateLimitReset(withWarnings(read(answer), errorsIn(answer)), answer, now());
}

/** A success may have errors too. */
const errorsIn = (answer: Answer): string[] =>
  listAt(answer.json, 'errors').flatMap((error) => textAt(error, []) ?? textAt(error, ['type']) ?? []);

const read = reading({
  id: ['dispatch_id'],
  isAccepted: (answer) => answer.at('message') === 'success',
  message: (answer) => [answer.at('message') ?? [], errorsIn(answer)].flat(2).join(': ') || undefined,
  code: (answer) => (answer.status === 400 && answer.at('message') !== undefined ? 'refused' : undefined),
  kinds: { refused: 'content' },
  // The URL does not belong to a Braze cluster.
  statuses: { 404: 'credentials' },
});
