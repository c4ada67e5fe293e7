import { Module } from '@nestjs/common';
import { EventsModule } from '../events/events.module';
import { WorkflowsModule } from '../workflows/workflows.module';
import { EventSummaryController } from './event-summary.controller';
import { EvidenceService } from './evidence.service';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';
import { ReplayService } from './replay.service';

@Module({
  imports: [EventsModule, WorkflowsModule],
  controllers: [NotificationsController, EventSummaryController],
  providers: [EvidenceService, NotificationsService, ReplayService],
  exports: [NotificationsService],
})
export class NotificationsModule {}
