import { Processor } from '@nestjs/bullmq';
import { ChatChannel, DeliveryParts, DeliveryProcessor, MirrorCalls, WebhookCalls } from '@clarion/delivery';

/** Webhook endpoints and mirrors belong to callers, like the webhooks of chat: the same worker calls them. */
@Processor('deliver.chat')
export class ChatProcessor extends DeliveryProcessor {
  constructor(
    channel: ChatChannel,
    parts: DeliveryParts,
    private readonly webhooks: WebhookCalls,
    private readonly mirrors: MirrorCalls,
  ) {
    super(channel, parts);
  }

  override async onApplicationBootstrap(): Promise<void> {
    await super.onApplicationBootstrap();
    this.webhooks.start();
    this.mirrors.start();
  }

  override async beforeApplicationShutdown(): Promise<void> {
    const { CLARION_DRAIN_MS: drainMs } = this.parts.config;
    const stopped = [this.webhooks.stop(drainMs), this.mirrors.stop(drainMs)];
    await super.beforeApplicationShutdown();
    await Promise.all(stopped);
  }
}
