import { Module } from '@nestjs/common';
import { DeliveryModule } from '@clarion/delivery';
import { SmsChannel } from './sms.channel';
import { SmsProcessor } from './sms.processor';

@Module({
  imports: [DeliveryModule.forChannel('sms')],
  providers: [SmsProcessor, SmsChannel],
})
export class SmsModule {}
