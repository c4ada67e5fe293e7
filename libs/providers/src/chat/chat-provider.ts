import { kindOfStatus, refused, type Answer } from '../outcome';
import { type ChatMessage, type Provider, type SendContext, type SendResult } from '../provider';

export type WebhookChat = ChatMessage & { webhookUrl: string };

type ChatAdapter = Pick<Provider<'chat'>, 'id' | 'idempotent' | 'check'> & {
  send(message: WebhookChat, context: SendContext): Promise<SendResult>;
};

/** Chat over a webhook of the subscriber's. */
export function webhookChatProvider(adapter: ChatAdapter): Provider<'chat'> {
  return {
    ...adapter,
    channel: 'chat',
    send: async (message, context) => {
      const { webhookUrl } = message;
      return webhookUrl
        ? adapter.send({ ...message, webhookUrl }, context)
        : refused('The subscriber has no webhook URL');
    },
  };
}

/** By status. A 401 or 403 is about this subscriber's webhook; the integration serves others and is not at fault. */
export function outcomeOfWebhook(answer: Answer, message?: string): SendResult {
  if (answer.isOk) return answer.accepted();
  const kind = kindOfStatus(answer.status);
  return answer.failed(kind === 'account' ? 'permanent' : kind, message);
}
