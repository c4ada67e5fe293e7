import { isJsonObject, type Json } from '@clarion/contracts';
import { bearer, compact, merge, overriddenFields, send } from '../call';
import { type Answer, outcomeOf, textAt } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { pushProvider } from './push-provider';

export const expo = pushProvider({
  id: 'expo',
  send: (message, context) => {
    const { apiKey } = context.credentials;
    const body = compact({
      to: message.token,
      title: message.title,
      body: message.content,
      data: { ...message.payload },
    });
    return send(
      context,
      {
        url: 'https://exp.host/--/api/v2/push/send',
        headers: { authorization: apiKey ? bearer(apiKey) : undefined, accept: 'application/json' },
        // A single object would be answered in another form.
        json: [merge(body, overriddenFields(context.overrides, 'camel'))],
      },
      read,
    );
  },
});

/** What Expo says of one message: the ticket's `details.error`. */
const TICKET_KINDS: Readonly<Record<string, FailureKind>> = {
  DeviceNotRegistered: 'dead-token',
  MessageRateExceeded: 'transient',
  MismatchSenderId: 'account',
  InvalidCredentials: 'account',
};
/** What it says of the whole request: `errors[].code`. */
const REQUEST_KINDS: Readonly<Record<string, FailureKind>> = {
  TOO_MANY_REQUESTS: 'transient',
  UNAUTHORIZED: 'account',
};

function read(answer: Answer): SendResult {
  const code = answer.at('errors', 0, 'code');
  if (code !== undefined) {
    const message = answer.at('errors', 0, 'message');
    const kind = REQUEST_KINDS[code];
    if (kind) return answer.failed(kind, message);
    return answer.isOk ? answer.failed('permanent', message) : outcomeOf(answer, message);
  }
  if (!answer.isOk) return outcomeOf(answer);
  const ticket = ticketOf(answer.json);
  if (textAt(ticket, ['status']) === 'ok') return answer.accepted(textAt(ticket, ['id']));
  const kind = TICKET_KINDS[textAt(ticket, ['details', 'error']) ?? ''] ?? 'permanent';
  return answer.failed(kind, textAt(ticket, ['message']) ?? 'The answer has no ticket');
}

function ticketOf(json: Json | undefined): Json | undefined {
  const data = isJsonObject(json) ? json['data'] : undefined;
  return Array.isArray(data) ? data[0] : data;
}
