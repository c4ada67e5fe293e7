import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject } from '@clarion/contracts/core';
import { type RequestContext } from '../adapter';
import { outcomeOfFault, withoutSecrets } from '../outcome';
import { type CallContext, type FailureKind, type SendResult, type SmtpServer } from '../provider';
import { emailProvider, leftOut, type ReadyEmail, SENDER, warned } from './email-provider';

/** Of the many fields of a mail a trigger may set these; some of the others read files. */
export const SMTP_OVERRIDES = { names: ['headers'] } as const;

/** All of an adapter for a mail server that somebody runs for themselves, but its name. */
export const ownServer = {
  required: ['host', 'port', ...SENDER],
  // The last three are the DKIM domain, private key and selector.
  optional: [
    'user',
    'password',
    'secure',
    'requireTls',
    'ignoreTls',
    'tlsOptions',
    'domain',
    'secretKey',
    'accountSid',
  ],
  overrides: SMTP_OVERRIDES,
  send: (message: ReadyEmail, credentials: CredentialsDto, context: RequestContext) =>
    sendMail(serverOf(credentials), message, credentials, context),
  check: (credentials: CredentialsDto, context: CallContext) =>
    checkServer(serverOf(credentials), credentials, context),
} as const;

export const nodemailer = emailProvider({
  ...ownServer,
  id: 'nodemailer',
  displayName: 'Custom SMTP',
  evidence: 'official',
});

export const checkServer = (
  server: SmtpServer,
  credentials: CredentialsDto,
  { smtp }: CallContext,
): Promise<SendResult> =>
  guarded(credentials, async () => {
    await smtp.verify(server);
    return { ok: true };
  });

function serverOf(credentials: CredentialsDto): SmtpServer {
  const { host = '', port, user, password, domain, secretKey, accountSid } = credentials;
  return {
    host,
    port: Number(port),
    secure: credentials.secure,
    requireTls: credentials.requireTls,
    ignoreTls: credentials.ignoreTls,
    tlsOptions: credentials.tlsOptions,
    ...(user && password && { user, password }),
    ...(domain &&
      secretKey &&
      accountSid && {
        // A key that was pasted into a form has its line breaks as two characters.
        dkim: { domain, selector: accountSid, privateKey: secretKey.replaceAll('\\n', '\n') },
      }),
  };
}

/** One message over SMTP, for every provider that is a mail server with another name. */
export function sendMail(
  server: SmtpServer,
  message: ReadyEmail,
  credentials: CredentialsDto,
  { smtp, fields, overrides }: RequestContext,
): Promise<SendResult> {
  // The same for every try: a server that keeps an eye on ids knows the message again.
  const messageId = `${message.id}@${message.from.split('@').pop()}`;
  return guarded(credentials, async () => {
    const { rejected, response } = await smtp.send(server, {
      messageId,
      from: { ...(message.senderName && { name: message.senderName }), address: message.from },
      to: message.to,
      cc: message.cc,
      bcc: message.bcc,
      replyTo: message.replyTo,
      subject: message.subject,
      html: message.html,
      text: message.text,
      headers: { ...message.headers, ...textsOf(fields['headers']) },
      attachments: message.attachments,
    });
    const result = leftOut({ ok: true, id: messageId, raw: response }, 'A mail server', {
      ipPoolName: message.ipPoolName !== undefined,
      customData: Object.keys(message.customData ?? {}).length > 0,
    });
    return warned(result, [
      ...rejected.map((address) => `The mail server did not take ${address}`),
      ...('_passthrough' in overrides ? ['A mail server takes no _passthrough; headers can be overridden'] : []),
    ]);
  });
}

const textsOf = (value: JsonObject[string] | undefined): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name.replace(/[\r\n]/g, ''), String(text)]))
    : {};

async function guarded(credentials: CredentialsDto, work: () => Promise<SendResult>): Promise<SendResult> {
  let result: SendResult;
  try {
    result = await work();
  } catch (error) {
    result = outcomeOfReply(error);
  }
  return withoutSecrets([result], credentials)[0]!;
}

function outcomeOfReply(error: unknown): SendResult {
  const { responseCode, command = '', message } = error as { responseCode?: number; command?: string; message: string };
  if (typeof responseCode !== 'number') return outcomeOfFault(error);
  return { ok: false, kind: kindOfReply(responseCode, command, message), message, status: responseCode, raw: message };
}

/** Replies that are about the login, whichever command they answer. */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function kindOfReply(code: number, command: string, text: string): FailureKind {
  if (code < 500 || code === 503) return 'transient';
  // 5.7.30 and 5.7.139: logins by password are switched off. 5.7.60: the login may not send as this sender.
  if (LOGIN_REPLIES.has(code) || /\b5\.7\.(30|60|139)\b|SendAsDenied/.test(text)) return 'credentials';
  if (/^RCPT TO/.test(command)) return 'recipient';
  // The size of a mail is judged before its sender.
  if (code === 552) return 'content';
  // Up to the login everything is about the account, and so is a sender that the server does not accept.
  if (/^(CONN|[EHL]+LO|STARTTLS|AUTH|MAIL FROM)/.test(command)) return 'credentials';
  return code === 554 ? 'content' : 'permanent';
}
