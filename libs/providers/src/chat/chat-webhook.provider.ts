import { compact, merge, overriddenFields, send } from '../call';
import { signedCall } from '../webhook';
import { outcomeOfWebhook, webhookChatProvider } from './chat-provider';

/** The message as JSON, to an endpoint of the subscriber's. */
export const chatWebhook = webhookChatProvider({
  id: 'chat-webhook',
  send: (message, context) => {
    const body = compact({
      id: message.id,
      content: message.content,
      channel: message.channel,
      phoneNumber: message.phoneNumber,
      blocks: message.blocks,
      customData: message.customData,
    });
    const call = signedCall(
      {
        url: message.webhookUrl,
        origin: 'tenant',
        id: message.id,
        body: merge(body, overriddenFields(context.overrides)),
        secret: context.credentials.secretKey,
      },
      context,
    );
    return send(context, call, (answer) =>
      answer.isOk ? answer.accepted(answer.at('id') ?? message.id) : outcomeOfWebhook(answer),
    );
  },
});
