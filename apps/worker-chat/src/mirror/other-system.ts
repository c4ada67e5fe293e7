import {
  CHANNELS,
  type HttpResponse,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  MIRROR_HEADER,
  readJson,
} from '@clarion/contracts/core';
import type { FairTurns } from '@clarion/claims';
import type { StepShown } from '@clarion/persistence';
import { type Egress, EgressError } from '@clarion/platform';
import { retryAfter } from '@clarion/providers';

/** Notifications in one page, and bytes of a large page: notifications repeat the payload of their trigger. */
const PAGE = 20;
const PAGE_BYTES = 2 * 1024 * 1024;
/** Bytes of the results of a bulk call. */
const RESULTS_BYTES = 256 * 1024;
/** Steps of one transaction: all pages of it are kept until they are compared. */
const MOST_STEPS = LIMITS.mirrorRecipients * LIMITS.stepsPerWorkflow;
/** All pages of one transaction: shorter than a lease. */
const READ_MS = 20_000;
const REASON_CHARACTERS = 500;

/** Answers after which the same request may succeed later. 401, 403 and 404 are faults of the key or the URL. */
const WORTH_RETRYING = new Set([401, 402, 403, 404, 408, 409, 425, 429]);

/** `large`: a process reads the large pages of a mirror one after the other, because they take its memory. */
export type OtherSystem = { egress: Pick<Egress, 'request'>; url: string; key: string; now(): Date; large: FairTurns };

export type CopyAnswer =
  | { kind: 'accepted' }
  /** The same copy would be refused again. The words of the other system may repeat what it was sent. */
  | { kind: 'refused'; answer: string; words: string }
  | Failed;

export type StepsAnswer = { kind: 'read'; steps: OtherStep[] } | { kind: 'unreadable' } | Failed;

type Failed = { kind: 'failed'; error: string; pauseMs?: number };

export type OtherStep = Omit<StepShown, 'notificationId'>;

const headersOf = ({ key }: OtherSystem): Record<string, string> => ({
  authorization: `ApiKey ${key}`,
  'user-agent': 'Clarion-Mirror',
  [MIRROR_HEADER]: '1',
});

/** Posts a trigger. The transactionId lets the other system recognize a repeated copy. */
export async function postCopy(system: OtherSystem, path: string, body: string): Promise<CopyAnswer> {
  const headers = { ...headersOf(system), 'content-type': 'application/json' };
  return answerOf(system, () =>
    system.egress.request({ method: 'POST', url: system.url + path, origin: 'tenant', headers, body }),
  );
}

/** Of several copies: `refusals` has those of single events, at their places. */
export type CopiesAnswer =
  | { kind: 'accepted'; refusals: (Extract<CopyAnswer, { kind: 'refused' }> | undefined)[] }
  | Exclude<CopyAnswer, { kind: 'accepted' }>;

export async function postCopies(system: OtherSystem, bodies: string[]): Promise<CopiesAnswer> {
  const { egress, url, key } = system;
  const headers = { ...headersOf(system), 'content-type': 'application/json' };
  const body = `{"events":[${bodies.join()}]}`;
  let refusals: Extract<CopiesAnswer, { kind: 'accepted' }>['refusals'] = [];
  const answer = await answerOf(system, async () => {
    const response = await egress.request({
      ...{ method: 'POST' as const, url: `${url}/v1/events/trigger/bulk`, origin: 'tenant' as const, headers, body },
      bodyBytes: RESULTS_BYTES,
    });
    const given = parse(response);
    const list = isJsonObject(given) ? given['data'] : given;
    // A list of another length does not say which event is which.
    if (Array.isArray(list) && list.length === bodies.length) {
      refusals = list.map((result) => {
        const verdict = verdictOn(result, key);
        return verdict.kind === 'refused' ? verdict : undefined;
      });
    }
    return response;
  });
  return answer.kind === 'accepted' ? { kind: 'accepted', refusals } : answer;
}

/** Cancels a transaction. The other system answers false when nothing of it waits there: not yet, or no more. */
export async function postCancellation(
  system: OtherSystem,
  transactionId: string,
): Promise<CopyAnswer | { kind: 'nothing waits' }> {
  const url = `${system.url}/v1/events/trigger/${encodeURIComponent(transactionId)}`;
  let isFalse = false;
  const answer = await answerOf(system, async () => {
    const response = await system.egress.request({
      ...{ method: 'DELETE' as const, url, origin: 'tenant' as const, headers: headersOf(system) },
    });
    const body = parse(response);
    isFalse = (isJsonObject(body) ? body['data'] : body) === false;
    return response;
  });
  return answer.kind === 'accepted' && isFalse ? { kind: 'nothing waits' } : answer;
}

async function answerOf({ now, key }: OtherSystem, request: () => Promise<HttpResponse>): Promise<CopyAnswer> {
  try {
    const response = await request();
    const { status } = response;
    if (status >= 200 && status < 300) return verdictOf(response, key);
    if (status < 400 || status >= 500 || WORTH_RETRYING.has(status)) return failureOf(response, now());
    return { kind: 'refused', answer: `It answered ${status}`, words: messageOf(parse(response), key) };
  } catch (error) {
    // The answer was cut off, but its status is known.
    if (error instanceof EgressError && error.status !== undefined && error.status >= 200 && error.status < 300) {
      return { kind: 'accepted' };
    }
    return { kind: 'failed', error: short((error as Error).message) };
  }
}

/** An event that was answered with 201 may still have been refused: its `status` says so. */
function verdictOf(response: HttpResponse, key: string): CopyAnswer {
  const body = parse(response);
  return verdictOn(isJsonObject(body) && isJsonObject(body['data']) ? body['data'] : body, key);
}

function verdictOn(result: Json, key: string): CopyAnswer {
  const status = isJsonObject(result) ? result['status'] : undefined;
  if (typeof status !== 'string' || status === 'processed') return { kind: 'accepted' };
  return { kind: 'refused', answer: `It answered with the status ${short(status)}`, words: messageOf(result, key) };
}

function failureOf(response: HttpResponse, now: Date): Extract<CopyAnswer, { kind: 'failed' }> {
  const { status, headers } = response;
  const isPause = status === 429 || status >= 500;
  const pauseMs = isPause ? retryAfter(headers['retry-after'], now) : undefined;
  const hint = status === 401 || status === 403 ? ': the key is not valid there, or lacks rights' : '';
  return { kind: 'failed', error: `The other system answered ${status}${hint}`, ...(pauseMs && { pauseMs }) };
}

export async function readSteps(system: OtherSystem, transactionId: string, most: number): Promise<StepsAnswer> {
  const steps: OtherStep[] = [];
  const signal = AbortSignal.timeout(READ_MS);
  try {
    for (let page = 0; page * PAGE < most; page += 1) {
      const query = new URLSearchParams({ transactionId, page: String(page), limit: String(PAGE) });
      const read = (bodyBytes?: number): Promise<Page> => readPage(system, query, signal, bodyBytes);
      const found = await read().catch((error: unknown) => {
        if (!isTooLarge(error)) throw error;
        return system.large.run('', 0, () => read(PAGE_BYTES));
      });
      if (found.kind !== 'read') return found;
      steps.push(...found.steps);
      if (steps.length > MOST_STEPS) return { kind: 'unreadable' };
      if (!found.hasMore) break;
    }
    return { kind: 'read', steps };
  } catch (error) {
    return isTooLarge(error) ? { kind: 'unreadable' } : { kind: 'failed', error: short((error as Error).message) };
  }
}

const isTooLarge = (error: unknown): boolean => error instanceof EgressError && error.kind === 'too-large';

type Page = { kind: 'read'; steps: OtherStep[]; hasMore: boolean } | { kind: 'unreadable' } | Failed;

async function readPage(
  system: OtherSystem,
  query: URLSearchParams,
  signal: AbortSignal,
  bodyBytes: number | undefined,
): Promise<Page> {
  const response = await system.egress.request({
    method: 'GET',
    url: `${system.url}/v1/notifications?${query.toString()}`,
    origin: 'tenant',
    headers: headersOf(system),
    signal,
    ...(bodyBytes !== undefined && { bodyBytes }),
  });
  if (response.status !== 200) return failureOf(response, system.now());
  const body = parse(response);
  const listed = isJsonObject(body) && Array.isArray(body['data']) ? body['data'] : undefined;
  if (!listed || listed.length > PAGE) return { kind: 'unreadable' };
  const hasMore = (body as JsonObject)['hasMore'] === true;
  return { kind: 'read', steps: listed.flatMap((notification) => stepsOf(notification)), hasMore };
}

function stepsOf(notification: Json): OtherStep[] {
  if (!isJsonObject(notification)) return [];
  const { subscriber, jobs } = notification;
  const id = isJsonObject(subscriber) ? subscriber['subscriberId'] : undefined;
  if (typeof id !== 'string' || !Array.isArray(jobs)) return [];
  const subscriberId = short(id);
  return jobs.filter(isJsonObject).flatMap((job) => {
    const { type, status } = job;
    const channel = CHANNELS.find((known) => known === type);
    const detail = status === 'completed' ? null : lastDetailOf(job);
    return channel ? [{ subscriberId, channel, status: typeof status === 'string' ? short(status) : '', detail }] : [];
  });
}

function lastDetailOf({ executionDetails }: JsonObject): string | null {
  const last = Array.isArray(executionDetails) ? executionDetails.findLast(isJsonObject) : undefined;
  return typeof last?.['detail'] === 'string' ? short(last['detail']) : null;
}

/** A page of notifications has a few levels around their payloads. */
const parse = ({ body }: HttpResponse): Json => readJson(body.toString('utf8'), 2 * LIMITS.jsonDepth) ?? null;

/** What an answer says about itself. One that repeats the request has the key in it. */
function messageOf(body: Json, key: string): string {
  if (!isJsonObject(body)) return 'no JSON';
  const { error, message, errors } = body;
  // The result of an event has a list; other errors have a text that may be nothing but the name of the status.
  const said = [Array.isArray(error) ? error : undefined, message, errors].filter((part) => part !== undefined);
  const parts = (said.length > 0 ? said : [body]).map((part) =>
    typeof part === 'string' ? part : JSON.stringify(part),
  );
  return short(parts.join(' ').replaceAll(key, '[key]'));
}

/**
 * Without what Postgres does not store: NUL characters and halves of surrogate pairs. The text is written again,
 * because a part of a text keeps the whole text in memory.
 */
const short = (text: string): string =>
  Buffer.from(text.slice(0, REASON_CHARACTERS)).toString().replaceAll('\0', '\ufffd');
