import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import type { JsonObject } from '../json';
import {
  MONTHLY_TYPES,
  ORDINAL_VALUES,
  ORDINALS,
  TIME_UNITS,
  type TimeUnit,
  WEEK_DAYS,
  type WeekDay,
} from '../vocabulary';
import { Amount, Child, Children, Choice, Choices, Flag, JsonMap, Text, Texts } from './fields';
import { StepFilterDto } from './filters.dto';

export class TriggerVariableDto {
  @Text() name!: string;
}

/** How a workflow is triggered, and what it reads of the event. */
export class NotificationTriggerDto {
  @Choice(['event']) type!: 'event';
  @Text('The workflowId of the workflow.') identifier!: string;
  @Children(
    () => TriggerVariableDto,
    'Paths inside the payload that the templates or the payload schema name, found when the workflow was saved.',
  )
  variables!: TriggerVariableDto[];
  @Children(() => TriggerVariableDto, 'Paths inside the subscriber that the templates read.', { optional: true })
  subscriberVariables?: TriggerVariableDto[];
}

export class PreferenceSettingsDto {
  @Flag({ optional: true }) email?: boolean;
  @Flag({ optional: true }) sms?: boolean;
  @Flag({ optional: true }) in_app?: boolean;
  @Flag({ optional: true }) chat?: boolean;
  @Flag({ optional: true }) push?: boolean;
}

const AMOUNT = {
  optional: true,
  description: 'Left out when it is a template.',
} as const;

/** When a timed digest ends (spec 2.11). */
export class TimedMetadataDto {
  @Text({ optional: true }) atTime?: string;
  @Choices(WEEK_DAYS, { optional: true }) weekDays?: WeekDay[];
  @Texts({ optional: true }) monthDays?: string[];
  @Choice(ORDINALS, { optional: true }) ordinal?: (typeof ORDINALS)[number];
  @Choice(ORDINAL_VALUES, { optional: true }) ordinalValue?: (typeof ORDINAL_VALUES)[number];
  @Choice(MONTHLY_TYPES, { optional: true }) monthlyType?: (typeof MONTHLY_TYPES)[number];
  @Text({ optional: true }) cronExpression?: string;
}

class DurationMetadataDto {
  @Amount(AMOUNT) amount?: number;
  @Choice(TIME_UNITS, AMOUNT) unit?: TimeUnit;
}

export class DigestRegularMetadataDto extends DurationMetadataDto {
  @Choice(['regular', 'backoff']) type!: 'regular' | 'backoff';
  @Text({ optional: true }) digestKey?: string;
  @Flag({ optional: true }) backoff?: boolean;
  @Amount(AMOUNT) backoffAmount?: number;
  @Choice(TIME_UNITS, AMOUNT) backoffUnit?: TimeUnit;
  @Flag({ optional: true }) updateMode?: boolean;
}

export class DigestTimedMetadataDto extends DurationMetadataDto {
  @Choice(['timed']) type!: 'timed';
  @Text({ optional: true }) digestKey?: string;
  @Child(() => TimedMetadataDto, { optional: true }) timed?: TimedMetadataDto;
}

export class DelayRegularMetadataDto extends DurationMetadataDto {
  @Choice(['regular']) type!: 'regular';
}

export class DelayScheduledMetadataDto {
  @Choice(['scheduled']) type!: 'scheduled';
  @Text() delayPath!: string;
}

const METADATA = [
  DigestRegularMetadataDto,
  DigestTimedMetadataDto,
  DelayRegularMetadataDto,
  DelayScheduledMetadataDto,
] as const;
export type StepMetadataDto = InstanceType<(typeof METADATA)[number]>;

export class ReplyCallbackDto {
  @Flag('Always false: replies to emails are not received.', { optional: true }) active?: boolean;
  @Text('Always left out.', { optional: true }) url?: string;
}

@ApiExtraModels(...METADATA)
class EmbeddedContentDto {
  @Text({ optional: true }) _id?: string;
  @Text({ optional: true }) uuid?: string;
  @Text({ optional: true }) name?: string;
  @Text({ optional: true }) _templateId?: string;
  @Text('The step before it; the first one has none.', { optional: true }) _parentId?: string;
  @Flag({ optional: true }) active?: boolean;
  @Flag({ optional: true }) shouldStopOnFail?: boolean;
  @JsonMap('Its `type`; the contents are in `GET /v2/workflows/{workflowId}`.', { optional: true })
  template?: JsonObject;
  @Children(() => StepFilterDto, { optional: true }) filters?: StepFilterDto[];
  @ApiProperty({
    required: false,
    anyOf: METADATA.map((type) => ({ $ref: getSchemaPath(type) })),
    description:
      'How a digest or a delay waits, as it is written. Left out for delays that are neither `regular` nor ' +
      '`scheduled`; the activity shows those.',
  })
  metadata?: StepMetadataDto;
  @Child(() => ReplyCallbackDto, { optional: true }) replyCallback?: ReplyCallbackDto;
}

/** Another content of a step. */
export class EmbeddedVariantDto extends EmbeddedContentDto {}

export class EmbeddedStepDto extends EmbeddedContentDto {
  @Children(() => EmbeddedVariantDto, { optional: true }) variants?: EmbeddedVariantDto[];
}

export class NotificationGroupDto {
  @Text({ optional: true }) _id?: string;
  @Text('Always left out.', { optional: true }) _parentId?: string;
  @Text() name!: string;
  @Text() _environmentId!: string;
  @Text() _organizationId!: string;
}

const KEY_ID = 'The id of the API key, or empty if it was no key: the command line, for example.';

/** The workflow that a message came from (spec 2.11), as it is now. */
export class EmbeddedWorkflowDto {
  @Text({ optional: true }) _id?: string;
  @Text() name!: string;
  @Text() description!: string;
  @Flag() active!: boolean;
  @Flag('Always false: there are no drafts.') draft!: boolean;
  @Child(() => PreferenceSettingsDto) preferenceSettings!: PreferenceSettingsDto;
  @Flag('Preferences of subscribers do not count.') critical!: boolean;
  @Texts() tags!: string[];
  @Children(() => EmbeddedStepDto) steps!: EmbeddedStepDto[];
  @Text() _organizationId!: string;
  @Text(`Who created it. ${KEY_ID}`) _creatorId!: string;
  @Text() _environmentId!: string;
  @Children(() => NotificationTriggerDto) triggers!: NotificationTriggerDto[];
  @Text('The id of the only group.') _notificationGroupId!: string;
  @Child(() => NotificationGroupDto, 'There is one group in an environment.', { optional: true })
  notificationGroup?: NotificationGroupDto;
  @Text('Always left out: workflows have no parents.', { optional: true }) _parentId?: string;
  @JsonMap('Always empty: workflows have no custom data.', { optional: true }) data?: JsonObject;
  @JsonMap(
    '`hasActiveIntegrations`: whether every channel of its steps has an active integration; ' +
      '`hasPrimaryIntegrations`: the same for primary ones, of email and SMS; `channels`: both, by channel.',
    { optional: true },
  )
  workflowIntegrationStatus?: JsonObject;
  @Flag() deleted!: boolean;
  @Text('Empty unless it is deleted.') deletedAt!: string;
  @Text(`Who deleted it. ${KEY_ID} Empty unless it is deleted.`) deletedBy!: string;
  @Texts('Fields of its steps that were left out because the page would be too large. A smaller page shows them.', {
    optional: true,
  })
  leftOut?: string[];
}
