import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import {
  DomainError,
  FeedDto,
  FeedQuery,
  MarkMessagesDto,
  MarkWidgetMessagesDto,
  MessageActionStatusDto,
  MessageDto,
  type MessageMark,
  UnseenCountDto,
  WidgetCountQuery,
  WidgetFeedDto,
  WidgetFeedQuery,
  WidgetIdsDto,
} from '@clarion/contracts';
import type { InboxMessage } from '@clarion/persistence';
import { FeedService } from '../activity/feed/feed.service';
import { IdParam } from '../edge/http/id-param';
import { toInboxMessageDto } from '../activity/messages/message';
import { AllowsUnsigned, StrictInput } from '../edge/http/route-policy';
import { InboxOperation } from '../edge/openapi/operation';
import { readButton } from './button';
import { InboxRoutes, OwnInbox } from './inbox.guard';
import { type Inbox, InboxService } from './inbox.service';
import { markOf } from './widget-forms';

const OLDER = {
  description: 'For older clients. The notifications of the inbox have the same operation.',
  deprecated: true,
};

/** What `@novu/headless` calls: other names for the operations of the inbox. */
@InboxRoutes()
@Controller('v1/widgets')
export class WidgetMessagesController {
  constructor(
    private readonly inboxes: InboxService,
    private readonly feeds: FeedService,
  ) {}

  @Get('notifications/feed')
  @AllowsUnsigned()
  @InboxOperation('List the messages of the inbox in numbered pages', { ...OLDER, type: FeedDto, isEnvelope: true })
  async feed(@OwnInbox() inbox: Inbox, @Query() query: FeedQuery): Promise<FeedDto> {
    // A filter would tell by trial what the response does not.
    if (query.payload && !inbox.isSigned) {
      throw new DomainError('forbidden', 'This inbox session is unsigned and may not search payloads');
    }
    const page = await this.feeds.listOf(inbox, inbox.subscriber, query, inbox.contextKeys);
    return { ...page, data: page.data.map(onPage(inbox)) };
  }

  @Get('notifications/unseen')
  @AllowsUnsigned()
  @InboxOperation('Count the unseen messages of the inbox', { ...OLDER, type: UnseenCountDto })
  countUnseen(@OwnInbox() inbox: Inbox, @Query() query: WidgetCountQuery): Promise<UnseenCountDto> {
    return this.count(inbox, { ...query, seen: query.seen ?? false });
  }

  @Get('notifications/unread')
  @AllowsUnsigned()
  @InboxOperation('Count the unread messages of the inbox', { ...OLDER, type: UnseenCountDto })
  countUnread(@OwnInbox() inbox: Inbox, @Query() query: WidgetCountQuery): Promise<UnseenCountDto> {
    return this.count(inbox, { ...query, read: query.read ?? false });
  }

  @Get('notifications/count')
  @AllowsUnsigned()
  @InboxOperation('Count the messages of the inbox', { ...OLDER, type: UnseenCountDto })
  async count(@OwnInbox() inbox: Inbox, @Query() { limit, ...filter }: WidgetCountQuery): Promise<UnseenCountDto> {
    const [counted] = await this.inboxes.count(inbox, [filter], limit);
    return { count: counted!.count };
  }

  @Post('messages/markAs')
  @AllowsUnsigned()
  @InboxOperation('Mark messages of the inbox as read or seen, or not', { ...OLDER, status: 201, type: [MessageDto] })
  mark(@OwnInbox() inbox: Inbox, @Body() { messageId, mark }: MarkWidgetMessagesDto): Promise<MessageDto[]> {
    return this.markSome(inbox, messageId, markOf(mark));
  }

  @Post('messages/mark-as')
  @AllowsUnsigned()
  @InboxOperation('Mark messages of the inbox by the name of a mark', { ...OLDER, status: 201, type: [MessageDto] })
  markAs(@OwnInbox() inbox: Inbox, @Body() { messageId, markAs }: MarkMessagesDto): Promise<MessageDto[]> {
    return this.markSome(inbox, messageId, markAs);
  }

  @Post('messages/read')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Mark all messages as read; returns how many changed', { ...OLDER, status: 201, isCount: true })
  readAll(@OwnInbox() inbox: Inbox, @Body() feed: WidgetFeedDto): Promise<number> {
    return this.markAll(inbox, feed, 'read');
  }

  @Post('messages/seen')
  @AllowsUnsigned()
  @StrictInput()
  @InboxOperation('Mark all messages as seen; returns how many changed', { ...OLDER, status: 201, isCount: true })
  seeAll(@OwnInbox() inbox: Inbox, @Body() feed: WidgetFeedDto): Promise<number> {
    return this.markAll(inbox, feed, 'seen');
  }

  @Post('messages/bulk/delete')
  @InboxOperation('Delete several messages of the inbox', { ...OLDER, status: 204 })
  async deleteSome(@OwnInbox() inbox: Inbox, @Body() { messageIds }: WidgetIdsDto): Promise<void> {
    await this.inboxes.deleteAll(inbox, { ids: messageIds });
  }

  @Post('messages/:messageId/actions/:type')
  @InboxOperation('Set the status of a button of a message', { ...OLDER, status: 201, type: MessageDto })
  async act(
    @OwnInbox() inbox: Inbox,
    @IdParam('messageId') messageId: string,
    @Param('type') type: string,
    @Body() { status, payload }: MessageActionStatusDto,
  ): Promise<MessageDto> {
    const result = { type: readButton('type', type), ...(payload && { payload }) };
    return shown(inbox)(await this.inboxes.act(inbox, messageId, status, result));
  }

  @Delete('messages')
  @StrictInput()
  @InboxOperation('Delete all messages of the inbox', { ...OLDER, status: 204 })
  async deleteAll(@OwnInbox() inbox: Inbox, @Query() { feedId }: WidgetFeedQuery): Promise<void> {
    if (feedId === undefined) await this.inboxes.deleteAll(inbox, {});
  }

  @Delete('messages/:messageId')
  @InboxOperation('Delete a message of the inbox', { ...OLDER, status: 204 })
  delete(@OwnInbox() inbox: Inbox, @IdParam('messageId') messageId: string): Promise<void> {
    return this.inboxes.delete(inbox, messageId);
  }

  private async markSome(inbox: Inbox, messageId: string | string[], mark: MessageMark): Promise<MessageDto[]> {
    return (await this.inboxes.markSome(inbox, [messageId].flat(), mark)).map(shown(inbox));
  }

  private markAll(inbox: Inbox, { feedId }: WidgetFeedDto, mark: MessageMark): Promise<number> {
    return feedId === undefined ? this.inboxes.markAll(inbox, {}, mark) : Promise.resolve(0);
  }
}

/** A subscriber sees its messages as a key of the scope `read` does. */
const shown =
  (inbox: Inbox) =>
  (row: InboxMessage): MessageDto =>
    onPage(inbox)(toInboxMessageDto({ ...inbox, scope: 'read' }, row, inbox));

/** Overrides and payload have values of other channels, such as codes. Signed pages of older clients use the latter. */
const onPage =
  ({ isSigned }: Inbox) =>
  <T extends Pick<MessageDto, 'payload' | 'overrides'>>({ overrides: _, payload, ...shown }: T) =>
    ({ ...shown, ...(isSigned && payload && { payload }) }) as T;
