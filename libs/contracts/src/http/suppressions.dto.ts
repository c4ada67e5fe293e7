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
  @Text(ADDRESS, { minLength: 1, maxLength: LIMITS.address }) address!: string;
}

export class ListSuppressionsQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';
  @Choice(SUPPRESSIBLE_CHANNELS, { optional: true }) channel?: SuppressibleChannel;
  @Text(ADDRESS, { optional: true, maxLength: LIMITS.address }) address?: string;
}

export class SuppressionDto {
  @Text() _id!: string;
  @Text() _environmentId!: string;
  @Choice(SUPPRESSIBLE_CHANNELS) channel!: SuppressibleChannel;
  @Text('As it is compared: lower case, or + and digits.') address!: string;
  @Choice(SUPPRESSION_REASONS) reason!: SuppressionReason;
  @Text('Who reported it.', { optional: true }) providerId?: ProviderId;
  @Text({ optional: true }) _integrationId?: string;
  @Text('The message that it was reported about.', { optional: true }) _messageId?: string;
  @Text('The notification of that message, in a list, while the message is kept.', { optional: true })
  _notificationId?: string;
  @Text() createdAt!: string;
}

export class SuppressionListDto extends CursorEnvelope {
  @Children(() => SuppressionDto) data!: SuppressionDto[];
}
