import { Module } from '@nestjs/common';
import { DeliveryModule, EmailChannel, EmailLinks, LayoutDirectory } from '@clarion/delivery';
import { AttachmentRepository, LayoutRepository } from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { EmailProcessor } from './email.processor';

@Module({
  imports: [DeliveryModule.forChannel('email'), PersistenceModule.forFeature([AttachmentRepository, LayoutRepository])],
  providers: [EmailProcessor, EmailChannel, EmailLinks, LayoutDirectory],
})
export class EmailModule {}
