import { type DynamicModule, Module } from '@nestjs/common';
import { ActivityModule } from './activity/activity.module';
import { AuditLogModule } from './audit-log/audit-log.module';
import { BulkActionsModule } from './bulk-actions/bulk-actions.module';
import { ChannelsModule } from './channels/channels.module';
import { ContextsModule } from './contexts/contexts.module';
import { CoreModule, type GatewayDependencies } from './core.module';
import { EmailLinksModule } from './email-links/email-links.module';
import { EnvironmentVariablesModule } from './environment-variables/environment-variables.module';
import { EnvironmentsModule } from './environments/environments.module';
import { FeedModule } from './feed/feed.module';
import { EventsModule } from './events/events.module';
import { HoldsModule } from './holds/holds.module';
import { HealthModule } from './health/health.module';
import { InboundWebhooksModule } from './inbound-webhooks/inbound-webhooks.module';
import { InboxModule } from './inbox/inbox.module';
import { IntegrationsModule } from './integrations/integrations.module';
import { LayoutsModule } from './layouts/layouts.module';
import { MessagesModule } from './messages/messages.module';
import { MirrorModule } from './mirror/mirror.module';
import { MetricsModule } from './metrics/metrics.module';
import { NotificationsModule } from './notifications/notifications.module';
import { MaintenanceModule } from './maintenance/maintenance.module';
import { OlderClientsModule } from './older-clients/older-clients.module';
import { OperationsModule } from './operations/operations.module';
import { OutboxModule } from './outbox/outbox.module';
import { OverviewModule } from './overview/overview.module';
import { PreferencesModule } from './preferences/preferences.module';
import { RealtimeModule } from './realtime/realtime.module';
import { SessionsModule } from './sessions/sessions.module';
import { SubscribersModule } from './subscribers/subscribers.module';
import { SuppressionsModule } from './suppressions/suppressions.module';
import { TenantsModule } from './tenants/tenants.module';
import { TopicsModule } from './topics/topics.module';
import { PromotionModule } from './promotion/promotion.module';
import { WebhookEndpointsModule } from './webhook-endpoints/webhook-endpoints.module';
import { TranslationsModule } from './translations/translations.module';
import { WorkflowsModule } from './workflows/workflows.module';

@Module({})
export class AppModule {
  static with(dependencies: GatewayDependencies): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CoreModule.with(dependencies),
        HealthModule,
        ActivityModule,
        AuditLogModule,
        BulkActionsModule,
        ChannelsModule,
        ContextsModule,
        EmailLinksModule,
        EnvironmentVariablesModule,
        EnvironmentsModule,
        EventsModule,
        MaintenanceModule,
        FeedModule,
        HoldsModule,
        InboundWebhooksModule,
        InboxModule,
        IntegrationsModule,
        LayoutsModule,
        MessagesModule,
        MetricsModule,
        MirrorModule,
        NotificationsModule,
        OlderClientsModule,
        OperationsModule,
        OutboxModule,
        OverviewModule,
        PreferencesModule,
        RealtimeModule,
        SessionsModule,
        SubscribersModule,
        SuppressionsModule,
        TenantsModule,
        TopicsModule,
        PromotionModule,
        WebhookEndpointsModule,
        TranslationsModule,
        WorkflowsModule,
      ],
    };
  }
}
