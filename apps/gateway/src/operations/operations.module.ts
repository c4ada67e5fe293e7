import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { OperatedEnvironments } from './operated-environments';
import { QueuesController } from './queues.controller';
import { QueuesService } from './queues.service';

/** What an operator asks of the whole organization: the same as the commands of `npm run clarion`. */
@Module({
  controllers: [AuditController, QueuesController],
  providers: [AuditService, OperatedEnvironments, QueuesService],
})
export class OperationsModule {}
