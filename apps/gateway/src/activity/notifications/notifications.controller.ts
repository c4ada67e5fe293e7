import { Body, Controller, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  ListNotificationsQuery,
  NotificationComparisonDto,
  NotificationDto,
  type NotificationId,
  NotificationListDto,
  NotificationMessagesDto,
  NotificationMessagesQuery,
  NotificationRulesDto,
  ReplayDto,
  ReplayResultDto,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../../edge/http/id-param';
import { Owner } from '../../edge/http/request-context';
import { FromReplica, ReadRoute, StrictInput, TenantWork } from '../../edge/http/route-policy';
import { Operation } from '../../edge/openapi/operation';
import { EvidenceService } from './evidence.service';
import { NotificationsService } from './notifications.service';
import { ReplayService } from './replay.service';

@ApiTags('notifications')
@Controller('v1/notifications')
export class NotificationsController {
  constructor(
    private readonly notifications: NotificationsService,
    private readonly replays: ReplayService,
    private readonly evidence: EvidenceService,
  ) {}

  @ReadRoute()
  @FromReplica()
  @Operation('List all events: one per subscriber and trigger', { type: NotificationListDto })
  list(@Owner() owner: KeyOwner, @Query() query: ListNotificationsQuery) {
    return this.notifications.list(owner, query);
  }

  @Post('replay')
  @StrictInput()
  @Operation('Replay failed steps; with `dryRun`, which is the default, only count them', { type: ReplayResultDto })
  replay(@Owner() owner: KeyOwner, @Body() body: ReplayDto) {
    return this.replays.replay(owner, body);
  }

  @ReadRoute(':notificationId')
  @Operation('Retrieve an event with its steps and their execution details', { type: NotificationDto })
  retrieve(@Owner() owner: KeyOwner, @IdParam('notificationId') notificationId: NotificationId) {
    return this.notifications.retrieve(owner, notificationId);
  }

  @ReadRoute(':notificationId/messages')
  @TenantWork('always')
  @Operation('List the messages of an event as they were sent', {
    description:
      'Contents, addresses and the answers of the providers as they were recorded. With `today=true` the current ' +
      'workflow is also rendered with the same payload and subscriber; nothing is sent.',
    type: NotificationMessagesDto,
  })
  messages(
    @Owner() owner: KeyOwner,
    @IdParam('notificationId') notificationId: NotificationId,
    @Query() query: NotificationMessagesQuery,
  ) {
    return this.evidence.messages(owner, notificationId, query.today === true);
  }

  @ReadRoute(':notificationId/rules')
  @TenantWork('always')
  @Operation('List the rules that decided about the steps of an event', {
    description:
      'Each rule says whether it comes from the record or was evaluated again, for the time of the event with the ' +
      'workflow, subscriber and integrations of today.',
    type: NotificationRulesDto,
  })
  rules(@Owner() owner: KeyOwner, @IdParam('notificationId') notificationId: NotificationId) {
    return this.evidence.rules(owner, notificationId);
  }

  @ReadRoute(':notificationId/comparison')
  @Operation('Compare an event with the last good run of its workflow', {
    description:
      'The last earlier event of the workflow, among its 500 before this one, in which a channel step succeeded and ' +
      'no step failed or is open: payload, version, providers and durations.',
    type: NotificationComparisonDto,
  })
  comparison(@Owner() owner: KeyOwner, @IdParam('notificationId') notificationId: NotificationId) {
    return this.evidence.comparison(owner, notificationId);
  }
}
