import { isJsonObject } from '@clarion/contracts';
import { basic, formFields, overriddenFields, send } from '../call';
import { type Answer, outcomeOf, textAt } from '../outcome';
import { type FailureKind, type SendResult } from '../provider';
import { isGsmText, smsProvider } from './sms-provider';

export const nexmo = smsProvider({
  id: 'nexmo',
  send: (message, context) => {
    const { apiKey = '', secretKey = '' } = context.credentials;
    return send(
      context,
      {
        url: 'https://rest.nexmo.com/sms/json',
        headers: { authorization: basic(apiKey, secretKey) },
        form: {
          to: message.to.replace('+', ''),
          from: message.from,
          text: message.content,
          type: isGsmText(message.content) ? undefined : 'unicode',
          'client-ref': message.id,
          ...formFields(overriddenFields({ ...message.customData, ...context.overrides }, 'kebab')),
        },
      },
      read,
    );
  },
});

const TRANSIENT: ReadonlySet<string> = new Set(['1', '5', '10']);
/** Credentials, a barred account, no credit, a bad signature. */
const ACCOUNT: ReadonlySet<string> = new Set(['4', '8', '9', '14']);

/** The status is 200 whatever happened; each part of the message has a status of its own, as text. */
function read(answer: Answer): SendResult {
  if (!answer.isOk) return outcomeOf(answer, answer.at('title'));
  const parts = isJsonObject(answer.json) && Array.isArray(answer.json['messages']) ? answer.json['messages'] : [];
  const bad = parts.find((part) => textAt(part, ['status']) !== '0');
  if (parts.length === 0) return answer.failed('permanent', 'The answer names no message');
  if (bad === undefined) return answer.accepted(answer.at('messages', 0, 'message-id'));
  return answer.failed(kindOf(textAt(bad, ['status']) ?? ''), textAt(bad, ['error-text']));
}

const kindOf = (status: string): FailureKind =>
  TRANSIENT.has(status) ? 'transient' : ACCOUNT.has(status) ? 'account' : 'permanent';
