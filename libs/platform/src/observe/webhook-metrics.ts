import type { Lag } from '@clarion/contracts/core';
import type { WebhookCallOutcome } from './measurements';
import type { MetricSet } from './metric-set';

export class WebhookMetrics {
  private readonly calls = this.own.counter(
    'clarion_webhook_calls_total',
    'Calls to webhook endpoints by outcome: delivered, failed and to be retried, failed for the last time.',
    ['outcome'],
  );
  private readonly waiting = this.lag.gauge(
    'clarion_webhook_waiting_entries',
    'Entries of event logs that active webhook endpoints have not got yet.',
  );
  private readonly oldestAge = this.lag.gauge(
    'clarion_webhook_oldest_waiting_age_seconds',
    'The age of the oldest of them, for endpoints whose last call did not fail.',
  );
  private readonly endpoints = this.lag.gauge(
    'clarion_webhook_endpoints',
    'Webhook endpoints by state: active, failing (active, and its last call failed), disabled by Clarion.',
    ['state'],
  );

  constructor(
    private readonly own: MetricSet,
    private readonly lag: MetricSet,
  ) {}

  called(outcome: WebhookCallOutcome): void {
    this.calls.inc({ outcome });
  }

  writeLag({ waiting, oldestSeconds, endpoints }: Lag['webhooks']): void {
    this.waiting.set(waiting);
    this.oldestAge.set(oldestSeconds);
    for (const [state, count] of Object.entries(endpoints)) this.endpoints.set({ state }, count);
  }
}
