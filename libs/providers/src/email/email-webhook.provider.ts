import { compact, merge, overriddenFields, send } from '../call';
import { outcomeOf } from '../outcome';
import { signedCall } from '../webhook';
import { base64Of, emailProvider } from './email-provider';

/** The whole message as JSON, to an endpoint of the tenant's own. */
export const emailWebhook = emailProvider({
  id: 'email-webhook',
  send: (message, context) => {
    const { webhookUrl = '', secretKey } = context.credentials;
    const body = compact({
      id: message.id,
      to: [...message.to],
      cc: [...message.cc],
      bcc: [...message.bcc],
      from: message.from,
      senderName: message.senderName || undefined,
      replyTo: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: { ...message.headers },
      attachments: message.attachments.map((attachment) =>
        compact({
          name: attachment.name,
          mime: attachment.mime,
          file: base64Of(attachment),
          cid: attachment.cid,
          disposition: attachment.disposition,
        }),
      ),
      customData: message.customData,
    });
    const call = signedCall(
      {
        url: webhookUrl,
        origin: 'provider',
        id: message.id,
        body: merge(body, overriddenFields(context.overrides)),
        secret: secretKey,
      },
      context,
    );
    return send(context, call, (answer) => (answer.isOk ? answer.accepted(message.id) : outcomeOf(answer)));
  },
});
