import { isJsonObject } from '@clarion/contracts';
import { compact, merge, overriddenFields, send } from '../call';
import { type Answer, outcomeOf } from '../outcome';
import { type SendResult } from '../provider';
import { deviceKey, pushProvider } from './push-provider';

export const oneSignal = pushProvider({
  id: 'one-signal',
  idempotent: true,
  send: (message, context) => {
    const { applicationId, apiKey = '', apiVersion } = context.credentials;
    const recipients =
      apiVersion === 'externalId'
        ? { include_aliases: { external_id: [message.token] }, target_channel: 'push' }
        : { include_subscription_ids: [message.token] };
    const body = compact({
      app_id: applicationId,
      ...recipients,
      headings: { en: message.title },
      contents: { en: message.content },
      data: { ...message.payload },
      idempotency_key: deviceKey(message),
    });
    return send(
      context,
      {
        url: 'https://api.onesignal.com/notifications',
        headers: { authorization: `Key ${apiKey}` },
        json: merge(body, overriddenFields(context.overrides, 'snake')),
      },
      read,
    );
  },
});

const GONE = /invalid_(player_ids|subscription_ids|aliases)/;

/** A 200 without an id sent nothing: the errors say to whom it could not go. */
function read(answer: Answer): SendResult {
  const errors = isJsonObject(answer.json) ? answer.json['errors'] : undefined;
  const message = errors === undefined ? undefined : textOf(errors);
  if (!answer.isOk) return outcomeOf(answer, message);
  const id = answer.at('id');
  // One device per call, so an invalid one is this one, id or no id.
  if (message !== undefined && GONE.test(message)) return answer.failed('dead-token', message);
  return id === undefined ? answer.failed('permanent', message ?? 'The answer has no id') : answer.accepted(id);
}

const textOf = (errors: unknown): string =>
  Array.isArray(errors) && errors.every((error) => typeof error === 'string')
    ? errors.join('; ')
    : JSON.stringify(errors);
