import { Module } from '@nestjs/common';
import { LagRepository } from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { WorkflowModule } from '@clarion/workflow';
import { EngineLifecycle } from './engine.lifecycle';
import { TimerProcessor } from './timer.processor';
import { TriggerProcessor } from './trigger.processor';

@Module({
  imports: [WorkflowModule, PersistenceModule.forFeature([LagRepository])],
  providers: [TriggerProcessor, TimerProcessor, EngineLifecycle],
})
export class EngineModule {}
