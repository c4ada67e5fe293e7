import { Processor } from '@nestjs/bullmq';
import { InAppChannel, DeliveryParts, DeliveryProcessor } from '@clarion/delivery';

@Processor('deliver.in_app')
export class InAppProcessor extends DeliveryProcessor {
  constructor(channel: InAppChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
