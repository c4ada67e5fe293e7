import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bearer } from '../call';
import { smsProvider } from './sms-provider';

const API = 'https://api.eazy.im/v3';
const ADDRESSES = 'sms.eazy.im';

const read = reading({
  id: ['id'],
  message: ['error', 'message'],
  code: (answer) => {
    const code = answer.at('error', 'code');
    return code === '1005' && /jid/i.test(answer.at('error', 'message') ?? '') ? 'address' : code;
  },
  kinds: byKind({
    credentials: [1001, 1002],
    transient: [1003, 1004],
    content: [1005],
    permanent: [1006, 1007],
    recipient: ['address'],
  }),
});

export const eazySms = smsProvider({
  id: 'eazy-sms',
  displayName: 'Eazy SMS',
  required: ['apiKey', 'channelId'],
  evidence: 'official',
  request: (message, { apiKey = '', channelId = '' }) => {
    const address = encodeURIComponent(`${message.digits}@${ADDRESSES}`);
    return {
      url: `${API}/channels/${encodeURIComponent(channelId)}/messages/${address}`,
      headers: { authorization: bearer(apiKey) },
      json: { message: { type: 'text', text: message.content } },
    };
  },
  read: (answer, { from }) => {
    const result = read(answer);
    if (!result.ok || from === undefined) return result;
    return { ...result, warnings: ['Eazy SMS always sends from the number of its channel'] };
  },
});
