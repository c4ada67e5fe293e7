import { Processor } from '@nestjs/bullmq';
import { EmailChannel, DeliveryParts, DeliveryProcessor } from '@clarion/delivery';

@Processor('deliver.email')
export class EmailProcessor extends DeliveryProcessor {
  constructor(channel: EmailChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
