import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import {
  ACTOR_TYPES,
  type ActorType,
  type Channel,
  CHANNELS,
  MESSAGE_STATUSES,
  type MessageStatus,
} from '../vocabulary';
import { Child, Children, Choice, Flag, JsonMap, QueryFlag, QueryWhole, Text, Texts, Whole } from './fields';
import { LEFT_OUT, PageEnvelope, PageQuery } from './lists.dto';
import { MessageCtaDto } from './messages.dto';

export class FeedQuery extends PageQuery {
  @QueryWhole({ min: 1, max: 100, default: 10 }) limit: number = 10;
  @QueryFlag('Only read, or only unread ones.') read?: boolean;
  @QueryFlag('Only seen, or only unseen ones.') seen?: boolean;

  @Text(
    `Base64 of a JSON object that the payload must contain, at most ${LIMITS.feedPayloadBytes} bytes and ` +
      `${LIMITS.feedPayloadDepth} levels deep.`,
    { optional: true },
  )
  payload?: string;
}

export class FeedActorDto {
  @Text({ nullable: true }) data!: string | null;
  @Choice(ACTOR_TYPES) type!: ActorType;
}

export class FeedSubscriberDto {
  @Text({ optional: true }) _id?: string;
  @Text() subscriberId!: string;
  @Text({ optional: true }) firstName?: string;
  @Text({ optional: true }) lastName?: string;
  @Text({ optional: true }) avatar?: string;
}

export class FeedItemDto {
  @Text() _id!: string;
  @Text('The workflow.') _templateId!: string;
  @Text() _environmentId!: string;
  @Text({ optional: true }) _messageTemplateId?: string;
  @Text() _organizationId!: string;
  @Text() _notificationId!: string;
  @Text() _subscriberId!: string;
  @Text({ optional: true, nullable: true }) _feedId?: string | null;
  @Text() _jobId!: string;
  @Text({ optional: true, nullable: true }) createdAt?: string | null;
  @Text({ optional: true, nullable: true }) updatedAt?: string | null;
  @Child(() => FeedActorDto, { optional: true }) actor?: FeedActorDto;
  @Child(() => FeedSubscriberDto, { optional: true }) subscriber?: FeedSubscriberDto;
  @Text() transactionId!: string;
  @Text({ optional: true, nullable: true }) templateIdentifier?: string | null;
  @Text({ optional: true, nullable: true }) providerId?: string | null;
  @Text() content!: string;
  @Text({ optional: true, nullable: true }) subject?: string | null;
  @Choice(CHANNELS) channel!: Channel;
  @Flag() read!: boolean;
  @Flag() seen!: boolean;
  @Flag() archived!: boolean;
  @Texts({ optional: true, nullable: true }) deviceTokens?: string[] | null;
  @Child(() => MessageCtaDto) cta!: MessageCtaDto;
  @Choice(MESSAGE_STATUSES) status!: MessageStatus;
  @JsonMap({ optional: true }) payload?: JsonObject;
  @JsonMap({ optional: true, nullable: true }) data?: JsonObject | null;
  @JsonMap({ optional: true }) overrides?: JsonObject;
  @Texts({ optional: true, nullable: true }) tags?: string[] | null;
  @Texts(LEFT_OUT) leftOut?: string[];
}

export class FeedDto extends PageEnvelope {
  @Children(() => FeedItemDto) data!: FeedItemDto[];
  @Whole('Matches in all.') totalCount!: number;
}
