import type { CredentialsDto } from '@clarion/contracts';
import { type JsonObject, withoutTrailingSlashes } from '@clarion/contracts/core';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { type Call, compact, merge, send, withQuery, words } from '../call';
import { type Answer, refused } from '../outcome';
import { type ProviderError, type SendContext, type SendResult } from '../provider';
import { otherHostFault, type WebhookChat, webhookChatProvider, withRetryAfter } from './chat-provider';

/**
 * A self-hosted server, whose URL is the base URL of the integration. The webhook URL of a subscriber names the same
 * server, and the channel is the id of a room.
 */
export const rocketChat = webhookChatProvider({
  id: 'rocket-chat',
  displayName: 'Rocket.Chat',
  required: ['token', 'user'],
  optional: ['baseUrl'],
  evidence: 'official',
  idempotency: '_id of the message',
  overrides: {
    names: words(`
      msg alias emoji avatar attachments blocks tmid tshow groupable parseUrls customFields previewUrls
    `),
    casing: 'camel',
  },
  send: async (message, credentials, context) => {
    const fault = otherHostFault(message, credentials);
    if (fault) return fault;
    const rid = message.channel;
    if (!rid) return refused('The subscriber has no channel, which is the id of a room', 'recipient');
    const { previewUrls, ...fields } = context.fields;
    const own = compact({ _id: message.id, rid, msg: message.content, blocks: message.blocks });
    const json: JsonObject = { message: merge(own, fields), ...(previewUrls !== undefined && { previewUrls }) };
    let isRepeated = false;
    const call = { ...apiCall(credentials, 'chat.sendMessage'), json };
    const result = await send(call, credentials, context, (answer) => {
      isRepeated = looksRepeated(answer);
      return withRetryAfter(/wait (\d+) seconds/.exec(answer.text)?.[1], read(answer));
    });
    return isRepeated && !result.ok ? lookUp(message, credentials, context, result) : result;
  },
});

function apiCall({ baseUrl = '', token, user }: CredentialsDto, method: string): Call {
  const url = new URL(baseUrl);
  url.pathname = `${withoutTrailingSlashes(url.pathname)}/api/v1/${method}`;
  url.search = url.hash = '';
  return { url: url.href, origin: 'tenant', headers: { 'x-auth-token': token, 'x-user-id': user } };
}

/** Meteor puts the error code in brackets after the text, and often nowhere else. */
const codeOf = (answer: Answer): string | undefined =>
  answer.at('errorType') ?? /\[([\w-]+)\]$/.exec(answer.at('error') ?? '')?.[1];

const read = reading({
  isAccepted: (answer) => answer.at('success') === 'true',
  id: ['message', '_id'],
  date: ['message', 'ts'],
  message: [['error'], ['message']],
  code: codeOf,
  kinds: byKind({
    credentials: ['error-invalid-user'],
    recipient: ['error-invalid-room', 'error-room-not-found', 'error-not-allowed'],
    content: ['error-message-size-exceeded'],
    'rate-limited': ['error-too-many-requests'],
  }),
  statuses: { 404: 'recipient' },
});

/** The server does not post a message whose `_id` exists. It then fails with a TypeError or a duplicate key error. */
const looksRepeated = (answer: Answer): boolean =>
  answer.status === 400 && /of undefined|E11000/.test(answer.at('error') ?? '');

/** An app on the server that blocks a message causes the same error, so the adapter reads the message back. */
async function lookUp(
  message: WebhookChat,
  credentials: CredentialsDto,
  context: SendContext,
  failure: ProviderError,
): Promise<SendResult> {
  const call = apiCall(credentials, 'chat.getMessage');
  const request: Call = { ...call, method: 'GET', url: withQuery(call.url, { msgId: message.id }) };
  const seen = await send(request, credentials, { ...context, overrides: {} }, read);
  return !seen.ok && seen.kind === 'permanent' ? failure : seen;
}
