import { compact, merge } from '../call';
import { refused } from '../outcome';
import { webhookChatProvider, webhookReading, withOwnId, withRetryAfter } from './chat-provider';

/** The Slack-compatible webhook of Zulip. If its URL names no topic, the channel becomes the topic. */
export const zulip = webhookChatProvider({
  id: 'zulip',
  displayName: 'Zulip',
  evidence: 'official',
  overrides: { names: ['text', 'channel', 'blocks', 'attachments', 'icon_emoji'], casing: 'snake' },
  request: (message, _, { fields }) => {
    const body = merge(compact({ text: message.content, blocks: message.blocks, channel: message.channel }), fields);
    // Zulip would answer with success and post nothing.
    if (String(body['text']).trim() === '' && !body['blocks'] && !body['attachments']) {
      return refused('The message is empty');
    }
    const key = new URL(message.webhookUrl).searchParams.get('api_key');
    return {
      url: message.webhookUrl,
      origin: 'tenant',
      json: body,
      secrets: [message.webhookUrl, ...(key === null ? [] : [key])],
    };
  },
  read: (answer, message) => withRetryAfter(answer.at('retry-after'), withOwnId(read(answer), message)),
});

const read = webhookReading({
  isAccepted: (answer) => answer.at('result') === 'success',
  // The webhook view answers in Slack's format, and the layers before it in Zulip's.
  message: [['msg'], ['error']],
  code: ['code'],
  kinds: {
    INVALID_API_KEY: 'dead-token',
    USER_DEACTIVATED: 'dead-token',
    REALM_DEACTIVATED: 'dead-token',
    RATE_LIMIT_HIT: 'rate-limited',
  },
});
