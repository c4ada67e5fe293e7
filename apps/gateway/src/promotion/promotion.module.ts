import { Module } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { Database } from '@clarion/persistence';
import { WorkflowDirectory } from '../workflows/workflow-directory';
import { WorkflowsModule } from '../workflows/workflows.module';
import { Promotion } from './promotion';
import { createPromotion } from './promotion-of';
import { PromotionController } from './promotion.controller';
import { PromotionService } from './promotion.service';
import { WorkflowSyncController } from './workflow-sync.controller';

@Module({
  imports: [WorkflowsModule],
  controllers: [PromotionController, WorkflowSyncController],
  providers: [
    {
      provide: Promotion,
      inject: [Database, TemplateRenderer, WorkflowDirectory],
      useFactory: (database: Database, renderer: TemplateRenderer, directory: WorkflowDirectory) =>
        createPromotion(database, renderer, (environmentId) => directory.forget(environmentId)),
    },
    PromotionService,
  ],
})
export class PromotionModule {}
