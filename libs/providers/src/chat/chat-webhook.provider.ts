import { compact, merge } from '../call';
import { signedCall } from '../webhook';
import { webhookChatProvider, webhookReading } from './chat-provider';

/** Posts the message as JSON to an endpoint of the subscriber. */
export const chatWebhook = webhookChatProvider({
  id: 'chat-webhook',
  displayName: 'Chat Webhook',
  optional: ['secretKey'],
  evidence: 'official',
  idempotency: 'webhook-id header',
  overrides: { names: 'any' },
  keepsData: true,
  request: (message, { secretKey }, context) => {
    const body = compact({
      id: message.id,
      content: message.content,
      channel: message.channel,
      phoneNumber: message.phoneNumber,
      blocks: message.blocks,
      customData: message.customData,
    });
    return signedCall(
      {
        url: message.webhookUrl,
        origin: 'tenant',
        id: message.id,
        body: merge(body, context.fields),
        secret: secretKey,
      },
      context,
    );
  },
  read: (answer, message) => (answer.isOk ? answer.accepted(answer.at('id') ?? message.id) : failure(answer)),
});

const failure = webhookReading({});
