/**
 * Removes secrets from texts of providers before they are recorded: a provider may repeat the request, in its own
 * encoding.
 */
import type { CredentialsDto } from '@clarion/contracts';
import { type Json, REDACTED } from '@clarion/contracts/core';
import { SECRET_CREDENTIAL_FIELDS } from './credential-fields';
import { type SendResult } from './provider';

const RAW_BYTES = 2 * 1024;
/** Redacting shorter secrets would remove ordinary text. */
const SHORTEST_SECRET = 4;
/** Of ids, in which a shorter text may be there by chance: delivery events would no longer find the message. */
const SHORTEST_IN_ID = 8;
/** A shorter part of base64 is in many texts. */
const SHORTEST_BASE64 = 8;
/** Stands for each redacted character. Postgres stores no text with it. */
const MARK = '\0';

export function withoutSecrets(
  results: readonly SendResult[],
  credentials: CredentialsDto,
  others: () => readonly string[] = () => [],
): SendResult[] {
  let known: string[] | undefined;
  const secrets = (): string[] => (known ??= secretsOf(credentials, others()));
  // The results of one call often contain the same text.
  let last = { text: '', clean: '' };
  const clean = (text: string): string => {
    if (text !== last.text) last = { text, clean: redacted(text, secrets()) };
    return last.clean;
  };
  return results.map((result): SendResult => {
    const raw = result.raw && clean(result.raw);
    const shown = raw === result.raw ? result : { ...result, raw };
    if (!shown.ok) return { ...shown, message: clean(shown.message) };
    const { id } = shown;
    if (id === undefined) return shown;
    const isSecret = secrets().some((secret) => secret.length >= SHORTEST_IN_ID && id.includes(secret));
    return isSecret ? { ...shown, id: REDACTED } : shown;
  });
}

/** As `withoutSecrets`, for one text. */
export const redactText = (text: string, credentials: CredentialsDto, others: readonly string[]): string =>
  redacted(text, secretsOf(credentials, others));

/** The first 2 KiB of the text. A secret that begins in them and ends behind them is redacted too. */
function redacted(text: string, secrets: readonly string[]): string {
  const longest = secrets[0]?.length ?? 0;
  let marked = text.slice(0, RAW_BYTES + longest).replaceAll(MARK, ' ');
  // A mark has the length of its secret, so that the text is cut where it would be cut without secrets.
  for (const secret of secrets) marked = marked.replaceAll(secret, MARK.repeat(secret.length));
  return cut(marked.slice(0, RAW_BYTES).replaceAll(/\0+/g, REDACTED));
}

/** The spellings of the credentials of each account. */
const ofCredentials = new WeakMap<CredentialsDto, string[]>();

/** The secrets in every spelling, longest first, because a secret may be part of another. */
function secretsOf(credentials: CredentialsDto, others: readonly string[]): string[] {
  let own = ofCredentials.get(credentials);
  if (!own) {
    own = inOrder(SECRET_CREDENTIAL_FIELDS.flatMap((field) => textsIn(credentials[field])).flatMap(spelled));
    ofCredentials.set(credentials, own);
  }
  const more = others.flatMap(spelled);
  return more.length === 0 ? own : inOrder([...own, ...more]);
}

const inOrder = (secrets: string[]): string[] => [...new Set(secrets)].sort((one, other) => other.length - one.length);

/** Spellings of recent texts: most calls of an account have the same secrets. */
const recent = new Map<string, string[]>();
const MOST_RECENT = 500;
const LONGEST_RECENT = 1_000;

function spelled(text: string): string[] {
  if (text.length < SHORTEST_SECRET) return [];
  const known = recent.get(text);
  if (known) return known;
  const spellings = spellingsOf(text).filter(({ length }) => length >= SHORTEST_SECRET);
  if (text.length > LONGEST_RECENT) return spellings;
  if (recent.size >= MOST_RECENT) recent.delete(recent.keys().next().value!);
  recent.set(text, spellings);
  return spellings;
}

/** A secret as it is, as it is written in JSON, a form, a query or HTML, and in the base64 of a text that has it. */
function spellingsOf(text: string): string[] {
  const spellings = [text, ...base64Parts(text)];
  if (/^[\w.*-]*$/.test(text)) return spellings;
  const escaped = JSON.stringify(text).slice(1, -1);
  const encoded = new URLSearchParams([['', text]]).toString().slice(1);
  spellings.push(
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encoded,
    encoded.replaceAll('+', '%20'),
    encodeURIComponent(text.toWellFormed()),
    ...HTML_SPELLINGS.map((entities) => text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? character)),
  );
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return spellings;
  // The path is the secret part of a URL.
  const { pathname, search } = new URL(text);
  return [...spellings, pathname + search, pathname];
}

const NAMED = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
const HTML_SPELLINGS: readonly Readonly<Record<string, string>>[] = [
  NAMED,
  { ...NAMED, '"': '&quot;', "'": '&#39;' },
  { ...NAMED, '"': '&#34;', "'": '&#39;' },
  { ...NAMED, '"': '&quot;', "'": '&#x27;' },
];

/**
 * What the base64 of any text that contains the secret has in common. It depends on the place of the secret, and the
 * characters at its ends also depend on the text around it.
 */
function base64Parts(text: string): string[] {
  const bytes = Buffer.from(text);
  const parts = [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes]);
    const characters = Math.floor((whole.length * 8) / 6);
    return whole.toString('base64').slice(before === 0 ? 0 : before + 1, characters);
  });
  const both = parts.flatMap((part) => [part, part.replaceAll('+', '-').replaceAll('/', '_')]);
  return both.filter(({ length }) => length >= SHORTEST_BASE64);
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Truncates to `RAW_BYTES` without splitting a character. */
function cut(text: string): string {
  if (text.length * 3 <= RAW_BYTES) return text;
  const bytes = Buffer.from(text);
  return bytes.length <= RAW_BYTES
    ? text
    : bytes
        .subarray(0, RAW_BYTES)
        .toString('utf8')
        .replace(/\uFFFD{1,3}$/, '');
}
