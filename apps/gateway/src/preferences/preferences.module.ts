import { Module } from '@nestjs/common';
import { SubscriberPreferencesController } from './subscriber-preferences.controller';
import { SubscriberPreferencesService } from './subscriber-preferences.service';

@Module({
  controllers: [SubscriberPreferencesController],
  providers: [SubscriberPreferencesService],
  exports: [SubscriberPreferencesService],
})
export class PreferencesModule {}
