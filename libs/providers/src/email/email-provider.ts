import type { CredentialsDto } from '@clarion/contracts';
import { type Adapter, provider } from '../adapter';
import { headerFault } from '../call';
import { HEADER_NAME } from '../header-names';
import { type Answer, isNotThere, refused } from '../outcome';
import { type Attachment, type EmailMessage, type Provider, type ProviderError, type SendResult } from '../provider';

/** A message whose every address line is safe, with a sender and without a recipient twice. */
export type ReadyEmail = EmailMessage & {
  from: string;
  senderName: string;
  cc: readonly string[];
  bcc: readonly string[];
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
};

/** Every email provider but our own sends in somebody's name. */
export const SENDER = ['from', 'senderName'] as const;

/** What holds for email whoever carries it. */
export const emailProvider = (adapter: Adapter<ReadyEmail>): Provider<'email'> =>
  provider(adapter, { channel: 'email', ready: readyEmail });

export function readyEmail(message: EmailMessage, credentials: CredentialsDto): ReadyEmail | ProviderError {
  const from = message.from ?? credentials.from;
  if (!from) return refused('The message has no sender, and the integration none either');
  const senderName = message.senderName ?? credentials.senderName ?? '';
  const [to, cc, bcc] = withoutRepeats(message.to, message.cc ?? [], message.bcc ?? []);
  if (to!.length === 0) return refused('The message has no recipient', 'recipient');
  const { subject, replyTo, attachments = [] } = message;
  const headers = headersOf(message);
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
  // A spread with so much behind it takes twenty times as long, and this runs for every email.
  return Object.assign({}, message, { from, senderName, to: to!, cc: cc!, bcc: bcc!, headers, attachments });
}

/** A trigger may have set these, and anything else than text. */
const headersOf = ({ headers }: EmailMessage): Record<string, string> =>
  headers ? Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])) : {};

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

/** Says of a mail that was taken what the provider has no place for: the parts whose value is true. */
export function leftOut(result: SendResult, displayName: string, parts: Readonly<Record<string, boolean>>): SendResult {
  const warnings = Object.keys(parts)
    .filter((part) => parts[part])
    .map((part) => `${displayName} has no place for ${part}: it was left out`);
  return warned(result, warnings);
}

/** A text for a header line of seven bits, for providers that do not see to that themselves (RFC 2047). */
export function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const words: string[] = [];
  // A word may have 75 characters, and no half ones.
  for (const character of text) {
    const last = words.at(-1);
    if (last !== undefined && Buffer.byteLength(last + character) <= 45) words[words.length - 1] = last + character;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

/** What was asked for and the provider cannot do is said with its success. */
export const warned = (result: SendResult, warnings: readonly string[]): SendResult =>
  result.ok && warnings.length > 0 ? { ...result, warnings: [...(result.warnings ?? []), ...warnings] } : result;

/**
 * Whether a message may share a call: files and long texts make the call too large for the provider, many recipients its
 * answer too large for us.
 */
export const isSmall = ({ to, cc, bcc, attachments, html, text = '' }: ReadyEmail, bytes: number): boolean =>
  to.length + cc.length + bcc.length === 1 &&
  attachments.length === 0 &&
  Buffer.byteLength(html) + Buffer.byteLength(text) <= bytes;

/**
 * What the answer to a check says of the credentials. A stand-in that knows nothing but sending does not know the question
 * either, and so has said nothing against them; a page of some proxy has said nothing for them.
 */
export function checked(answer: Answer, read: (answer: Answer) => SendResult): SendResult {
  if (isNotThere(answer)) return answer.accepted();
  if (!answer.isOk) return read(answer);
  const isPage = answer.text.trimStart().startsWith('<');
  return isPage ? answer.failed('transient', 'The provider answered with a web page') : answer.accepted();
}

/** The same as `mailbox`, in seven bits. */
export function asciiMailbox(message: ReadyEmail): string {
  const name = encodedWords(message.senderName);
  // Inside quotes such words would be shown as they are.
  return name === message.senderName ? mailbox(message) : `${name} <${message.from}>`;
}
