import { reading } from '../adapter';
import { bearer, compact, merge } from '../call';
import { smsProvider } from './sms-provider';

/** No document of the provider's was to be had; this is what other people's programs call. */
const ENDPOINT = 'https://isend.com.ly/api/v3/sms/send';

export const isendSms = smsProvider({
  id: 'isend-sms',
  displayName: 'iSend SMS',
  required: ['apiToken'],
  optional: ['from', 'contentType'],
  evidence: 'third-party',
  overrides: { names: ['type', 'schedule_time', 'dlt_template_id'], casing: 'snake' },
  request: (message, { apiToken = '', contentType }, { fields }) => {
    const body = compact({
      recipient: message.digits.replace(/^00/, ''),
      sender_id: message.from,
      // Takes any text; who writes plain ones alone says so in the credentials, and pays for fewer parts.
      type: contentType || 'unicode',
      message: message.content,
    });
    return {
      url: ENDPOINT,
      headers: { authorization: bearer(apiToken), accept: 'application/json' },
      json: merge(body, fields),
    };
  },
  read: reading({
    id: ['data', 'uid'],
    date: ['data', 'created_at'],
    isTaken: (answer) => answer.at('status') === 'success',
    message: ['message'],
  }),
});
