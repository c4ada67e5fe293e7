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
  @ApiOperation({ summary: 'List all events: one per subscriber and trigger' })
  @Answers({ type: NotificationListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListNotificationsQuery) {
    return this.notifications.list(owner, query);
  }

  @Post('replay')
  @HttpCode(200)
  @ApiOperation({ summary: 'Replay failed steps; with `dryRun`, which is the default, only count them' })
  @Answers({ type: ReplayResultDto })
  replay(@Owner() owner: KeyOwner, @Body() body: ReplayDto) {
    return this.replays.replay(owner, body);
  }

  @Get(':notificationId')
  @Scope('read')
  @ApiOperation({ summary: 'Retrieve an event with its steps and their execution details' })
  @Answers({ type: NotificationDto })
  retrieve(@Owner() owner: KeyOwner, @IdParam('notificationId') notificationId: NotificationId) {
    return this.notifications.retrieve(owner, notificationId);
  }
}
