import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
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
import { RateCategory, Scope, StrictInput } from '../edge/http/route-policy';
import { Answers } from '../edge/openapi/answers';
import { readButton } from './button';
import { readCountFilters, toInboxFilter } from './inbox-filters';
import { toInboxItem } from './inbox-item';
import { type InboxScope, InboxService } from './inbox.service';

/**
 * Endpoints for the in-app messages of a subscriber. The interface calls them notifications; the id is the message id.
 */
@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v2/subscribers/:subscriberId/notifications')
export class SubscriberNotificationsController {
  constructor(private readonly inbox: InboxService) {}

  @Get()
  @Scope('read')
  @ApiOperation({ summary: "List a subscriber's notifications, latest first" })
  @Answers({ type: InboxListDto })
  async list(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: InboxQuery) {
    return this.inbox.list(await this.inbox.open(owner.environmentId, subscriberId), query);
  }

  @Get('count')
  @Scope('read')
  @ApiOperation({ summary: "Count a subscriber's notifications by several filters at once" })
  @Answers({ type: [InboxCountDto] })
  async count(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Query() query: InboxCountQuery) {
    const filters = readCountFilters(query.filters);
    return this.inbox.count(await this.inbox.open(owner.environmentId, subscriberId), filters);
  }

  @Post('read')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Mark all notifications as read, or those with these tags or data' })
  @Answers({ status: 204, description: 'No Content' })
  readAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, toInboxFilter(body), 'read');
  }

  @Post('archive')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Archive all notifications, or those with these tags or data' })
  @Answers({ status: 204, description: 'No Content' })
  archiveAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, toInboxFilter(body), 'archived');
  }

  @Post('read-archive')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Archive all notifications that have been read' })
  @Answers({ status: 204, description: 'No Content' })
  archiveRead(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: InboxSelectionDto) {
    return this.markAll(owner, subscriberId, { ...toInboxFilter(body), read: true }, 'archived');
  }

  @Post('seen')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Mark all notifications as seen, or the named ones' })
  @Answers({ status: 204, description: 'No Content' })
  seeAll(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: MarkSeenDto) {
    return this.markAll(owner, subscriberId, { ...toInboxFilter(body), ids: body.notificationIds }, 'seen');
  }

  @Post('delete')
  @StrictInput()
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete all notifications, or those with these tags or data' })
  @Answers({ status: 204, description: 'No Content' })
  async deleteAll(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Body() body: InboxSelectionDto,
  ) {
    const filter = toInboxFilter(body);
    await this.inbox.deleteAll(await this.inbox.open(owner.environmentId, subscriberId), filter);
  }

  @Delete(':messageId')
  @HttpCode(204)
  @ApiOperation({ summary: 'Delete a notification' })
  @Answers({ status: 204, description: 'No Content' })
  async delete(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() { contextKeys }: InboxContextsQuery,
  ) {
    await this.inbox.delete(await this.inbox.open(owner.environmentId, subscriberId, contextKeys), messageId);
  }

  @Patch(':messageId/read')
  @ApiOperation({ summary: 'Mark a notification as read' })
  @Answers({ type: InboxItemDto })
  read(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'read'));
  }

  @Patch(':messageId/unread')
  @ApiOperation({ summary: 'Mark a notification as unread' })
  @Answers({ type: InboxItemDto })
  unread(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'unread'));
  }

  @Patch(':messageId/archive')
  @ApiOperation({ summary: 'Archive a notification' })
  @Answers({ type: InboxItemDto })
  archive(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'archived'));
  }

  @Patch(':messageId/unarchive')
  @ApiOperation({ summary: 'Unarchive a notification' })
  @Answers({ type: InboxItemDto })
  unarchive(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.mark(inbox, messageId, 'unarchived'));
  }

  @Patch(':messageId/snooze')
  @ApiOperation({ summary: 'Snooze a notification: it arrives again at that time' })
  @Answers({ type: InboxItemDto })
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
  @ApiOperation({ summary: 'Unsnooze a notification' })
  @Answers({ type: InboxItemDto })
  unsnooze(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Query() query: InboxContextsQuery,
  ) {
    return this.change(owner, subscriberId, query, (inbox) => this.inbox.unsnooze(inbox, messageId));
  }

  @Patch(':messageId/actions/:actionType/complete')
  @ApiOperation({ summary: 'Mark a button as used by the subscriber' })
  @Answers({ type: InboxItemDto })
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
  @ApiOperation({ summary: 'Mark a button as not used' })
  @Answers({ type: InboxItemDto })
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
