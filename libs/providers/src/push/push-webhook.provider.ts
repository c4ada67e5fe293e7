import { compact, overriddenFields, send } from '../call';
import { outcomeOf } from '../outcome';
import { signedCall } from '../webhook';
import { pushProvider } from './push-provider';

/** The message as JSON, to an endpoint of the tenant's own. */
export const pushWebhook = pushProvider({
  id: 'push-webhook',
  send: (message, context) => {
    const { webhookUrl = '', secretKey } = context.credentials;
    const body = compact({
      id: message.id,
      target: [message.token],
      title: message.title,
      content: message.content,
      overrides: overriddenFields(context.overrides),
      payload: compact({ ...message.payload, subscriber: message.subscriber, step: message.step }),
    });
    const call = signedCall({ url: webhookUrl, origin: 'provider', id: message.id, body, secret: secretKey }, context);
    return send(context, call, (answer) =>
      answer.isOk ? answer.accepted(answer.at('id') ?? message.id) : outcomeOf(answer),
    );
  },
});
