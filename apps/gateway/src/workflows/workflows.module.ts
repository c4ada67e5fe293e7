import { Module } from '@nestjs/common';
import { WorkflowDirectory } from './workflow-directory';
import { WorkflowsController } from './workflows.controller';
import { WorkflowsService } from './workflows.service';

@Module({
  controllers: [WorkflowsController],
  providers: [WorkflowsService, WorkflowDirectory],
  exports: [WorkflowDirectory],
})
export class WorkflowsModule {}
