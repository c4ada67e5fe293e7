import { Module } from '@nestjs/common';
import { DeliveryModule, InAppChannel } from '@clarion/delivery';
import { InAppProcessor } from './in-app.processor';

@Module({
  imports: [DeliveryModule.forChannel('in_app')],
  providers: [InAppProcessor, InAppChannel],
})
export class InAppModule {}
