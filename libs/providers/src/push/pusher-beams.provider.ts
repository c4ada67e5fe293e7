import type { CredentialsDto } from '@clarion/contracts';
import { isId, type JsonObject } from '@clarion/contracts/core';
import { reading, type ReadyItem } from '../adapter';
import { bearer, type Call, merge, sendMany, textFields } from '../call';
import { refused } from '../outcome';
import { type ProviderError, type PushMessage } from '../provider';
import { contentKey, pushProvider } from './push-provider';

const MOST_USERS = 1_000;
const LONGEST_USER_ID = 164;

/** The instance id is part of the host name. */
const NO_INSTANCE = refused('The instance id is not a Pusher Beams instance id (a UUID)', 'credentials');
const NO_USER = refused(`A user id of Pusher Beams has at most ${LONGEST_USER_ID} characters`, 'recipient');

const read = reading({
  id: ['publishId'],
  message: [['description'], ['error']],
  statuses: { 404: 'credentials', 422: 'content' },
});

export const pusherBeams = pushProvider({
  id: 'pusher-beams',
  displayName: 'Pusher Beams',
  required: ['instanceId', 'secretKey'],
  evidence: 'official',
  overrides: { names: ['apns', 'fcm', 'web'] },
  request: (message, credentials, { fields }) =>
    message.token.length > LONGEST_USER_ID ? NO_USER : callTo([message], fields, credentials),
  read: (answer) => read(answer),
  batch: {
    size: MOST_USERS,
    // One call carries one text to many users, and Pusher returns one result for all of them.
    groupOf: (message, fields) => (message.token.length > LONGEST_USER_ID ? undefined : contentKey(message, fields)),
    send: (items, credentials, context) => {
      const call = callTo(
        items.map(({ message }) => message),
        (items[0] as ReadyItem<PushMessage>).fields,
        credentials,
      );
      return 'ok' in call
        ? Promise.resolve(items.map(() => call))
        : sendMany(items.length, call, credentials, context, (answer) => items.map(() => read(answer)));
    },
  },
});

function callTo(
  messages: readonly PushMessage[],
  fields: JsonObject,
  { instanceId = '', secretKey = '' }: CredentialsDto,
): Call | ProviderError {
  if (!isId(instanceId)) return NO_INSTANCE;
  const [{ title, content, payload }] = messages as [PushMessage];
  const notification = { title, body: content };
  const body: JsonObject = {
    // The members next to `aps` are data of the app.
    apns: { ...payload, aps: { alert: notification } },
    fcm: { notification, data: textFields(payload) },
    web: { notification, data: payload },
  };
  return {
    url: `https://${instanceId}.pushnotifications.pusher.com/publish_api/v1/instances/${instanceId}/publishes/users`,
    headers: { authorization: bearer(secretKey), accept: 'application/json' },
    json: { ...merge(body, fields), users: [...new Set(messages.map(({ token }) => token))] },
  };
}
