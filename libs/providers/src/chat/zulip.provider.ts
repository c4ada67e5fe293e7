import { compact, merge } from '../call';
import { refused } from '../outcome';
import { underOurId, waitingFor, webhookChatProvider, webhookReading } from './chat-provider';

/** The webhook that takes what Slack's takes. Where its URL names no topic, the channel becomes the topic. */
export const zulip = webhookChatProvider({
  id: 'zulip',
  displayName: 'Zulip',
  evidence: 'official',
  overrides: { names: ['text', 'channel', 'blocks', 'attachments', 'icon_emoji'], casing: 'snake' },
  request: (message, _, { fields }) => {
    const body = merge(compact({ text: message.content, blocks: message.blocks, channel: message.channel }), fields);
    // Zulip would call it a success and post nothing.
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
  read: (answer, message) => waitingFor(answer.at('retry-after'), underOurId(read(answer), message)),
});

const read = webhookReading({
  isTaken: (answer) => answer.at('result') === 'success',
  // The view itself answers as Slack's API would, everything before it as Zulip does.
  message: [['msg'], ['error']],
  code: ['code'],
  kinds: {
    INVALID_API_KEY: 'dead-token',
    USER_DEACTIVATED: 'dead-token',
    REALM_DEACTIVATED: 'dead-token',
    RATE_LIMIT_HIT: 'rate-limited',
  },
});
