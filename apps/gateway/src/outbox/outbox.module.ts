import { Module } from '@nestjs/common';
import { OutboxController } from './outbox.controller';
import { OutboxLinkController } from './outbox-link.controller';
import { OutboxService } from './outbox.service';

@Module({ controllers: [OutboxController, OutboxLinkController], providers: [OutboxService] })
export class OutboxModule {}
