import { setTimeout as delay } from 'node:timers/promises';
import { newId, withTimeoutOr } from '@clarion/contracts/core';
import type { EventLogRepository, LeasedEndpoint, WebhookSendingRepository } from '@clarion/persistence';
import { FaultLog, type Metrics } from '@clarion/platform';
import type { DeliveryLog } from '../ports';
import { callEndpoint, type CallParts, type CallResult } from './webhook-call';

const IDLE_MS = 1_000;
/** Endpoints that one process serves at a time, and calls to one endpoint in flight. */
const ENDPOINTS_AT_ONCE = 32;
const CALLS_AT_ONCE = 20;
/** Longer than any call (`EGRESS_LIMITS`): a lease ends only if its process does, or the database was away. */
const LEASE_MS = 30_000;
/** Then another endpoint gets its turn. */
const TURN_MS = 10_000;

/** So many failures in a row open the circuit breaker: then single calls test the endpoint, less and less often. */
const FAILURES_UNTIL_OPEN = 5;
const SHORTEST_OPEN_MS = 30_000;
const LONGEST_OPEN_MS = 600_000;
const DISABLE_AFTER_DAYS = 5;

const FAILED = `Webhooks cannot be sent. The worker tries again every ${IDLE_MS} ms.`;

export type WebhookSenderParts = CallParts & {
  entries: Pick<EventLogRepository, 'number'>;
  store: WebhookSendingRepository;
  metrics: Pick<Metrics, 'webhooks'>;
  log: DeliveryLog;
};

/**
 * Numbers the entries of event logs and sends them to webhook endpoints. All progress is in Postgres: any number of
 * workers share the endpoints, and another worker goes on when one ends. One worker at a time serves an endpoint, so an
 * endpoint that does not answer holds a few calls of one worker, and then nothing but single calls.
 */
export class WebhookSender {
  private readonly serving = new Map<string, Promise<void>>();
  private readonly faults: FaultLog;
  private loop: Promise<void> = Promise.resolve();
  private readonly ending = new AbortController();

  constructor(private readonly parts: WebhookSenderParts) {
    this.faults = new FaultLog(parts.log);
  }

  start(): void {
    this.loop = this.run();
  }

  /** Calls in flight end first, up to the deadline; what they have not recorded is sent again. */
  async stop(deadlineMs: number): Promise<void> {
    this.ending.abort();
    await this.loop;
    await withTimeoutOr(Promise.all(this.serving.values()), deadlineMs, undefined);
  }

  private get isEnding(): boolean {
    return this.ending.signal.aborted;
  }

  private async run(): Promise<void> {
    while (!this.isEnding) {
      await this.lookAround().then(
        () => this.faults.over(FAILED, 'Webhooks are sent again.'),
        (error: unknown) => this.faults.report(FAILED, error),
      );
      await delay(IDLE_MS, undefined, { ref: false, signal: this.ending.signal }).catch(() => undefined);
    }
  }

  private async lookAround(): Promise<void> {
    const { store, entries } = this.parts;
    const { hasNew, hasDue } = await store.look();
    const isNumbered = hasNew && (await entries.number()) > 0;
    const free = ENDPOINTS_AT_ONCE - this.serving.size;
    if ((!hasDue && !isNumbered) || free === 0) return;
    for (const endpoint of await store.claim(newId(), LEASE_MS, free)) {
      const served = this.serve(endpoint)
        .catch((error: unknown) => this.faults.report(FAILED, error))
        .finally(() => this.serving.delete(endpoint.id));
      this.serving.set(endpoint.id, served);
    }
  }

  /** Calls the endpoint in rounds until nothing is due, its turn is over, or it must not be called. */
  private async serve(leased: LeasedEndpoint): Promise<void> {
    const { store } = this.parts;
    const end = performance.now() + TURN_MS;
    while (!this.isEnding && performance.now() < end) {
      const filled = await store.fill(leased, LEASE_MS);
      if (!filled) break;
      const { endpoint, hasMore } = filled;
      const isOpen = endpoint.failures >= FAILURES_UNTIL_OPEN;
      const due = await store.due(endpoint, isOpen ? 1 : CALLS_AT_ONCE);
      if (due.length === 0 && !hasMore) break;
      if (due.length === 0) continue;
      const results = await Promise.all(due.map((delivery) => callEndpoint(this.parts, endpoint, delivery)));
      if (!(await this.record(endpoint, results))) break;
    }
    await store.release(leased);
  }

  /** True when the endpoint may be called again now. */
  private async record(endpoint: LeasedEndpoint, results: CallResult[]): Promise<boolean> {
    const { store, metrics, log, random } = this.parts;
    for (const { state } of results) metrics.webhooks.called(state === 'waiting' ? 'retried' : state);
    const hasSucceeded = results.some(({ state }) => state === 'delivered');
    const failures = hasSucceeded ? 0 : endpoint.failures + results.length;
    const openings = Math.min(failures - FAILURES_UNTIL_OPEN, 10);
    const openMs =
      openings < 0 ? 0 : Math.min(SHORTEST_OPEN_MS * 2 ** openings, LONGEST_OPEN_MS) * (0.8 + 0.4 * random());
    const pauseMs = Math.max(openMs, ...results.map((result) => result.pauseMs ?? 0));
    const recorded = results.map(({ id, state, dueInMs, status, text, error }) => ({
      id,
      state,
      dueInMs,
      status,
      text,
      error,
    }));
    const health = { hasSucceeded, failures, ...(pauseMs > 0 && { pauseMs }) };
    const isFailing = await store.record(endpoint, recorded, health, DISABLE_AFTER_DAYS);
    if (isFailing === undefined) return false;
    const isGone = results.some((result) => result.isGone);
    const reason = isGone
      ? 'The endpoint answered 410 Gone'
      : isFailing
        ? `No call succeeded for ${DISABLE_AFTER_DAYS} days: ${results.at(-1)!.error}`
        : undefined;
    if (reason !== undefined) {
      await store.disable(endpoint, reason);
      log.warn(
        { environmentId: endpoint.environmentId, endpointId: endpoint.id, reason },
        'A webhook endpoint was switched off. Its entries wait until it is switched on again.',
      );
    }
    return reason === undefined && pauseMs === 0;
  }
}
