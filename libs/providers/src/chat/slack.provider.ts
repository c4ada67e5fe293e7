import { compact, merge, overriddenFields, send } from '../call';
import { outcomeOfWebhook, webhookChatProvider } from './chat-provider';

/** The webhook or its channel is gone for good. */
const GONE = /^(no_service|no_active_hooks|invalid_token|channel_not_found|channel_is_archived)/;

export const slack = webhookChatProvider({
  id: 'slack',
  send: (message, context) => {
    const body = compact({ text: message.content, blocks: message.blocks });
    return send(
      context,
      {
        url: message.webhookUrl,
        origin: 'tenant',
        json: merge(body, overriddenFields(context.overrides)),
        secrets: [message.webhookUrl],
      },
      (answer) => {
        if (answer.isOk) return answer.accepted(answer.headers['x-slack-req-id']);
        // Errors are one word of plain text.
        const reason = answer.text.trim().slice(0, 200);
        const isGone = answer.status === 404 || answer.status === 410 || GONE.test(reason);
        return isGone ? answer.failed('dead-token', reason) : outcomeOfWebhook(answer, reason);
      },
    );
  },
});
