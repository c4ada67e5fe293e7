import { Inject, Injectable } from '@nestjs/common';
import {
  type DueDelivery,
  EventLogRepository,
  type LeasedEndpoint,
  WebhookSendingRepository,
} from '@clarion/persistence';
import { Egress, type Logger, Metrics, SecretBox } from '@clarion/platform';
import { LOGGER } from '@clarion/runtime';
import { ReceiverCalls } from '../receivers/receiver-calls';
import { callEndpoint, type CallResult } from './webhook-call';

/** Entries are small. */
const ROUND_SIZE = 200;

/** Numbers the event log and sends its entries to webhook endpoints. */
@Injectable()
export class WebhookCalls extends ReceiverCalls<LeasedEndpoint, DueDelivery, CallResult> {
  constructor(
    entries: EventLogRepository,
    rows: WebhookSendingRepository,
    egress: Egress,
    secrets: SecretBox,
    metrics: Metrics,
    @Inject(LOGGER) logger: Logger,
  ) {
    const parts = { egress, secrets, random: Math.random, now: () => new Date() };
    super(
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
        roundSize: ROUND_SIZE,
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
  }
}
