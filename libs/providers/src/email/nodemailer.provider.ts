import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type JsonObject, type SmtpServer } from '@clarion/contracts/core';
import { type RequestContext } from '../adapter';
import { outcomeOfFault } from '../outcome';
import { type CallContext, type FailureKind, type SendResult } from '../provider';
import { withoutSecrets } from '../redaction';
import {
  emailProvider,
  hasCustomData,
  type ReadyEmail,
  SENDER,
  withLeftOutParts,
  withWarnings,
} from './email-provider';

/** The only override. Other fields of a mail could make nodemailer read files. */
export const SMTP_OVERRIDES = { names: ['headers'] } as const;

/** The adapter for a mail server of the tenant, without id and name. */
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
  context: CallContext,
): Promise<SendResult> =>
  guarded(credentials, context, async () => {
    await context.smtp.verify(server);
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
        // A key that was pasted into a form may have each line break as the two characters `\n`.
        dkim: { domain, selector: accountSid, privateKey: secretKey.replaceAll('\\n', '\n') },
      }),
  };
}

/** Sends one message over SMTP, for all providers that are mail servers. */
export function sendMail(
  server: SmtpServer,
  message: ReadyEmail,
  credentials: CredentialsDto,
  context: RequestContext,
): Promise<SendResult> {
  const { smtp, fields, overrides } = context;
  // The same for every attempt, so that a server that checks ids detects a duplicate.
  const messageId = `${message.id}@${message.from.split('@').pop()}`;
  return guarded(credentials, context, async () => {
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
    const result = withLeftOutParts({ ok: true, id: messageId, raw: response }, 'A mail server', {
      ipPoolName: message.ipPoolName !== undefined,
      customData: hasCustomData(message),
    });
    return withWarnings(result, [
      ...rejected.map((address) => `The mail server did not accept ${address}`),
      ...('_passthrough' in overrides ? ['A mail server does not support _passthrough; override headers instead'] : []),
    ]);
  });
}

const textsOf = (value: JsonObject[string] | undefined): Record<string, string> =>
  isJsonObject(value)
    ? Object.fromEntries(
        Object.entries(value).flatMap(([name, text]) =>
          typeof text === 'object' ? [] : [[name.replace(/[\r\n]/g, ''), String(text)]],
        ),
      )
    : {};

async function guarded(
  credentials: CredentialsDto,
  { secrets }: CallContext,
  work: () => Promise<SendResult>,
): Promise<SendResult> {
  let result: SendResult;
  try {
    result = await work();
  } catch (error) {
    result = outcomeOfReply(error);
  }
  return withoutSecrets([result], credentials, secrets)[0]!;
}

function outcomeOfReply(error: unknown): SendResult {
  const { responseCode, command = '', message } = error as { responseCode?: number; command?: string; message: string };
  if (typeof responseCode !== 'number') return outcomeOfFault(error);
  return { ok: false, kind: kindOfReply(responseCode, command, message), message, status: responseCode, raw: message };
}

/** Reply codes about the login, regardless of the command. */
const LOGIN_REPLIES: ReadonlySet<number> = new Set([530, 534, 535, 538]);

function kindOfReply(code: number, command: string, text: string): FailureKind {
  if (code < 500 || code === 503) return 'transient';
  // 5.7.30 and 5.7.139: password logins are disabled. 5.7.60: this login may not send as this sender.
  if (LOGIN_REPLIES.has(code) || /\b5\.7\.(30|60|139)\b|SendAsDenied/.test(text)) return 'credentials';
  if (/^RCPT TO/.test(command)) return 'recipient';
  // Servers check the size of a mail before its sender.
  if (code === 552) return 'content';
  // Replies up to the login are about the account, and so is a sender that the server rejects.
  if (/^(CONN|[EHL]+LO|STARTTLS|AUTH|MAIL FROM)/.test(command)) return 'credentials';
  return code === 554 ? 'content' : 'permanent';
}
