import { bearer, compact, merge, overriddenFields, send } from '../call';
import { type Answer, outcomeOf, retryAfter } from '../outcome';
import { type SendContext, type SendResult } from '../provider';
import { base64Of, emailProvider, mailbox } from './email-provider';

const HOST = 'https://api.resend.com';

const headersOf = ({ credentials }: SendContext): Record<string, string> => ({
  authorization: bearer(credentials.apiKey ?? ''),
  'user-agent': 'clarion',
});

export const resend = emailProvider({
  id: 'resend',
  idempotent: true,
  send: (message, context) => {
    const body = compact({
      from: mailbox(message),
      to: [...message.to],
      cc: [...message.cc],
      bcc: [...message.bcc],
      reply_to: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: Object.keys(message.headers).length > 0 ? { ...message.headers } : undefined,
      attachments: message.attachments.map((attachment) =>
        compact({
          filename: attachment.name,
          content: base64Of(attachment),
          content_type: attachment.mime,
          content_id: attachment.cid,
        }),
      ),
      tags: [{ name: 'message_id', value: message.id }],
    });
    return send(
      context,
      {
        url: `${HOST}/emails`,
        headers: { ...headersOf(context), 'idempotency-key': message.id },
        json: merge(body, overriddenFields(context.overrides, 'snake')),
      },
      (answer) => (answer.isOk ? answer.accepted(answer.at('id')) : failure(answer, context.now())),
    );
  },
  check: (context) =>
    send(context, { method: 'GET', url: `${HOST}/domains`, headers: headersOf(context) }, (answer) =>
      // A key that may only send is a good key; it just may not look.
      answer.at('name') === 'restricted_api_key' ? answer.accepted() : outcomeOf(answer, answer.at('message')),
    ),
});

function failure(answer: Answer, now: Date): SendResult {
  const message = answer.at('message');
  switch (answer.at('name')) {
    // Both come as 429, but no short wait helps.
    case 'daily_quota_exceeded':
    case 'monthly_quota_exceeded':
      return answer.failed('account', message);
    case 'concurrent_idempotent_requests':
      return answer.failed('transient', message);
    default: {
      const result = outcomeOf(answer, message);
      const wait = retryAfter(answer.headers['retry-after'] ?? answer.headers['ratelimit-reset'], now);
      return answer.status === 429 && wait !== undefined ? ({ ...result, retryAfterMs: wait } as SendResult) : result;
    }
  }
}
