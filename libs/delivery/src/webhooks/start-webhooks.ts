import { EventLogRepository, WebhookSendingRepository } from '@clarion/persistence';
import type { Resources, RunningRole } from '@clarion/runtime';
import { WebhookSender } from './webhook-sender';

/** Starts the part of a worker that numbers the event log and sends its entries to webhook endpoints. */
export function startWebhooks({ config, database, egress, secrets, metrics, logger }: Resources): RunningRole {
  const sender = new WebhookSender({
    entries: new EventLogRepository(database),
    store: new WebhookSendingRepository(database),
    egress,
    secrets,
    random: Math.random,
    now: () => new Date(),
    metrics,
    log: logger,
  });
  sender.start();
  return { stop: () => sender.stop(config.CLARION_DRAIN_MS) };
}
