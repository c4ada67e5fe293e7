import { Body, Controller, Get, HttpCode, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import {
  ListNotificationsQuery,
  NotificationDto,
  type NotificationId,
  NotificationListDto,
  ReplayDto,
  ReplayResultDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../http/id-param';
import { Owner } from '../http/request-context';
import { Scope } from '../http/route-policy';
import { Answers } from '../openapi/answers';
import { NotificationsService } from './notifications.service';
import { ReplayService } from './replay.service';

@ApiTags('notifications')
@Controller('v1/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly replays: ReplayService,
  ) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: 'List all events: one for each subscriber of each trigger' })
  @Answers({ type: NotificationListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListNotificationsQuery) {
    return this.notifications.list(owner, query);
  }

  @Post('replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Run again what failed; first, and unless told otherwise, only count it' })
  @Answers({ type: ReplayResultDto })
  replay(@Owner() owner: KeyOwner, @Body() body: ReplayDto) {
    return this.replays.replay(owner, body);
  }

  @Get(':notificationId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve an event with its steps and the record of each' })
  @Answers({ type: NotificationDto })
  retrieve(@Owner() owner: KeyOwner, @IdParam('notificationId') notificationId: NotificationId) {
    return this.notifications.retrieve(owner, notificationId);
  }
}
