import { Module } from '@nestjs/common';
import {
  DryRunRepository,
  HoldRepository,
  IntegrationRepository,
  LayoutRepository,
  LimitRepository,
  MirrorRepository,
  NotificationRepository,
  SubscriberRepository,
  SuppressionRepository,
  SurroundingsRepository,
  TenantRepository,
  TopicRepository,
  TriggerRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { AuthoringModule } from '../authoring/authoring.module';
import { DryRunService } from './dry-run.service';
import { EventsController } from './events.controller';
import { ExplanationController } from './explain/explanation.controller';
import { ExplanationService } from './explain/explanation.service';
import { TopicDirectory } from './topic-directory';
import { TriggerStore } from './trigger-store';
import { TriggerService } from './trigger.service';

@Module({
  imports: [
    PersistenceModule.forFeature([
      DryRunRepository,
      HoldRepository,
      IntegrationRepository,
      LayoutRepository,
      LimitRepository,
      MirrorRepository,
      NotificationRepository,
      SubscriberRepository,
      SuppressionRepository,
      SurroundingsRepository,
      TenantRepository,
      TopicRepository,
      TriggerRepository,
    ]),
    AuthoringModule,
  ],
  controllers: [EventsController, ExplanationController],
  providers: [DryRunService, ExplanationService, TopicDirectory, TriggerService, TriggerStore],
  exports: [DryRunService, ExplanationService],
})
export class TriggersModule {}
