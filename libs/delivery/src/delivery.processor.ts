import type { BeforeApplicationShutdown } from '@nestjs/common';
import { FaultLog, watch } from '@clarion/platform';
import { type DeliveryQueue, type JobContext, QueueProcessor, type StepsJob } from '@clarion/queue';
import { readRenderBudgets } from '@clarion/runtime';
import type { ChannelStrategy } from './sending/channel';
import type { DeliveryParts } from './delivery.module';
import { localized } from './sending/localized-channel';
import { DeliveryPipeline } from './pipeline/pipeline';

/** How soon a hold stops messages that already wait for their account. Steps that are claimed later see it at once. */
const READ_HOLDS_MS = 2_000;

/** The worker of one channel: takes the jobs of its queue, and owns the order in which the worker stops. */
export abstract class DeliveryProcessor extends QueueProcessor<DeliveryQueue> implements BeforeApplicationShutdown {
  private readonly pipeline = new DeliveryPipeline(localized(this.strategy, this.parts.contents), this.parts);
  private unwatch: (() => void)[] = [];

  constructor(
    private readonly strategy: ChannelStrategy,
    protected readonly parts: DeliveryParts,
  ) {
    super();
  }

  protected override handle({ stepIds, lapsed = false }: StepsJob, { place }: JobContext): Promise<void> {
    return lapsed ? this.pipeline.recover(stepIds) : this.pipeline.deliver(stepIds, place);
  }

  override async onApplicationBootstrap(): Promise<void> {
    await super.onApplicationBootstrap();
    const { pipeline, parts } = this;
    const { metrics, lag, producer } = parts;
    const { channel } = pipeline;
    this.unwatch = [
      this.readHolds(),
      readRenderBudgets({ ...parts, templates: parts.renderTime }),
      metrics.watchHeld(channel, () => pipeline.size),
      watch(parts, {
        role: `worker-${channel.replace('_', '-')}`,
        lastProgressAt: () => Math.max(this.lastProgressAt, pipeline.lastProgressAt),
        hasWork: async () => (await producer.answers()) && lag.hasStepsOnOffer([channel]),
      }),
    ];
  }

  private readHolds(): () => void {
    const { log, integrations } = this.parts;
    const faults = new FaultLog(log);
    const timer = setInterval(() => {
      if (this.pipeline.size === 0) return;
      integrations.readHolds().catch((error: unknown) => faults.report('Holds could not be read.', error));
    }, READ_HOLDS_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  async beforeApplicationShutdown(): Promise<void> {
    for (const end of this.unwatch) end();
    const { CLARION_DRAIN_MS: drainMs } = this.parts.config;
    const deadline = performance.now() + drainMs;
    await this.pipeline.releaseIdle();
    await this.close(drainMs);
    await this.pipeline.stop(Math.max(0, deadline - performance.now()));
  }
}
