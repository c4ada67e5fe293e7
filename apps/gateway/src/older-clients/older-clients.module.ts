import { Module } from '@nestjs/common';
import { EnvironmentsModule } from '../environments/environments.module';
import { InboxModule } from '../inbox/inbox.module';
import { IntegrationsModule } from '../integrations/integrations.module';
import { LayoutsModule } from '../layouts/layouts.module';
import { NotificationsModule } from '../notifications/notifications.module';
import { PreferencesModule } from '../preferences/preferences.module';
import { SubscribersModule } from '../subscribers/subscribers.module';
import { TopicsModule } from '../topics/topics.module';
import { WorkflowsModule } from '../workflows/workflows.module';
import { AliasedServices } from './aliased-services';
import { OlderClientsController } from './older-clients.controller';

@Module({
  imports: [
    EnvironmentsModule,
    InboxModule,
    IntegrationsModule,
    LayoutsModule,
    NotificationsModule,
    PreferencesModule,
    SubscribersModule,
    TopicsModule,
    WorkflowsModule,
  ],
  controllers: [OlderClientsController],
  providers: [AliasedServices],
})
export class OlderClientsModule {}
