import { isJsonObject } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { bearer, compact, merge } from '../call';
import { type Answer } from '../outcome';
import { smsProvider } from './sms-provider';

/** Takes a GET with all of it in the query, too; a POST keeps text and number out of addresses. */
const ENDPOINT = 'https://api.afromessage.com/api/send';

export const afroMessage = smsProvider({
  id: 'afro-message',
  displayName: 'AfroMessage',
  required: ['apiKey', 'senderName', 'from'],
  evidence: 'third-party',
  overrides: { names: ['callback', 'template'], casing: 'camel' },
  request: (message, { apiKey = '', senderName, from }, { fields }) => {
    const body = compact({
      // The identifier of the account's number, which no trigger knows.
      from: from || message.from,
      sender: senderName,
      to: message.to,
      message: message.content,
    });
    return { url: ENDPOINT, headers: { authorization: bearer(apiKey) }, json: merge(body, fields) };
  },
  read: reading({
    id: ['response', 'message_id'],
    isTaken: (answer) => answer.at('acknowledge') === 'success',
    message: wordsOf,
  }),
});

function wordsOf(answer: Answer): string | undefined {
  const response = isJsonObject(answer.json) ? answer.json['response'] : undefined;
  const errors = isJsonObject(response) ? response['errors'] : undefined;
  const words = (Array.isArray(errors) ? errors : [errors]).filter((error) => typeof error === 'string');
  return words.join('; ') || (answer.at('acknowledge') === 'error' ? 'No reason was given' : undefined);
}
