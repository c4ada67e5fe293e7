import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject, readJson } from '@clarion/contracts/core';
import { reading, type RequestContext } from '../adapter';
import { byKind } from '../by-kind';
import { bearer, type Call, compact, merge, send, words } from '../call';
import { type Answer, beforeSending, refused } from '../outcome';
import { type ChatMessage, type FailureKind, type ProviderError, type SendResult } from '../provider';
import {
  addressedChatProvider,
  type AddressedChat,
  type WebhookChat,
  webhookKind,
  webhookReading,
  withOwnId,
} from './chat-provider';

/** The hosts of the retired Office connectors. Any other URL is a workflow, which takes an adaptive card. */
const CONNECTOR_HOST = /(^|\.)(webhook\.office\.com|outlook\.office(365)?\.com)$/;

/** The Bot Framework service of Teams for all regions. */
const SERVICE_URL = 'https://smba.trafficmanager.net/teams/v3/conversations';

export const msteams = addressedChatProvider(
  {
    id: 'msteams',
    displayName: 'Microsoft Teams',
    optional: ['clientId', 'secretKey', 'tenantId', 'redirectUrl'],
    evidence: 'official',
    overrides: {
      names: words(`
        type attachments text title summary themeColor sections potentialAction @type @context
      `),
    },
  },
  {
    unsupported: ['channel'],
    request: (message, _, { fields }) => ({
      url: message.webhookUrl,
      origin: 'tenant',
      json: merge(bodyOf(message), fields),
      secrets: [message.webhookUrl],
    }),
    read: (answer, message) => {
      // A connector answers 200 and puts the status of Teams into the text.
      const [, status] = (answer.isOk && /HTTP error (\d{3})/i.exec(answer.text)) || [];
      if (status !== undefined)
        return answer.failed(webhookKind(Number(status)), `Teams answered with status ${status}`);
      return withOwnId(read(answer), message);
    },
  },
  {
    unsupported: ['channel'],
    send: (message, credentials, context) => {
      const activity = merge(activityOf(message), context.fields);
      const { address } = message;
      if (address.type === 'ms_teams_channel')
        return postInChannel(address.channelId, activity, message, credentials, context);
      if (address.type === 'ms_teams_user') return postToUser(address.userId, activity, message, credentials, context);
      return Promise.resolve(refused(`Microsoft Teams has no ${address.type}`, 'recipient'));
    },
  },
);

const read = webhookReading({ trace: 'request-id', message: ['error', 'message'] });

function bodyOf(message: WebhookChat): JsonObject {
  // The template may already be a complete card.
  const written = readJson(message.content);
  if (isJsonObject(written)) return written;
  const host = URL.canParse(message.webhookUrl) ? new URL(message.webhookUrl).hostname : '';
  return CONNECTOR_HOST.test(host) ? { text: message.content } : cardOf(message);
}

const cardOf = ({ content, blocks = [] }: ChatMessage): JsonObject => ({
  type: 'message',
  attachments: [
    {
      contentType: 'application/vnd.microsoft.card.adaptive',
      content: {
        $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
        type: 'AdaptiveCard',
        version: '1.4',
        body: [{ type: 'TextBlock', text: content, wrap: true }, ...blocks],
      },
    },
  ],
});

/** The message of a bot: text, or a card if the template or the trigger has more than text. */
function activityOf(message: ChatMessage): JsonObject {
  const written = readJson(message.content);
  if (isJsonObject(written)) return { type: 'message', ...written };
  return message.blocks?.length ? cardOf(message) : { type: 'message', text: message.content };
}

/** Begins a new thread in the channel. */
function postInChannel(
  channelId: string,
  activity: JsonObject,
  message: AddressedChat,
  credentials: CredentialsDto,
  context: RequestContext,
): Promise<SendResult> {
  const json = {
    ...conversationOf(message, credentials),
    isGroup: true,
    channelData: { channel: { id: channelId }, ...tenantOf(message, credentials) },
    activity,
  };
  return send(callOf(SERVICE_URL, message, json), credentials, context, readActivity);
}

/** Opens the conversation between the bot and the person, which always has the same id, and posts in it. */
async function postToUser(
  userId: string,
  activity: JsonObject,
  message: AddressedChat,
  credentials: CredentialsDto,
  context: RequestContext,
): Promise<SendResult> {
  const json = {
    ...conversationOf(message, credentials),
    isGroup: false,
    members: [{ id: userId }],
    channelData: tenantOf(message, credentials),
  };
  let conversation: string | undefined;
  const opening = { ...context, overrides: {} };
  const opened = await send(callOf(SERVICE_URL, message, json), credentials, opening, (answer) => {
    conversation = answer.at('id');
    return answer.isOk ? { ok: true } : failureOf(answer);
  });
  if (!opened.ok) return beforeSending(opened);
  if (conversation === undefined) return refused('Teams opened no conversation with the person', 'transient');
  const url = `${SERVICE_URL}/${encodeURIComponent(conversation)}/activities`;
  return send(callOf(url, message, activity), credentials, context, readActivity);
}

const conversationOf = ({ workspaceId }: AddressedChat, { clientId = '', tenantId }: CredentialsDto): JsonObject =>
  compact({ bot: { id: `28:${clientId}` }, tenantId: workspaceId ?? tenantId });

const tenantOf = ({ workspaceId }: AddressedChat, { tenantId }: CredentialsDto): JsonObject => {
  const id = workspaceId ?? tenantId;
  return id === undefined ? {} : { tenant: { id } };
};

const callOf = (url: string, { accessToken }: AddressedChat, json: JsonObject): Call => ({
  url,
  headers: { authorization: bearer(accessToken) },
  json,
  secrets: [accessToken],
});

const API_ERROR_KINDS: Readonly<Record<string, FailureKind>> = byKind({
  recipient: words(`
    BotNotInConversationRoster ConversationBlockedByUser ConversationNotFound BotDisabledByAdmin ActivityNotFound
  `),
  content: ['MessageSizeTooBig', 'BadSyntax', 'BadArgument'],
});

const readError = reading({
  isAccepted: () => false,
  message: ['error', 'message'],
  code: ['error', 'code'],
  kinds: API_ERROR_KINDS,
  statuses: { 403: 'recipient', 404: 'recipient', 412: 'transient' },
});

function failureOf(answer: Answer): ProviderError {
  const result = readError(answer) as ProviderError;
  return answer.status === 401 ? { ...result, isTokenRefused: true } : result;
}

/** A new thread has the id of its first message in `activityId`, a message in a conversation has it in `id`. */
const readActivity = (answer: Answer): SendResult =>
  answer.isOk ? answer.acceptedAs(answer.at('activityId') ?? answer.at('id')) : failureOf(answer);
