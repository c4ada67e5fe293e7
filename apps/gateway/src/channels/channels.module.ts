import { Module } from '@nestjs/common';
import { InboxModule } from '../inbox/inbox.module';
import { IntegrationsModule } from '../integrations/integrations.module';
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
import { InboxChannelsController } from './inbox-channels.controller';
import { OAuthFlowController } from './oauth-flow.controller';
import { OAuthFlowService } from './oauth-flow.service';
import { SetupLinks } from './setup-links';
import { SetupPageController } from './setup-page.controller';

@Module({
  imports: [InboxModule, IntegrationsModule],
  controllers: [
    ChannelConnectionsController,
    ChannelEndpointsController,
    ChatLinksController,
    ChatBotsController,
    ChatUpdatesController,
    InboxChannelsController,
    OAuthFlowController,
    SetupPageController,
  ],
  providers: [
    ChannelConnectionsService,
    ChannelEndpointsService,
    ChannelParties,
    ChatBotsService,
    ChatLinksService,
    OAuthFlowService,
    SetupLinks,
  ],
})
export class ChannelsModule {}
