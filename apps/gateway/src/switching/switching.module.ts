import { Module } from '@nestjs/common';
import { MirrorRepository } from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { ActivityModule } from '../activity/activity.module';
import { AudienceModule } from '../audience/audience.module';
import { AuthoringModule } from '../authoring/authoring.module';
import { ChannelsModule } from '../channels/channels.module';
import { InboxModule } from '../inbox/inbox.module';
import { OperationsModule } from '../operations/operations.module';
import { MirrorController } from './mirror/mirror.controller';
import { MirrorService } from './mirror/mirror.service';
import { AliasedServices } from './older-clients/aliased-services';
import { OlderClientsController } from './older-clients/older-clients.controller';

/** What a team needs to switch to this service: import, mirror, and the addresses of older clients. */
@Module({
  imports: [
    PersistenceModule.forFeature([MirrorRepository]),
    AuthoringModule,
    AudienceModule,
    ActivityModule,
    InboxModule,
    ChannelsModule,
    OperationsModule,
  ],
  controllers: [MirrorController, OlderClientsController],
  providers: [AliasedServices, MirrorService],
})
export class SwitchingModule {}
