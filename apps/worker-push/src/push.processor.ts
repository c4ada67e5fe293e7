import { Processor } from '@nestjs/bullmq';
import { PushChannel, DeliveryParts, DeliveryProcessor } from '@clarion/delivery';

@Processor('deliver.push')
export class PushProcessor extends DeliveryProcessor {
  constructor(channel: PushChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
