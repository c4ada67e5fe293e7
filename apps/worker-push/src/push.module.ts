import { Module } from '@nestjs/common';
import { DeliveryModule } from '@clarion/delivery';
import { PushChannel } from './push.channel';
import { PushProcessor } from './push.processor';

@Module({
  imports: [DeliveryModule.forChannel('push')],
  providers: [PushProcessor, PushChannel],
})
export class PushModule {}
