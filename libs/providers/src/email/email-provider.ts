import { type Attachment } from '@clarion/contracts/core';
import type { CredentialsDto } from '@clarion/contracts';
import { type Adapter, provider } from '../adapter';
import { headerFault } from '../call';
import { HEADER_NAME } from '../header-names';
import { type Answer, isMissingEndpoint, refused } from '../outcome';
import { type EmailMessage, type Provider, type ProviderError, type SendResult } from '../provider';

/** An email that has a sender, no recipient twice and no line break in any address line. */
export type ReadyEmail = EmailMessage & {
  from: string;
  senderName: string;
  cc: readonly string[];
  bcc: readonly string[];
  headers: Readonly<Record<string, string>>;
  attachments: readonly Attachment[];
};

/** Required by every email provider except the built-in one. */
export const SENDER = ['from', 'senderName'] as const;

/**
 * Rules shared by all email providers. `unsubscribeHeaders` is false for a provider that refuses messages with the
 * headers for unsubscribing.
 */
export const emailProvider = (
  adapter: Adapter<ReadyEmail>,
  { unsubscribeHeaders = true }: { unsubscribeHeaders?: boolean } = {},
): Provider<'email'> =>
  provider(adapter, {
    channel: 'email',
    ready: unsubscribeHeaders
      ? readyEmail
      : ({ unsubscribeUrl: _, ...message }, credentials) => readyEmail(message, credentials),
  });

export function readyEmail(message: EmailMessage, credentials: CredentialsDto): ReadyEmail | ProviderError {
  const from = message.from ?? credentials.from;
  if (!from) return refused('Neither the message nor the integration has a sender');
  const senderName = message.senderName ?? credentials.senderName ?? '';
  const [to, cc, bcc] = withoutRepeats(message.to, message.cc ?? [], message.bcc ?? []);
  if (to!.length === 0) return refused('The message has no recipient', 'recipient');
  const { subject, replyTo, attachments = [] } = message;
  const headers = headersOf(message);
  const misnamed = Object.keys(headers).find((name) => !HEADER_NAME.test(name));
  if (misnamed !== undefined) return refused(`The email cannot be sent: headers have an invalid name`);
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
  // A spread with this many members is twenty times slower, and this code runs for every email.
  return Object.assign({}, message, { from, senderName, to: to!, cc: cc!, bcc: bcc!, headers, attachments });
}

/** A trigger may have set these to values that are not text. */
function headersOf({ headers = {}, unsubscribeUrl }: EmailMessage): Record<string, string> {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  const hasOwn = Object.keys(given).some((name) => name.toLowerCase() === 'list-unsubscribe');
  return unsubscribeUrl === undefined || hasOwn ? given : { ...given, ...unsubscribeHeadersOf(unsubscribeUrl) };
}

const unsubscribeHeadersOf = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Some providers reject a message with a repeated recipient. The first occurrence counts. */
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

/** `Name <address>`, with the name quoted if necessary. */
export function mailbox({ from, senderName }: ReadyEmail): string {
  if (senderName === '') return from;
  const name = /^[\p{L}\p{N} ]+$/u.test(senderName) ? senderName : `"${senderName.replace(/["\\]/g, '\\$&')}"`;
  return `${name} <${from}>`;
}

export const addressOf = (email: string): { email: string } => ({ email });

/** The headers of the message; undefined if there are none, so that `compact` drops the member. */
export const headersOrNone = ({ headers }: ReadyEmail): Record<string, string> | undefined =>
  Object.keys(headers).length > 0 ? { ...headers } : undefined;

export const hasCustomData = ({ customData = {} }: ReadyEmail): boolean => Object.keys(customData).length > 0;

export const base64Of = ({ file }: Attachment): string => file.toString('base64');

/** Adds a warning to a success for each part that the provider does not support and whose value is true. */
export function withLeftOutParts(
  result: SendResult,
  displayName: string,
  parts: Readonly<Record<string, boolean>>,
): SendResult {
  const warnings = Object.keys(parts)
    .filter((part) => parts[part])
    .map((part) => `${displayName} does not support ${part}; it was left out`);
  return withWarnings(result, warnings);
}

/** Encodes a text for a 7-bit header line (RFC 2047), for providers that do not do it themselves. */
export function encodedWords(text: string): string {
  if (/^[ -~]*$/.test(text)) return text;
  const words: string[] = [];
  // An encoded word has at most 75 characters and only whole characters.
  for (const character of text) {
    const last = words.at(-1);
    if (last !== undefined && Buffer.byteLength(last + character) <= 45) words[words.length - 1] = last + character;
    else words.push(character);
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ');
}

export const withWarnings = (result: SendResult, warnings: readonly string[]): SendResult =>
  result.ok && warnings.length > 0 ? { ...result, warnings: [...(result.warnings ?? []), ...warnings] } : result;

/**
 * Whether a message may share a call. Attachments and long texts would make the call too large for the provider. Many
 * recipients would make the response too large for us.
 */
export const isSmall = ({ to, cc, bcc, attachments, html, text = '' }: ReadyEmail, bytes: number): boolean =>
  to.length + cc.length + bcc.length === 1 &&
  attachments.length === 0 &&
  Buffer.byteLength(html) + Buffer.byteLength(text) <= bytes;

/**
 * Reads the response to a check of the credentials. A fake server that only implements sending answers 404 or 405,
 * which does not count against the credentials. An HTML page of a proxy does not count as success.
 */
export function checked(answer: Answer, read: (answer: Answer) => SendResult): SendResult {
  if (isMissingEndpoint(answer)) return answer.accepted();
  if (!answer.isOk) return read(answer);
  const isPage = answer.text.trimStart().startsWith('<');
  return isPage ? answer.failed('transient', 'The provider answered with a web page') : answer.accepted();
}

/** As `mailbox`, in 7 bits. */
export function asciiMailbox(message: ReadyEmail): string {
  const name = encodedWords(message.senderName);
  // Encoded words inside quotes are not decoded.
  return name === message.senderName ? mailbox(message) : `${name} <${message.from}>`;
}
