import { Module } from '@nestjs/common';
import { PreferencesModule } from '../preferences/preferences.module';
import { TrackingController } from './tracking.controller';
import { TrackingService } from './tracking.service';
import { UnsubscribeController } from './unsubscribe.controller';
import { UnsubscribeService } from './unsubscribe.service';

@Module({
  imports: [PreferencesModule],
  controllers: [TrackingController, UnsubscribeController],
  providers: [TrackingService, UnsubscribeService],
})
export class EmailLinksModule {}
