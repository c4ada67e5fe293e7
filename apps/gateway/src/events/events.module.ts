import { Module } from '@nestjs/common';
import { WorkflowsModule } from '../workflows/workflows.module';
import { EventsController } from './events.controller';
import { TriggerService } from './trigger.service';

@Module({ imports: [WorkflowsModule], controllers: [EventsController], providers: [TriggerService] })
export class EventsModule {}
