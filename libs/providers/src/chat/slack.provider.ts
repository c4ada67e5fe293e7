import { compact, merge } from '../call';
import { type Answer } from '../outcome';
import { type FailureKind } from '../provider';
import { underOurId, webhookChatProvider, webhookReading } from './chat-provider';

/** Errors are one word of plain text. */
const WORDS: Readonly<Record<string, FailureKind>> = {
  no_service: 'dead-token',
  no_active_hooks: 'dead-token',
  invalid_token: 'dead-token',
  channel_not_found: 'dead-token',
  channel_is_archived: 'dead-token',
  user_not_found: 'recipient',
  action_prohibited: 'recipient',
  posting_to_general_channel_denied: 'recipient',
  invalid_payload: 'content',
  invalid_blocks: 'content',
  no_text: 'content',
  too_many_attachments: 'content',
};

/** Servers that speak as Slack's API does put the word into JSON, under a 200 too. */
const errorOf = (answer: Answer): string | undefined =>
  answer.at('ok') === 'false' ? (answer.at('error') ?? 'ok: false') : undefined;

const wordOf = (answer: Answer): string | undefined => {
  const text = errorOf(answer) ?? answer.text;
  return Object.keys(WORDS).find((word) => text.startsWith(word));
};

export const slack = webhookChatProvider({
  id: 'slack',
  displayName: 'Slack',
  required: ['applicationId', 'clientId', 'secretKey'],
  optional: ['signingSecret', 'redirectUrl', 'hmac'],
  evidence: 'official',
  overrides: {
    names: [
      'text',
      'blocks',
      'attachments',
      'username',
      'icon_emoji',
      'icon_url',
      'channel',
      'thread_ts',
      'reply_broadcast',
      'mrkdwn',
      'unfurl_links',
      'unfurl_media',
      'metadata',
      'link_names',
      'parse',
    ],
    casing: 'snake',
  },
  request: (message, _, { fields }) => ({
    url: message.webhookUrl,
    origin: 'tenant',
    // Only webhooks of the old kind listen to a channel; the others have their own.
    json: merge(compact({ text: message.content, blocks: message.blocks, channel: message.channel }), fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => underOurId(read(answer), message),
});

const read = webhookReading({
  trace: 'x-slack-req-id',
  // Many other servers take webhooks in Slack's form and answer in words of their own.
  isTaken: (answer) => answer.text !== '' && errorOf(answer) === undefined && wordOf(answer) === undefined,
  code: wordOf,
  message: (answer) => errorOf(answer) ?? (answer.isOk ? wordOf(answer) : answer.text.trim().slice(0, 200)),
  kinds: WORDS,
  statuses: { 404: 'dead-token' },
});
