import { compact } from '../call';
import { outcomeOf } from '../outcome';
import { signedCall } from '../webhook';
import { pushProvider } from './push-provider';

/** Posts the message as JSON to an endpoint of the tenant. */
export const pushWebhook = pushProvider({
  id: 'push-webhook',
  displayName: 'Push Webhook',
  required: ['webhookUrl', 'secretKey'],
  evidence: 'official',
  idempotency: 'webhook-id header',
  overrides: { names: 'any' },
  request: (message, { webhookUrl = '', secretKey }, context) => {
    const body = compact({
      id: message.id,
      target: [message.token],
      title: message.title,
      content: message.content,
      overrides: context.fields,
      payload: compact({ ...message.payload, subscriber: message.subscriber, step: message.step }),
    });
    return signedCall({ url: webhookUrl, origin: 'provider', id: message.id, body, secret: secretKey }, context);
  },
  read: (answer, message) => (answer.isOk ? answer.accepted(answer.at('id') ?? message.id) : outcomeOf(answer)),
});
