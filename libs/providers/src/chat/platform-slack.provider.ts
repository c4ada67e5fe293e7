import { type ChatMessage } from '../provider';
import { intoOutbox } from '../outbox';
import { chatProvider } from './chat-provider';

/** Stores chat messages in the local outbox instead of sending them. It does not call the subscriber's webhook. */
export const platformSlack = chatProvider({
  id: 'platform-slack',
  displayName: 'Clarion Slack',
  ...intoOutbox<ChatMessage>(({ channel, content, blocks, customData }) => ({
    providerId: 'platform-slack',
    channel: 'chat',
    to: channel === undefined ? [] : [channel],
    text: content,
    more: { blocks, customData },
  })),
});
