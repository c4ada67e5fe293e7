import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { type Call, compact, merge, words } from '../call';
import { type Answer, outcomeOf } from '../outcome';
import { type PushMessage, type SendResult } from '../provider';
import { contentKey, deviceKey, pushProvider } from './push-provider';

export const oneSignal = pushProvider({
  id: 'one-signal',
  displayName: 'OneSignal',
  required: ['applicationId', 'apiKey'],
  optional: ['apiVersion'],
  evidence: 'official',
  idempotency: 'idempotency_key in the body',
  overrides: {
    names: words(`
      headings contents subtitle data url web_url app_url template_id name content_available mutable_content
      target_content_identifier big_picture chrome_web_image chrome_web_icon chrome_icon firefox_icon small_icon
      large_icon ios_attachments ios_badgeType ios_badgeCount ios_sound ios_category ios_interruption_level
      ios_relevance_score android_sound android_channel_id existing_android_channel_id android_group
      android_visibility android_accent_color huawei_channel_id buttons web_buttons collapse_id web_push_topic
      thread_id summary_arg summary_arg_count send_after delayed_option delivery_time_of_day ttl priority
      throttle_rate_per_minute isIos isAndroid isAnyWeb
    `),
    casing: 'snake',
  },
  headers: ({ apiKey = '' }) => ({ authorization: `Key ${apiKey}` }),
  request: (message, credentials, { fields }) => callTo([message], fields, credentials),
  read: (answer, message) => read(answer, message),
  batch: {
    // The API accepts more, but a response that lists all of them as invalid would exceed the response limit.
    size: 1_000,
    // One call carries one text to many devices.
    groupOf: contentKey,
    request: (items, credentials) =>
      callTo(
        items.map(({ message }) => message),
        items[0]!.fields,
        credentials,
      ),
    read: (answer, items) => items.map(({ message }) => read(answer, message)),
  },
  check: {
    get: ({ applicationId = '' }) => `${HOST}/notifications?limit=1&app_id=${encodeURIComponent(applicationId)}`,
  },
});

const HOST = 'https://api.onesignal.com';

function callTo(messages: readonly PushMessage[], fields: JsonObject, credentials: CredentialsDto): Call {
  const { applicationId, apiVersion } = credentials;
  const [{ title, content, payload }] = messages as [PushMessage];
  const tokens = messages.map(({ token }) => token);
  const body = compact({
    app_id: applicationId,
    ...(apiVersion === 'externalId'
      ? { include_aliases: { external_id: tokens }, target_channel: 'push' }
      : { include_subscription_ids: tokens }),
    headings: { en: title },
    contents: { en: content },
    data: { ...payload },
    idempotency_key: deviceKey(...messages),
  });
  return { url: `${HOST}/notifications`, json: merge(body, fields) };
}

const INVALID_LISTS = [
  'invalid_player_ids',
  'invalid_subscription_ids',
  'invalid_aliases',
  'invalid_external_user_ids',
];

/** A 200 without an id means that nothing was sent. A 200 with an id excludes the devices that its errors list. */
function read(answer: Answer, { token }: PushMessage): SendResult {
  const errors = isJsonObject(answer.json) ? answer.json['errors'] : undefined;
  const message = errors === undefined ? undefined : errorTextOf(errors);
  if (!answer.isOk) return outcomeOf(answer, message);
  if (isListed(errors, token)) return answer.failed('dead-token', message);
  const id = answer.at('id');
  return id === undefined && message !== undefined ? answer.failed('recipient', message) : answer.acceptedAs(id);
}

/** The lists hold ids, or objects of ids by alias. */
const isListed = (errors: Json | undefined, token: string): boolean =>
  isJsonObject(errors) &&
  INVALID_LISTS.some(
    (name) => errors[name] !== undefined && JSON.stringify(errors[name]).includes(JSON.stringify(token)),
  );

const errorTextOf = (errors: Json): string =>
  Array.isArray(errors) && errors.every((error) => typeof error === 'string')
    ? errors.join('; ')
    : JSON.stringify(errors);
