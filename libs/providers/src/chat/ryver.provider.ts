import { merge } from '../call';
import { webhookChatProvider, webhookReading, withOwnId } from './chat-provider';

/**
 * Ryver's pages on webhooks mention JSON without its fields. Its REST call for chat and third-party clients use this
 * field.
 */
const TEXT_FIELD = 'body';

export const ryver = webhookChatProvider({
  id: 'ryver',
  displayName: 'Ryver',
  evidence: 'third-party',
  unsupported: ['blocks', 'channel'],
  overrides: { names: ['createSource', 'isEphemeral'], casing: 'camel' },
  request: (message, _, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    json: merge({ [TEXT_FIELD]: message.content }, fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => withOwnId(read(answer), message),
});

const read = webhookReading({ message: ['message'] });
