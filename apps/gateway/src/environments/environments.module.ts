import { Module } from '@nestjs/common';
import { EnvironmentAdmin } from './environment-admin';
import { EnvironmentsController } from './environments.controller';
import { EnvironmentsService } from './environments.service';

@Module({
  controllers: [EnvironmentsController],
  providers: [EnvironmentAdmin, EnvironmentsService],
  exports: [EnvironmentAdmin],
})
export class EnvironmentsModule {}
