import { headerFault } from '../call';
import { HEADER_NAME } from '../credentials';
import { refused } from '../outcome';
import { type Attachment, type EmailMessage, type Provider, type SendContext, type SendResult } from '../provider';

/** A message whose every address line is safe, with a sender and without a recipient twice. */
export type ReadyEmail = EmailMessage & {
  from: string;
  senderName: string;
  cc: readonly string[];
  bcc: readonly string[];
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
};

type EmailAdapter = Pick<Provider<'email'>, 'id' | 'idempotent' | 'check'> & {
  send(message: ReadyEmail, context: SendContext): Promise<SendResult>;
};

/** What holds for email whoever carries it. */
export function emailProvider(adapter: EmailAdapter): Provider<'email'> {
  return {
    ...adapter,
    channel: 'email',
    send: async (message, context) => {
      const ready = readyEmail(message, context);
      return 'ok' in ready ? ready : adapter.send(ready, context);
    },
  };
}

function readyEmail(message: EmailMessage, { credentials }: SendContext): ReadyEmail | SendResult {
  const from = message.from ?? credentials.from;
  if (!from) return refused('The message has no sender, and the integration none either');
  const senderName = message.senderName ?? credentials.senderName ?? '';
  const [to, cc, bcc] = withoutRepeats(message.to, message.cc ?? [], message.bcc ?? []);
  if (to!.length === 0) return refused('The message has no recipient');
  const { subject, replyTo, attachments = [] } = message;
  // A trigger may have set these, and anything else than text.
  const headers = Object.fromEntries(
    Object.entries(message.headers ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const misnamed = Object.keys(headers).find((name) => !HEADER_NAME.test(name));
  if (misnamed !== undefined) return refused(`The email cannot be sent: headers have an impossible name`);
  const fault = headerFault({
    subject,
    from,
    senderName,
    replyTo,
    to: to!.join(),
    cc: cc!.join(),
    bcc: bcc!.join(),
    headers: Object.values(headers).join(),
    attachments: attachments.flatMap(({ name, mime, cid = '' }) => [name, mime, cid]).join(),
  });
  if (fault !== undefined) return refused(`The email cannot be sent: ${fault}`);
  return { ...message, from, senderName, to: to!, cc: cc!, bcc: bcc!, headers, attachments };
}

/** Some providers refuse a message that names somebody twice; the first place counts. */
function withoutRepeats(...lists: (readonly string[])[]): string[][] {
  const seen = new Set<string>();
  return lists.map((list) =>
    list.filter((address) => {
      const key = address.trim().toLowerCase();
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  );
}

/** `Name <address>`, the name quoted when it has to be. */
export function mailbox({ from, senderName }: ReadyEmail): string {
  if (senderName === '') return from;
  const name = /^[\p{L}\p{N} ]+$/u.test(senderName) ? senderName : `"${senderName.replace(/["\\]/g, '\\$&')}"`;
  return `${name} <${from}>`;
}

export const base64Of = ({ file }: Attachment): string => file.toString('base64');
