import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import {
  MarkAllMessagesDto,
  MarkMessagesDto,
  MessageActionStatusDto,
  MessageDto,
  UnseenCountDto,
  UnseenCountQuery,
} from '@clarion/contracts';
import type { KeyOwner } from '@clarion/persistence';
import { IdParam } from '../edge/http/id-param';
import { Owner } from '../edge/http/request-context';
import { RateCategory, ReadRoute, StrictInput } from '../edge/http/route-policy';
import { toInboxMessageDto } from '../activity/messages/message';
import { Operation } from '../edge/openapi/operation';
import { readButton } from './button';
import { InboxService } from './inbox.service';

/** The deprecated endpoints that SubscriberNotificationsController replaces. */
@ApiTags('subscribers')
@RateCategory('configuration')
@Controller('v1/subscribers/:subscriberId')
export class SubscriberMessagesController {
  constructor(private readonly inbox: InboxService) {}

  @ReadRoute('notifications/unseen')
  @Operation('Count the unseen in-app messages of a subscriber', { deprecated: true, type: UnseenCountDto })
  async countUnseen(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Query() { seen, limit }: UnseenCountQuery,
  ): Promise<UnseenCountDto> {
    const inbox = await this.inbox.open(owner.environmentId, subscriberId);
    const [counted] = await this.inbox.count(inbox, [{ seen: seen ?? false }], limit);
    return { count: counted!.count };
  }

  @Post('messages/mark-as')
  @Operation('Mark messages as read, unread, seen or unseen', { deprecated: true, status: 201, type: [MessageDto] })
  async markAs(@Owner() owner: KeyOwner, @Param('subscriberId') subscriberId: string, @Body() body: MarkMessagesDto) {
    const inbox = await this.inbox.open(owner.environmentId, subscriberId);
    const rows = await this.inbox.markSome(inbox, [body.messageId].flat(), body.markAs);
    return rows.map((row) => toInboxMessageDto(owner, row, inbox));
  }

  @Post('messages/mark-all')
  @StrictInput()
  @Operation('Mark all messages as read, unread, seen or unseen; returns how many changed', {
    deprecated: true,
    status: 201,
    type: Number,
  })
  async markAll(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @Body() { feedIdentifier = [], markAs }: MarkAllMessagesDto,
  ): Promise<number> {
    const inbox = await this.inbox.open(owner.environmentId, subscriberId);
    // This installation has no feeds, so no message matches a feed identifier.
    return feedIdentifier.length > 0 ? 0 : this.inbox.markAll(inbox, {}, markAs);
  }

  @Post('messages/:messageId/actions/:type')
  @Operation('Set the status of a button of a message', { deprecated: true, status: 201, type: MessageDto })
  async act(
    @Owner() owner: KeyOwner,
    @Param('subscriberId') subscriberId: string,
    @IdParam('messageId') messageId: string,
    @Param('type') type: string,
    @Body() { status, payload }: MessageActionStatusDto,
  ): Promise<MessageDto> {
    const button = readButton('type', type);
    const inbox = await this.inbox.open(owner.environmentId, subscriberId);
    const row = await this.inbox.act(inbox, messageId, status, { type: button, ...(payload && { payload }) });
    return toInboxMessageDto(owner, row, inbox);
  }
}
