import { setTimeout as delay } from 'node:timers/promises';
import type { Channel } from '@clarion/contracts/core';
import {
  AttachmentRepository,
  ChannelConnectionRepository,
  EarlierStepRepository,
  HoldRepository,
  IntegrationRepository,
  LagRepository,
  LayoutRepository,
  ORPHANS_ENDED,
  OutboxRepository,
  SendRateRepository,
  StepClaimRepository,
  StepOutcomeRepository,
  SuppressionRepository,
  SurroundingsRepository,
  WorkflowCache,
} from '@clarion/persistence';
import { deliveryQueue, QueueConsumer, StepOffers } from '@clarion/queue';
import { FaultLog, LinkTokens, watch } from '@clarion/platform';
import {
  contentsOf,
  type EnvironmentContents,
  readRenderBudgets,
  type Resources,
  type RunningRole,
} from '@clarion/runtime';
import type { ChannelStrategy } from './channel';
import { ChatChannel } from './channels/chat.channel';
import { EmailChannel } from './channels/email.channel';
import { InAppChannel } from './channels/in-app.channel';
import { PushChannel } from './channels/push.channel';
import { SmsChannel } from './channels/sms.channel';
import { ConnectionTokens } from './connection-tokens';
import { SubscriberTokens } from './dead-tokens';
import { EmailLinks } from './email-links';
import { IntegrationDirectory } from './integration-directory';
import { Lanes } from './lanes';
import { LayoutDirectory } from './layout-directory';
import { localized } from './localized-channel';
import { DeliveryPipeline } from './pipeline';
import { ProviderCalls } from './provider-calls';
import { SendRates } from './send-rates';
import { Sender } from './sender';
import { startMirrors } from './mirror/start-mirrors';
import { startWebhooks } from './webhooks/start-webhooks';

const JOBS_AT_ONCE = 20;
/** Per account and worker: calls in flight, and deliveries that wait for them. */
const MAX_IN_FLIGHT = 32;
const MAX_WAITING = 800;
/** How soon a hold stops messages that already wait for their account. Steps that are claimed later see it at once. */
const READ_HOLDS_MS = 2_000;

/** Starts the worker of one channel. */
export async function startDelivery(channel: Channel, resources: Resources): Promise<RunningRole> {
  const { config, database, producer, queueBackend, queue, relay, logger, secrets, tracing, metrics, health } =
    resources;
  const log = logger.child({ channel });
  const holds = new HoldRepository(database);
  const rows = new IntegrationRepository(database);
  const integrations = new IntegrationDirectory(
    {
      listActive: (environmentId) => rows.listActive(environmentId),
      sendingSettings: (environmentId) => rows.sendingSettings(environmentId),
      setHealth: (environmentId, id, health) => rows.setHealth(environmentId, id, health),
      heldIntegrations: (environmentIds) => holds.heldIntegrations(environmentIds),
    },
    secrets,
    Date.now,
    (error) =>
      log.warn({ err: error }, 'The health of an integration could not be stored. Other workers do not see it yet.'),
    ({ opened, ...integration }) =>
      opened
        ? log.warn(
            integration,
            'The circuit breaker of an integration opened: half of its recent calls failed. Its messages wait or go ' +
              'to the next integration.',
          )
        : log.info(integration, 'The circuit breaker of an integration closed: a call succeeded.'),
  );
  const contents = contentsOf(resources);
  const pause = (milliseconds: number): Promise<unknown> => delay(milliseconds, undefined, { ref: false });
  const pipeline = new DeliveryPipeline(localized(strategyOf(channel, resources, integrations, contents), contents), {
    claims: new StepClaimRepository(database, (rows) => log.warn({ rows }, ORPHANS_ENDED)),
    outcomes: new StepOutcomeRepository(database),
    workflows: new WorkflowCache(database),
    surroundings: contents.within(new SurroundingsRepository(database)),
    earlierSteps: new EarlierStepRepository(database),
    suppressions: new SuppressionRepository(database),
    integrations,
    holds,
    offers: new StepOffers(producer),
    realtime: relay,
    sender: new Sender({
      lanes: new Lanes(MAX_IN_FLIGHT, MAX_WAITING),
      rates: new SendRates({ store: new SendRateRepository(database), now: () => performance.now(), pause }),
      tokens: new SubscriberTokens(database, secrets),
      random: Math.random,
      now: Date.now,
      metrics,
      log,
    }),
    renderTime: resources.templates,
    tracing,
    metrics,
    pause,
    log,
  });
  const consumer = await QueueConsumer.open(
    queueBackend,
    deliveryQueue(channel),
    ({ stepIds, lapsed = false, goesFirst = false }) =>
      lapsed ? pipeline.recover(stepIds) : pipeline.deliver(stepIds, { goesFirst }),
    { ...queue, concurrency: JOBS_AT_ONCE },
  );
  const lag = new LagRepository(database);
  const faults = new FaultLog(log);
  const readHolds = setInterval(() => {
    if (pipeline.size === 0) return;
    integrations.readHolds().catch((error: unknown) => faults.report('Holds could not be read.', error));
  }, READ_HOLDS_MS);
  readHolds.unref();
  // Webhook endpoints and mirrors belong to callers, like the webhooks of chat: the same worker calls them.
  const senders = channel === 'chat' ? [startWebhooks(resources), startMirrors(resources)] : [];
  const unwatch = [
    readRenderBudgets(resources),
    metrics.watchHeld(channel, () => pipeline.size),
    watch(
      { metrics, health },
      {
        role: `worker-${channel.replace('_', '-')}`,
        lastProgressAt: () => Math.max(consumer.lastProgressAt, pipeline.lastProgressAt),
        hasWork: async () => (await producer.answers()) && lag.hasStepsOnOffer([channel]),
      },
    ),
  ];
  return {
    async stop() {
      for (const end of unwatch) end();
      clearInterval(readHolds);
      const deadline = performance.now() + config.CLARION_DRAIN_MS;
      const stopped = Promise.all(senders.map((sender) => sender.stop()));
      await pipeline.releaseIdle();
      await consumer.close(config.CLARION_DRAIN_MS);
      await Promise.all([pipeline.stop(Math.max(0, deadline - performance.now())), stopped]);
    },
  };
}

function strategyOf(
  channel: Channel,
  { config, database, templates, egress, secrets, tracing }: Resources,
  integrations: IntegrationDirectory,
  contents: EnvironmentContents,
): ChannelStrategy {
  const outbox = new OutboxRepository(database);
  const calls = new ProviderCalls({
    egress,
    outboxOf: (environmentId) => ({ put: (entries) => outbox.put(environmentId, entries) }),
    publicUrl: config.CLARION_PUBLIC_URL,
    dialect: config.CLARION_DIALECT,
    sharedCalls: MAX_IN_FLIGHT,
    tracing,
  });
  switch (channel) {
    case 'in_app':
      return new InAppChannel(templates);
    case 'email':
      return new EmailChannel(
        templates,
        calls,
        new LayoutDirectory(new LayoutRepository(database)),
        new AttachmentRepository(database),
        new EmailLinks({
          tokens: new LinkTokens(secrets),
          publicUrl: config.CLARION_PUBLIC_URL,
          settingsOf: (environmentId) => integrations.settingsOf(environmentId),
        }),
        contents,
      );
    case 'sms':
      return new SmsChannel(templates, calls);
    case 'chat':
      return new ChatChannel(
        templates,
        calls,
        secrets,
        new ConnectionTokens({
          connections: new ChannelConnectionRepository(database),
          egress,
          secrets,
          pause: (milliseconds) => delay(milliseconds, undefined, { ref: false }),
          now: Date.now,
        }),
      );
    case 'push':
      return new PushChannel(templates, calls, secrets);
  }
}
