import { Module } from '@nestjs/common';
import { NotificationsController } from './notifications.controller';
import { NotificationsService } from './notifications.service';
import { ReplayService } from './replay.service';

@Module({ controllers: [NotificationsController], providers: [NotificationsService, ReplayService] })
export class NotificationsModule {}
