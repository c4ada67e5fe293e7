import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { EventsController } from './events.controller';
import { DryRunService } from './dry-run.service';
import { ExplanationController } from './explanation.controller';
import { ExplanationService } from './explanation.service';
import { TriggerService } from './trigger.service';
import { TriggerStore } from './trigger-store';

@Module({
  imports: [WorkflowsModule],
  controllers: [EventsController, ExplanationController],
  providers: [DryRunService, ExplanationService, TriggerService, TriggerStore],
  exports: [DryRunService, ExplanationService],
})
export class EventsModule {}
