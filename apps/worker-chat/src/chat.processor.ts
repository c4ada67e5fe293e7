import { Processor } from '@nestjs/bullmq';
import { DeliveryParts, DeliveryProcessor } from '@clarion/delivery';
import { ChatChannel } from './chat.channel';
import { MirrorCalls } from './mirror/mirror-calls';
import { WebhookCalls } from './webhooks/webhook-calls';

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
