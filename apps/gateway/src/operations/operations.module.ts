import { Module } from '@nestjs/common';
import { AuditController } from './audit.controller';
import { AuditService } from './audit.service';
import { OperatedEnvironments } from './operated-environments';

/** What an operator asks of the whole organization: the same as the commands of `npm run clarion`. */
@Module({
  controllers: [AuditController],
  providers: [AuditService, OperatedEnvironments],
})
export class OperationsModule {}
