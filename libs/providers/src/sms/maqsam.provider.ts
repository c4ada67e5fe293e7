import { reading } from '../adapter';
import { basic, compact } from '../call';
import { smsProvider } from './sms-provider';

/** No documentation was found: this is how others call it. */
const URL = 'https://api.maqsam.com/v2/sms';

export const maqsam = smsProvider({
  id: 'maqsam',
  displayName: 'Maqsam',
  required: ['apiKey', 'secretKey', 'from'],
  evidence: 'reported',
  request: (message, { apiKey = '', secretKey = '' }) => ({
    url: URL,
    headers: { authorization: basic(apiKey, secretKey) },
    json: compact({ to: message.to, message: message.content, sender: message.from }),
  }),
  read: reading({
    id: ['message', 'identifier'],
    date: ['message', 'timestamp'],
    isTaken: (answer) => answer.at('message', 'identifier') !== undefined,
    message: [['message'], ['error'], ['errors', 0]],
  }),
});
