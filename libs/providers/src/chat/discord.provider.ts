import { compact, merge, withQuery, words } from '../call';
import { webhookChatProvider, webhookReading, withRetryAfter } from './chat-provider';

export const discord = webhookChatProvider({
  id: 'discord',
  displayName: 'Discord',
  evidence: 'official',
  unsupported: ['channel'],
  overrides: {
    names: words(`
      content username avatar_url tts embeds allowed_mentions components flags thread_name applied_tags poll
    `),
    casing: 'snake',
  },
  request: (message, _, { fields }) => {
    const body = compact({
      content: message.content,
      embeds: message.blocks,
      // A template must not be able to mention @everyone.
      allowed_mentions: { parse: [] },
    });
    // With `wait=true` Discord answers only after it has saved the message.
    const url = withQuery(message.webhookUrl, { wait: 'true' });
    return { url, origin: 'tenant', json: merge(body, fields), secrets: [url, message.webhookUrl] };
  },
  // Without `?wait=true` Discord answers 204 with an empty body.
  read: (answer, message) =>
    answer.status === 204 ? answer.accepted(message.id) : withRetryAfter(answer.at('retry_after'), read(answer)),
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
    // Unknown channel: the thread in the URL is gone, but the webhook still exists.
    10003: 'recipient',
    // Too large, an empty message, an invalid body, a forum post without a thread.
    40005: 'content',
    50006: 'content',
    50035: 'content',
    220001: 'content',
  },
  statuses: { 404: 'dead-token' },
});
