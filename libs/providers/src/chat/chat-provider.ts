import type { CredentialsDto } from '@clarion/contracts';
import type { ChatAddress, JsonObject } from '@clarion/contracts/core';
import { type Adapter, type CustomSend, type Exchange, provider, type Reading, reading } from '../adapter';
import { type Answer, kindOfStatus, refused, waitWithin } from '../outcome';
import { type ChatMessage, type FailureKind, type Provider, type ProviderError, type SendResult } from '../provider';

type ChatAdapter<M extends ChatMessage> = Adapter<M> & {
  /** Parts that the provider does not support. The message is sent without them, and the result has a warning. */
  unsupported?: readonly ('blocks' | 'channel')[];
  /** The custom data is sent as one member of the request. Otherwise its members count as overrides. */
  keepsData?: boolean;
};

/** Rules shared by all chat providers. */
export const chatProvider = (adapter: ChatAdapter<ChatMessage>): Provider<'chat'> =>
  withUnsupportedWarnings(
    adapter,
    provider(adapter, { channel: 'chat', ready: (message) => message, dataOf: dataFor(adapter) }),
  );

export type WebhookChat = ChatMessage & { webhookUrl: string };

/** Rules shared by the chat providers that call a webhook of the subscriber. */
export const webhookChatProvider = (adapter: ChatAdapter<WebhookChat>): Provider<'chat'> =>
  withUnsupportedWarnings(
    adapter,
    provider(adapter, { channel: 'chat', ready: withWebhook, dataOf: dataFor(adapter) }),
  );

/** A chat message to a person or a place at the provider, with the token of its workspace. */
export type AddressedChat = ChatMessage & { address: ChatAddress; accessToken: string };

/** To a webhook of the subscriber or, with a token of the workspace, to a person or a channel in it. */
export function addressedChatProvider(
  facts: ChatFacts,
  webhook: WayOf<WebhookChat>,
  addressed: WayOf<AddressedChat>,
): Provider<'chat'> {
  const toWebhook = webhookChatProvider({ ...facts, ...webhook });
  const adapter = { ...facts, ...addressed };
  const toAddress = withUnsupportedWarnings(
    adapter,
    provider(adapter, { channel: 'chat', ready: withToken, dataOf: dataFor(adapter) }),
  );
  return {
    ...toWebhook,
    send: (message, credentials, context) =>
      (message.address ? toAddress : toWebhook).send(message, credentials, context),
  };
}

type ChatFacts = Omit<ChatAdapter<ChatMessage>, 'request' | 'read' | 'send' | 'batch' | 'check'>;
type WayOf<M extends ChatMessage> = Pick<ChatAdapter<M>, 'unsupported'> &
  ({ request: Exchange<M>['request']; read: Exchange<M>['read'] } | CustomSend<M>);

function withToken(message: ChatMessage): AddressedChat | ProviderError {
  const { address, accessToken } = message;
  if (address && accessToken) return { ...message, address, accessToken };
  return refused('The endpoint of the subscriber has no connection with a token', 'recipient');
}

const dataFor =
  ({ keepsData }: Pick<ChatAdapter<WebhookChat>, 'keepsData'>) =>
  ({ customData }: ChatMessage): JsonObject =>
    keepsData ? {} : (customData ?? {});

function withWebhook(message: ChatMessage): WebhookChat | ProviderError {
  const { webhookUrl } = message;
  if (!webhookUrl) return refused('The subscriber has no webhook URL', 'recipient');
  return URL.canParse(webhookUrl)
    ? { ...message, webhookUrl }
    : refused('The webhook URL of the subscriber is not a valid URL', 'recipient');
}

/** Why the webhook URL must not get the key of the integration, which goes only to its own host. */
export function otherHostFault({ webhookUrl }: WebhookChat, { baseUrl }: CredentialsDto): ProviderError | undefined {
  if (!baseUrl || !URL.canParse(baseUrl)) {
    return refused(
      'The integration has no baseUrl: its key is sent only to the host that baseUrl names',
      'credentials',
    );
  }
  if (new URL(webhookUrl).origin === new URL(baseUrl).origin) return undefined;
  return refused(
    'The webhook URL is not on the host of the integration (baseUrl), so it does not get its key',
    'recipient',
  );
}

function withUnsupportedWarnings<M extends ChatMessage>(
  { unsupported = [], displayName }: ChatAdapter<M>,
  chat: Provider<'chat'>,
): Provider<'chat'> {
  return {
    ...chat,
    send: async (message, credentials, context) => {
      const result = await chat.send(message, credentials, context);
      const warnings = unsupported
        .filter((part) => message[part]?.length)
        .map((part) => `${displayName} does not support ${part}`);
      return result.ok && warnings.length > 0
        ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] }
        : result;
    },
  };
}

/** A 401 or 403 is about the webhook of this subscriber. The integration serves others and is not at fault. */
const WEBHOOK_STATUSES: Readonly<Record<number, FailureKind>> = {
  401: 'recipient',
  402: 'permanent',
  403: 'recipient',
  404: 'recipient',
  410: 'dead-token',
};

export const webhookKind = (status: number): FailureKind => WEBHOOK_STATUSES[status] ?? kindOfStatus(status);

/** As `reading`, for a webhook of the subscriber. */
export const webhookReading = ({ isAccepted = () => true, ...where }: Reading): ((answer: Answer) => SendResult) =>
  reading({
    ...where,
    isAccepted: (answer) => !isPage(answer) && isAccepted(answer),
    statuses: { ...WEBHOOK_STATUSES, ...where.statuses },
  });

/** An HTML page of a proxy or a login. No webhook answers with one. */
export const isPage = ({ text }: Answer): boolean => /^\s*<(!doctype|html|\?xml)/i.test(text);

/** For providers whose body has the wait in seconds, with fractions. */
export function withRetryAfter(seconds: string | undefined, result: SendResult): SendResult {
  const wait = Number(seconds);
  return !result.ok && result.kind === 'rate-limited' && wait > 0
    ? { ...result, retryAfterMs: waitWithin(wait * 1000) }
    : result;
}

/** For providers that return no message id: uses Clarion's id. */
export const withOwnId = (result: SendResult, { id }: ChatMessage): SendResult =>
  result.ok && result.id === undefined ? { ...result, id } : result;
