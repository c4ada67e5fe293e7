import { reading } from '../adapter';
import { compact, merge } from '../call';
import { isPage, underOurId, webhookChatProvider } from './chat-provider';

/** Where the receiver puts its own id of a message. */
const ID_HEADER = 'x-webhook-id';

/** A webhook of the subscriber's that knows the integration's key; not the API of Stream Chat, which needs a secret and a channel. */
export const getstream = webhookChatProvider({
  id: 'getstream',
  displayName: 'Stream',
  required: ['apiKey'],
  evidence: 'reported',
  overrides: { names: 'any' },
  request: (message, { apiKey }, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    headers: { 'x-api-key': apiKey },
    json: merge(compact({ text: message.content, attachments: message.blocks, channel: message.channel }), fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => underOurId(read(answer), message),
});

const read = reading({
  trace: ID_HEADER,
  isTaken: (answer) => !isPage(answer),
  message: ['message'],
  // The key is the integration's, the address is the subscriber's.
  statuses: { 404: 'recipient', 410: 'dead-token' },
});
