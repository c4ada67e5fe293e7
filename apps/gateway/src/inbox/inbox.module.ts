import { Module } from '@nestjs/common';
import { InboxService } from './inbox.service';
import { SubscriberMessagesController } from './subscriber-messages.controller';
import { SubscriberNotificationsController } from './subscriber-notifications.controller';

@Module({
  controllers: [SubscriberNotificationsController, SubscriberMessagesController],
  providers: [InboxService],
  exports: [InboxService],
})
export class InboxModule {}
