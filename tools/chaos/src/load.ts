import { setTimeout as delay } from 'node:timers/promises';
import type { Response, SentEvent } from './history';

export type LoadOptions = {
  /** Gateways that are ready, at this moment. */
  gateways: () => string[];
  key: string;
  /** The prefix of the transactionIds. */
  prefix: string;
  /** Chooses the workflow and the recipients of an event. */
  event: (n: number) => { workflow: string; subscribers: string[]; payload?: object };
  /** Events for each second; calls are delayed when too many are unanswered. */
  perSecond: number;
  /** Events in a call. */
  bulk: number;
  /** Called for each acknowledged call with the time that it took. */
  onAnswer?: (tookMs: number) => void;
};

export type Load = {
  readonly events: SentEvent[];
  readonly responses: Response[];
  /** Sends this many events and returns when each is acknowledged, or `give up` was called. */
  send(count: number): Promise<void>;
  /** Ends the repetition of calls without a success; the events stay unacknowledged. */
  giveUp(): void;
};

const CALLS_AT_ONCE = 16;
const CALL_TIMEOUT_MS = 30_000;
const AGAIN_MS = 300;
/** A caller that gets no success for this long gives up. */
const EVENT_DEADLINE_MS = 120_000;

type EventResult = { acknowledged: boolean; error?: string[] };

/** Undefined if the connection ended without a response. */
async function tryCall<T>(call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await call();
  } catch {
    return undefined;
  }
}

/** A caller as the documentation asks for one: it repeats a call that was not acknowledged, with the same ids. */
export function openLoad(options: LoadOptions): Load {
  const { gateways, key, prefix, event, perSecond, bulk, onAnswer } = options;
  const events: SentEvent[] = [];
  const responses: Response[] = [];
  let sent = 0;
  let calls = 0;
  let isOver = false;

  const post = async (body: string): Promise<Response & { results?: EventResult[] }> => {
    const urls = gateways();
    if (urls.length === 0) return { status: 0 };
    const url = urls[Math.floor(Math.random() * urls.length)]!;
    const answered = await tryCall(async () => {
      const response = await fetch(`${url}/v1/events/trigger/bulk`, {
        method: 'POST',
        headers: { authorization: `ApiKey ${key}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      return { response, text: await response.text() };
    });
    if (!answered) return { status: 0 };
    const { response, text } = answered;
    const retryAfter = response.headers.get('retry-after') ?? undefined;
    const answer = { status: response.status, ...(retryAfter !== undefined && { retryAfter }) };
    return response.status === 201 ? { ...answer, results: JSON.parse(text) as EventResult[] } : { ...answer, text };
  };

  const sendCall = async (own: SentEvent[], payloads: object[]): Promise<void> => {
    const body = JSON.stringify({
      events: own.map(({ transactionId, workflow, subscribers }, index) => ({
        name: workflow,
        transactionId,
        to: subscribers.map((subscriberId) => ({
          subscriberId,
          email: `${subscriberId}@chaos.test`,
          phone: '+15550100000',
        })),
        payload: { t: transactionId, ...payloads[index] },
      })),
    });
    const deadline = Date.now() + EVENT_DEADLINE_MS;
    while (!isOver) {
      if (Date.now() > deadline) {
        responses.push({ status: 0, refused: `no success within ${EVENT_DEADLINE_MS} ms` });
        return;
      }
      const begin = Date.now();
      const { results, ...response } = await post(body);
      responses.push(response);
      if (results) {
        const now = Date.now();
        own.forEach((one, index) => {
          const { acknowledged, error } = results[index]!;
          if (acknowledged) one.acknowledgedAt = now;
          else responses.push({ status: 201, refused: error?.join() ?? 'not acknowledged' });
        });
        onAnswer?.(now - begin);
        return;
      }
      // A wrong request stays wrong; the checker reports the response.
      if (response.status >= 400 && response.status < 500) return;
      await delay(AGAIN_MS);
    }
  };

  return {
    events,
    responses,
    giveUp: () => void (isOver = true),
    async send(asked) {
      const begin = Date.now();
      // A scaled number of events may be a fraction.
      const count = Math.ceil(asked);
      // Another call of this function may run at the same time, and both take numbers from `sent`.
      let own = 0;
      const running = new Set<Promise<void>>();
      while (own < count && !isOver) {
        const due = begin + (own / perSecond) * 1_000;
        if (due > Date.now()) await delay(due - Date.now());
        if (running.size >= CALLS_AT_ONCE) await Promise.race(running);
        const size = Math.min(bulk, count - own);
        calls += 1;
        const payloads: object[] = [];
        const batch = Array.from({ length: size }, (_, index): SentEvent => {
          const { workflow, subscribers, payload = {} } = event(sent + index);
          payloads.push(payload);
          const transactionId = `${prefix}${String(sent + index).padStart(7, '0')}`;
          return { transactionId, workflow, subscribers, sentAt: Date.now(), call: calls };
        });
        sent += size;
        own += size;
        events.push(...batch);
        const call = sendCall(batch, payloads).finally(() => running.delete(call));
        running.add(call);
      }
      await Promise.all(running);
    },
  };
}
