import { Module } from '@nestjs/common';
import { LookupService } from '../activity/lookup.service';
import { Tails } from './tails';
import { WorkOperationsController } from './work-operations.controller';
import { WorkOperationsService } from './work-operations.service';

@Module({
  controllers: [WorkOperationsController],
  providers: [WorkOperationsService, Tails, LookupService],
})
export class WorkOperationsModule {}
