import { reading } from '../adapter';
import { compact, merge } from '../call';
import { isPage, otherHostFault, webhookChatProvider, withOwnId } from './chat-provider';

/** The header with the receiver's id of a message. */
const ID_HEADER = 'x-webhook-id';

/**
 * A webhook of the subscriber, on the host of the integration, that checks the API key of the integration. This is not
 * the Stream Chat API, which needs a secret and a channel.
 */
export const getstream = webhookChatProvider({
  id: 'getstream',
  displayName: 'Stream',
  required: ['apiKey'],
  optional: ['baseUrl'],
  evidence: 'reported',
  overrides: { names: 'any' },
  request: (message, credentials, { fields }) =>
    otherHostFault(message, credentials) ?? {
      url: message.webhookUrl,
      origin: 'tenant',
      headers: { 'x-api-key': credentials.apiKey },
      json: merge(compact({ text: message.content, attachments: message.blocks, channel: message.channel }), fields),
      secrets: [message.webhookUrl],
    },
  read: (answer, message) => withOwnId(read(answer), message),
});

const read = reading({
  trace: ID_HEADER,
  isAccepted: (answer) => !isPage(answer),
  message: ['message'],
  // The key belongs to the integration, the URL to the subscriber.
  statuses: { 404: 'recipient', 410: 'dead-token' },
});
