import { Module } from '@nestjs/common';
import { DeliveryModule, PushChannel } from '@clarion/delivery';
import { PushProcessor } from './push.processor';

@Module({
  imports: [DeliveryModule.forChannel('push')],
  providers: [PushProcessor, PushChannel],
})
export class PushModule {}
