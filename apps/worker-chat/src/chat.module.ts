import { setTimeout as delay } from 'node:timers/promises';
import { DeliveryModule } from '@clarion/delivery';
import { Module } from '@nestjs/common';
import {
  ChannelConnectionRepository,
  EventLogRepository,
  MirrorSendingRepository,
  WebhookSendingRepository,
} from '@clarion/persistence';
import { Egress, SecretBox } from '@clarion/platform';
import { PersistenceModule } from '@clarion/runtime';
import { ChatChannel } from './chat.channel';
import { ConnectionTokens } from './connection-tokens';
import { MirrorCalls } from './mirror/mirror-calls';
import { WebhookCalls } from './webhooks/webhook-calls';
import { ChatProcessor } from './chat.processor';

@Module({
  imports: [
    DeliveryModule.forChannel('chat'),
    PersistenceModule.forFeature([
      ChannelConnectionRepository,
      EventLogRepository,
      MirrorSendingRepository,
      WebhookSendingRepository,
    ]),
  ],
  providers: [
    ChatProcessor,
    ChatChannel,
    WebhookCalls,
    MirrorCalls,
    {
      provide: ConnectionTokens,
      useFactory: (connections: ChannelConnectionRepository, egress: Egress, secrets: SecretBox) =>
        new ConnectionTokens({
          connections,
          egress,
          secrets,
          pause: (milliseconds) => delay(milliseconds, undefined, { ref: false }),
          now: Date.now,
        }),
      inject: [ChannelConnectionRepository, Egress, SecretBox],
    },
  ],
})
export class ChatModule {}
