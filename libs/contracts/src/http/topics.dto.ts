import { isEmail } from 'class-validator';
import { ApiExtraModels } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { SEVERITIES, type Severity } from '../vocabulary';
import { Child, Children, ChildrenOrTexts, Choice, Flag, JsonMap, QueryTexts, Text, Texts, Whole } from './fields';
import {
  CURSOR_ORDER,
  CursorEnvelope,
  type CursorOrder,
  CursorQuery,
  UNCHANGING_ORDER,
  type UnchangingOrder,
} from './lists.dto';

const TOPIC_KEY = /^[a-zA-Z0-9_:-]+$/;

/** Its length is checked where it arrives: too long and wrongly spelled are different refusals. */
export const isTopicKey = (key: string): boolean => TOPIC_KEY.test(key) || isEmail(key);

export class CreateTopicDto {
  @Text('Letters, digits, hyphen, underscore and colon, or a valid email address.', {
    minLength: 1,
    maxLength: LIMITS.topicKey,
  })
  key!: string;

  @Text('An empty name leaves an existing one as it is.', { optional: true, maxLength: LIMITS.topicName })
  name?: string;
}

export class PatchTopicDto {
  @Text({ optional: true, maxLength: LIMITS.topicName }) name?: string;
}

export class ListTopicsQuery extends CursorQuery {
  @Choice(CURSOR_ORDER, 'Default _id.', { optional: true }) orderBy: CursorOrder = '_id';
  @Text('Part of the key, in any case.', { optional: true, maxLength: LIMITS.filterText }) key?: string;
  @Text('Part of the name, in any case.', { optional: true, maxLength: LIMITS.filterText }) name?: string;
}

export class TopicDto {
  @Text() _id!: string;
  @Text() key!: string;
  @Text({ optional: true }) name?: string;
  @Text({ optional: true }) createdAt?: string;
  @Text({ optional: true }) updatedAt?: string;
}

/** What a topic is used by, to be shown before it is deleted. */
export class TopicUsageDto {
  @Whole(`Subscribers, counted up to ${LIMITS.countCap}.`) subscribers!: number;
  @Whole(`Notifications through the topic in the last 30 days, counted up to ${LIMITS.topicUsage}.`)
  notifications!: number;
  @Text('The time of the newest of them.', { nullable: true }) lastUsedAt!: string | null;
}

export class TopicListDto extends CursorEnvelope {
  @Children(() => TopicDto) data!: TopicDto[];
}

const SUBSCRIBER_ID = { minLength: 1, maxLength: 512 } as const;
/** Long enough for the default identifier of the longest key and subscriberId. */
const IDENTIFIER = { optional: true, minLength: 1, maxLength: 700 } as const;

export class NewTopicSubscriptionDto {
  @Text(SUBSCRIBER_ID) subscriberId!: string;

  @Text('Unique in the topic; default tk_{topicKey}:si_{subscriberId}, with contexts a longer one.', { ...IDENTIFIER })
  identifier?: string;

  @Text({ optional: true, maxLength: LIMITS.topicName }) name?: string;
}

export class WorkflowGroupDto {
  @Texts({ optional: true, max: LIMITS.subscriptionPreferences, maxLength: 256 }) workflowIds?: string[];

  @Texts('Workflows that have one of them.', { optional: true, max: LIMITS.tags, maxLength: LIMITS.tagLength })
  tags?: string[];
}

/** Of one workflow, or of all that `filter` finds now. */
export class NewSubscriptionPreferenceDto {
  @Text({ optional: true, minLength: 1, maxLength: 256 }) workflowId?: string;
  @Child(() => WorkflowGroupDto, { optional: true }) filter?: WorkflowGroupDto;
  @Flag('Default true; without meaning where there is a condition.', { optional: true }) enabled?: boolean;

  @JsonMap('JSON-Logic over payload, subscriber, actor and context of a trigger.', { optional: true })
  condition?: JsonObject;
}

const PREFERENCES = {
  optional: true,
  max: LIMITS.subscriptionPreferences,
  description: 'What is wanted of which workflow, each as a workflowId or an object; of the others, everything.',
} as const;

const BY_ID = {
  optional: true,
  max: LIMITS.topicSubscriptions,
  maxLength: SUBSCRIBER_ID.maxLength,
  deprecated: true,
  description: 'The same as `subscriptions` with texts.',
} as const;

@ApiExtraModels(NewTopicSubscriptionDto, NewSubscriptionPreferenceDto)
export class CreateTopicSubscriptionsDto {
  @ChildrenOrTexts(
    () => NewTopicSubscriptionDto,
    'subscriberId',
    'Whom to subscribe, each by subscriberId or as an object.',
    { optional: true, max: LIMITS.topicSubscriptions },
  )
  subscriptions?: NewTopicSubscriptionDto[];

  @Texts(BY_ID) subscriberIds?: string[];
  @Text('Name of the topic, if this call creates it.', { optional: true, maxLength: LIMITS.topicName }) name?: string;

  @JsonMap(`Up to ${LIMITS.contexts} contexts that the subscriptions are for: type to id, or type to {id, data}.`, {
    optional: true,
    example: { region: 'eu' },
  })
  context?: JsonObject;

  @ChildrenOrTexts(() => NewSubscriptionPreferenceDto, 'workflowId', PREFERENCES)
  preferences?: NewSubscriptionPreferenceDto[];
}

@ApiExtraModels(NewSubscriptionPreferenceDto)
export class PatchTopicSubscriptionDto {
  @Text({ optional: true, maxLength: LIMITS.topicName }) name?: string;

  @ChildrenOrTexts(
    () => NewSubscriptionPreferenceDto,
    'workflowId',
    `${PREFERENCES.description} They take the place of those that are there.`,
    { ...PREFERENCES },
  )
  preferences?: NewSubscriptionPreferenceDto[];
}

export class EndedTopicSubscriptionDto {
  @Text('Alone, it ends all its subscriptions to the topic.', { ...SUBSCRIBER_ID, optional: true })
  subscriberId?: string;

  @Text('Ends the one subscription of this identifier.', { ...IDENTIFIER }) identifier?: string;
}

@ApiExtraModels(EndedTopicSubscriptionDto)
export class DeleteTopicSubscriptionsDto {
  @ChildrenOrTexts(
    () => EndedTopicSubscriptionDto,
    'subscriberId',
    'Whom to unsubscribe, each by subscriberId or as an object.',
    { optional: true, max: LIMITS.topicSubscriptions },
  )
  subscriptions?: EndedTopicSubscriptionDto[];

  @Texts(BY_ID) subscriberIds?: string[];
}

class SubscriptionsQuery extends CursorQuery {
  @Choice(UNCHANGING_ORDER, 'Default _id.', { optional: true }) orderBy: UnchangingOrder = '_id';

  @QueryTexts('Subscriptions of exactly these contexts (`type:id`); one empty text: those without any.', {
    maxLength: LIMITS.contextBytes,
    max: LIMITS.contexts,
  })
  contextKeys?: string[];
}

export class ListTopicSubscriptionsQuery extends SubscriptionsQuery {
  @Text('The whole subscriberId.', { optional: true, maxLength: SUBSCRIBER_ID.maxLength }) subscriberId?: string;
}

export class ListSubscriberSubscriptionsQuery extends SubscriptionsQuery {
  @Text('The whole topic key.', { optional: true, maxLength: LIMITS.filterText }) key?: string;
}

export class SubscriberSummaryDto {
  @Text() _id!: string;
  @Text() subscriberId!: string;
  @Text({ optional: true, nullable: true }) avatar?: string | null;
  @Text({ optional: true, nullable: true }) firstName?: string | null;
  @Text({ optional: true, nullable: true }) lastName?: string | null;
  @Text({ optional: true, nullable: true }) email?: string | null;
}

export class PreferredWorkflowDto {
  @Text() id!: string;
  @Text() identifier!: string;
  @Text() name!: string;
  @Flag() critical!: boolean;
  @Texts() tags!: string[];
  @Choice(SEVERITIES) severity!: Severity;
}

export class SubscriptionPreferenceDto {
  @Text() subscriptionId!: string;
  @Child(() => PreferredWorkflowDto) workflow!: PreferredWorkflowDto;
  @Flag() enabled!: boolean;
  @JsonMap({ optional: true }) condition?: JsonObject;
}

export class TopicSubscriptionDto {
  @Text() _id!: string;
  @Text() identifier!: string;
  @Text({ optional: true }) name?: string;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
  @Child(() => TopicDto) topic!: TopicDto;
  @Child(() => SubscriberSummaryDto) subscriber!: SubscriberSummaryDto;
  @Texts({ optional: true }) contextKeys?: string[];
  @Children(() => SubscriptionPreferenceDto, { optional: true }) preferences?: SubscriptionPreferenceDto[];
}

/** One subscription read by its identifier; clients of this interface look for `id` here. */
export class TopicSubscriptionDetailsDto extends TopicSubscriptionDto {
  @Text() id!: string;
}

export class TopicSubscriptionListDto extends CursorEnvelope {
  @Children(() => TopicSubscriptionDto) data!: TopicSubscriptionDto[];
}

export const SUBSCRIPTION_ERRORS = ['SUBSCRIBER_NOT_FOUND', 'SUBSCRIPTION_NOT_FOUND', 'IDENTIFIER_TAKEN'] as const;
export type SubscriptionErrorCode = (typeof SUBSCRIPTION_ERRORS)[number];

export class SubscriptionErrorDto {
  @Text('The subscriber of the failed element; its identifier, if it named no subscriber.') subscriberId!: string;
  @Choice(SUBSCRIPTION_ERRORS) code!: SubscriptionErrorCode;
  @Text() message!: string;
}

export class SubscriptionsMetaDto {
  @Whole('Different elements in the request.') totalCount!: number;
  @Whole() successful!: number;
  @Whole() failed!: number;
}

export class TopicSubscriptionsResultDto {
  @Children(() => TopicSubscriptionDto) data!: TopicSubscriptionDto[];
  @Child(() => SubscriptionsMetaDto) meta!: SubscriptionsMetaDto;
  @Children(() => SubscriptionErrorDto, { optional: true }) errors?: SubscriptionErrorDto[];
}

export class TopicSubscriberDto {
  @Text() _organizationId!: string;
  @Text() _environmentId!: string;
  @Text() _subscriberId!: string;
  @Text() _topicId!: string;
  @Text() topicKey!: string;
  @Text() externalSubscriberId!: string;
}
