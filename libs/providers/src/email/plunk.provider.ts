import type { CredentialsDto } from '@clarion/contracts';
import { reading } from '../adapter';
import { byKind } from '../by-kind';
import { baseUrlOf, bearer } from '../call';
import { dateOf } from '../events';
import { type Answer } from '../outcome';
import { type SendResult } from '../provider';
import { base64Of, emailProvider, hasCustomData, headersOrNone, SENDER, withLeftOutParts } from './email-provider';

/** Plunk can be self-hosted. */
const hostOf = ({ baseUrl }: CredentialsDto): string => baseUrlOf(baseUrl || 'https://api.useplunk.com');

/** There is no check, because the two generations of the API have different endpoints for reading. */
export const plunk = emailProvider({
  id: 'plunk',
  displayName: 'Plunk',
  required: ['apiKey', ...SENDER],
  optional: ['baseUrl'],
  evidence: 'official',
  idempotency: 'Idempotency-Key header: a used key is rejected',
  overrides: { names: ['subscribed', 'data', 'template', 'headers', 'reply', 'attachments'], casing: 'camel' },
  request: (message, credentials, { fields }) => {
    const isTemplate = 'data' in fields || 'template' in fields;
    return {
      url: `${hostOf(credentials)}/v1/send`,
      headers: { authorization: bearer(credentials.apiKey ?? ''), 'idempotency-key': message.id },
      body: {
        to: [...message.to],
        from: message.from,
        name: message.senderName || undefined,
        reply: message.replyTo,
        // A template at Plunk has its own content.
        ...(!('template' in fields) && {
          subject: isTemplate ? message.subject : message.subject.replaceAll('{{', `{${WORD_JOINER}{`),
          body: isTemplate ? message.html : message.html.replaceAll('{{', '{&#123;'),
        }),
        headers: headersOrNone(message),
        attachments: message.attachments.map((attachment) => ({
          filename: attachment.name,
          content: base64Of(attachment),
          contentType: attachment.mime,
        })),
      },
    };
  },
  read: (answer, message) =>
    withLeftOutParts(readAnswer(answer), 'Plunk', {
      cc: message.cc.length > 0,
      bcc: message.bcc.length > 0,
      'pictures inside the HTML': message.attachments.some(({ cid }) => cid !== undefined),
      ipPoolName: message.ipPoolName !== undefined,
      customData: hasCustomData(message),
    }),
});

/** An invisible word joiner. It separates braces so that Plunk does not treat them as a placeholder. */
const WORD_JOINER = '\u2060';

/** The response for a used key contains the status of the first call. */
function readAnswer(answer: Answer): SendResult {
  if (answer.at('error', 'code') !== 'IDEMPOTENCY_KEY_REUSED') return read(answer);
  const status = Number(answer.at('error', 'details', 'originalStatusCode') ?? 0);
  if (status === 0) return answer.failed('transient', 'Plunk is still processing this message');
  if (status < 300) return answer.accepted();
  return answer.failed('unknown-outcome', `Plunk failed with status ${status} and does not accept this message again`);
}

/** The newer generation of the API wraps the body in `data`. */
const valueIn = (answer: Answer, ...path: (string | number)[]): string | undefined =>
  answer.at('data', ...path) ?? answer.at(...path);

const read = reading({
  id: (answer) => valueIn(answer, 'emails', 0, 'email'),
  date: (answer) => dateOf(valueIn(answer, 'timestamp')),
  isAccepted: (answer) => answer.at('success') === 'true',
  message: [['error', 'message'], ['message']],
  code: ['error', 'code'],
  kinds: byKind({
    content: ['BAD_REQUEST', 'VALIDATION_ERROR', 'INVALID_REQUEST_BODY', 'MISSING_REQUIRED_FIELD'],
    recipient: ['INVALID_EMAIL'],
    quota: ['BILLING_LIMIT_EXCEEDED', 'UPGRADE_REQUIRED'],
    'rate-limited': ['RATE_LIMIT_EXCEEDED'],
    credentials: ['PROJECT_DISABLED', 'EMAIL_VERIFICATION_REQUIRED'],
  }),
});
