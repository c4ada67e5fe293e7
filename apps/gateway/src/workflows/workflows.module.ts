import { Module } from '@nestjs/common';
import { StepTypesController } from './step-types.controller';
import { WorkflowDirectory } from './workflow-directory';
import { WorkflowVersionsController } from './workflow-versions.controller';
import { WorkflowVersionsService } from './workflow-versions.service';
import { WorkflowsController } from './workflows.controller';
import { WorkflowsService } from './workflows.service';

@Module({
  controllers: [StepTypesController, WorkflowVersionsController, WorkflowsController],
  providers: [WorkflowsService, WorkflowVersionsService, WorkflowDirectory],
  exports: [WorkflowDirectory, WorkflowsService],
})
export class WorkflowsModule {}
