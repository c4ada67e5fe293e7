/**
 * From what came back to what it means. Every adapter goes through here, so a status, a Retry-After and a lost connection
 * mean the same for all of them, and nothing secret gets into a result.
 */
import type { CredentialsDto } from '@clarion/contracts';
import { isJsonObject, type Json } from '@clarion/contracts/core';
import { SECRET_CREDENTIAL_FIELDS } from './credential-fields';
import {
  type FailureKind,
  type HttpResponse,
  type NetworkFault,
  type ProviderError,
  type SendResult,
  type SendSuccess,
} from './provider';

/** What a provider answered, read once. */
export class Answer {
  private decoded: string | undefined;
  private parsed: Json | undefined;
  private isParsed = false;

  constructor(
    private readonly response: HttpResponse,
    private readonly now: Date,
  ) {}

  /** What a call that carried several messages says of one of them. */
  part(json: Json | undefined): Answer {
    const part = new Answer(this.response, this.now);
    part.parsed = json;
    part.isParsed = true;
    part.decoded = json === undefined ? '' : JSON.stringify(json);
    return part;
  }

  get status(): number {
    return this.response.status;
  }

  /** Names in lower case. */
  get headers(): Readonly<Record<string, string>> {
    return this.response.headers;
  }

  get text(): string {
    this.decoded ??= this.response.body.toString('utf8');
    return this.decoded;
  }

  get isOk(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  get json(): Json | undefined {
    if (!this.isParsed) {
      this.parsed = parseJson(this.text);
      this.isParsed = true;
    }
    return this.parsed;
  }

  /** The text or number at a path of the JSON; undefined where there is none. */
  at(...path: (string | number)[]): string | undefined {
    return textAt(this.json, path);
  }

  /** Taken, whatever the body says. */
  accepted(id?: string, date?: Date): SendResult {
    const result: SendSuccess = { ok: true };
    if (id !== undefined) result.id = id;
    if (date) result.date = date;
    if (this.text !== '') result.raw = this.text;
    return result;
  }

  /** Taken if the answer says under which id; a page of some proxy says nothing, and then nobody knows. */
  acceptedAs(id: string | undefined, date?: Date): SendResult {
    if (id !== undefined) return this.accepted(id, date);
    return this.failed(
      'unknown-outcome',
      `The answer with status ${this.status} does not say that the message was taken`,
    );
  }

  failed(kind: FailureKind, message?: string): ProviderError {
    const isWorthWaiting = kind === 'transient' || kind === 'rate-limited';
    const retryAfterMs = isWorthWaiting ? retryAfter(this.headers['retry-after'], this.now) : undefined;
    return {
      ok: false,
      kind,
      message: message || `The provider answered with status ${this.status}`,
      status: this.status,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
      ...(this.text !== '' && { raw: this.text }),
    };
  }
}

const STATUS_KINDS: Readonly<Record<number, FailureKind>> = {
  401: 'credentials',
  402: 'quota',
  403: 'credentials',
  408: 'transient',
  413: 'content',
  425: 'transient',
  429: 'rate-limited',
};

/** What a provider's code means; undefined for a code that is not in the table. */
export const kindOfCode = (
  kinds: Readonly<Record<string, FailureKind>>,
  code: string | undefined,
): FailureKind | undefined => (code !== undefined && Object.hasOwn(kinds, code) ? kinds[code] : undefined);

export const kindOfStatus = (status: number): FailureKind =>
  STATUS_KINDS[status] ?? (status >= 500 ? 'transient' : 'permanent');

/** What the status alone says. `message` is the provider's own text, if the adapter found one. */
export function outcomeOf(answer: Answer, message?: string): SendResult {
  return answer.isOk ? answer.accepted() : answer.failed(kindOfStatus(answer.status), message);
}

/** There is no place to try credentials at, which says nothing about the credentials. */
export const isNotThere = ({ status }: Answer): boolean => status === 404 || status === 405;

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
  unknown: 'unknown-outcome',
};

/** What a rejection of a port means. Anything but a fault of the network is a mistake of ours and goes on. */
export function outcomeOfFault(error: unknown): ProviderError {
  const { kind, message } = error as { kind?: Exclude<NetworkFault, 'too-large'>; message: string };
  const failure = kind && FAULT_KINDS[kind];
  if (!failure) throw error;
  return { ok: false, kind: failure, message };
}

/** An answer that was cut off because it is too long: its status and headers count, its body is not there. */
export function answerCutOff(error: unknown, now: Date): Answer | undefined {
  const { kind, status = 0, message } = error as { kind?: NetworkFault; status?: number; message: string };
  if (kind !== 'too-large') return undefined;
  return new Answer({ status, headers: {}, body: Buffer.from(message) }, now);
}

const RAW_BYTES = 2 * 1024;
/** Shorter ones would black out ordinary words. */
const SHORTEST_SECRET = 4;

/** Secrets of the credentials, and others that the adapter used, never stand in the results of a call. */
export function withoutSecrets(
  results: readonly SendResult[],
  credentials: CredentialsDto,
  others: () => readonly string[] = () => [],
): SendResult[] {
  let secrets: string[] | undefined;
  // Results of one call often tell the same.
  let last = { text: '', clean: '' };
  const clean = (text: string): string => {
    if (text !== last.text) {
      secrets ??= secretsOf(credentials, others());
      last = { text, clean: cut(secrets.reduce((left, secret) => left.replaceAll(secret, '[redacted]'), text)) };
    }
    return last.clean;
  };
  return results.map((result) => {
    const raw = result.raw && clean(result.raw);
    const told = raw === result.raw ? result : { ...result, raw };
    return told.ok ? told : { ...told, message: clean(told.message) };
  });
}

/** In every spelling, the longest first: one may be part of another. */
function secretsOf(credentials: CredentialsDto, others: readonly string[]): string[] {
  const texts = [...SECRET_CREDENTIAL_FIELDS.flatMap((field) => textsIn(credentials[field])), ...others];
  const spellings = [...new Set(texts)].flatMap(spellingsOf);
  const secrets = [...new Set(spellings)].filter(({ length }) => length >= SHORTEST_SECRET);
  return secrets.sort((one, other) => other.length - one.length);
}

/** As it is, as it stands in JSON, a form or a query, and of a URL the part behind the host, which is what makes it secret. */
function spellingsOf(text: string): string[] {
  if (/^[\w.*-]*$/.test(text)) return [text];
  const escaped = JSON.stringify(text).slice(1, -1);
  const encoded = new URLSearchParams([['', text]]).toString().slice(1);
  const spellings = [text, escaped, encoded, encoded.replaceAll('+', '%20')];
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return spellings;
  const { pathname, search } = new URL(text);
  return [...spellings, pathname + search, pathname];
}

function textsIn(value: Json | undefined): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** At most so many bytes, and no half character at the end. */
function cut(text: string): string {
  if (text.length * 3 <= RAW_BYTES) return text;
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

/** The same, with numbers of this name as the texts they were: a long id would lose digits. */
export const parseWithIds = (text: string, name: string): Json | undefined =>
  parseJson(text.replace(new RegExp(`("${name}"\\s*:\\s*)(\\d+)`, 'g'), '$1"$2"'));

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

/** The list that an object has under this name; an empty one where there is none. */
export function listAt(value: Json | undefined, name: string): Json[] {
  const list = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
  return Array.isArray(list) ? list : [];
}

/** The failure of a message that is not even tried. */
export const refused = (message: string, kind: FailureKind = 'content'): ProviderError => ({
  ok: false,
  kind,
  message,
});
