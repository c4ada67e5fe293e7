import { isJsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer } from '../call';
import { type Answer } from '../outcome';
import { smsProvider } from './sms-provider';

/** The API also accepts a GET with a query. A POST keeps the text and the number out of URLs and logs. */
const ENDPOINT = 'https://api.afromessage.com/api/send';

export const afroMessage = smsProvider({
  id: 'afro-message',
  displayName: 'AfroMessage',
  required: ['apiKey', 'senderName', 'from'],
  evidence: 'third-party',
  overrides: { names: ['callback', 'template'], casing: 'camel' },
  request: (message, { apiKey = '', senderName, from }) => ({
    url: ENDPOINT,
    headers: { authorization: bearer(apiKey) },
    body: {
      // The id of the account's number, which a trigger does not know.
      from: from || message.from,
      sender: senderName,
      to: message.to,
      message: message.content,
    },
  }),
  read: reading({
    id: ['response', 'message_id'],
    isAccepted: (answer) => answer.at('acknowledge') === 'success',
    message: errorTextOf,
  }),
});

function errorTextOf(answer: Answer): string | undefined {
  const response = isJsonObject(answer.json) ? answer.json['response'] : undefined;
  const errors = isJsonObject(response) ? response['errors'] : undefined;
  const texts = (Array.isArray(errors) ? errors : [errors]).filter((error) => typeof error === 'string');
  return texts.join('; ') || (answer.at('acknowledge') === 'error' ? 'No reason was given' : undefined);
}
