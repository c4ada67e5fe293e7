import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { type Channel, CHANNELS } from '../vocabulary';
import { Children, Choice, JsonMap, Text, Texts } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';

export class ListOutboxQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default createdAt.', { optional: true }) orderBy: UnchangingOrder = 'createdAt';
  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @Text('The whole address or number.', { optional: true, maxLength: LIMITS.filterText }) to?: string;
  @Text('What came of this trigger.', { optional: true, maxLength: 512 }) transactionId?: string;

  @Text('Part of a recipient, the subject or the text, in any case.', { optional: true, maxLength: LIMITS.filterText })
  search?: string;
}

export class OutboxMessageDto {
  @Text('The id of the message.') _id!: string;
  @Text() _environmentId!: string;
  @Choice(CHANNELS) channel!: Channel;
  @Text('Absent when the message was deleted.', { optional: true }) _notificationId?: string;
  @Text() providerId!: string;
  @Texts('Addresses or numbers; a chat channel where one was named.') to!: string[];
  @Text({ optional: true }) subject?: string;
  @Text({ optional: true }) html?: string;
  @Text({ optional: true }) text?: string;
  @JsonMap('What else belongs to it: sender, copies, headers, names and sizes of attachments.') more!: JsonObject;
  @Text('Shows the message in a browser, without a key, for 15 minutes.') previewUrl!: string;
  @Text() createdAt!: string;
}

export class OutboxListDto extends CursorEnvelope {
  @Children(() => OutboxMessageDto) data!: OutboxMessageDto[];
}
