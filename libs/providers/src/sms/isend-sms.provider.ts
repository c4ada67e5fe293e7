import { reading } from '../adapter';
import { bearer } from '../call';
import { smsProvider } from './sms-provider';

/** The provider has no public documentation. This endpoint is taken from third-party clients. */
const ENDPOINT = 'https://isend.com.ly/api/v3/sms/send';

export const isendSms = smsProvider({
  id: 'isend-sms',
  displayName: 'iSend SMS',
  required: ['apiToken'],
  optional: ['from', 'contentType'],
  evidence: 'third-party',
  overrides: { names: ['type', 'schedule_time', 'dlt_template_id'], casing: 'snake' },
  request: (message, { apiToken = '', contentType }) => ({
    url: ENDPOINT,
    headers: { authorization: bearer(apiToken), accept: 'application/json' },
    body: {
      recipient: message.digits.replace(/^00/, ''),
      sender_id: message.from,
      // Works for any text. Accounts that send only plain text can set `plain` in the credentials to pay for fewer
      // parts.
      type: contentType || 'unicode',
      message: message.content,
    },
  }),
  read: reading({
    id: ['data', 'uid'],
    date: ['data', 'created_at'],
    isAccepted: (answer) => answer.at('status') === 'success',
    message: ['message'],
  }),
});
