import { compact, merge } from '../call';
import { type Answer } from '../outcome';
import { type FailureKind } from '../provider';
import { webhookChatProvider, webhookReading, withOwnId } from './chat-provider';

/** An error is one code as plain text. */
const ERROR_KINDS: Readonly<Record<string, FailureKind>> = {
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

/** Servers that imitate Slack's API put the code into JSON, also with status 200. */
const errorOf = (answer: Answer): string | undefined =>
  answer.at('ok') === 'false' ? (answer.at('error') ?? 'ok: false') : undefined;

const errorCodeOf = (answer: Answer): string | undefined => {
  const text = errorOf(answer) ?? answer.text;
  return Object.keys(ERROR_KINDS).find((code) => text.startsWith(code));
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
    // Only legacy webhooks accept a channel. The others have a fixed channel.
    json: merge(compact({ text: message.content, blocks: message.blocks, channel: message.channel }), fields),
    secrets: [message.webhookUrl],
  }),
  read: (answer, message) => withOwnId(read(answer), message),
});

const read = webhookReading({
  trace: 'x-slack-req-id',
  // Many other servers accept webhooks in Slack's format and answer with their own text.
  isAccepted: (answer) => answer.text !== '' && errorOf(answer) === undefined && errorCodeOf(answer) === undefined,
  code: errorCodeOf,
  message: (answer) => errorOf(answer) ?? (answer.isOk ? errorCodeOf(answer) : answer.text.trim().slice(0, 200)),
  kinds: ERROR_KINDS,
  statuses: { 404: 'dead-token' },
});
