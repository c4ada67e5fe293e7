import { merge } from '../call';
import { underOurId, webhookChatProvider, webhookReading } from './chat-provider';

/** Ryver's pages on webhooks speak of a JSON form without showing it; its REST call for chat and other people's clients have this. */
const TEXT_FIELD = 'body';

export const ryver = webhookChatProvider({
  id: 'ryver',
  displayName: 'Ryver',
  evidence: 'third-party',
  cannot: ['blocks', 'channel'],
  overrides: { names: ['createSource', 'isEphemeral'], casing: 'camel' },
  request: (message, _, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    json: merge({ [TEXT_FIELD]: message.content }, fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => underOurId(read(answer), message),
});

const read = webhookReading({ message: ['message'] });
