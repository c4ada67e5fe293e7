import { ApiExtraModels } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import { LIMITS } from '../limits';
import { BUTTON_TYPES, type ButtonType, SEVERITIES, type Severity } from '../vocabulary';
import {
  Child,
  Children,
  ChildrenOrTexts,
  Choice,
  Flag,
  JsonMap,
  QueryChoices,
  QueryTexts,
  Text,
  Texts,
  Whole,
} from './fields';
import {
  ChannelFlagsDto,
  CRITICALITIES,
  type Criticality,
  PREFERENCE_LEVELS,
  type PreferenceLevel,
  PreferenceSubjectDto,
  ScheduleDto,
  WeeklyScheduleDto,
} from './preferences.dto';
import { CreateSubscriberDto } from './subscribers.dto';
import { NewSubscriptionPreferenceDto, PreferredWorkflowDto } from './topics.dto';

/** What a page in the browser of a subscriber sends and gets. */

const HASH = { optional: true, maxLength: 256 } as const;
const CONTEXT_KEYS = 'The contexts of the session, each `type:id`; the inbox has messages of exactly these contexts.';

/** A schedule of which parts may be left out. */
export class PartialScheduleDto {
  @Flag('False: at any time. Left out: as it is, or false.', { optional: true }) isEnabled?: boolean;

  @Child(
    () => WeeklyScheduleDto,
    "By the clock of the subscriber's time zone, else UTC. A day that is not named is closed.",
    { optional: true },
  )
  weeklySchedule?: WeeklyScheduleDto;
}

export class OpenInboxDto {
  @Text('The `identifier` of the environment.', { minLength: 1, maxLength: 256, example: 'env_a1b2c3' })
  applicationIdentifier!: string;

  @Child(
    () => CreateSubscriberDto,
    'Whose inbox. A missing subscriber is created. Its profile is set and changed only if the session is signed.',
  )
  subscriber!: CreateSubscriberDto;

  @Text(
    'HMAC-SHA256 of the subscriberId, in hexadecimal digits. The key is the inbox secret of the environment, or an ' +
      'API key of the scope `full` without `allowedAddresses`. Required if `inboxSignatures` of the ' +
      'environment says so, or `hmac` of the in-app integration.',
    { ...HASH },
  )
  subscriberHash?: string;

  @JsonMap(`Up to ${LIMITS.contexts} contexts: type to id, or type to {id, data}.`, {
    optional: true,
    example: { workspace: 'acme' },
  })
  context?: JsonObject;

  @Text('HMAC-SHA256 of `context` as JSON with sorted keys, under the same key. A session is signed as a whole.', {
    ...HASH,
  })
  contextHash?: string;

  @Child(() => PartialScheduleDto, 'Stored if the session is signed and the subscriber has no schedule yet.', {
    optional: true,
  })
  defaultSchedule?: PartialScheduleDto;
}

export class SeverityCountsDto implements Record<Severity, number> {
  @Whole() high!: number;
  @Whole() medium!: number;
  @Whole() low!: number;
  @Whole() none!: number;
}

export class UnreadCountDto {
  @Whole(`Unread and not snoozed, counted up to ${LIMITS.inboxCount}.`) total!: number;
  @Child(() => SeverityCountsDto) severity!: SeverityCountsDto;
}

export class InboxSessionDto {
  @Text(`For \`Authorization: Bearer\`, valid for ${LIMITS.inboxTokenHours} hours.`) token!: string;
  @Text() applicationIdentifier!: string;
  @Whole('The same as `unreadCount.total`.') totalUnreadCount!: number;
  @Child(() => UnreadCountDto) unreadCount!: UnreadCountDto;
  @Flag('Always true.') removeNovuBranding!: boolean;
  @Whole() maxSnoozeDurationHours!: number;
  @Flag('False in an environment of the kind `production`.') isDevelopmentMode!: boolean;
  @Child(() => ScheduleDto, 'Only of a signed session.', { optional: true }) schedule?: ScheduleDto;
  @Texts(CONTEXT_KEYS) contextKeys!: string[];
}

export class InboxActionTypeDto {
  @Choice(BUTTON_TYPES, 'The button that the subscriber used.') actionType!: ButtonType;
}

export class InboxPreferencesQuery {
  @QueryTexts('Workflows with one of these tags.') tags?: string[];
  @QueryChoices(SEVERITIES) severity?: Severity[];

  @Choice(CRITICALITIES, 'Default nonCritical: what the subscriber can switch off.', { optional: true })
  criticality: Criticality = 'nonCritical';
}

export class ChangeGlobalPreferenceDto extends ChannelFlagsDto {
  @Child(() => PartialScheduleDto, 'Parts that are left out stay as they are.', { optional: true })
  schedule?: PartialScheduleDto;
}

/** Of a workflow; with `subscriptionIdentifier`, of a workflow in one topic subscription. */
export class InboxBulkPreferenceDto extends ChannelFlagsDto {
  @Text('The workflowId or the id.', { maxLength: 256 }) workflowId!: string;
  @Text({ optional: true, minLength: 1, maxLength: 1_800 }) subscriptionIdentifier?: string;
  @Flag('Of a topic subscription.', { optional: true }) enabled?: boolean;

  @JsonMap('Of a topic subscription: JSON-Logic, as in the topic interface.', { optional: true })
  condition?: JsonObject;
}

export class InboxBulkPreferencesDto {
  @Children(
    () => InboxBulkPreferenceDto,
    'All are changed, or none. Either all name a topic subscription, or none does.',
    { max: LIMITS.bulkPreferences },
  )
  preferences!: InboxBulkPreferenceDto[];
}

export class InboxPreferenceDto {
  @Choice(PREFERENCE_LEVELS) level!: PreferenceLevel;
  @Flag() enabled!: boolean;
  @Child(() => ChannelFlagsDto) channels!: ChannelFlagsDto;
  @Child(() => PreferenceSubjectDto, 'Absent in the global preference.', { optional: true })
  workflow?: PreferenceSubjectDto;
  @Child(() => ScheduleDto, 'Only in the global preference.', { optional: true }) schedule?: ScheduleDto;
}

export class InboxTopicDto {
  @Text('The name of the topic, if this call creates it.', { optional: true, maxLength: LIMITS.topicName })
  name?: string;
}

@ApiExtraModels(NewSubscriptionPreferenceDto)
export class CreateInboxSubscriptionDto {
  @Text('Unique in the topic. Empty: made from topic and subscriber.', { optional: true, maxLength: 1_800 })
  identifier?: string;

  @Text({ optional: true, maxLength: LIMITS.topicName }) name?: string;
  @Child(() => InboxTopicDto, { optional: true }) topic?: InboxTopicDto;

  @ChildrenOrTexts(
    () => NewSubscriptionPreferenceDto,
    'workflowId',
    'What is wanted of which workflow, each as a workflowId or an object; of the others, everything.',
    { optional: true, max: LIMITS.subscriptionPreferences },
  )
  preferences?: NewSubscriptionPreferenceDto[];
}

/** The flags of channels have no meaning here: a subscription has one switch for each workflow. */
export class ChangeSubscriptionPreferenceDto extends ChannelFlagsDto {
  @Flag('Without meaning where there is a condition.', { optional: true }) enabled?: boolean;

  @JsonMap('JSON-Logic over payload, subscriber, actor and context of a trigger.', { optional: true })
  condition?: JsonObject;
}

export class InboxSubscriptionPreferenceDto {
  @Text('The identifier of the subscription.') subscriptionId!: string;
  @Child(() => PreferredWorkflowDto) workflow!: PreferredWorkflowDto;
  @Flag() enabled!: boolean;
  @JsonMap({ optional: true }) condition?: JsonObject;
}

export class InboxSubscriptionDto {
  @Text() id!: string;
  @Text() identifier!: string;
  @Text({ optional: true }) name?: string;
  @Children(() => InboxSubscriptionPreferenceDto, { optional: true }) preferences?: InboxSubscriptionPreferenceDto[];
}

export class InboxSubscriptionQuery {
  @QueryTexts('Only preferences for these workflows.') workflowIds?: string[];
  @QueryTexts('Only preferences for workflows with one of these tags.') tags?: string[];
}
