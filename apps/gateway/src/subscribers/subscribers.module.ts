import { Module } from '@nestjs/common';
import { SubscriberCredentialsController } from './subscriber-credentials.controller';
import { SubscriberCredentialsService } from './subscriber-credentials.service';
import { SubscriberImportService } from './subscriber-import.service';
import { SubscribersController } from './subscribers.controller';
import { SubscribersService } from './subscribers.service';

@Module({
  controllers: [SubscribersController, SubscriberCredentialsController],
  providers: [SubscribersService, SubscriberImportService, SubscriberCredentialsService],
  exports: [SubscribersService],
})
export class SubscribersModule {}
