import { Module } from '@nestjs/common';
import { LookupService } from '../activity/lookup.service';
import { EventsModule } from '../events/events.module';
import { EnvironmentLimits } from '../limits/environment-limits';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { DatabaseController } from './database.controller';
import { DoctorController } from './doctor.controller';
import { ExplainController } from './explain.controller';
import { LimitsController } from './limits.controller';
import { LimitsService } from './limits.service';
import { OperatedEnvironments } from './operated-environments';
import { QueuesController } from './queues.controller';
import { QueuesService } from './queues.service';
import { Tails } from './tails';
import { WorkOperationsController } from './work-operations.controller';
import { WorkOperationsService } from './work-operations.service';

/** What an operator asks of the whole organization: the same as the commands of `npm run clarion`. */
@Module({
  imports: [EventsModule],
  controllers: [
    AuditController,
    DatabaseController,
    DoctorController,
    ExplainController,
    LimitsController,
    QueuesController,
    WorkOperationsController,
  ],
  providers: [
    AuditService,
    EnvironmentLimits,
    LimitsService,
    LookupService,
    OperatedEnvironments,
    QueuesService,
    Tails,
    WorkOperationsService,
  ],
})
export class OperationsModule {}
