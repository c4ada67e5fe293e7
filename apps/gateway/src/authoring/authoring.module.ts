import { Module } from '@nestjs/common';
import { TemplateRenderer } from '@clarion/content';
import { Database } from '@clarion/persistence';
import {
  EnvironmentRepository,
  EnvironmentVariableRepository,
  HoldRepository,
  IntegrationRepository,
  LayoutRepository,
  PromotionRepository,
  TranslationRepository,
  WorkflowRepository,
  WorkflowVersionRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { EnvironmentVariablesController } from './environment-variables/environment-variables.controller';
import { EnvironmentVariablesService } from './environment-variables/environment-variables.service';
import { LayoutsController } from './layouts/layouts.controller';
import { LayoutsService } from './layouts/layouts.service';
import { Promotion } from './promotion/promotion';
import { createPromotion } from './promotion/promotion-of';
import { PromotionController } from './promotion/promotion.controller';
import { PromotionService } from './promotion/promotion.service';
import { WorkflowSyncController } from './promotion/workflow-sync.controller';
import { MasterTranslations } from './translations/master-translations';
import { TranslationsController } from './translations/translations.controller';
import { TranslationsService } from './translations/translations.service';
import { StepTypesController } from './workflows/step-types.controller';
import { WorkflowDirectory } from './workflows/workflow-directory';
import { WorkflowVersionsController } from './workflows/workflow-versions.controller';
import { WorkflowVersionsService } from './workflows/workflow-versions.service';
import { WorkflowsController } from './workflows/workflows.controller';
import { WorkflowsService } from './workflows/workflows.service';

/** What people write: workflows, layouts, translations, variables, and their promotion between environments. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      EnvironmentRepository,
      EnvironmentVariableRepository,
      HoldRepository,
      IntegrationRepository,
      LayoutRepository,
      PromotionRepository,
      TranslationRepository,
      WorkflowRepository,
      WorkflowVersionRepository,
    ]),
  ],
  controllers: [
    EnvironmentVariablesController,
    LayoutsController,
    PromotionController,
    StepTypesController,
    TranslationsController,
    WorkflowSyncController,
    WorkflowVersionsController,
    WorkflowsController,
  ],
  providers: [
    EnvironmentVariablesService,
    LayoutsService,
    MasterTranslations,
    PromotionService,
    TranslationsService,
    WorkflowDirectory,
    WorkflowVersionsService,
    WorkflowsService,
    {
      provide: Promotion,
      inject: [Database, TemplateRenderer, WorkflowDirectory],
      useFactory: (database: Database, renderer: TemplateRenderer, directory: WorkflowDirectory) =>
        createPromotion(database, renderer, (environmentId) => directory.forget(environmentId)),
    },
  ],
  exports: [LayoutsService, WorkflowDirectory, WorkflowsService],
})
export class AuthoringModule {}
