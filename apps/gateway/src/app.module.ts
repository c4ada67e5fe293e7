import { type DynamicModule, Module } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module';
import { AudienceModule } from './audience/audience.module';
import { AuthoringModule } from './authoring/authoring.module';
import { ChannelsModule } from './channels/channels.module';
import { type GatewayDependencies } from './edge/dependencies';
import { EdgeModule } from './edge/edge.module';
import { InboxModule } from './inbox/inbox.module';
import { OperationsModule } from './operations/operations.module';
import { SwitchingModule } from './switching/switching.module';
import { TriggersModule } from './triggers/triggers.module';

/** An area for each folder. ARCHITECTURE.md says which area may import which; the lint rules enforce it. */
const AREAS = [
  ActivityModule,
  AudienceModule,
  AuthoringModule,
  ChannelsModule,
  InboxModule,
  OperationsModule,
  SwitchingModule,
  TriggersModule,
];

@Module({})
export class AppModule {
  static with(dependencies: GatewayDependencies): DynamicModule {
    return { module: AppModule, imports: [EdgeModule.with(dependencies), ...AREAS] };
  }
}
