import { compact, merge, overriddenFields, send } from '../call';
import { outcomeOfWebhook, webhookChatProvider } from './chat-provider';

export const mattermost = webhookChatProvider({
  id: 'mattermost',
  send: (message, context) => {
    const body = compact({ text: message.content, channel: message.channel, attachments: message.blocks });
    return send(
      context,
      {
        url: message.webhookUrl,
        origin: 'tenant',
        json: merge(body, overriddenFields(context.overrides, 'snake')),
        secrets: [message.webhookUrl],
      },
      (answer) =>
        answer.isOk ? answer.accepted(answer.headers['x-request-id']) : outcomeOfWebhook(answer, answer.at('message')),
    );
  },
});
