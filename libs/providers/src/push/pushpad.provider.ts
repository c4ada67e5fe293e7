import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json, type JsonObject } from '@clarion/contracts/core';
import { bearer, type Call, merge, passthroughOf, words } from '../call';
import { type Answer, outcomeOf, refused } from '../outcome';
import { type PushMessage, type SendResult } from '../provider';
import { contentKey, pushProvider } from './push-provider';

const NO_UIDS_OVERRIDE = refused('uids cannot be passed through: without uids Pushpad notifies all users');

/** Pushpad documents no limit. The response lists the users and has to fit into the response limit. */
const MOST_USERS = 500;

export const pushpad = pushProvider({
  id: 'pushpad',
  displayName: 'Pushpad',
  // The token of the account, and the project.
  required: ['apiKey', 'applicationId'],
  evidence: 'official',
  overrides: {
    names: words(`
      title body target_url icon_url badge_url image_url ttl require_interaction silent urgent custom_data actions
      starred send_at custom_metrics
    `),
    casing: 'snake',
  },
  headers: ({ apiKey = '' }) => ({ authorization: bearer(apiKey), accept: 'application/json' }),
  request: (message, credentials, { fields, overrides }) =>
    'uids' in (passthroughOf(overrides).body ?? {}) ? NO_UIDS_OVERRIDE : callTo([message], fields, credentials),
  read: (answer, message) => read(answer, message, true),
  batch: {
    size: MOST_USERS,
    groupOf: contentKey,
    request: (items, credentials) =>
      callTo(
        items.map(({ message }) => message),
        items[0]!.fields,
        credentials,
      ),
    read: (answer, items) => items.map(({ message }) => read(answer, message, items.length === 1)),
  },
  check: {
    get: (credentials) => projectOf(credentials),
    // A missing project is a wrong credential.
    read: (answer) => outcomeOf(answer),
  },
});

const projectOf = ({ applicationId = '' }: CredentialsDto): string =>
  `https://pushpad.xyz/api/v1/projects/${encodeURIComponent(applicationId)}`;

/** Always with users, because a notification without users goes to all of them. */
function callTo(messages: readonly PushMessage[], fields: JsonObject, credentials: CredentialsDto): Call {
  const [{ title, content, payload }] = messages as [PushMessage];
  const { custom_data: data = payload, ...rest } = fields;
  const users = [...new Set(messages.map(({ token }) => token))];
  return {
    url: `${projectOf(credentials)}/notifications`,
    json: {
      ...merge({ title, body: content, custom_data: typeof data === 'string' ? data : JSON.stringify(data) }, rest),
      uids: users,
    },
  };
}

/** An accepted notification may reach no device. The response has the number of devices and their users. */
function read(answer: Answer, { token }: PushMessage, isAlone: boolean): SendResult {
  if (!answer.isOk) return outcomeOf(answer, errorTextOf(answer));
  const id = answer.at('id');
  if (id !== undefined && !isReached(answer.json, token, isAlone)) {
    return answer.failed('recipient', 'Pushpad knows no device of this user');
  }
  return answer.acceptedAs(id);
}

function isReached(json: Json | undefined, token: string, isAlone: boolean): boolean {
  if (!isJsonObject(json)) return false;
  const { uids, scheduled } = json;
  if (typeof scheduled === 'number' && (isAlone || scheduled === 0)) return scheduled > 0;
  return Array.isArray(uids) ? uids.some((uid) => String(uid) === token) : true;
}

const errorTextOf = ({ json }: Answer): string | undefined => {
  const errors = isJsonObject(json) ? (json['error'] ?? json['errors'] ?? json['message']) : undefined;
  return errors === undefined || typeof errors === 'string' ? errors : JSON.stringify(errors);
};
