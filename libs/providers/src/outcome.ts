/**
 * From what came back to what it means. Every adapter goes through here, so a status, a Retry-After and a lost connection
 * mean the same for all of them, and nothing secret gets into a result.
 */
import { type CredentialsDto, isJsonObject, type Json } from '@clarion/contracts';
import { SECRET_CREDENTIAL_FIELDS } from './credential-fields';
import { type FailureKind, type HttpResponse, type NetworkFault, type SendFailure, type SendResult } from './provider';

/** What a provider answered, read once. */
export class Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  private parsed: { json: Json | undefined } | undefined;

  constructor(
    response: HttpResponse,
    private readonly now: Date,
  ) {
    this.status = response.status;
    this.headers = response.headers;
    this.text = response.body.toString('utf8');
  }

  get isOk(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get json(): Json | undefined {
    this.parsed ??= { json: parseJson(this.text) };
    return this.parsed.json;
  }

  /** The text or number at a path of the JSON; undefined where there is none. */
  at(...path: (string | number)[]): string | undefined {
    return textAt(this.json, path);
  }

  accepted(id?: string): SendResult {
    return { ok: true, ...(id !== undefined && { id }), raw: this.text };
  }

  failed(kind: FailureKind, message?: string): SendFailure {
    const retryAfterMs = kind === 'transient' ? retryAfter(this.headers['retry-after'], this.now) : undefined;
    return {
      ok: false,
      kind,
      message: message || `The provider answered with status ${this.status}`,
      status: this.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      raw: this.text,
    };
  }
}

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([408, 425, 429]);
const ACCOUNT_STATUSES: ReadonlySet<number> = new Set([401, 402, 403]);

export function kindOfStatus(status: number): FailureKind {
  if (ACCOUNT_STATUSES.has(status)) return 'account';
  return TRANSIENT_STATUSES.has(status) || status >= 500 ? 'transient' : 'permanent';
}

/** What the status alone says. `message` is the provider's own text, if the adapter found one. */
export function outcomeOf(answer: Answer, message?: string): SendResult {
  return answer.isOk ? answer.accepted() : answer.failed(kindOfStatus(answer.status), message);
}

const LONGEST_WAIT_MS = 3_600_000;

/** Seconds, or a date. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : waitWithin(wait);
}

/** A wait that a provider asked for, within reason. */
export const waitWithin = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), LONGEST_WAIT_MS);

const FAULT_KINDS: Record<Exclude<NetworkFault, 'too-large'>, FailureKind> = {
  refused: 'permanent',
  unreachable: 'transient',
  unknown: 'unknown',
};

/** What a rejection of a port means. Anything but a fault of the network is a mistake of ours and goes on. */
export function outcomeOfFault(error: unknown): SendResult {
  const { kind, status, message } = error as { kind?: NetworkFault; status?: number; message: string };
  if (kind === 'too-large') {
    const known = status ?? 0;
    // Whoever says 200 and then a flood has taken the message: to send it again would double it.
    return known >= 200 && known < 300
      ? { ok: true, raw: message }
      : { ok: false, kind: kindOfStatus(known), message, status: known };
  }
  const failure = kind && FAULT_KINDS[kind];
  if (!failure) throw error;
  return { ok: false, kind: failure, message };
}

const RAW_BYTES = 2 * 1024;
/** Shorter ones would black out ordinary words. */
const SHORTEST_SECRET = 4;

/** Secrets of the credentials, and others that the adapter used, never stand in a result. */
export function withoutSecrets(result: SendResult, credentials: CredentialsDto, others: readonly string[]): SendResult {
  const { raw, ...rest } = result;
  if (rest.ok && !raw) return rest;
  const texts = [...SECRET_CREDENTIAL_FIELDS.flatMap((field) => textsIn(credentials[field])), ...others];
  const secrets = [...new Set(texts.flatMap(spellingsOf))].filter(({ length }) => length >= SHORTEST_SECRET);
  // The longest first: one secret may be part of another.
  secrets.sort((one, other) => other.length - one.length);
  const clean = (text: string): string => secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text);
  const spoken = raw ? { raw: cut(clean(raw)) } : {};
  return rest.ok ? { ...rest, ...spoken } : { ...rest, message: cut(clean(rest.message)), ...spoken };
}

/** As it is, as it stands in JSON, and of a URL the part behind the host, which is what makes it secret. */
function spellingsOf(text: string): string[] {
  const escaped = JSON.stringify(text).slice(1, -1);
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return [text, escaped];
  const { pathname, search } = new URL(text);
  return [text, escaped, pathname + search, pathname];
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** At most so many bytes, and no half character at the end. */
function cut(text: string): string {
  const bytes = Buffer.from(text);
  return bytes.length <= RAW_BYTES
    ? text
    : bytes
        .subarray(0, RAW_BYTES)
        .toString('utf8')
        .replace(/\uFFFD+$/, '');
}

export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

/** Own members only, so a path from a tenant finds nothing but what the answer holds. */
export function textAt(value: Json | undefined, path: readonly (string | number)[]): string | undefined {
  let found: Json | undefined = value;
  for (const key of path) {
    if (Array.isArray(found)) found = found[Number(key)];
    else if (isJsonObject(found) && Object.hasOwn(found, key)) found = found[key];
    else return undefined;
  }
  if (typeof found === 'string') return found === '' ? undefined : found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : undefined;
}

/** The failure of a message that is not even tried. */
export const refused = (message: string): SendFailure => ({ ok: false, kind: 'permanent', message });
