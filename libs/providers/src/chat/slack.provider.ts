import type { ChatAddress } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { bearer, compact, merge, words } from '../call';
import { type Answer } from '../outcome';
import { type FailureKind } from '../provider';
import { addressedChatProvider, webhookReading, withOwnId } from './chat-provider';

/** An error is one code as plain text. */
const ERROR_KINDS: Readonly<Record<string, FailureKind>> = byKind({
  'dead-token': ['no_service', 'no_active_hooks', 'invalid_token', 'channel_not_found', 'channel_is_archived'],
  recipient: ['user_not_found', 'action_prohibited', 'posting_to_general_channel_denied'],
  content: ['invalid_payload', 'invalid_blocks', 'no_text', 'too_many_attachments'],
});

/** The codes of `chat.postMessage`, which answers 200 for a rejected message. */
const API_ERROR_KINDS: Readonly<Record<string, FailureKind>> = byKind({
  credentials: words(`
    invalid_auth not_authed account_inactive token_revoked token_expired no_permission missing_scope
    not_allowed_token_type access_denied ekm_access_denied org_login_required
  `),
  recipient: words(`
    channel_not_found is_archived not_in_channel user_not_found cannot_dm_bot messages_tab_disabled restricted_action
    restricted_action_read_only_channel team_access_not_granted
  `),
  content: words(`
    msg_too_long no_text invalid_blocks invalid_blocks_format invalid_arguments invalid_metadata_format
    too_many_attachments
  `),
  'rate-limited': ['ratelimited', 'rate_limited'],
  quota: ['message_limit_exceeded'],
  transient: ['internal_error', 'request_timeout', 'service_unavailable'],
  'unknown-outcome': ['fatal_error'],
});

/** Servers that imitate Slack's API put the code into JSON, also with status 200. */
const errorOf = (answer: Answer): string | undefined =>
  answer.at('ok') === 'false' ? (answer.at('error') ?? 'ok: false') : undefined;

const errorCodeOf = (answer: Answer): string | undefined => {
  const text = errorOf(answer) ?? answer.text;
  return Object.keys(ERROR_KINDS).find((code) => text.startsWith(code));
};

export const slack = addressedChatProvider(
  {
    id: 'slack',
    displayName: 'Slack',
    required: ['applicationId', 'clientId', 'secretKey'],
    optional: ['signingSecret', 'redirectUrl', 'hmac'],
    evidence: 'official',
    overrides: {
      names: words(`
        text blocks attachments username icon_emoji icon_url channel thread_ts reply_broadcast mrkdwn unfurl_links
        unfurl_media metadata link_names parse
      `),
      casing: 'snake',
    },
  },
  {
    request: (message, _, { fields }) => ({
      url: message.webhookUrl,
      origin: 'tenant',
      // Only legacy webhooks accept a channel. The others have a fixed channel.
      json: merge(compact({ text: message.content, blocks: message.blocks, channel: message.channel }), fields),
      secrets: [message.webhookUrl],
    }),
    read: (answer, message) => withOwnId(read(answer), message),
  },
  {
    request: ({ address, accessToken, content, blocks }, _, { fields: { channel: _elsewhere, ...fields } }) => ({
      url: 'https://slack.com/api/chat.postMessage',
      headers: { authorization: bearer(accessToken) },
      // The id of a user as channel opens the conversation between the app and that person.
      json: merge(compact({ channel: placeOf(address), text: content, blocks }), fields),
      secrets: [accessToken],
    }),
    read: (answer) => {
      const result = readApi(answer);
      return !result.ok && answer.at('error') === 'token_expired' ? { ...result, isTokenRefused: true } : result;
    },
  },
);

function placeOf(address: ChatAddress): string | undefined {
  if (address.type === 'slack_channel') return address.channelId;
  return address.type === 'slack_user' ? address.userId : undefined;
}

const readApi = reading({
  isAccepted: (answer) => answer.at('ok') === 'true',
  id: ['ts'],
  date: ['ts'],
  message: (answer) => answer.at('error') && `Slack answered: ${answer.at('error')}`,
  code: ['error'],
  kinds: API_ERROR_KINDS,
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
