import { setTimeout as delay } from 'node:timers/promises';
import {
  isJsonObject,
  type HttpResponse,
  isPathSegment,
  type Json,
  type JsonObject,
  withoutTrailingSlashes,
} from '@clarion/contracts';
import { EgressError, type EgressRequest } from '@clarion/platform';

/** The source cannot be read any further; the message is for a person. The import can go on later. */
export class SourceError extends Error {
  override readonly name: string = 'SourceError';

  constructor(
    message: string,
    /** The status of the response; undefined without one. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** The answer has more bytes than an answer may have; fewer items of one page may help. */
export class TooLargeError extends SourceError {
  override readonly name = 'TooLargeError';

  constructor(message: string) {
    super(message, 200);
  }
}

/** Whether only this list or item of the source cannot be read; everything else may still be. */
export const isLocal = ({ status }: SourceError): boolean =>
  status === 200 || (status !== undefined && status >= 400 && status < 500 && ![401, 408, 429].includes(status));

export function segmentOf(id: string): string {
  if (isPathSegment(id)) return encodeURIComponent(id);
  throw new SourceError(`The id ${JSON.stringify(id)} cannot be part of a URL`, 200);
}

export class InterruptedError extends Error {
  override readonly name = 'InterruptedError';
}

export type SourceOptions = {
  /** The URL of the other system, with the part of the path that precedes `/v1` and `/v2`. */
  url: string;
  key: string;
  /** Calls a second, all kinds together. */
  rate: number;
  request(request: EgressRequest): Promise<HttpResponse>;
  /** The retry plan: how long to wait after this attempt failed, in milliseconds; undefined after the last one. */
  waitAfter(attempt: number, random: () => number): number | undefined;
  signal: AbortSignal;
  /** Called before a wait that a person may wonder about. */
  onWait?(reason: string, milliseconds: number): void;
};

/** Attempts of one call. The retry plan of messages goes on for hours, and a person waits here. */
const ATTEMPTS = 4;
/** A source may ask to wait this often for one call, and so long at a time. */
const REFUSALS = 20;
const LONGEST_WAIT_MS = 15 * 60_000;
/** Calls at the same time: with a slow source, the rate alone would let them pile up. */
const CALLS_AT_ONCE = 8;

/** Reads the HTTP interface of another system: one GET at a time for each caller, at a limited rate, with retries. */
export class SourceClient {
  private readonly base: string = withoutTrailingSlashes(this.options.url);
  /** The time of the next call, on the clock of `performance.now()`. */
  private nextAt = 0;
  /** The end of the wait that `onWait` was called for. */
  private waitsUntil = 0;
  calls = 0;

  constructor(private readonly options: SourceOptions) {}

  /** The JSON of the response, without the wrapper `{ data }` of a single object. */
  async get(path: string, query: Record<string, string | number | undefined> = {}): Promise<Json> {
    const given = Object.entries(query).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const search = new URLSearchParams(given).toString();
    const response = await this.call(search === '' ? path : `${path}?${search}`);
    return unwrapped(response);
  }

  async object(path: string, query: Record<string, string | number | undefined> = {}): Promise<JsonObject> {
    const value = await this.get(path, query);
    if (isJsonObject(value)) return value;
    throw new SourceError(`The source answered GET ${path} with JSON that is not an object`, 200);
  }

  /** Runs the work for each item, few at a time, and returns the results in the order of the items. */
  async each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const results: R[] = new Array<R>(items.length);
    let at = 0;
    const worker = async (): Promise<void> => {
      for (let index = at++; index < items.length; index = at++) results[index] = await work(items[index]!);
    };
    await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, items.length) }, worker));
    return results;
  }

  private async call(path: string): Promise<Json> {
    for (let attempt = 1, refusals = 0; ;) {
      const result = await this.attempt(path);
      if ('value' in result) return result.value;
      const { reason, asked } = result;
      const isRefusal = result.status === 429;
      if (isRefusal) refusals += 1;
      const planned = this.options.waitAfter(isRefusal ? Math.min(refusals, 2) : attempt, Math.random);
      const wait = asked ?? planned;
      const isLast = isRefusal ? refusals > REFUSALS : attempt >= ATTEMPTS;
      if (isLast || wait === undefined || wait > LONGEST_WAIT_MS) throw new SourceError(reason, result.status);
      if (!isRefusal) attempt += 1;
      // The other calls wait as well: the source refuses them too, or is away. Those that it refused with this one
      // wait no longer than that.
      const now = performance.now();
      if (now >= this.waitsUntil) this.options.onWait?.(reason, wait);
      this.waitsUntil = Math.max(this.waitsUntil, now + wait);
      this.nextAt = Math.max(this.nextAt, now + wait);
    }
  }

  private async attempt(
    path: string,
  ): Promise<{ value: Json } | { reason: string; status?: number; asked: number | undefined }> {
    await this.turn();
    this.calls += 1;
    const name = path.split('?', 1)[0]!;
    let response: HttpResponse;
    try {
      response = await this.options.request({
        method: 'GET',
        url: `${this.base}${path}`,
        headers: {
          authorization: `ApiKey ${this.options.key}`,
          accept: 'application/json',
          'user-agent': 'clarion-import',
        },
        origin: 'tenant',
        signal: this.options.signal,
      });
    } catch (error) {
      this.refuseInterrupted();
      if (!(error instanceof EgressError)) throw error;
      if (error.kind === 'too-large') throw new TooLargeError(`GET ${name}: ${error.message}`);
      if (error.kind === 'refused') throw new SourceError(`The source cannot be called: ${error.message}`);
      return { reason: `GET ${name}: ${error.message}`, asked: undefined };
    }
    const { status } = response;
    const reason = `The source answered GET ${name} with ${status}`;
    if (status === 429 || status === 408 || status >= 500) return { reason, status, asked: retryAfter(response) };
    if (status === 401) throw new SourceError(`The source refused the key (401)`, status);
    if (status >= 300 && status < 400) {
      throw new SourceError(`${reason}, a redirection: give the URL that it leads to`, status);
    }
    if (status >= 400) throw new SourceError(reason, status);
    try {
      return { value: JSON.parse(response.body.toString('utf8')) as Json };
    } catch {
      // A proxy may have cut the answer, which passes.
      return { reason: `${reason}, but not with JSON`, status, asked: undefined };
    }
  }

  private async turn(): Promise<void> {
    for (;;) {
      this.refuseInterrupted();
      const now = performance.now();
      if (this.nextAt <= now) {
        this.nextAt = now + 1_000 / this.options.rate;
        return;
      }
      await delay(this.nextAt - now, undefined, { signal: this.options.signal }).catch(() => undefined);
    }
  }

  private refuseInterrupted(): void {
    if (this.options.signal.aborted) throw new InterruptedError('The import was interrupted');
  }
}

function unwrapped(value: Json): Json {
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value);
  return names.length === 1 && names[0] === 'data' ? value['data']! : value;
}

/** In milliseconds: seconds, or a date. */
function retryAfter({ headers }: HttpResponse): number | undefined {
  const text = headers['retry-after'];
  if (text === undefined || text === '') return undefined;
  const milliseconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
