import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { EventsController } from './events.controller';
import { DryRunService } from './dry-run.service';
import { TriggerService } from './trigger.service';
import { TriggerStore } from './trigger-store';

@Module({
  imports: [WorkflowsModule],
  controllers: [EventsController],
  providers: [DryRunService, TriggerService, TriggerStore],
})
export class EventsModule {}
