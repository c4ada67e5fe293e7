import { reading } from '../adapter';
import { basic, compact } from '../call';
import { smsProvider } from './sms-provider';

/** There is no public documentation. This endpoint is taken from third-party clients. */
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
    isAccepted: (answer) => answer.at('message', 'identifier') !== undefined,
    message: [['message'], ['error'], ['errors', 0]],
  }),
});
