import { Module } from '@nestjs/common';
import { ActivityController } from './activity.controller';
import { ActivityService } from './activity.service';
import { ActivityStreams } from './activity-streams';
import { LookupController } from './lookup.controller';
import { LookupService } from './lookup.service';

@Module({
  controllers: [ActivityController, LookupController],
  providers: [ActivityService, ActivityStreams, LookupService],
})
export class ActivityModule {}
