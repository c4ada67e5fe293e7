import { Module } from '@nestjs/common';
import { EventSummaryController } from './event-summary.controller';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';
import { ReplayService } from './replay.service';

@Module({
  controllers: [NotificationsController, EventSummaryController],
  providers: [NotificationsService, ReplayService],
})
export class NotificationsModule {}
