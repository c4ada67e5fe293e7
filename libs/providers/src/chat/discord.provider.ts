import { compact, merge, withQuery } from '../call';
import { waitingFor, webhookChatProvider, webhookReading } from './chat-provider';

export const discord = webhookChatProvider({
  id: 'discord',
  displayName: 'Discord',
  evidence: 'official',
  cannot: ['channel'],
  overrides: {
    names: [
      'content',
      'username',
      'avatar_url',
      'tts',
      'embeds',
      'allowed_mentions',
      'components',
      'flags',
      'thread_name',
      'applied_tags',
      'poll',
    ],
    casing: 'snake',
  },
  request: (message, _, { fields }) => {
    const body = compact({
      content: message.content,
      embeds: message.blocks,
      // A name in a template must not call everybody.
      allowed_mentions: { parse: [] },
    });
    // Without it a message that was not saved would look sent.
    const url = withQuery(message.webhookUrl, { wait: 'true' });
    return { url, origin: 'tenant', json: merge(body, fields), secrets: [url, message.webhookUrl] };
  },
  // An empty 204 is what whoever does not wait is told.
  read: (answer, message) =>
    answer.status === 204 ? answer.accepted(message.id) : waitingFor(answer.at('retry_after'), read(answer)),
});

const read = webhookReading({
  id: ['id'],
  date: ['timestamp'],
  message: ['message'],
  code: ['code'],
  kinds: {
    // Unknown webhook, invalid webhook token.
    10015: 'dead-token',
    50027: 'dead-token',
    // Unknown channel: a thread that the URL names is gone, and the webhook is not.
    10003: 'recipient',
    // Too large, an empty message, an invalid body, a forum post without a thread.
    40005: 'content',
    50006: 'content',
    50035: 'content',
    220001: 'content',
  },
  statuses: { 404: 'dead-token' },
});
