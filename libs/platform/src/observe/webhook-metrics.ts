import { Counter, Gauge, type Registry } from 'prom-client';
import { WEBHOOK_ENDPOINT_STATES, type WebhookCallOutcome, type WebhookLag } from './measurements';

export class WebhookMetrics {
  private readonly calls: Counter;
  private readonly waiting: Gauge;
  private readonly oldestAge: Gauge;
  private readonly endpoints: Gauge;

  constructor(registry: Registry, lagRegistry: Registry) {
    this.calls = new Counter({
      name: 'clarion_webhook_calls_total',
      help: 'Calls to webhook endpoints by outcome: delivered, failed and to be retried, failed for the last time.',
      labelNames: ['outcome'],
      registers: [registry],
    });
    this.waiting = new Gauge({
      name: 'clarion_webhook_waiting_entries',
      help: 'Entries of event logs that active webhook endpoints have not got yet.',
      registers: [lagRegistry],
    });
    this.oldestAge = new Gauge({
      name: 'clarion_webhook_oldest_waiting_age_seconds',
      help: 'The age of the oldest of them, for endpoints whose last call did not fail.',
      registers: [lagRegistry],
    });
    this.endpoints = new Gauge({
      name: 'clarion_webhook_endpoints',
      help: 'Webhook endpoints by state: active, failing (active, and its last call failed), disabled by Clarion.',
      labelNames: ['state'],
      registers: [lagRegistry],
    });
  }

  called(outcome: WebhookCallOutcome): void {
    this.calls.inc({ outcome });
  }

  writeLag({ waiting, oldestSeconds, endpoints }: WebhookLag): void {
    this.waiting.set(waiting);
    this.oldestAge.set(oldestSeconds);
    for (const state of WEBHOOK_ENDPOINT_STATES) this.endpoints.set({ state }, endpoints[state]);
  }
}
