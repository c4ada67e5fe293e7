import { Module } from '@nestjs/common';
import { DeliveryModule } from '@clarion/delivery';
import { AttachmentRepository, LayoutRepository } from '@clarion/persistence';
import { PersistenceModule } from '@clarion/runtime';
import { AttachedFiles } from './attached-files';
import { EmailChannel } from './email.channel';
import { EmailLinks } from './email-links';
import { LayoutDirectory } from './layout-directory';
import { EmailProcessor } from './email.processor';

@Module({
  imports: [DeliveryModule.forChannel('email'), PersistenceModule.forFeature([AttachmentRepository, LayoutRepository])],
  providers: [EmailProcessor, EmailChannel, AttachedFiles, EmailLinks, LayoutDirectory],
})
export class EmailModule {}
