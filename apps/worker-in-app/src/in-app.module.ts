import { Module } from '@nestjs/common';
import { DeliveryModule } from '@clarion/delivery';
import { InAppChannel } from './in-app.channel';
import { InAppProcessor } from './in-app.processor';

@Module({
  imports: [DeliveryModule.forChannel('in_app')],
  providers: [InAppProcessor, InAppChannel],
})
export class InAppModule {}
