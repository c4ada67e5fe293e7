import { type DynamicModule, Module } from '@nestjs/common';
import { CoreModule, type GatewayDependencies } from './core.module';
import { EnvironmentsModule } from './environments/environments.module';
import { FeedModule } from './feed/feed.module';
import { EventsModule } from './events/events.module';
import { HealthModule } from './health/health.module';
import { IntegrationsModule } from './integrations/integrations.module';
import { MessagesModule } from './messages/messages.module';
import { NotificationsModule } from './notifications/notifications.module';
import { MaintenanceModule } from './maintenance/maintenance.module';
import { SubscribersModule } from './subscribers/subscribers.module';
import { TopicsModule } from './topics/topics.module';
import { WorkflowsModule } from './workflows/workflows.module';

@Module({})
export class AppModule {
  static with(dependencies: GatewayDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.with(dependencies),
        HealthModule,
        EnvironmentsModule,
        EventsModule,
        MaintenanceModule,
        FeedModule,
        IntegrationsModule,
        MessagesModule,
        NotificationsModule,
        SubscribersModule,
        TopicsModule,
        WorkflowsModule,
      ],
    };
  }
}
