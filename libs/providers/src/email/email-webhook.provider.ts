import { compact, merge } from '../call';
import { outcomeOf } from '../outcome';
import { signedCall } from '../webhook';
import { base64Of, emailProvider, SENDER } from './email-provider';

/** Posts the message as JSON to an endpoint of the tenant. */
export const emailWebhook = emailProvider({
  id: 'email-webhook',
  displayName: 'Email Webhook',
  required: ['webhookUrl', 'secretKey', ...SENDER],
  evidence: 'official',
  idempotency: 'webhook-id header',
  overrides: { names: 'any' },
  request: (message, { webhookUrl = '', secretKey }, context) => {
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
      ipPoolName: message.ipPoolName,
      customData: message.customData,
    });
    return signedCall(
      { url: webhookUrl, origin: 'provider', id: message.id, body: merge(body, context.fields), secret: secretKey },
      context,
    );
  },
  read: (answer, message) => (answer.isOk ? answer.accepted(message.id) : outcomeOf(answer)),
});
