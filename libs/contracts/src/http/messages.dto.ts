import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import {
  ACTION_STATUSES,
  BUTTON_TYPES,
  type ButtonType,
  type Channel,
  CHANNELS,
  MESSAGE_STATUSES,
  type MessageStatus,
  REDIRECT_TARGETS,
  type RedirectTarget,
} from '../vocabulary';
import { EmbeddedWorkflowDto } from './embedded-workflow.dto';
import {
  Child,
  Children,
  Choice,
  Flag,
  JsonMap,
  QueryChoices,
  QueryTexts,
  QueryWhole,
  Text,
  Texts,
  Whole,
} from './fields';
import { LEFT_OUT, PageEnvelope, PageQuery } from './lists.dto';
import { SubscriberDto } from './subscribers.dto';

const AMONG_NEWEST = `of the newest ${LIMITS.searchedHistory} messages without transactionId or subscriberId`;

export class ListMessagesQuery extends PageQuery {
  @QueryWhole({ min: 1, shownMax: LIMITS.messagesPage, default: 10 }) limit: number = 10;
  @Choice(CHANNELS, { optional: true }) channel?: Channel;
  @Text('Your identifier of the subscriber.', { optional: true, maxLength: 512 }) subscriberId?: string;
  @QueryTexts({ maxLength: 512 }) transactionId?: string[];
  @QueryTexts(`The workflowId of workflows, or their ids; ${AMONG_NEWEST}.`, { maxLength: 256 }) workflowId?: string[];
  @QueryChoices(MESSAGE_STATUSES, `Any of these statuses; ${AMONG_NEWEST}.`) status?: MessageStatus[];

  @Text(`Part of the error text or of an execution detail of the step, in any case; ${AMONG_NEWEST}.`, {
    optional: true,
    maxLength: LIMITS.filterText,
  })
  detail?: string;

  @QueryTexts('Exactly these contexts, each `type:id`; empty: only messages without context.', {
    maxLength: LIMITS.contextBytes,
  })
  contextKeys?: string[];
}

export class DeleteTransactionMessagesQuery {
  @Choice(CHANNELS, 'Only messages of this channel.', { optional: true }) channel?: Channel;
}

export class MessageButtonDto {
  @Choice(BUTTON_TYPES) type!: ButtonType;
  @Text() content!: string;
  @Text({ optional: true }) resultContent?: string;
  @Text('Where the button leads.', { optional: true }) url?: string;
  @Choice(REDIRECT_TARGETS, { optional: true }) target?: RedirectTarget;
}

export class MessageActionResultDto {
  @JsonMap({ optional: true }) payload?: JsonObject;
  @Choice(BUTTON_TYPES, { optional: true }) type?: ButtonType;
}

export class MessageActionDto {
  @Choice(ACTION_STATUSES, { optional: true }) status?: (typeof ACTION_STATUSES)[number];
  @Children(() => MessageButtonDto, { optional: true }) buttons?: MessageButtonDto[];
  @Child(() => MessageActionResultDto, { optional: true }) result?: MessageActionResultDto;
}

export class MessageCtaDataDto {
  @Text({ optional: true }) url?: string;
  @Choice(REDIRECT_TARGETS, { optional: true }) target?: RedirectTarget;
}

export class MessageCtaDto {
  @Choice(['redirect'], { optional: true }) type?: 'redirect';
  @Child(() => MessageCtaDataDto, { optional: true }) data?: MessageCtaDataDto;
  @Child(() => MessageActionDto, { optional: true }) action?: MessageActionDto;
}

export class EmailBlockStylesDto {
  @Choice(['center', 'left', 'right'], { optional: true }) textAlign?: 'center' | 'left' | 'right';
}

export class EmailBlockDto {
  @Choice(['button', 'text']) type!: 'button' | 'text';
  @Text() content!: string;
  @Text({ optional: true }) url?: string;
  @Child(() => EmailBlockStylesDto, { optional: true }) styles?: EmailBlockStylesDto;
}

@ApiExtraModels(EmailBlockDto)
export class MessageDto {
  @Text({ optional: true }) _id?: string;
  @Text('The workflow.', { optional: true, nullable: true }) _templateId?: string | null;
  @Text({ optional: true, nullable: true }) _messageTemplateId?: string | null;
  @Text({ optional: true, nullable: true }) _feedId?: string | null;
  @Text() _environmentId!: string;
  @Text() _organizationId!: string;
  @Text() _notificationId!: string;
  @Text() _subscriberId!: string;
  @Child(
    () => SubscriberDto,
    'Absent if it was deleted. A page with many subscribers leaves large fields out of some and names them in ' +
      '`leftOut`.',
    { optional: true },
  )
  subscriber?: SubscriberDto;
  @Child(() => EmbeddedWorkflowDto, 'The workflow as it is now.', { optional: true }) template?: EmbeddedWorkflowDto;
  @Text('The workflowId of the workflow.', { optional: true }) templateIdentifier?: string;
  @Text() createdAt!: string;
  @Texts('Several dates, for example after snoozing.', { optional: true }) deliveredAt?: string[];
  @Text({ optional: true }) lastSeenDate?: string;
  @Text({ optional: true }) lastReadDate?: string;
  @Text({ optional: true }) snoozedUntil?: string;
  @ApiProperty({
    required: false,
    oneOf: [{ type: 'string' }, { type: 'array', items: { $ref: getSchemaPath(EmailBlockDto) } }],
  })
  content?: string | EmailBlockDto[];
  @Text() transactionId!: string;
  @Text({ optional: true }) subject?: string;
  @Text({ optional: true }) email?: string;
  @Text({ optional: true }) phone?: string;
  @Text({ optional: true }) directWebhookUrl?: string;
  @Text({ optional: true }) providerId?: string;
  @Text({ optional: true }) title?: string;
  @Text({ optional: true }) errorId?: string;
  @Text({ optional: true }) errorText?: string;
  @Choice(CHANNELS) channel!: Channel;
  @Flag() read!: boolean;
  @Flag() seen!: boolean;
  @Texts({ optional: true }) deviceTokens?: string[];
  @Child(() => MessageCtaDto) cta!: MessageCtaDto;
  @Choice(MESSAGE_STATUSES) status!: MessageStatus;
  @JsonMap({ optional: true }) payload?: JsonObject;
  @JsonMap({ optional: true }) overrides?: JsonObject;
  @Texts('Each `type:id`.', { optional: true }) contextKeys?: string[];
  @Texts(LEFT_OUT) leftOut?: string[];
}

export class MessageListDto extends PageEnvelope {
  @Children(() => MessageDto) data!: MessageDto[];
  @Whole(`Matches, counted up to ${LIMITS.countCap}.`) totalCount!: number;

  @Flag(`True when there are more than ${LIMITS.countCap}; otherwise left out.`, { optional: true })
  totalCountCapped?: boolean;
}
