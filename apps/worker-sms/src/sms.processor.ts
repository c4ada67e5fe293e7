import { Processor } from '@nestjs/bullmq';
import { SmsChannel, DeliveryParts, DeliveryProcessor } from '@clarion/delivery';

@Processor('deliver.sms')
export class SmsProcessor extends DeliveryProcessor {
  constructor(channel: SmsChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
