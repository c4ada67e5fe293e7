import {
  type HttpResponse,
  isJsonObject,
  type Json,
  type JsonObject,
  LIMITS,
  MIRROR_HEADER,
  readJson,
} from '@clarion/contracts/core';
import type { StepShown } from '@clarion/persistence';
import { type Egress, EgressError } from '@clarion/platform';
import { retryAfter } from '@clarion/providers';

/** Notifications in one page, and bytes of a page: notifications repeat the payload of their trigger. */
const PAGE = 20;
const PAGE_BYTES = 2 * 1024 * 1024;
/** Jobs of a notification that are compared: more than a workflow has steps. */
const MOST_JOBS = 200;
/** All pages of one transaction: shorter than a lease. */
const READ_MS = 20_000;
const REASON_CHARACTERS = 500;

/** Answers after which the same request may succeed later. 401, 403 and 404 are faults of the key or the URL. */
const WORTH_RETRYING = new Set([401, 402, 403, 404, 408, 409, 425, 429]);

export type OtherSystem = { egress: Pick<Egress, 'request'>; url: string; key: string; now(): Date };

export type CopyAnswer =
  | { kind: 'accepted' }
  /** The same copy would be refused again. The words of the other system may repeat what it was sent. */
  | { kind: 'refused'; answer: string; words: string }
  | Failed;

export type StepsAnswer = { kind: 'read'; steps: StepShown[] } | { kind: 'unreadable' } | Failed;

type Failed = { kind: 'failed'; error: string; pauseMs?: number };

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
      bodyBytes: PAGE_BYTES,
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
  const steps: StepShown[] = [];
  const signal = AbortSignal.timeout(READ_MS);
  try {
    for (let page = 0; page * PAGE < most; page += 1) {
      const query = new URLSearchParams({ transactionId, page: String(page), limit: String(PAGE) });
      const url = `${system.url}/v1/notifications?${query.toString()}`;
      const headers = headersOf(system);
      const response = await system.egress.request({
        method: 'GET',
        url,
        origin: 'tenant',
        headers,
        signal,
        bodyBytes: PAGE_BYTES,
      });
      if (response.status !== 200) return failureOf(response, system.now());
      const body = parse(response);
      const listed = isJsonObject(body) && Array.isArray(body['data']) ? body['data'] : undefined;
      if (!listed || listed.length > PAGE) return { kind: 'unreadable' };
      steps.push(...listed.flatMap((notification) => stepsOf(notification)));
      if ((body as JsonObject)['hasMore'] !== true) break;
    }
    return { kind: 'read', steps };
  } catch (error) {
    if (error instanceof EgressError && error.kind === 'too-large') return { kind: 'unreadable' };
    return { kind: 'failed', error: short((error as Error).message) };
  }
}

function stepsOf(notification: Json): StepShown[] {
  if (!isJsonObject(notification)) return [];
  const { _id: id, subscriber, jobs } = notification;
  const subscriberId = isJsonObject(subscriber) ? subscriber['subscriberId'] : undefined;
  if (typeof subscriberId !== 'string' || !Array.isArray(jobs)) return [];
  return jobs
    .slice(0, MOST_JOBS)
    .filter(isJsonObject)
    .map((job) => ({
      notificationId: String(id),
      subscriberId: short(subscriberId),
      channel: String(job['type']),
      status: String(job['status']),
      detail: job['status'] === 'completed' ? null : lastDetailOf(job),
    }));
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

/** Postgres stores no NUL character and no half of a surrogate pair. */
const short = (text: string): string => text.slice(0, REASON_CHARACTERS).replaceAll('\0', '\ufffd').toWellFormed();
