import { Processor } from '@nestjs/bullmq';
import { DeliveryParts, DeliveryProcessor } from '@clarion/delivery';
import { SmsChannel } from './sms.channel';

@Processor('deliver.sms')
export class SmsProcessor extends DeliveryProcessor {
  constructor(channel: SmsChannel, parts: DeliveryParts) {
    super(channel, parts);
  }
}
