import { Processor } from '@nestjs/bullmq';
import { DeliveryParts, DeliveryProcessor } from '@clarion/delivery';
import { PushChannel } from './push.channel';

@Processor('deliver.push')
export class PushProcessor extends DeliveryProcessor {
  constructor(channel: PushChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
