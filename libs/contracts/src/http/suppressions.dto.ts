import { LIMITS } from '../limits';
import type { ProviderId } from '../provider-ids';
import {
  SUPPRESSIBLE_CHANNELS,
  type SuppressibleChannel,
  SUPPRESSION_REASONS,
  type SuppressionReason,
} from '../vocabulary';
import { Children, Choice, Text } from './fields';
import { CursorEnvelope, CursorQuery, UNCHANGING_ORDER, type UnchangingOrder } from './lists.dto';

const ADDRESS = 'An email address, or a phone number for sms and chat; in any spelling.';

export class CreateSuppressionDto {
  @Choice(SUPPRESSIBLE_CHANNELS) channel!: SuppressibleChannel;
  @Text({ minLength: 1, maxLength: LIMITS.address, description: ADDRESS }) address!: string;
}

export class ListSuppressionsQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, { optional: true, description: 'Default _id.' })
  orderBy: UnchangingOrder = '_id';

  @Choice(SUPPRESSIBLE_CHANNELS, { optional: true }) channel?: SuppressibleChannel;
  @Text({ optional: true, maxLength: LIMITS.address, description: ADDRESS }) address?: string;
}

export class SuppressionDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Choice(SUPPRESSIBLE_CHANNELS) channel!: SuppressibleChannel;
  @Text({ description: 'As it is compared: lower case, or + and digits.' }) address!: string;
  @Choice(SUPPRESSION_REASONS) reason!: SuppressionReason;
  @Text({ optional: true, description: 'Who reported it.' }) providerId?: ProviderId;
  @Text({ optional: true }) _integrationId?: string;
  @Text({ optional: true, description: 'The message that it was reported about.' }) _messageId?: string;
  @Text({ optional: true, description: 'The notification of that message, in a list, while the message is kept.' })
  _notificationId?: string;
  @Text() createdAt!: string;
}

export class SuppressionListDto extends CursorEnvelope {
  @Children(() => SuppressionDto) data!: SuppressionDto[];
}
