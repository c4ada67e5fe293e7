import { Module } from '@nestjs/common';
import {
  ActivityRepository,
  BulkActionRepository,
  DryRunRepository,
  IntegrationRepository,
  LookupRepository,
  MessageRepository,
  NotificationRepository,
  OutboxRepository,
  OverviewRepository,
  ReplayRepository,
  StuckRepository,
  SubscriberRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { AudienceModule } from '../audience/audience.module';
import { AuthoringModule } from '../authoring/authoring.module';
import { TriggersModule } from '../triggers/triggers.module';
import { ActivityStreams } from './activity-streams';
import { ActivityController } from './activity.controller';
import { ActivityService } from './activity.service';
import { BulkActionsController } from './bulk-actions/bulk-actions.controller';
import { BulkActionsService } from './bulk-actions/bulk-actions.service';
import { FeedController } from './feed/feed.controller';
import { FeedService } from './feed/feed.service';
import { LookupController } from './lookup.controller';
import { LookupService } from './lookup.service';
import { MessagesController } from './messages/messages.controller';
import { MessagesService } from './messages/messages.service';
import { EventSummaryController } from './notifications/event-summary.controller';
import { EvidenceService } from './notifications/evidence.service';
import { NotificationsController } from './notifications/notifications.controller';
import { NotificationsService } from './notifications/notifications.service';
import { ReplayService } from './notifications/replay.service';
import { OutboxLinkController } from './outbox/outbox-link.controller';
import { OutboxController } from './outbox/outbox.controller';
import { OutboxService } from './outbox/outbox.service';
import { OverviewController } from './overview/overview.controller';
import { OverviewService } from './overview/overview.service';
import { WorkflowStatisticsController } from './overview/workflow-statistics.controller';

/** What happened: notifications, messages, figures, the outbox, and actions on many notifications at once. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      ActivityRepository,
      BulkActionRepository,
      DryRunRepository,
      IntegrationRepository,
      LookupRepository,
      MessageRepository,
      NotificationRepository,
      OutboxRepository,
      OverviewRepository,
      ReplayRepository,
      StuckRepository,
      SubscriberRepository,
      WorkflowRepository,
    ]),
    AudienceModule,
    AuthoringModule,
    TriggersModule,
  ],
  controllers: [
    ActivityController,
    BulkActionsController,
    EventSummaryController,
    FeedController,
    LookupController,
    MessagesController,
    NotificationsController,
    OutboxController,
    OutboxLinkController,
    OverviewController,
    WorkflowStatisticsController,
  ],
  providers: [
    ActivityService,
    ActivityStreams,
    BulkActionsService,
    EvidenceService,
    FeedService,
    LookupService,
    MessagesService,
    NotificationsService,
    OutboxService,
    OverviewService,
    ReplayService,
  ],
  exports: [FeedService, LookupService, NotificationsService],
})
export class ActivityModule {}
