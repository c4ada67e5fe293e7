import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { EventLogController } from './event-log.controller';
import { WebhookEndpointsController } from './webhook-endpoints.controller';
import { WebhookEndpointsService } from './webhook-endpoints.service';
import { WebhookReplays } from './webhook-replays.service';

@Module({
  imports: [IntegrationsModule],
  controllers: [WebhookEndpointsController, EventLogController],
  providers: [WebhookEndpointsService, WebhookReplays],
})
export class WebhookEndpointsModule {}
