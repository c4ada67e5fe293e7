import { Module } from '@nestjs/common';
import { DeliveryModule, SmsChannel } from '@clarion/delivery';
import { SmsProcessor } from './sms.processor';

@Module({
  imports: [DeliveryModule.forChannel('sms')],
  providers: [SmsProcessor, SmsChannel],
})
export class SmsModule {}
