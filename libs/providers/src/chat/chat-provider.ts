import type { JsonObject } from '@clarion/contracts/core';
import { type Adapter, provider, type Reading, reading } from '../adapter';
import { type Answer, kindOfStatus, refused, waitWithin } from '../outcome';
import { type ChatMessage, type FailureKind, type Provider, type ProviderError, type SendResult } from '../provider';

type ChatAdapter<M extends ChatMessage> = Adapter<M> & {
  /** What the provider's request has no place for: the message goes without it, and somebody is told. */
  cannot?: readonly ('blocks' | 'channel')[];
  /** The data of the trigger stands in the request as a whole; otherwise it counts as overrides. */
  keepsData?: boolean;
};

/** What holds for chat whoever carries it. */
export const chatProvider = (adapter: ChatAdapter<ChatMessage>): Provider<'chat'> =>
  telling(adapter, provider(adapter, { channel: 'chat', ready: (message) => message, dataOf: dataFor(adapter) }));

export type WebhookChat = ChatMessage & { webhookUrl: string };

/** Chat over a webhook of the subscriber's. */
export const webhookChatProvider = (adapter: ChatAdapter<WebhookChat>): Provider<'chat'> =>
  telling(adapter, provider(adapter, { channel: 'chat', ready: withWebhook, dataOf: dataFor(adapter) }));

const dataFor =
  ({ keepsData }: Pick<ChatAdapter<WebhookChat>, 'keepsData'>) =>
  ({ customData }: ChatMessage): JsonObject =>
    keepsData ? {} : (customData ?? {});

function withWebhook(message: ChatMessage): WebhookChat | ProviderError {
  const { webhookUrl } = message;
  if (!webhookUrl) return refused('The subscriber has no webhook URL', 'recipient');
  return URL.canParse(webhookUrl)
    ? { ...message, webhookUrl }
    : refused('The webhook URL of the subscriber is no URL', 'recipient');
}

function telling<M extends ChatMessage>(
  { cannot = [], displayName }: ChatAdapter<M>,
  chat: Provider<'chat'>,
): Provider<'chat'> {
  return {
    ...chat,
    send: async (message, credentials, context) => {
      const result = await chat.send(message, credentials, context);
      const warnings = cannot.filter((part) => message[part]?.length).map((part) => `${displayName} takes no ${part}`);
      return result.ok && warnings.length > 0
        ? { ...result, warnings: [...warnings, ...(result.warnings ?? [])] }
        : result;
    },
  };
}

/** A 401 or 403 is about this subscriber's webhook; the integration serves others and is not at fault. */
const WEBHOOK_STATUSES: Readonly<Record<number, FailureKind>> = {
  401: 'recipient',
  402: 'permanent',
  403: 'recipient',
  404: 'recipient',
  410: 'dead-token',
};

export const webhookKind = (status: number): FailureKind => WEBHOOK_STATUSES[status] ?? kindOfStatus(status);

/** As `reading`, for a webhook of the subscriber's. */
export const webhookReading = ({ isTaken = () => true, ...where }: Reading): ((answer: Answer) => SendResult) =>
  reading({
    ...where,
    isTaken: (answer) => !isPage(answer) && isTaken(answer),
    statuses: { ...WEBHOOK_STATUSES, ...where.statuses },
  });

/** What a proxy or a login shows to people; no webhook answers with one. */
export const isPage = ({ text }: Answer): boolean => /^\s*<(!doctype|html|\?xml)/i.test(text);

/** For providers that say in the body, to the fraction of a second, how long to wait. */
export function waitingFor(seconds: string | undefined, result: SendResult): SendResult {
  const wait = Number(seconds);
  return !result.ok && result.kind === 'rate-limited' && wait > 0
    ? { ...result, retryAfterMs: waitWithin(wait * 1000) }
    : result;
}

/** For providers that give the message no name: ours is as good as any. */
export const underOurId = (result: SendResult, { id }: ChatMessage): SendResult =>
  result.ok && result.id === undefined ? { ...result, id } : result;
