import { Module } from '@nestjs/common';
import {
  ActivityRepository,
  AuditRepository,
  DatabaseActivityRepository,
  EnvironmentRepository,
  EveryEnvironmentRepository,
  HoldRepository,
  InboxSecretRepository,
  IntegrationRepository,
  LimitRepository,
  OverviewRepository,
  PresenceRepository,
  QueuedRowsRepository,
  RedactionRepository,
  StuckRepository,
  UsageRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { ActivityModule } from '../activity/activity.module';
import { TriggersModule } from '../triggers/triggers.module';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { DatabaseController } from './database.controller';
import { DoctorController } from './doctor.controller';
import { EnvironmentAdmin } from './environments/environment-admin';
import { EnvironmentTagsController } from './environments/environment-tags.controller';
import { EnvironmentsController } from './environments/environments.controller';
import { EnvironmentsService } from './environments/environments.service';
import { InboxSecrets } from './environments/inbox-secrets';
import { OrganizationsController } from './environments/organizations.controller';
import { OrganizationsService } from './environments/organizations.service';
import { ExplainController } from './explain.controller';
import { HoldsController } from './holds/holds.controller';
import { HoldsService } from './holds/holds.service';
import { LimitsController } from './limits.controller';
import { LimitsService } from './limits.service';
import { MaintenanceService } from './maintenance/maintenance.service';
import { OperatedEnvironments } from './operated-environments';
import { QueuesController } from './queues.controller';
import { QueuesService } from './queues.service';
import { Tails } from './tails';
import { WorkOperationsController } from './work-operations.controller';
import { WorkOperationsService } from './work-operations.service';

/** What an operator asks of environments and of the whole organization; the commands of `npm run clarion` use it. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      ActivityRepository,
      AuditRepository,
      DatabaseActivityRepository,
      EnvironmentRepository,
      EveryEnvironmentRepository,
      HoldRepository,
      InboxSecretRepository,
      IntegrationRepository,
      LimitRepository,
      OverviewRepository,
      PresenceRepository,
      QueuedRowsRepository,
      RedactionRepository,
      StuckRepository,
      UsageRepository,
      WorkflowRepository,
    ]),
    ActivityModule,
    TriggersModule,
  ],
  controllers: [
    AuditController,
    DatabaseController,
    DoctorController,
    EnvironmentTagsController,
    EnvironmentsController,
    ExplainController,
    HoldsController,
    LimitsController,
    OrganizationsController,
    QueuesController,
    WorkOperationsController,
  ],
  providers: [
    AuditService,
    EnvironmentAdmin,
    EnvironmentsService,
    HoldsService,
    InboxSecrets,
    LimitsService,
    MaintenanceService,
    OperatedEnvironments,
    OrganizationsService,
    QueuesService,
    Tails,
    WorkOperationsService,
  ],
  exports: [EnvironmentAdmin, EnvironmentsService],
})
export class OperationsModule {}
