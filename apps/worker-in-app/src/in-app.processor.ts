import { Processor } from '@nestjs/bullmq';
import { DeliveryParts, DeliveryProcessor } from '@clarion/delivery';
import { InAppChannel } from './in-app.channel';

@Processor('deliver.in_app')
export class InAppProcessor extends DeliveryProcessor {
  constructor(channel: InAppChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
