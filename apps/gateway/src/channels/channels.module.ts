import { Module, type OnApplicationShutdown } from '@nestjs/common';
import { Database } from '@clarion/persistence';
import { Config, Egress } from '@clarion/platform';
import {
  ChannelConnectionRepository,
  ChannelEndpointRepository,
  ContextRepository,
  DeliveryEventRepository,
  EnvironmentVariableRepository,
  EventLogRepository,
  HoldRepository,
  IntegrationRepository,
  SetupLinkRepository,
  SubscriberRepository,
  WebhookEndpointRepository,
  WorkflowRepository,
} from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { AudienceModule } from '../audience/audience.module';
import { InboxModule } from '../inbox/inbox.module';
import { ChannelConnectionsController } from './channel-connections.controller';
import { ChannelConnectionsService } from './channel-connections.service';
import { ChannelEndpointsController } from './channel-endpoints.controller';
import { ChannelEndpointsService } from './channel-endpoints.service';
import { ChannelParties } from './channel-parties';
import { ChatBotsController } from './chat-bots.controller';
import { ChatBotsService } from './chat-bots.service';
import { ChatLinksController } from './chat-links.controller';
import { ChatLinksService } from './chat-links.service';
import { ChatUpdatesController } from './chat-updates.controller';
import { TrackingController } from './email-links/tracking.controller';
import { TrackingService } from './email-links/tracking.service';
import { UnsubscribeController } from './email-links/unsubscribe.controller';
import { UnsubscribeService } from './email-links/unsubscribe.service';
import { CalledIntegrations } from './inbound-webhooks/called-integrations';
import { InboundWebhooksController } from './inbound-webhooks/inbound-webhooks.controller';
import { InboundWebhooksService } from './inbound-webhooks/inbound-webhooks.service';
import { InboxChannelsController } from './inbox-channels.controller';
import { EventSetUp } from './integrations/event-set-up.service';
import { IntegrationOperations } from './integrations/integration-operations.service';
import { IntegrationSettings } from './integrations/integration-settings.service';
import { IntegrationsController } from './integrations/integrations.controller';
import { IntegrationsService } from './integrations/integrations.service';
import { ProviderCatalogue } from './integrations/provider-catalogue';
import { ProvidersController } from './integrations/providers.controller';
import { OAuthFlowController } from './oauth-flow.controller';
import { OAuthFlowService } from './oauth-flow.service';
import { SetupLinks } from './setup-links';
import { SetupPageController } from './setup-page.controller';
import { EventLogController } from './webhook-endpoints/event-log.controller';
import { WebhookEndpointsController } from './webhook-endpoints/webhook-endpoints.controller';
import { WebhookEndpointsService } from './webhook-endpoints/webhook-endpoints.service';
import { WebhookReplays } from './webhook-endpoints/webhook-replays.service';

/** Ways to a person: integrations, chat connections, events of providers, links in emails, webhook endpoints. */
@Module({
  imports: [
    PersistenceModule.forFeature([
      ChannelConnectionRepository,
      ChannelEndpointRepository,
      ContextRepository,
      DeliveryEventRepository,
      EnvironmentVariableRepository,
      EventLogRepository,
      HoldRepository,
      IntegrationRepository,
      SetupLinkRepository,
      SubscriberRepository,
      WebhookEndpointRepository,
      WorkflowRepository,
    ]),
    AudienceModule,
    InboxModule,
  ],
  controllers: [
    ChannelConnectionsController,
    ChannelEndpointsController,
    ChatBotsController,
    ChatLinksController,
    ChatUpdatesController,
    EventLogController,
    InboundWebhooksController,
    InboxChannelsController,
    IntegrationsController,
    OAuthFlowController,
    ProvidersController,
    SetupPageController,
    TrackingController,
    UnsubscribeController,
    WebhookEndpointsController,
  ],
  providers: [
    CalledIntegrations,
    ChannelConnectionsService,
    ChannelEndpointsService,
    ChannelParties,
    ChatBotsService,
    ChatLinksService,
    EventSetUp,
    InboundWebhooksService,
    IntegrationOperations,
    IntegrationSettings,
    IntegrationsService,
    OAuthFlowService,
    ProviderCatalogue,
    SetupLinks,
    TrackingService,
    UnsubscribeService,
    WebhookEndpointsService,
    WebhookReplays,
    {
      provide: Egress,
      inject: [Config, Database],
      useFactory: (config: Config, database: Database) =>
        Egress.fromConfig(config, () => database.refuseWait('a call to a provider')),
    },
  ],
  exports: [Egress, IntegrationSettings, IntegrationsService],
})
export class ChannelsModule implements OnApplicationShutdown {
  constructor(private readonly egress: Egress) {}

  onApplicationShutdown(): Promise<void> {
    return this.egress.close();
  }
}
