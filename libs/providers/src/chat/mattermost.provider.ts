import { compact, merge } from '../call';
import { dateOf } from '../events';
import { webhookChatProvider, webhookReading, withOwnId } from './chat-provider';

export const mattermost = webhookChatProvider({
  id: 'mattermost',
  displayName: 'Mattermost',
  evidence: 'official',
  overrides: {
    names: ['text', 'channel', 'username', 'icon_url', 'icon_emoji', 'attachments', 'type', 'props', 'priority'],
    casing: 'snake',
  },
  request: (message, _, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    json: merge(compact({ text: message.content, channel: message.channel, attachments: message.blocks }), fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => withOwnId(read(answer), message),
});

const read = webhookReading({
  trace: 'x-request-id',
  date: ({ headers }) => dateOf(headers['date']),
  isAccepted: ({ text }) => text.trim() === 'ok',
  message: ['message'],
  code: ['id'],
  kinds: {
    // Mattermost sends this code also while its database is unavailable, so the webhook is not removed.
    'web.incoming_webhook.invalid.app_error': 'recipient',
    'web.incoming_webhook.disabled.app_error': 'permanent',
    'web.incoming_webhook.parse.app_error': 'content',
    'web.incoming_webhook.text.app_error': 'content',
  },
});
