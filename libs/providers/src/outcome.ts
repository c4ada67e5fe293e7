/**
 * Turns a provider's response into a result. Every adapter uses this module, so a status, a Retry-After header and a
 * lost connection have the same meaning for all of them.
 */
import { type HttpResponse, type Json, type NetworkFault, readJson } from '@clarion/contracts/core';
import { textAt } from './json-paths';
import { type FailureKind, type ProviderError, type SendResult, type SendSuccess } from './provider';

/** The response of a provider. The body is decoded and parsed at most once. */
export class Answer {
  private decoded: string | undefined;
  private parsed: Json | undefined;
  private isParsed = false;

  constructor(
    private readonly response: HttpResponse,
    private readonly now: Date,
  ) {}

  /** The part of a batch response that is about one message. */
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

  /** Header names are in lower case. */
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
      this.parsed = readJson(this.text);
      this.isParsed = true;
    }
    return this.parsed;
  }

  /** The text, number or boolean at a path of the JSON body; undefined if there is none. */
  at(...path: (string | number)[]): string | undefined {
    return textAt(this.json, path);
  }

  /** Success, regardless of the body. */
  accepted(id?: string, date?: Date): SendResult {
    const result: SendSuccess = { ok: true };
    if (id !== undefined) result.id = id;
    if (date) result.date = date;
    if (this.text !== '') result.raw = this.text;
    return result;
  }

  /** Success only if the response contains an id. An error page of a proxy has none, so its outcome is unknown. */
  acceptedAs(id: string | undefined, date?: Date): SendResult {
    if (id !== undefined) return this.accepted(id, date);
    return this.failed(
      'unknown-outcome',
      `The provider answered with status ${this.status} but did not confirm the message`,
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

/** The failure kind of a provider's code; undefined if the table does not list the code. */
export const kindOfCode = (
  kinds: Readonly<Record<string, FailureKind>>,
  code: string | undefined,
): FailureKind | undefined => (code !== undefined && Object.hasOwn(kinds, code) ? kinds[code] : undefined);

export const kindOfStatus = (status: number): FailureKind =>
  STATUS_KINDS[status] ?? (status >= 500 ? 'transient' : 'permanent');

/** The result by the status alone. `message` is the provider's error text, if the adapter found one. */
export function outcomeOf(answer: Answer, message?: string): SendResult {
  return answer.isOk ? answer.accepted() : answer.failed(kindOfStatus(answer.status), message);
}

/** The provider has no endpoint for the check, so the response does not count against the credentials. */
export const isMissingEndpoint = ({ status }: Answer): boolean => status === 404 || status === 405;

const LONGEST_WAIT_MS = 3_600_000;

/** Reads a Retry-After header in milliseconds: a number of seconds or a date. */
export function retryAfter(header: string | undefined, now: Date): number | undefined {
  if (header === undefined || header.trim() === '') return undefined;
  const seconds = Number(header);
  const wait = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000;
  return Number.isNaN(wait) ? undefined : waitWithin(wait);
}

/** Limits the wait that a provider asks for. */
export const waitWithin = (ms: number): number => Math.min(Math.max(Math.ceil(ms), 0), LONGEST_WAIT_MS);

/**
 * For providers that put the time of the reset, in seconds since 1970, into X-RateLimit-Reset instead of a Retry-After.
 */
export function withRateLimitReset(result: SendResult, { status, headers }: Answer, now: Date): SendResult {
  const reset = Number(headers['x-ratelimit-reset']);
  const isNeeded = status === 429 && reset > 0 && retryAfter(headers['retry-after'], now) === undefined;
  return isNeeded ? ({ ...result, retryAfterMs: waitWithin(reset * 1000 - now.getTime()) } as SendResult) : result;
}

const FAULT_KINDS: Record<Exclude<NetworkFault, 'too-large'>, FailureKind> = {
  refused: 'permanent',
  unreachable: 'transient',
  unknown: 'unknown-outcome',
};

/** The result for a rejection of a port. An error that is not a network fault is a bug and is thrown again. */
export function outcomeOfFault(error: unknown): ProviderError {
  const { kind, message } = error as { kind?: Exclude<NetworkFault, 'too-large'>; message: string };
  const failure = kind && FAULT_KINDS[kind];
  if (!failure) throw error;
  return { ok: false, kind: failure, message };
}

/** A response that was truncated because it is too large. Its status counts; its headers and body are not available. */
export function truncatedAnswer(error: unknown, now: Date): Answer | undefined {
  const { kind, status = 0, message } = error as { kind?: NetworkFault; status?: number; message: string };
  if (kind !== 'too-large') return undefined;
  return new Answer({ status, headers: {}, body: Buffer.from(message) }, now);
}

/** The failure of a message that is not sent. */
export const refused = (message: string, kind: FailureKind = 'content'): ProviderError => ({
  ok: false,
  kind,
  message,
});

/** The failure of a call that comes before the message is sent: its outcome is never in doubt. */
export const beforeSending = (failure: ProviderError): ProviderError =>
  failure.kind === 'unknown-outcome' ? { ...failure, kind: 'transient' } : failure;
