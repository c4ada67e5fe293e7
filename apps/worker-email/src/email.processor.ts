import { Processor } from '@nestjs/bullmq';
import { DeliveryParts, DeliveryProcessor } from '@clarion/delivery';
import { EmailChannel } from './email.channel';

@Processor('deliver.email')
export class EmailProcessor extends DeliveryProcessor {
  constructor(channel: EmailChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
