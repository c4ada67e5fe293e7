import { type CredentialsDto, isJsonObject, type JsonObject } from '@clarion/contracts';
import { overriddenFields } from '../call';
import { outcomeOfFault, withoutSecrets } from '../outcome';
import { type FailureKind, type SendContext, type SendResult, type SmtpServer } from '../provider';
import { emailProvider, type ReadyEmail } from './email-provider';

export const nodemailer = emailProvider({
  id: 'nodemailer',
  send: (message, context) => sendMail(serverOf(context.credentials), message, context),
  check: (context) =>
    guarded(context, async () => {
      await context.smtp.verify(serverOf(context.credentials));
      return { ok: true };
    }),
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

/** Of the many fields of a mail these may be set; some of the others read files. */
const OVERRIDABLE: ReadonlySet<string> = new Set(['headers']);

/** One message over SMTP, for every provider that is a mail server with another name. */
export function sendMail(server: SmtpServer, message: ReadyEmail, context: SendContext): Promise<SendResult> {
  const fields = overriddenFields(context.overrides);
  // The same for every try: a server that keeps an eye on ids knows the message again.
  const messageId = `${message.id}@${message.from.split('@').pop()}`;
  const unused = Object.keys(fields).filter((name) => !OVERRIDABLE.has(name));
  return guarded(context, async () => {
    const { rejected, response } = await context.smtp.send(server, {
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
    const warnings = [
      ...rejected.map((address) => `The mail server did not take ${address}`),
      ...unused.map((name) => `The override ${name} is not used for SMTP`),
    ];
    return {
      ok: true,
      id: messageId,
      raw: response,
      ...(warnings.length > 0 && { warnings }),
    };
  });
}

const textsOf = (value: JsonObject[string] | undefined): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, text]) => [name.replace(/[\r\n]/g, ''), String(text)]))
    : {};

async function guarded({ credentials }: SendContext, work: () => Promise<SendResult>): Promise<SendResult> {
  let result: SendResult;
  try {
    result = await work();
  } catch (error) {
    result = outcomeOfReply(error);
  }
  return withoutSecrets(result, credentials, []);
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
  // 5.7.30 and 5.7.139: logins by password are switched off.
  if (LOGIN_REPLIES.has(code) || /\b5\.7\.(30|139)\b/.test(text)) return 'account';
  // At login everything is about the account, and so is a sender that the server does not accept.
  return /^(AUTH|MAIL FROM)/.test(command) ? 'account' : 'permanent';
}
