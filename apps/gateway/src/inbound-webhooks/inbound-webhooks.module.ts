import { Module } from '@nestjs/common';
import { IntegrationsModule } from '../integrations/integrations.module';
import { InboundWebhooksController } from './inbound-webhooks.controller';
import { InboundWebhooksService } from './inbound-webhooks.service';

@Module({
  imports: [IntegrationsModule],
  controllers: [InboundWebhooksController],
  providers: [InboundWebhooksService],
})
export class InboundWebhooksModule {}
