import { Controller, Get, Param } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { EventSummaryDto } from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { Owner } from '../../edge/http/request-context';
import { Scope } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { NotificationsService } from './notifications.service';

@ApiTags('events')
@Controller('v1/events')
export class EventSummaryController {
  constructor(private readonly notifications: NotificationsService) {}

  @Get(':transactionId/summary')
  @Scope('read', 'trigger')
  @Operation('Count the steps of one transaction by channel, status and reason', { type: EventSummaryDto })
  retrieve(@Owner() owner: KeyOwner, @Param('transactionId') transactionId: string) {
    return this.notifications.summary(owner, transactionId);
  }
}
