import { Module } from '@nestjs/common';
import { OverviewController } from './overview.controller';
import { OverviewService } from './overview.service';
import { WorkflowStatisticsController } from './workflow-statistics.controller';

@Module({ controllers: [OverviewController, WorkflowStatisticsController], providers: [OverviewService] })
export class OverviewModule {}
