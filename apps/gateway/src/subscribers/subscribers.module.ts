import { Module } from '@nestjs/common';
import { SubscriberCredentialsController } from './subscriber-credentials.controller';
import { SubscriberCredentialsService } from './subscriber-credentials.service';
import { SubscriberImportService } from './subscriber-import.service';
import { SubscriberPrivacyController } from './subscriber-privacy.controller';
import { SubscriberPrivacyService } from './subscriber-privacy.service';
import { SubscribersController } from './subscribers.controller';
import { SubscribersService } from './subscribers.service';

@Module({
  controllers: [SubscribersController, SubscriberCredentialsController, SubscriberPrivacyController],
  providers: [SubscribersService, SubscriberImportService, SubscriberCredentialsService, SubscriberPrivacyService],
  exports: [SubscribersService],
})
export class SubscribersModule {}
