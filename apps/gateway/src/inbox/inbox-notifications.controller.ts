import { Body, Controller, Delete, Get, Patch, Post, Query, Req } from '@nestjs/common';
import {
  InboxActionTypeDto,
  InboxCountDto,
  InboxCountQuery,
  InboxItemDto,
  InboxListDto,
  InboxQuery,
  InboxSelectionDto,
  LIMITS,
  MarkSeenDto,
  type MessageMark,
  SnoozeDto,
} from '@clarion/contracts';
import type { InboxFilter, InboxMessage } from '@clarion/persistence';
import type { FastifyRequest } from 'fastify';
import { IdParam } from '../edge/http/id-param';
import { AllowsUnsigned, StrictInput } from '../edge/http/route-policy';
import { InboxOperation } from '../edge/openapi/operation';
import { type QueryValues, readCountFilters, readTagGroups, toInboxFilter } from './inbox-filters';
import { toInboxItem } from './inbox-item';
import { InboxRoutes, OwnInbox } from './inbox.guard';
import { type Inbox, InboxService } from './inbox.service';

const SELECTION = 'Without `tags` and `data`, all that are not snoozed.';

/** The same operations as SubscriberNotificationsController has for a backend. */
@InboxRoutes()
@Controller('v1/inbox/notifications')
export class InboxNotificationsController {
  constructor(private readonly inboxes: InboxService) {}

  @Get()
  @AllowsUnsigned()
  @InboxOperation('List the notifications of the inbox, latest first', {
    description: 'Shows messages of exactly the contexts of the session. `tags[0][]=a&tags[1][]=b` means a and b.',
    type: InboxListDto,
    isEnvelope: true,
  })
  list(@OwnInbox() inbox: Inbox, @Query() query: InboxQuery, @Req() request: FastifyRequest): Promise<InboxListDto> {
    return this.inboxes.list(inbox, { ...query, tags: query.tags ?? readTagGroups(request.query as QueryValues) });
  }

  @Get('count')
  @AllowsUnsigned()
  @InboxOperation('Count the notifications of the inbox by several filters at once', {
    description: `\`filters\` is a JSON list. Each count stops at ${LIMITS.inboxCount}.`,
    type: [InboxCountDto],
  })
  async count(@OwnInbox() inbox: Inbox, @Query() { filters }: InboxCountQuery): Promise<InboxCountDto[]> {
    return this.inboxes.count(inbox, readCountFilters(filters));
  }

  @Post('read')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Mark all notifications of the inbox as read', { description: SELECTION, status: 204 })
  readAll(@OwnInbox() inbox: Inbox, @Body() body: InboxSelectionDto): Promise<void> {
    return this.markAll(inbox, toInboxFilter(body), 'read');
  }

  @Post('archive')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Archive all notifications of the inbox', { description: SELECTION, status: 204 })
  archiveAll(@OwnInbox() inbox: Inbox, @Body() body: InboxSelectionDto): Promise<void> {
    return this.markAll(inbox, toInboxFilter(body), 'archived');
  }

  @Post('read-archive')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Archive the notifications of the inbox that have been read', { description: SELECTION, status: 204 })
  archiveRead(@OwnInbox() inbox: Inbox, @Body() body: InboxSelectionDto): Promise<void> {
    return this.markAll(inbox, { ...toInboxFilter(body), read: true }, 'archived');
  }

  @Post('seen')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Mark notifications of the inbox as seen: all, or the named ones', {
    description: SELECTION,
    status: 204,
  })
  seeAll(@OwnInbox() inbox: Inbox, @Body() body: MarkSeenDto): Promise<void> {
    return this.markAll(inbox, { ...toInboxFilter(body), ids: body.notificationIds }, 'seen');
  }

  @Post('delete')
  @StrictInput()
  @InboxOperation('Delete all notifications of the inbox', {
    description: 'All, or those with `tags` or `data`.',
    status: 204,
  })
  async deleteAll(@OwnInbox() inbox: Inbox, @Body() body: InboxSelectionDto): Promise<void> {
    await this.inboxes.deleteAll(inbox, toInboxFilter(body));
  }

  @Delete(':messageId/delete')
  @InboxOperation('Delete a notification of the inbox', { description: 'It cannot be brought back.', status: 204 })
  delete(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<void> {
    return this.inboxes.delete(inbox, messageId);
  }

  @Patch(':messageId/read')
  @AllowsUnsigned()
  @InboxOperation('Mark a notification of the inbox as read', {
    description: 'It is also marked as seen.',
    type: InboxItemDto,
  })
  read(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.mark(inbox, messageId, 'read'));
  }

  @Patch(':messageId/unread')
  @AllowsUnsigned()
  @InboxOperation('Mark a notification of the inbox as unread', {
    description: 'It is no longer archived.',
    type: InboxItemDto,
  })
  unread(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.mark(inbox, messageId, 'unread'));
  }

  @Patch(':messageId/archive')
  @AllowsUnsigned()
  @InboxOperation('Archive a notification of the inbox', {
    description: 'It is also marked as read.',
    type: InboxItemDto,
  })
  archive(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.mark(inbox, messageId, 'archived'));
  }

  @Patch(':messageId/unarchive')
  @AllowsUnsigned()
  @InboxOperation('Unarchive a notification of the inbox', { description: 'It stays read.', type: InboxItemDto })
  unarchive(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.mark(inbox, messageId, 'unarchived'));
  }

  @Patch(':messageId/snooze')
  @AllowsUnsigned()
  @InboxOperation('Snooze a notification of the inbox: it arrives again at that time', {
    description: `\`snoozeUntil\` is in the future, at most ${LIMITS.snoozeDays} days from now; otherwise 422.`,
    type: InboxItemDto,
  })
  snooze(
    @OwnInbox() inbox: Inbox,
    @IdParam('messageId') messageId: string,
    @Body() { snoozeUntil }: SnoozeDto,
  ): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.snooze(inbox, messageId, snoozeUntil));
  }

  @Patch(':messageId/unsnooze')
  @AllowsUnsigned()
  @InboxOperation('End the snooze of a notification of the inbox', {
    description: 'It is shown again at once.',
    type: InboxItemDto,
  })
  unsnooze(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.unsnooze(inbox, messageId));
  }

  @Patch(':messageId/complete')
  @InboxOperation('Mark a button of a notification of the inbox as used', {
    description: 'A notification without this button: 400.',
    type: InboxItemDto,
  })
  complete(
    @OwnInbox() inbox: Inbox,
    @IdParam('messageId') messageId: string,
    @Body() { actionType: type }: InboxActionTypeDto,
  ): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.act(inbox, messageId, 'done', { type }));
  }

  @Patch(':messageId/revert')
  @InboxOperation('Mark a button of a notification of the inbox as not used', {
    description: 'A notification without this button: 400.',
    type: InboxItemDto,
  })
  revert(
    @OwnInbox() inbox: Inbox,
    @IdParam('messageId') messageId: string,
    @Body() { actionType: type }: InboxActionTypeDto,
  ): Promise<InboxItemDto> {
    return this.shown(inbox, this.inboxes.act(inbox, messageId, 'pending', { type }));
  }

  private async shown({ subscriber }: Inbox, change: Promise<InboxMessage>): Promise<InboxItemDto> {
    return toInboxItem(await change, subscriber);
  }

  private async markAll(inbox: Inbox, filter: InboxFilter, mark: MessageMark): Promise<void> {
    await this.inboxes.markAll(inbox, filter, mark);
  }
}
