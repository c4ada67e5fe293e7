import { type CredentialsDto, isJsonObject } from '@clarion/contracts';
import { bearer, compact, merge, overriddenFields, send, textFields } from '../call';
import { type Answer, outcomeOf, retryAfter, waitWithin } from '../outcome';
import { type SendResult } from '../provider';
import { base64Of, emailProvider } from './email-provider';

const hostOf = ({ region }: CredentialsDto): string =>
  region?.toLowerCase() === 'eu' ? 'https://api.eu.sendgrid.com' : 'https://api.sendgrid.com';

const person = (email: string): { email: string } => ({ email });

export const sendgrid = emailProvider({
  id: 'sendgrid',
  send: (message, context) => {
    const { credentials, overrides, now } = context;
    const body = compact({
      personalizations: [
        compact({
          to: message.to.map(person),
          cc: message.cc.map(person),
          bcc: message.bcc.map(person),
          // Comes back on every event of this message.
          custom_args: { ...textFields(message.customData ?? {}), id: message.id },
        }),
      ],
      from: compact({ email: message.from, name: message.senderName || undefined }),
      reply_to: message.replyTo === undefined ? undefined : person(message.replyTo),
      subject: message.subject,
      // The plain text has to come first.
      content: [
        ...(message.text ? [{ type: 'text/plain', value: message.text }] : []),
        { type: 'text/html', value: message.html },
      ],
      attachments: message.attachments.map((attachment) =>
        compact({
          content: base64Of(attachment),
          filename: attachment.name,
          type: attachment.mime,
          disposition: attachment.disposition,
          content_id: attachment.cid,
        }),
      ),
      headers: Object.keys(message.headers).length > 0 ? { ...message.headers } : undefined,
      ip_pool_name: message.ipPoolName ?? credentials.ipPoolName,
    });
    return send(
      context,
      {
        url: `${hostOf(credentials)}/v3/mail/send`,
        headers: { authorization: bearer(credentials.apiKey ?? '') },
        json: merge(body, overriddenFields(overrides, 'snake')),
      },
      (answer) =>
        answer.isOk ? answer.accepted(answer.headers['x-message-id'] ?? message.id) : failure(answer, now()),
    );
  },
  check: (context) =>
    send(
      context,
      {
        method: 'GET',
        url: `${hostOf(context.credentials)}/v3/scopes`,
        headers: { authorization: bearer(context.credentials.apiKey ?? '') },
      },
      (answer) => outcomeOf(answer, messageOf(answer)),
    ),
});

function messageOf({ json }: Answer): string | undefined {
  if (!isJsonObject(json) || !Array.isArray(json['errors'])) return undefined;
  return json['errors'].flatMap((error) => (isJsonObject(error) ? [String(error['message'])] : [])).join('; ');
}

/** The wait stands in a header of its own: seconds since 1970. */
function failure(answer: Answer, now: Date): SendResult {
  const result = outcomeOf(answer, messageOf(answer));
  const reset = Number(answer.headers['x-ratelimit-reset']);
  if (answer.status !== 429 || !reset || retryAfter(answer.headers['retry-after'], now) !== undefined) return result;
  return { ...result, retryAfterMs: waitWithin(reset * 1000 - now.getTime()) } as SendResult;
}
