import { Body, Controller, Delete, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  InboxContextsQuery,
  InboxCountDto,
  InboxCountQuery,
  InboxItemDto,
  InboxListDto,
  InboxQuery,
  InboxSelectionDto,
  MarkSeenDto,
  type MessageMark,
  SnoozeDto,
} from '@clarion/contracts';
import type { InboxFilter, InboxMessage, KeyOwner } from '@clarion/persistence';
import { IdParam } from '../edge/http/id-param';
import { Owner } from '../edge/http/request-context';
import { RateCategory, ReadRoute, StrictInput } from '../edge/http/route-policy';
import { Operation } from '../edge/openapi/operation';
import { readButton } from './button';
import { readCountFilters, toInboxFilter } from './inbox-filters';
import { toInboxItem } from './inbox-item';
import { type InboxScope, InboxService } from './inbox.service';

/** The in-app messages of a subscriber. The interface calls them notifications; the id is the message id. */
@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v2/subscribers/:subscriberId/notifications')
export class SubscriberNotificationsController {
  constructor(private readonly inbox: InboxService) {}

  @ReadRoute()
  @Operation("List a subscriber's notifications, latest first", { type: InboxListDto })
  async list(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: InboxQuery) {
    return this.inbox.list(await this.inbox.open(owner.environmentId, subscriberId), query);
  }

  @ReadRoute('count')
  @Operation("Count a subscriber's notifications by several filters at once", { type: [InboxCountDto] })
  async count(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: InboxCountQuery) {
    const filters = readCountFilters(query.filters);
    return this.inbox.count(await this.inbox.open(owner.environmentId, subscriberId), filters);
  }

  @Post('read')
  @StrictInput()
  @Operation('Mark all notifications as read, or those with these tags or data', { status: 204 })
  readAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, toInboxFilter(body), 'read');
  }

  @Post('archive')
  @StrictInput()
  @Operation('Archive all notifications, or those with these tags or data', { status: 204 })
  archiveAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, toInboxFilter(body), 'archived');
  }

  @Post('read-archive')
  @StrictInput()
  @Operation('Archive all notifications that have been read', { status: 204 })
  archiveRead(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, { ...toInboxFilter(body), read: true }, 'archived');
  }

  @Post('seen')
  @StrictInput()
  @Operation('Mark all notifications as seen, or the named ones', { status: 204 })
  seeAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: MarkSeenDto) {
    return this.markAll(owner, subscriberId, { ...toInboxFilter(body), ids: body.notificationIds }, 'seen');
  }

  @Post('delete')
  @StrictInput()
  @Operation('Delete all notifications, or those with these tags or data', { status: 204 })
  async deleteAll(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Body() body: InboxSelectionDto,
  ) {
    const filter = toInboxFilter(body);
    await this.inbox.deleteAll(await this.inbox.open(owner.environmentId, subscriberId), filter);
  }

  @Delete(':messageId')
  @Operation('Delete a notification', { status: 204 })
  async delete(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() { contextKeys }: InboxContextsQuery,
  ) {
    await this.inbox.delete(await this.inbox.open(owner.environmentId, subscriberId, contextKeys), messageId);
  }

  @Patch(':messageId/read')
  @Operation('Mark a notification as read', { type: InboxItemDto })
  read(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'read'));
  }

  @Patch(':messageId/unread')
  @Operation('Mark a notification as unread', { type: InboxItemDto })
  unread(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'unread'));
  }

  @Patch(':messageId/archive')
  @Operation('Archive a notification', { type: InboxItemDto })
  archive(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'archived'));
  }

  @Patch(':messageId/unarchive')
  @Operation('Unarchive a notification', { type: InboxItemDto })
  unarchive(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'unarchived'));
  }

  @Patch(':messageId/snooze')
  @Operation('Snooze a notification: it arrives again at that time', { type: InboxItemDto })
  snooze(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
    @Body() { snoozeUntil }: SnoozeDto,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.snooze(inbox, messageId, snoozeUntil));
  }

  @Patch(':messageId/unsnooze')
  @Operation('Unsnooze a notification', { type: InboxItemDto })
  unsnooze(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.unsnooze(inbox, messageId));
  }

  @Patch(':messageId/actions/:actionType/complete')
  @Operation('Mark a button as used by the subscriber', { type: InboxItemDto })
  completeAction(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Param('actionType') actionType: string,
    @Query() query: InboxContextsQuery,
  ) {
    const type = readButton('actionType', actionType);
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.act(inbox, messageId, 'done', { type }));
  }

  @Patch(':messageId/actions/:actionType/revert')
  @Operation('Mark a button as not used', { type: InboxItemDto })
  revertAction(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Param('actionType') actionType: string,
    @Query() query: InboxContextsQuery,
  ) {
    const type = readButton('actionType', actionType);
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.act(inbox, messageId, 'pending', { type }));
  }

  private async change(
    owner: KeyOwner,
    subscriberId: string,
    { contextKeys }: InboxContextsQuery,
    work: (inbox: InboxScope) => Promise<InboxMessage>,
  ): Promise<InboxItemDto> {
    const inbox = await this.inbox.open(owner.environmentId, subscriberId, contextKeys);
    return toInboxItem(await work(inbox), inbox.subscriber);
  }

  private async markAll(owner: KeyOwner, subscriberId: string, filter: InboxFilter, mark: MessageMark): Promise<void> {
    await this.inbox.markAll(await this.inbox.open(owner.environmentId, subscriberId), filter, mark);
  }
}
