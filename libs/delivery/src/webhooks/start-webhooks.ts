import {
  type DueDelivery,
  EventLogRepository,
  type LeasedEndpoint,
  WebhookSendingRepository,
} from '@clarion/persistence';
import type { Resources, RunningRole } from '@clarion/runtime';
import { ReceiverCalls } from '../receivers/receiver-calls';
import { callEndpoint, type CallResult } from './webhook-call';

/** Starts the part of a worker that numbers the event log and sends its entries to webhook endpoints. */
export function startWebhooks({ config, database, egress, secrets, metrics, logger }: Resources): RunningRole {
  const entries = new EventLogRepository(database);
  const rows = new WebhookSendingRepository(database);
  const parts = { egress, secrets, random: Math.random, now: () => new Date() };
  const sender = new ReceiverCalls<LeasedEndpoint, DueDelivery, CallResult>(
    {
      async look() {
        const { hasNew, hasDue } = await rows.look();
        const isNumbered = hasNew && (await entries.number()) > 0;
        return hasDue || isNumbered;
      },
      claim: (leaseId, leaseMs, limit) => rows.claim(leaseId, leaseMs, limit),
      async fill(leased, leaseMs) {
        const filled = await rows.fill(leased, leaseMs);
        return filled && { receiver: filled.endpoint, hasMore: filled.hasMore };
      },
      due: (endpoint, limit) => rows.due(endpoint, limit),
      call: (endpoint, delivery) => callEndpoint(parts, endpoint, delivery),
      record(endpoint, calls, health, failingDays) {
        for (const { state } of calls) metrics.webhooks.called(state === 'waiting' ? 'retried' : state);
        return rows.record(endpoint, calls, health, failingDays);
      },
      disable: (endpoint, reason) => rows.disable(endpoint, reason),
      release: (endpoint) => rows.release(endpoint),
    },
    {
      failed: 'Webhooks cannot be sent.',
      works: 'Webhooks are sent again.',
      disabled: 'A webhook endpoint was switched off. Its entries wait until it is switched on again.',
    },
    logger,
    Math.random,
  );
  sender.start();
  return { stop: () => sender.stop(config.CLARION_DRAIN_MS) };
}
