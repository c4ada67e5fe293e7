import type { JsonObject } from '../json';
import { PROVIDER_IDS, type ProviderId } from '../provider-ids';
import { STEP_TYPES, type StepType } from '../step-types';
import {
  type Channel,
  CHANNELS,
  DETAIL_STATUSES,
  type DetailStatus,
  EVIDENCE_SOURCES,
  type EvidenceSource,
  MESSAGE_STATUSES,
  type MessageStatus,
  RULE_NAMES,
  type RuleName,
  STEP_STATUSES,
  type StepStatus,
} from '../vocabulary';
import { DryRunStepDto } from './dry-run.dto';
import { Child, Children, Choice, Flag, JsonMap, QueryFlag, Text, Texts, Whole } from './fields';
import { LEFT_OUT_OF_ONE } from './lists.dto';

export class NotificationMessagesQuery {
  @QueryFlag('Also render the current templates with the payload and the subscriber of today.') today?: boolean;
}

export class ProviderAnswerDto {
  @Text() at!: string;
  @Choice(DETAIL_STATUSES) status!: DetailStatus;
  @Text() detail!: string;
  @Text('The data of the provider as they were recorded, usually JSON.', { nullable: true }) raw!: string | null;
}

export class SentMessageDto {
  @Text() _id!: string;
  @Text('The job that made it.') _jobId!: string;
  @Text('The step of the workflow.') stepId!: string;
  @Choice(CHANNELS) channel!: Channel;
  @Choice(MESSAGE_STATUSES) status!: MessageStatus;
  @Choice(PROVIDER_IDS, { optional: true }) providerId?: ProviderId;
  @Text('The id that the provider gave the message.', { optional: true }) providerMessageId?: string;
  @Texts('Email addresses or phone numbers.') to!: string[];
  @Text({ optional: true }) title?: string;
  @Text({ optional: true }) subject?: string;
  @Text('The stored content: HTML of an email, text of the other channels.') content!: string;
  @JsonMap({ optional: true }) cta?: JsonObject;
  @JsonMap({ optional: true }) data?: JsonObject;
  @JsonMap('Overrides of the trigger that apply to this message.', { optional: true }) overrides?: JsonObject;
  @Texts(LEFT_OUT_OF_ONE) leftOut?: string[];
  @Text({ optional: true }) errorId?: string;
  @Text({ optional: true }) errorText?: string;
  @Text() createdAt!: string;
  @Text() updatedAt!: string;
  @Children(() => ProviderAnswerDto, 'What providers answered, oldest first.') answers!: ProviderAnswerDto[];
}

export class NotificationMessagesDto {
  @Children(() => SentMessageDto, 'Oldest first.') data!: SentMessageDto[];
  @Children(() => DryRunStepDto, 'Only with `today`: a dry run of the workflow as it is.', { optional: true })
  today?: DryRunStepDto[];
  @Text('Why there is no `today`.', { optional: true }) todayMissing?: string;
}

export class NotificationRuleDto {
  @Choice(RULE_NAMES) rule!: RuleName;
  @Flag('False: the step stopped here.') passed!: boolean;
  @Text() detail!: string;
  @JsonMap('What the rule compared.') values!: JsonObject;
  @Choice(
    EVIDENCE_SOURCES,
    'recorded: an execution detail says it. recomputed: evaluated now, for the time of the notification, with the ' +
      'settings of today.',
  )
  source!: EvidenceSource;
  @Text('When it was recorded.', { optional: true }) at?: string;
}

export class NotificationStepRulesDto {
  @Text() stepId!: string;
  @Choice(STEP_TYPES) type!: StepType;
  @Choice(STEP_STATUSES, 'Absent while the step has no job.', { optional: true }) status?: StepStatus;
  @Children(() => NotificationRuleDto) rules!: NotificationRuleDto[];
}

export class NotificationRulesDto {
  @Children(() => NotificationStepRulesDto, 'In the order of the workflow.') steps!: NotificationStepRulesDto[];
  @Text('Why nothing was recomputed.', { optional: true }) recomputedMissing?: string;
}

export class ComparedStepDto {
  @Text() stepId!: string;
  @Choice(STEP_TYPES) type!: StepType;
  @Choice(STEP_STATUSES) status!: StepStatus;
  @Choice(PROVIDER_IDS) providerId!: ProviderId;
  @Whole('From its first to its last execution detail, in milliseconds.', { optional: true }) milliseconds?: number;
}

export class ComparedRunDto {
  @Text() _id!: string;
  @Text() createdAt!: string;
  @Text({ optional: true }) subscriberId?: string;
  @Whole('The version of the workflow that it ran.') workflowVersion!: number;
  @Children(() => ComparedStepDto) steps!: ComparedStepDto[];
}

export class PayloadChangeDto {
  @Text('The path of the value, such as `order.id`.') path!: string;
  @Text('The value of the good run as JSON; absent when it had none.', { optional: true }) good?: string;
  @Text('The value of this run as JSON; absent when it has none.', { optional: true }) current?: string;
}

export class NotificationComparisonDto {
  @Child(() => ComparedRunDto) current!: ComparedRunDto;
  @Child(
    () => ComparedRunDto,
    'The last run of the workflow before it in which all steps succeeded; absent when there is none.',
    { optional: true },
  )
  good?: ComparedRunDto;
  @Children(() => PayloadChangeDto, 'Values of the payload that differ, at most 200.') payload!: PayloadChangeDto[];
}
