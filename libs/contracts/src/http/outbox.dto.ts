import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { type Channel, CHANNELS } from '../vocabulary';
import { Children, Choice, JsonMap, Text, Texts } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';

export class ListOutboxQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, { optional: true, description: 'Default createdAt.' })
  orderBy: UnchangingOrder = 'createdAt';

  @Choice(CHANNELS, { optional: true }) channel?: Channel;

  @Text({ optional: true, maxLength: LIMITS.filterText, description: 'The whole address or number.' })
  to?: string;

  @Text({ optional: true, maxLength: 512, description: 'What came of this trigger.' })
  transactionId?: string;

  @Text({
    optional: true,
    maxLength: LIMITS.filterText,
    description: 'Part of a recipient, the subject or the text, in any case.',
  })
  search?: string;
}

export class OutboxMessageDto {
  @Text({ description: 'The id of the message.' }) _id!: string;
  @Text() _environmentId!: string;
  @Choice(CHANNELS) channel!: Channel;
  @Text({ optional: true, description: 'Absent when the message was deleted.' }) _notificationId?: string;
  @Text() providerId!: string;
  @Texts({ description: 'Addresses or numbers; a chat channel where one was named.' }) to!: string[];
  @Text({ optional: true }) subject?: string;
  @Text({ optional: true }) html?: string;
  @Text({ optional: true }) text?: string;
  @JsonMap({ description: 'What else belongs to it: sender, copies, headers, names and sizes of attachments.' })
  more!: JsonObject;
  @Text({ description: 'Shows the message in a browser, without a key, for 15 minutes.' }) previewUrl!: string;
  @Text() createdAt!: string;
}

export class OutboxListDto extends CursorEnvelope {
  @Children(() => OutboxMessageDto) data!: OutboxMessageDto[];
}
